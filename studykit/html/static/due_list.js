// What is due in every deck, and one copy of progress for all of them: the pure part of the app.
const NEW_A_DAY = 10, MOST_EVENTS = 20000, LARGEST_OF_ALL = 1e8;

const replay = (log) => live(log).reduce((memories, e) => (apply(memories, e), memories), new Map());

function metNew(log, today) {
  const known = new Map();
  let met = 0;
  for (const e of live(log)) {
    met += isAnswer(e) && e.day === today && !known.has(e.card);
    apply(known, e);
  }
  return met;
}

// What each deck has today. The day's new cards are shared out in the order of the decks.
// `later` are the new cards that wait for another day.
function dueList(decks, logs, today) {
  const met = logs.map((log) => metNew(log, today));
  let left = Math.max(0, NEW_A_DAY - met.reduce((sum, n) => sum + n, 0));
  return decks.map(({ cards }, at) => {
    const memories = replay(logs[at]), asked = new Set(agenda(cards, logs[at], today, met[at] + left).map((c) => c.id));
    const fresh = [...asked].filter((id) => !memories.has(id)).length;
    left -= fresh;
    return { due: asked.size - fresh, fresh, later: cards.map((c) => c.id).filter((id) => !memories.has(id) && !asked.has(id)) };
  });
}

// The events that are new to each deck, and of its own cards.
const shared = (decks, logs, events) =>
  decks.map(({ cards }, at) => {
    const ids = new Set(cards.map((c) => c.id));
    return merged(logs[at], events.filter((e) => ids.has(e.card))).slice(logs[at].length);
  });

const copyOfAll = (logs) => copyOf(merged([], logs.flat()).sort((a, b) => a.moment - b.moment));
