// Judges a number in log space: the twin of studykit/exercise/estimate/number.py, without what only a terminal asks.
const SLIP_BAND = Math.log(1.02), EXACT = 1e-9, ROUNDED = 5e-4, PLAUSIBLE = 3, FEW = 1e4, FAR = 1e5, ROUNDED_TOLERANCE = 0.01, TIED = 0.06;

function distance(value, other) {
  if (value === other) return 0;
  return value <= 0 || other <= 0 ? Infinity : Math.abs(Math.log(value / other));
}

function digits(value, significant = 4) {
  const short = Number.isInteger(value) && value < 1e5 ? value : +value.toPrecision(significant);
  return short && (short >= 1e5 || short < 1e-3) ? short.toExponential().replace("+", "") : String(short);
}

// A variant here: answer, tolerance, want, unit, fixed, slips [{id, value, question, message}].
const right = ({ answer, tolerance }, value) => distance(value, answer) <= Math.max(Math.log1p(tolerance), EXACT);

function explaining(variant, value) {
  if (right(variant, value)) return [];
  const { tolerance, unit, slips } = variant, apart = Math.max(EXACT, Math.log1p(tolerance));
  const band = tolerance >= ROUNDED_TOLERANCE ? SLIP_BAND : apart, isCounted = tolerance > 0 && ["gpu", "count"].includes(unit);
  const step = (slip) => (isCounted && slip.value > 25 ? Math.log(slip.value / (slip.value - 1)) + EXACT : 0);
  const near = slips.filter((slip) => distance(slip.value, value) <= Math.max(band, step(slip)));
  const best = Math.min(...near.map((slip) => distance(slip.value, value)));
  return near.filter((slip) => distance(slip.value, value) <= best + Math.min(SLIP_BAND, apart));
}

// What a bare number stands for: a share may be written as a fraction or in percent.
function meant(variant, { value, given }) {
  const { answer, want, unit } = variant, candidates = [value], isShare = unit === "number" && answer >= 0.01 && answer <= 1 && value >= 1 && value <= 100;
  if (!given && want.unit === "%") candidates.push(value * 100);
  if (!given && isShare && right(variant, value / 100)) candidates.push(value / 100);
  const near = (a, b) => (distance(b, answer) < distance(a, answer) ? b : a);
  return candidates.find((each) => right(variant, each) || explaining(variant, each)[0]) ?? candidates.reduce(near);
}

function judge(variant, text) {
  const { answer, want, unit, fixed, tolerance } = variant, reading = read(text, want), again = (why) => ({ verdict: "malformed", why, slips: [] });
  if (typeof reading === "string") return again(reading);
  if (fixed && reading.given && !text.toLowerCase().includes(unit.slice(0, 2).toLowerCase())) return again(say(T.conversion, unit));
  const value = meant(variant, reading), isRight = right(variant, value), slips = explaining(variant, value), typed = reading.value;
  const isShort = ["param", "token", "FLOP/s"].includes(want.unit) && typed > 0 && typed < FEW && answer > FAR * typed;
  const isBase = want.factor !== 1 && want.kind !== "number" && distance(typed / want.factor, answer) <= Math.min(PLAUSIBLE, distance(typed, answer));
  if (!reading.given && (isShort || (typed && isBase)) && !explaining(variant, typed)[0] && !isRight) return again(say(T.bare, want.unit));
  const isClose = answer > 0 && !slips[0] && distance(value, answer) <= Math.log1p(2 * tolerance);
  const echo = `${digits(value / want.factor, tolerance ? 4 : 12)} ${want.kind === "number" && want.unit !== "%" ? "" : want.unit}`.trim(); // what is counted stands in the label
  return { verdict: isRight ? "correct" : isClose ? "close" : "incorrect", value, echo, slips };
}

function direction(value, answer) {
  const far = distance(value, answer), side = value > answer ? T.too_high : T.too_low;
  return (!value ? T.zero : far === Infinity ? side : say(far < Math.log(10) - EXACT ? T.under_ten : T.over_ten, side)) + ".";
}

function offBy(value, { answer, tolerance }) {
  const far = distance(value, answer), side = value > answer ? [T.percent_high, T.times_high] : [T.percent_low, T.times_low];
  if (far === Infinity || (far > EXACT && far <= Math.min(ROUNDED, tolerance / 2))) return "";
  if (far <= EXACT) return T.yours_exact;
  const ratio = Math.exp(far);
  return ratio < 1.2 ? say(side[0], digits(100 * Math.abs(value / answer - 1), 2)) : say(side[1], digits(ratio, 2));
}

// Several slips that give the same value: only one of them was made, otherwise they were made together.
const isTied = (slips) => slips.every((slip) => distance(slip.value, slips[0].value) <= TIED);
const blamed = (slips) => slips.filter((slip) => !slips.some((other) => other !== slip && distance(other.value, slip.value) <= TIED));

// Each text once; several of them under a line that says whether one of the slips was made, or all.
function underHeading(slips, part) {
  const lines = [...new Set(slips.map((slip) => slip[part]))];
  return !lines[1] ? lines : [!isTied(slips) ? T.together : lines[2] ? T.one_of : T.either, ...lines];
}

const whileOpen = ({ answer }, { verdict, value, slips }) =>
  verdict === "close" ? [T.nearly] : [direction(value, answer), ...underHeading(slips, "question")];

const whenClosed = (variant, { value, slips }) => [`${say(T.the_answer, variant.full)} ${offBy(value, variant)}`.trim(), ...underHeading(slips, "message")];

// The twin of suggested_grade in studykit/scheduling/outcomes.py.
const suggestedGrade = (verdict, tries, hints) =>
  verdict === "incorrect" || tries > 2 ? 1 : verdict === "correct" && tries === 1 && !hints ? 4 : 3;
