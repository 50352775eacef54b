// Reads the usual spellings of an amount: a number or a short expression, and its unit. Whatever only a terminal reads is asked
// again, and never read as something else. V is the vocabulary, put here by Python: units, scales, names of dimensions.
class BadAnswer extends Error { }
const bad = (why = T.unread) => { throw new BadAnswer(why); };

// A phrase with what is given in the places of its first % signs.
const say = (phrase, ...given) => phrase.replace(/%/g, (sign) => (given.length ? given.shift() : sign));

const NUMBER = "0,0,0,0,0", SECOND = "0,0,1,0,0", DOLLAR = "0,0,0,1,0", BYTE = "0,1,0,0,0", FLOP = "1,0,0,0,0", FLOP_PER_S = "1,0,-1,0,0";
const LONGEST = 200, DEEPEST = 20, SCALES = new Map(Object.entries(V.scales)), UNITS = new Map();
for (const [prefixes, tails, factor, dimension, flops, noun] of V.units)
  for (const [prefix, size] of Object.entries(V.prefixes[prefixes]))
    for (const tail of tails.split(" ")) UNITS.set(prefix + tail, { factor: factor * size, dimension, flops, noun });
for (const word of V.ambiguous) UNITS.delete(word);

const named = (dimension) => V.names[dimension] || T.other_kind;
const times = (left, right, sign = 1) => right.split(",").map((n, at) => +left.split(",")[at] + sign * n).join();

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", LOWERED = "0123456789-", SIGNS = { "×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "µ": "u", "μ": "u" };
const TOKEN = /(?<space>\s*)(?:(?<number>(?:[1-9]\d{0,2}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\d.,])|\.\d+(?![\d.,]))|(?<word>[A-Za-z]+|[$%])|(?<sign>\*\*|[-+*\/^()])|(?<other>\S))/g;
const END = { text: "" };

function split(text) {
  if (text.length > LONGEST || /\b0[xX]\d|\+-/.test(text)) bad();
  text = text.replace(/[×·⋅÷−µμ]/g, (sign) => SIGNS[sign]).replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g, (raised) => `^(${[...raised].map((sign) => LOWERED[RAISED.indexOf(sign)]).join("")})`);
  text = text.trim().replace(/^(?:[~≈] ?|about |approximately |roughly )/i, "").replace(/[.?]$/, "");
  const pieces = Array.from(text.trimEnd().matchAll(TOKEN), ({ groups: { space, number, word, sign, other } }) => {
    if (other) bad();
    return { text: number || word || sign, number: number && Number(number.replace(/,/g, "")), word, sign, spaced: space !== "" };
  });
  if (!pieces.some((piece) => piece.number !== undefined)) bad(T.give_number);
  if (pieces.some(({ number }, at) => number !== undefined && (!Number.isFinite(number) || (!number && /^[^eE]*[1-9]/.test(pieces[at].text)) || pieces[at - 1]?.number !== undefined))) bad();
  if (pieces.filter(({ sign }) => sign).map(({ text }) => text).join() === "-" && pieces[0].text !== "-") bad(); // a range
  return pieces;
}

const isUnit = ({ text }) => UNITS.has(text) || V.ambiguous.includes(text);

// Arithmetic over amounts, by recursive descent, with the words behind a number.
class Expression {
  constructor(pieces, want, isRate) {
    Object.assign(this, { pieces, want, isRate, place: 0, depth: 0, given: false, flops: false });
    this.lone = !pieces.some(({ sign }) => sign && "**/^".includes(sign));
  }

  peek(ahead = 0) { return this.pieces[this.place + ahead] || END; }

  whole(withTail) {
    const tail = withTail && this.tail(), [value, dimension] = this.sum();
    if (this.peek() !== END) bad();
    const amount = tail ? [value * tail[0], times(dimension, tail[1])] : [value, dimension];
    return Number.isFinite(amount[0]) && amount[0] >= 0 && (amount[0] === 0 || amount[0] > 1e-100) && amount[0] < 1e100 ? amount : bad();
  }

  // The unit at the end of an expression of plain numbers, which is the unit of all of it.
  tail() {
    const pieces = this.pieces, joins = (at) => ["/", "-", "*"].includes(pieces[at]?.text) && pieces[at - 1]?.word && pieces[at + 1]?.word;
    let start = pieces.length;
    while (start > 0 && (pieces[start - 1].word || joins(start - 1))) start--;
    if (this.lone || !start || start === pieces.length || pieces.slice(0, start).some(isUnit) || "+-*/^(".includes(pieces[start - 1].text)) return;
    if (pieces[start - 1].number !== undefined && SCALES.has(pieces[start].text) && !UNITS.has(pieces[start].text)) start++;
    if (start === pieces.length || !isUnit(pieces[start])) return;
    this.place = start;
    const amount = this.words([1, NUMBER]), whole = this.place === pieces.length;
    this.place = 0;
    if (!whole) bad();
    this.pieces = pieces.slice(0, start);
    return amount;
  }

  sum() {
    let [value, dimension] = this.product();
    for (let sign; ["+", "-"].includes((sign = this.peek().text)); ) {
      this.place++;
      const [more, other] = this.product();
      if (other !== dimension) bad();
      value += sign === "+" ? more : -more;
    }
    return [value, dimension];
  }

