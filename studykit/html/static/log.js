// The log and what follows from it: the twin of studykit/log.py.
function became(memory, day) {
  if (!memory || due(memory) <= day) return "review";
  return day <= memory.reviewed ? "drill" : "cram";
}

function live(events) {
  const gone = new Set(events.filter((e) => e.kind === "undo").map((e) => e.target));
  const kept = events.filter((e) => !gone.has(e.id));
  return kept.sort((a, b) => a.moment - b.moment || (a.id < b.id ? -1 : 1));
}

function replay(events) {
  const memories = new Map();
  for (const e of live(events)) {
    const memory = memories.get(e.card);
    if (e.kind === "answer" && became(memory, e.day) === "review") memories.set(e.card, after(memory, e.grade, e.day));
    if (e.kind === "reset") memories.delete(e.card);
    if (e.kind === "relink") {
      const moved = memories.get(e.target);
      if (memories.delete(e.target)) memories.set(e.card, moved);
    }
  }
  return memories;
}

// What is left today: due cards, new cards, then the drill; of siblings only one a day.
function agenda(cards, events, memories, day, newADay) {
  const last = new Map(), met = new Set();
  let fresh = newADay;
  const first = new Set();
  for (const e of live(events)) {
    if (e.kind !== "answer") continue;
    if (!first.has(e.card) && e.day === day) fresh--;
    first.add(e.card);
    if (e.day === day) {
      last.delete(e.card);
      last.set(e.card, e.grade);
    }
  }
  for (const c of cards) if (last.has(c.id)) met.add(c.note);
  const pick = (list) => list.filter((c) => !met.has(c.note) && met.add(c.note));
  const old = cards.filter((c) => memories.has(c.id) && due(memories.get(c.id)) <= day);
  old.sort((a, b) => due(memories.get(a.id)) - due(memories.get(b.id)));
  const ready = pick(old);
  const unseen = pick(cards.filter((c) => !memories.has(c.id)).slice()).slice(0, Math.max(0, fresh));
  const byId = new Map(cards.map((c) => [c.id, c]));
  const drill = [...last].filter(([id, grade]) => grade < 4 && byId.has(id)).map(([id]) => byId.get(id));
  return [...ready, ...unseen, ...drill];
}
