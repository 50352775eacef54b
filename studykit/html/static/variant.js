// One of the sets of numbers that Python drew: its texts filled in, its amounts as numbers.
function posed(data, at) {
  // A column keeps each different value once, and says which of them a set has.
  const inSet = (place) => {
    const [which, ...values] = data.columns[place];
    return values[parseInt(which[at], 36)];
  };
  const text = (parts) => parts.map((part) => (typeof part === "number" ? inSet(part) : part)).join("");
  const { want, unit, fixed, seeds } = data, answer = +inSet(data.answer), [heading, more, solution, full] = data.texts.map(text);
  const slips = data.slips
    .filter(([, place]) => inSet(place) !== null)
    .map(([id, place, times, question, message]) => ({ id, value: inSet(place) * (times ? answer : 1), question: text(question), message: text(message) }));
  return { answer, seed: seeds[at], slips, want, unit, fixed, tolerance: +inSet(data.tolerance), hints: data.hints.map(text), heading, more, solution, full };
}