  product() {
    let [value, dimension] = this.signed();
    for (;;) {
      const { text } = this.peek();
      if (!["*", "x", "X", "/", "per"].includes(text)) return [value, dimension];
      this.place++;
      const over = text === "/" || text === "per", [more, other] = this.signed();
      if (over && !more) bad();
      [value, dimension] = [over ? value / more : value * more, times(dimension, other, over ? -1 : 1)];
    }
  }

  signed() {
    const minus = this.peek().text === "-";
    this.place += minus;
    const [value, dimension] = this.words(this.power());
    return [minus ? -value : value, dimension];
  }

  power() {
    const base = this.atom();
    if (!["^", "**"].includes(this.peek().text)) return base;
    this.place++;
    const minus = this.peek().text === "-";
    this.place += minus;
    const [exponent, other] = this.power();
    const value = base[0] ** (minus ? -exponent : exponent);
    return base[1] === NUMBER && other === NUMBER && Number.isFinite(value) && Number.isFinite(base[0]) ? [value, NUMBER] : bad();
  }

  atom() {
    const { number, text } = this.peek();
    this.place++;
    if (number !== undefined) return [number, NUMBER];
    if (text === "$" && this.peek().number !== undefined && this.want.dimension === DOLLAR) {
      this.given = true;
      const scale = SCALES.get(this.peek(1).text);
      this.place += scale ? 2 : 1;
      return [this.peek(scale ? -2 : -1).number * (scale || 1), DOLLAR];
    }
    if (text !== "(" || ++this.depth > DEEPEST) bad();
    const amount = this.sum();
    return this.pieces[this.place++]?.text === ")" ? amount : bad();
  }

  // Scales and units behind a number; a slash or "per" before a unit divides by that unit alone.
  words([value, dimension]) {
    for (let first = true, sign = 1; ; first = false) {
      const joint = ["/", "per"].includes(this.peek().text) && (!first || this.lone) && isUnit(this.peek(1)) ? -1 : this.peek().text === "-" && !first && !this.peek().spaced && isUnit(this.peek(1)) ? 1 : 0;
      this.place += joint !== 0;
      const piece = this.peek(), { text } = piece;
      sign = joint || 1;
      if (!piece.word || ["per", "x", "X", "$"].includes(text)) return [value, dimension];
      const unit = this.unit(piece, first && !joint);
      this.place++;
      value *= (unit?.factor ?? SCALES.get(text)) ** sign;
      dimension = times(dimension, unit?.dimension ?? NUMBER, sign);
      if (V.devices.includes(text) && dimension === SECOND && this.want.unit !== "GPU-hour") bad();
    }
  }

  unit(piece, first) {
    const { text } = piece, inBytes = this.want.dimension.split(",")[1] !== "0";
    if (this.want.bits && ["b", "bit", "bits"].includes(text)) return { factor: 1, dimension: NUMBER };
    let unit = UNITS.get(text);
    if (text === "B" && (!first || (this.peek(1).text === "/" && this.peek(2).word) || (inBytes && this.lone && this.peek(1) === END))) unit = { factor: 1, dimension: BYTE };
    if (text === "B" && !unit && inBytes) bad(T.which_b);
    if (/^op(eration)?s?$/i.test(text) && this.want.dimension.startsWith("1,")) bad(); // FLOPs, or any operations
    if (text === "b" || text === "m") bad(text === "m" ? T.m_alone : T.small_b);
    if (!unit) return first && SCALES.has(text) ? undefined : bad();
    if (unit.flops && this.isRate) unit = { ...unit, dimension: unit.dimension === FLOP_PER_S ? FLOP : FLOP_PER_S };
    this.flops ||= unit.flops;
    this.given ||= !unit.noun;
    return unit;
  }
}

function read(text, want) {
  const pieces = split(text), isExpression = pieces.filter((piece) => piece.number !== undefined).length > 1;
  const once = (isRate, withTail) => {
    const expression = new Expression(pieces, want, isRate), { given, flops } = expression;
    let [value, dimension] = expression.whole(withTail);
    const bare = dimension === NUMBER && !expression.given, others = bare && want.unit === "%" ? [value] : [];
    if (bare) [value, dimension] = [value * want.factor, want.dimension];
    // Numbers without a unit among some with one: of FLOPs, or of bytes.
    if (isExpression && dimension !== want.dimension && [FLOP, BYTE].some((lacking) => lacking !== want.dimension && times(dimension, lacking) === want.dimension)) dimension = want.dimension;
    return { value, dimension, others, given: expression.given, flops: expression.flops };
  };
  let reading = once(false, true);
  if (reading.dimension === "1,0,1,0,0" && want.dimension === FLOP) reading.dimension = FLOP; // petaFLOP-days
  const again = (...how) => {
    const other = reading.dimension !== want.dimension && once(...how);
    if (other.dimension === want.dimension) reading = other;
  };
  if (reading.flops) again(true, true);
  if (isExpression) again(false, false);
  if (reading.dimension === NUMBER && (want.dimension !== NUMBER || (reading.given && !isExpression && !["", "%"].includes(want.unit)))) bad();
  return reading;
}
