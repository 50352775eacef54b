// Reads a number or plain arithmetic, with a unit of the question behind it. Whatever only a terminal reads is asked again, and never
// read as something else. V is the vocabulary, put here by Python: scales, prefixes, and the units of each kind of amount.
const pairs = (text) => text.split(" ").map((entry) => /^(\D*)(.+)/.exec(entry).slice(1)); // such as k1e3
const SCALES = new Map(pairs(V.scales)), PREFIXES = V.prefixes.map(pairs), UNITS = {};
for (const [kind, families] of Object.entries(V.units)) {
  const words = (UNITS[kind] = new Map());
  for (const [prefixes, tails, factor] of families)
    for (const [prefix, size] of PREFIXES[prefixes]) for (const tail of tails.split(" ")) words.set(prefix + tail, factor * size);
  if (kind !== "bit") ["b", "F"].forEach((word) => words.delete(word)); // bits or billions, FLOP or FLOP/s
}

const SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻×·⋅÷−µμ", PLAIN = "0123456789-***/-uu";
const plain = (signs) => [...signs].map((sign) => PLAIN[SIGNS.indexOf(sign)]).join("");
const TOKEN = /(\s*)(?:((?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?![\d.,]))|([A-Za-z]+|[$%])|(\*\*|[-+*\/^()])|\S)/g;

// The factor of words such as "GB", or "GB each": one is a unit of the kind, the others are things that are counted.
function factorOf(kind, words) {
  const units = words.split(" ").filter((word) => UNITS[kind]?.has(word) || !UNITS.number.has(word));
  return units.length < 2 ? UNITS[kind]?.get(units[0] ?? words) : undefined;
}

// The factor of a unit that may have another one below a line, as TFLOP/s has.
function unitOf(kind, name) {
  const [over, under, ...more] = name.split("/"), [kindOver, kindUnder] = kind.split("/");
  if (under === undefined || more[0] !== undefined) return factorOf(kind, name);
  if (UNITS.number.has(under)) return factorOf(kind, over);
  return (kindOver === "number" && !over ? 1 : factorOf(kindOver, over)) / factorOf(kindUnder, under);
}

// The value in base units and whether a unit was given, or why the text is asked again.
function read(text, { kind, unit, factor }) {
  text = text.replace(/[×·⋅÷−µμ]/g, plain).replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g, (raised) => `^(${plain(raised)})`);
  text = text.trim().replace(/^(?:[~≈] ?|about |approximately |roughly )/i, "").replace(/[.?]$/, "");
  if (kind === "dollar") text = text.replace(/^\$(.+)/, "$1 $$");
  const tokens = Array.from(text.matchAll(TOKEN), ([whole, space, number, word, sign]) => ({ text: whole.trim(), space, number, word, sign }));
  const signs = tokens.map(({ sign }) => sign).join("");
  if (text.length > 200 || /\b0[xX]\d|\+-|(\([^(]*){21}/.test(text) || (signs === "-" && !tokens[0].sign)) return T.unread; // as a range is
  let at = 0;
  const next = (...texts) => texts.includes(tokens[at]?.text) && tokens[at++].text;
  const atom = () => {
    const { number, sign } = tokens[at++] || {};
    if (sign !== "(") return +number?.replace(/,/g, "") || (/^[0.,]+(e|$)/i.test(number) ? 0 : NaN);
    const value = sum();
    return next(")") ? value : NaN;
  };
  const power = () => {
    const base = atom();
    return !next("^", "**") ? base : Number.isFinite(base) ? base ** (next("-") ? -power() : power()) : NaN;
  };
  const scaled = () => {
    const sign = next("-") ? -1 : 1, value = power(), { word } = tokens[at] || {};
    const scale = !UNITS[kind]?.has(word) && !(word === "B" && kind.includes("byte")) && SCALES.get(word);
    if (scale) at++;
    return sign * value * (scale || 1);
  };
  const isFactor = ({ number, sign } = {}) => number || "(-".includes(sign);
  const product = () => {
    for (let value = scaled(); ; ) {
      const sign = ["*", "x", "X", "/"].includes(tokens[at]?.text) && isFactor(tokens[at + 1]) && tokens[at++].text;
      if (!sign) return value;
      value = sign === "/" ? value / scaled() : value * scaled();
    }
  };
  const sum = () => {
    for (let value = product(), sign; ; value += sign === "-" ? -product() : product()) if (!(sign = next("+", "-"))) return value;
  };
  const number = sum(), name = tokens.slice(at).map(({ text: word, space }) => (space && " ") + word).join("").replace(/-/g, " ").trim().replace(/[ ]?(?:\/|\bper\b) ?/g, "/");
  if (name === "m") return T.m_alone;
  if (/^B [^/]/.test(name) || (kind === "second" && /gpu|device|chip|card/i.test(name))) return T.unread; // billions; the time of all together
  const isShare = kind === "number" && ["", "%"].includes(unit) && /^(%|percent|pct)$/.test(name), bare = !isShare && (!name || (kind === "number" && unitOf(kind, name) === 1));
  if (unit === "%" && name && !isShare) return T.unread;
  if (!isNaN(number) && Object.values(UNITS).some((words) => words.has(name)) && isNaN(unitOf(kind, name))) return say(T.other_asked, unit || T.number);
  const value = number * (isShare ? 0.01 : bare ? factor : unitOf(kind, name));
  return value === 0 || (value > 1e-100 && value < 1e100) ? { value, given: !bare } : T.unread;
}
