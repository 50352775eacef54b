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
  return { answer, seed: data.seeds[at], slips, want, unit, fixed, tolerance: +inSet(data.tolerance), asked: text(data.asked), hints: data.hints.map(text), heading: text(data.heading), more: text(data.more), solution: text(data.solution) };
}
