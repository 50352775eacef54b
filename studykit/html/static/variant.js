// One of the sets of numbers that Python drew: its texts filled in, its amounts as numbers.
const WRITERS = [(value) => digits(value), (value) => (value ? scientific(value) : "0"), shown];

// A text from its parts: constants, and places of columns.
const filled = (parts, inSet) => parts.map((part) => (typeof part === "number" ? inSet(part) : part)).join("");

function posed(data, at) {
  // A column keeps each different value once and says which of them a set has, or how to write the amounts of another.
  const inSet = (place) => {
    const [first, ...others] = data.columns[place];
    return typeof first === "string" ? others[parseInt(first[at], 36)] : WRITERS[others[0]](+inSet(first), want);
  };
  const { want, unit, fixed } = data, answer = +inSet(data.answer), text = (parts) => filled(parts, inSet);
  const slips = data.slips
    .filter(([, place]) => inSet(place) !== null)
    .map(([id, place, times, question, message]) => ({ id, value: inSet(place) * (times ? answer : 1), question: text(question), message: text(message) }));
  const tolerance = +inSet(data.tolerance), exactness = tolerance ? say(T.within, digits(100 * tolerance)) : T.exact;
  const label = want.unit || (want.dimension === NUMBER ? T.number : named(want.dimension));
  const heading = text(data.heading), more = text(data.more);
  return { answer, seed: data.seeds[at], slips, want, unit, fixed, tolerance, asked: `${label}, ${exactness}`, hints: data.hints.map(text), heading, more, solution: text(data.solution) };
}
