// The review rule and the day's agenda: the twin of review_rule.py and agenda.py in studykit/scheduling.
const isAnswer = (e) => e.kind === "answer";

// FSRS schedules its own answers; SM-2 all others.
const became = (past, { day, profile }) =>
  !past || (dueDay(past) <= day && profile !== "fsrs-6 ahead") || (/^fsrs-6( recalled| missed)?$/.test(profile) && day > past.reviewed) ? "review" : day > past.reviewed ? "cram" : "drill";

// Applies one event to the memories; returns what an answer became. A memory holds the card's last answer too.
function apply(memories, e) {
  const past = memories.get(e.card), moved = memories.get(e.target), kind = isAnswer(e) && became(past, e);
  if (kind) memories.set(e.card, Object.assign(kind === "review" ? after(past, e.grade, e.day) : past, { last: e }));
  if (e.kind === "reset") memories.delete(e.card);
  if (e.kind === "adopt" && /^\d{1,4} \d{1,5}( \d{1,4}){2}$/.test(e.target)) {
    const [repetition, interval, ease, lapses] = e.target.split(" ").map(Number);
    if (ease >= 130 && interval <= LONGEST) memories.set(e.card, { ...past, repetition, interval, ease, lapses, reviewed: e.day });
  }
  if (e.kind === "relink" && memories.delete(e.target)) memories.set(e.card, moved);
  return kind;
}

// The events that count, in order; worked out once for each log.
function live(log) {
  if (log.live) return log.live;
  const gone = new Set(log.map((e) => e.kind === "undo" && e.target));
  return (log.live = log.filter((e) => !gone.has(e.id)).sort((a, b) => a.moment - b.moment || (a.id < b.id ? -1 : 1)));
}

// What is left today: due cards, new cards, then the drill; of siblings only one a day. It leaves the log's memories behind.
function agenda(cards, log, today, newADay, memories = new Map()) {
  for (const e of live(log)) {
    newADay -= isAnswer(e) && e.day === today && !memories.has(e.card);
    apply(memories, e);
  }
  const last = (c) => memories.get(c.id)?.last, dueOf = (c) => dueDay(memories.get(c.id));
  const answered = cards.filter((c) => last(c)?.day === today), met = new Set(answered.map((c) => c.note));
  const firstOfNote = (c) => !met.has(c.note) && met.add(c.note);
  const known = cards.filter((c) => dueOf(c) <= today).sort((a, b) => dueOf(a) - dueOf(b)).filter(firstOfNote);
  const fresh = cards.filter((c) => !memories.has(c.id) && firstOfNote(c) && newADay-- > 0);
  const drill = answered.filter((c) => last(c).grade < 4).sort((a, b) => last(a).moment - last(b).moment);
  return [...known, ...fresh, ...drill];
}
