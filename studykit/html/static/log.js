// The log and what follows from it: the twin of studykit/scheduling/events.py.
const became = (past, today) => (!past || dueDay(past) <= today ? "review" : today <= past.reviewed ? "drill" : "cram");

const isAnswer = (e) => e.kind === "answer";

function live(log) {
  const gone = new Set(log.map((e) => e.kind === "undo" && e.target));
  return log.filter((e) => !gone.has(e.id)).sort((a, b) => a.moment - b.moment || (a.id < b.id ? -1 : 1));
}

function replay(log) {
  const memories = new Map();
  for (const e of live(log)) {
    const past = memories.get(e.card), moved = memories.get(e.target);
    if (isAnswer(e) && became(past, e.day) === "review") memories.set(e.card, after(past, e.grade, e.day));
    if (e.kind === "reset") memories.delete(e.card);
    if (e.kind === "relink" && memories.delete(e.target)) memories.set(e.card, moved);
  }
  return memories;
}

// What is left today: due cards, new cards, then the drill; of siblings only one a day.
function agenda(cards, log, memories, today, newADay) {
  const graded = new Map(), seen = new Set(), met = new Set();
  for (const e of live(log).filter(isAnswer)) {
    if (e.day === today) {
      newADay -= !seen.has(e.card);
      graded.delete(e.card);
      graded.set(e.card, e.grade);
    }
    seen.add(e.card);
  }
  for (const c of cards) if (graded.has(c.id)) met.add(c.note);
  const firstOfNote = (c) => !met.has(c.note) && met.add(c.note), dueOf = (c) => dueDay(memories.get(c.id));
  const known = cards.filter((c) => memories.has(c.id) && dueOf(c) <= today).sort((a, b) => dueOf(a) - dueOf(b)).filter(firstOfNote);
  const fresh = cards.filter((c) => !memories.has(c.id) && firstOfNote(c)).slice(0, Math.max(0, newADay));
  const drill = [...graded].flatMap(([id, grade]) => cards.filter((c) => c.id === id && grade < 4));
  return [...known, ...fresh, ...drill];
}
