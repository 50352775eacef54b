// The review rule and the day's agenda: the twin of review_rule.py and agenda.py in studykit/scheduling.
const isAnswer = (e) => e.kind === "answer";

const became = (past, today) => (!past || dueDay(past) <= today ? "review" : today <= past.reviewed ? "drill" : "cram");

// Brings the memories past one event; what an answer became.
function apply(memories, e) {
  const past = memories.get(e.card), moved = memories.get(e.target), kind = isAnswer(e) && became(past, e.day);
  if (kind === "review") memories.set(e.card, after(past, e.grade, e.day));
  if (e.kind === "reset") memories.delete(e.card);
  if (e.kind === "adopt") {
    const [repetition, interval, ease, lapses] = e.target.split(" ").map(Number);
    if (ease >= 130 && interval <= LONGEST_INTERVAL && repetition + lapses >= 0) memories.set(e.card, { repetition, interval, ease, lapses, reviewed: e.day });
  }
  if (e.kind === "relink" && memories.delete(e.target)) memories.set(e.card, moved);
  return kind;
}

// The events that count, in order; worked out once for each log.
const inOrder = new WeakMap();
function live(log) {
  if (!inOrder.has(log)) {
    const gone = new Set(log.map((e) => e.kind === "undo" && e.target));
    inOrder.set(log, log.filter((e) => !gone.has(e.id)).sort((a, b) => a.moment - b.moment || (a.id < b.id ? -1 : 1)));
  }
  return inOrder.get(log);
}

const replay = (log) => live(log).reduce((memories, e) => (apply(memories, e), memories), new Map());

// What is left today: due cards, new cards, then the drill; of siblings only one a day. It leaves the log's memories behind.
function agenda(cards, log, today, newADay, memories = new Map()) {
  const graded = new Map(), met = new Set();
  for (const e of live(log)) {
    if (e.day === today) {
      const moved = graded.get(e.target);
      newADay -= isAnswer(e) && !memories.has(e.card);
      if (isAnswer(e) || e.kind === "reset") graded.delete(e.card);
      if (isAnswer(e)) graded.set(e.card, e.grade);
      if (e.kind === "relink" && graded.delete(e.target)) graded.set(e.card, moved);
    }
    apply(memories, e);
  }
  for (const c of cards) if (graded.has(c.id)) met.add(c.note);
  const firstOfNote = (c) => !met.has(c.note) && met.add(c.note), dueOf = (c) => dueDay(memories.get(c.id));
  const known = cards.filter((c) => memories.has(c.id) && dueOf(c) <= today).sort((a, b) => dueOf(a) - dueOf(b)).filter(firstOfNote);
  const fresh = cards.filter((c) => !memories.has(c.id) && firstOfNote(c)).slice(0, Math.max(0, newADay));
  const drill = [...graded].flatMap(([id, grade]) => (grade < 4 ? cards.filter((c) => c.id === id) : []));
  return [...known, ...fresh, ...drill];
}
