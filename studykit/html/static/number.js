// Judges a number in log space and writes amounts: the twin of studykit/exercise/estimate/number.py and studykit/quantity/formatting.py.
const SLIP_BAND = Math.log(1.02), SAME = 1e-9, EXACT = 1e-9, ROUNDED = 5e-4, PLAUSIBLE = 3, WHOLE = 1e5, FEW = 1e4, FAR = 1e5, ROUNDED_TOLERANCE = 0.01;
const DAY = 86400, HOUR = 3600;
const LETTERED = ["param", "token", "FLOP/s"];
const FLOP_PER_BYTE = "1,-1,0,0,0", PER_SECOND = "0,0,-1,0,0", BYTE_PER_S = "0,1,-1,0,0", JOULE = "0,0,0,0,1", WATT = "0,0,-1,0,1";
const STEPS = [[1e21, "Z"], [1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const TIMES = [[DAY, "day"], [HOUR, "hour"], [60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];

function distance(value, other) {
  if (value === other) return 0;
  return value <= 0 || other <= 0 ? Infinity : Math.abs(Math.log(value / other));
}

// The nearest whole number, halves to the even one, as Python rounds.
const nearest = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const trimmed = (text) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);

// Halfway between two numbers of so many places, exactly: then Python takes the even one, JavaScript the larger.
function evenAtHalf(value, places) {
  const unit = 10 ** -places, half = places > 0 ? Number.isInteger(value * 2 ** (places + 1)) && (value * 10 ** places) % 1 === 0.5 : value % unit === unit / 2;
  if (!half) return value;
  return places > 0 ? nearest(value * 10 ** places) / 10 ** places : nearest(value / unit) * unit;
}

const fixed = (value, places) => trimmed(evenAtHalf(value, places).toFixed(places));

function scientific(value, significant = 4) {
  const places = significant - 1 - Math.floor(Math.log10(Math.abs(value)));
  const [mantissa, exponent] = evenAtHalf(value, places).toExponential(significant - 1).split("e");
  return `${trimmed(mantissa)}e${+exponent}`;
}

function digits(value, significant = 4) {
  if (value === 0) return "0";
  if (value === Math.trunc(value) && Math.abs(value) < WHOLE) return String(value);
  if (Math.abs(value) >= 1e-3 && Math.abs(value) < WHOLE)
    return fixed(value, Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
  return scientific(value, significant);
}

const grouped = (value) => String(BigInt(nearest(value))).replace(/\B(?=(\d{3})+$)/g, ",");

function count(value) {
  for (const [size, letter] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]])
    if (value >= size && (value >= 1e6 || trimmed((value / size).toPrecision(6)).length <= 5)) return digits(value / size) + letter;
  return digits(value);
}

const many = (number, unit) => `${number} ${unit}${number === "1" ? "" : "s"}`;
const time = (value, size, unit) => (size >= HOUR ? many(digits(value / size), unit) : `${digits(value / size)} ${unit}`);

function amount(value, dimension) {
  if (dimension === SECOND) return time(value, ...(TIMES.find(([least]) => value >= least) || [1, "s"]));
  if (dimension === DOLLAR) return "$" + (value >= 1e3 ? grouped(value) : digits(value));
  if (dimension === FLOP_PER_BYTE) return digits(value) + " FLOP/byte";
  if (dimension === PER_SECOND) return digits(value) + " per second";
  const symbol = { [FLOP]: "FLOP", [BYTE]: "B", [FLOP_PER_S]: "FLOP/s", [BYTE_PER_S]: "B/s", [JOULE]: "J", [WATT]: "W" }[dimension];
  if (!symbol) return digits(value);
  for (const [size, prefix] of value < 1e24 * 0.99995 ? STEPS : []) if (value >= size * 0.99995) return `${digits(value / size)} ${prefix}${symbol}`; // what rounds up to it
  return symbol === "B" ? many(digits(value), "byte") : `${digits(value)} ${symbol}`;
}

function shown(value, want, exact) {
  const size = { day: DAY, hour: HOUR, "GPU-hour": HOUR, min: 60, s: 1, ms: 1e-3, us: 1e-6 }[want.unit];
  if (size) return time(value, size, want.unit);
  switch (want.unit) {
    case "%": return digits(value * 100) + " %";
    case "GiB": case "MiB": return `${digits(value / want.factor)} ${want.unit}`;
    case "bit": return many(digits(value), "bit");
    case "param": case "token": return many(exact ? grouped(value) : count(value), want.unit);
    case "gpu": return many(grouped(value), "GPU");
  }
  if (want.dimension === NUMBER && value >= WHOLE && value === Math.trunc(value)) return value < 1e15 ? grouped(value) : scientific(value, 6);
  return amount(value, want.dimension);
}

function readAs(value, dimension, want) {
  if (dimension !== want.dimension) return amount(value, dimension);
  const names = { [FLOP]: " FLOP", [FLOP_PER_S]: " FLOP/s", [SECOND]: " s", [FLOP_PER_BYTE]: " FLOP/byte", [PER_SECOND]: " per second" };
  const number = digits(value), friendly = shown(value, want);
  const plain = dimension === BYTE ? many(number, "byte") : number + (names[dimension] || "");
  return friendly === plain ? friendly : `${plain} (${friendly})`;
}

// A variant here: answer, tolerance, want, unit, fixed, slips [{id, value, question, message}].
function right(variant, value) {
  if (variant.answer === 0 || value === 0) return value === variant.answer;
  return distance(value, variant.answer) <= Math.max(Math.log1p(variant.tolerance), EXACT);
}

function explaining(variant, value) {
  if (right(variant, value)) return [];
  const band = variant.tolerance >= ROUNDED_TOLERANCE ? SLIP_BAND : Math.max(SAME, Math.log1p(variant.tolerance));
  const counted = variant.tolerance > 0 && (variant.unit === "gpu" || variant.unit === "count");
  const step = (slip) => (counted && slip.value > 25 ? Math.log(slip.value / (slip.value - 1)) + EXACT : 0);
  const near = variant.slips.filter((slip) => distance(slip.value, value) <= Math.max(band, step(slip)));
  const best = Math.min(...near.map((slip) => distance(slip.value, value)));
  const apart = Math.min(SLIP_BAND, Math.max(SAME, Math.log1p(variant.tolerance)));
  return near.filter((slip) => distance(slip.value, value) <= best + apart);
}

function meant(variant, reading) {
  const candidates = [reading.value, ...reading.others], want = variant.want;
  for (const [place, value] of candidates.entries())
    if (right(variant, value) || explaining(variant, value).length)
      return [value, place ? T.as_fraction : ""];
  const share = !reading.given && want.unit === "" && variant.unit === "number";
  const likely = variant.answer >= 0.01 && variant.answer <= 1 && reading.value >= 1 && reading.value <= 100;
  if (share && likely && right(variant, reading.value / 100)) return [reading.value / 100, T.as_percent];
  return [candidates.reduce((a, b) => (distance(b, variant.answer) < distance(a, variant.answer) ? b : a)), ""];
}

function judge(variant, text) {
  const want = variant.want;
  let reading;
  try {
    reading = read(text, want);
  } catch (error) {
    if (error instanceof BadAnswer) return { verdict: "malformed", why: error.message, slips: [] };
    throw error;
  }
  const again = (why) => ({ verdict: "malformed", why, slips: [] });
  if (reading.dimension !== want.dimension) {
    const asks = V.counted[want.dimension === NUMBER && want.unit] ? say(T.number_of, V.counted[want.unit]) : named(want.dimension);
    return again(say(T.other_asked, named(reading.dimension), asks));
  }
  const [value, note] = meant(variant, reading), isSlip = explaining(variant, reading.value).length > 0;
  if (variant.fixed && reading.given && !text.toLowerCase().includes(variant.unit.slice(0, 2).toLowerCase())) return again(say(T.conversion, variant.unit));
  const short = reading.value > 0 && reading.value < FEW && variant.answer > FAR * reading.value;
  if (short && LETTERED.includes(want.unit) && !reading.given && !isSlip) return again(say(T.no_prefix, shown(reading.value, want)));
  const gap = distance(reading.value / want.factor, variant.answer), scaled = want.factor !== 1 && want.dimension !== NUMBER;
  if (!reading.given && reading.value && scaled && gap <= Math.min(PLAUSIBLE, distance(reading.value, variant.answer)) && !isSlip)
    return again(say(T.bare, want.unit, amount(reading.value, want.dimension)));
  const judged = { verdict: "correct", value, echo: readAs(value, reading.dimension, want), notes: note ? [note] : [], slips: [] };
  if (right(variant, value)) return judged;
  const slips = explaining(variant, value), near = distance(value, variant.answer) <= Math.log1p(2 * variant.tolerance);
  return { ...judged, verdict: variant.answer > 0 && !slips.length && near ? "close" : "incorrect", slips };
}

function direction(value, answer) {
  const far = distance(value, answer);
  if (far === Infinity) return value === 0 ? T.zero : T.too_high;
  const near = Math.floor(far / Math.log(10) + 1e-9) === 0, side = value > answer ? T.too_high : T.too_low;
  return say(near ? T.under_ten : T.over_ten, side);
}

function offBy(value, answer) {
  if (distance(value, answer) === Infinity) return "";
  if (value === answer || (answer && Math.abs(value / answer - 1) <= EXACT)) return T.yours_exact;
  const ratio = Math.max(value / answer, answer / value), high = value > answer;
  if (ratio < 1.2) return say(high ? T.percent_high : T.percent_low, digits(100 * Math.abs(value / answer - 1), 2));
  return say(high ? T.times_high : T.times_low, digits(ratio, 2));
}

const once = (lines) => [...new Set(lines)];

// Whether several slips give the same value, so that only one of them was made; otherwise they were made together.
const tied = (slips) => slips.length > 1 && slips.every((slip) => distance(slip.value, slips[0].value) <= 0.06);

const blamed = (slips) => slips.filter((slip) => !slips.some((other) => other !== slip && distance(other.value, slip.value) <= 0.06));

// Each text once; several of them under a line that says whether one of the slips was made, or all.
function underHeading(slips, part) {
  const lines = once(slips.map((slip) => slip[part]));
  if (lines.length < 2) return lines;
  return [!tied(slips) ? T.together : lines.length === 2 ? T.either : T.one_of, ...lines];
}

function whileOpen(variant, judged) {
  if (judged.verdict === "close") return [T.nearly];
  return [direction(judged.value, variant.answer) + ".", ...underHeading(judged.slips, "question")];
}

function whenClosed(variant, judged) {
  const far = judged.value === undefined ? 0 : distance(judged.value, variant.answer);
  const silent = judged.value === undefined || (far > 0 && far <= Math.min(ROUNDED, variant.tolerance / 2));
  const off = silent ? "" : offBy(judged.value, variant.answer);
  const said = shown(variant.answer, variant.want, variant.tolerance === 0);
  const answer = variant.want.dimension === FLOP ? `${scientific(variant.answer)} FLOP (${said})` : said;
  return [say(T.the_answer, answer) + (off && " " + off), ...underHeading(judged.slips, "message")];
}
