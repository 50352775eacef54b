// Reads an amount as people write it: the twin of studykit/quantity/reading.py and expression.py.
// V is the vocabulary, put here by Python: units, scales, functions, names of dimensions.
class BadAnswer extends Error { }
const bad = (why, ...given) => { throw new BadAnswer(say(why, ...given)); };

// A phrase with what is given in the places of its first % signs.
const say = (phrase, ...given) => phrase.replace(/%/g, (sign) => (given.length ? given.shift() : sign));

const [LONGEST, DEEPEST, LARGEST] = V.limits, [OF_ONE, OF_SEVERAL] = V.functions, FUNCTIONS = [...OF_ONE, ...OF_SEVERAL];
const JOINING = ["+", "-", "*", "/", "^", "**", "(", ","];
const NUMBER = "0,0,0,0,0", SECOND = "0,0,1,0,0", DOLLAR = "0,0,0,1,0", BYTE = "0,1,0,0,0", FLOP = "1,0,0,0,0", FLOP_PER_S = "1,0,-1,0,0";
const SCALES = new Map(Object.entries(V.scales)), UNITS = new Map();
for (const [prefixes, tails, factor, dimension, note, flops, noun] of V.units)
  for (const [prefix, size] of Object.entries(V.prefixes[prefixes]))
    for (const tail of tails.split(" ")) UNITS.set(prefix + tail, { factor: factor * size, dimension, note: V.notes[note], flops: !!flops, noun: !!noun });
for (const word of V.ambiguous) UNITS.delete(word);

const named = (dimension) => V.names[dimension] || T.other_kind;

function times(left, right, sign = 1) {
  const more = right.split(",");
  return left.split(",").map((n, i) => +n + sign * more[i]).join();
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", LOWERED = "0123456789-+";
const SIGNS = { "×": "*", "·": "*", "⋅": "*", "∙": "*", "•": "*", "÷": "/", "⁄": "/", "−": "-", "µ": "u", "μ": "u" };
const APPROXIMATELY = /^\s*(?:[~∼≈≃≅=]|(?:about|approximately|approx|roughly|around|ca|circa|nearly|almost|every|(?:by )?(?:a )?factor(?: of)?|by)\b\.?)\s*/i;
const ASIDE = / (?:(?:of|for|on) [A-Za-z ]+|(?:in )?total|in all|more|smaller|longer|as long)$|(\d ?[A-Za-z/%]*[A-Za-z%])(?<![ \d][xX])(?<!times)(?<!per) \([^()]*[A-Za-z][^()]*\)$/, AND = /(?:(?<=[a-z]),? and|(?<=days),) (?=\d)/g;
const DEVICE_NAMES = /(?:\s?[*x]\s?|\s)(?:[ABHV]\d00(?:[- ]\d+GB)?(?: SXM| HGX| PCIe)?|G[BH]200|L40S?|MI\d{3}X|TPU(?: ?v\d[ep]?)?|RTX ?\d{4})s?\b/g, DOLLARS = /\bUS ?\$|\bUSD ?(?=\d)/g, TIMES_BEHIND = /(?<=\d)([KMBTkmbt])x(?=\d)/g;
const PASTED = /(?<=\d)\s+[eE](?=[+-]?\d)/g;
const BOUND = /[<>≤≥]|\b(?:at least|at most|less than|more than|over|under|up to)\b/i;
const RANGE = /±|\+\/?-|\.\.|[\u2013\u2014]|\d.*\bto\b.*\d|\b(?:between|or)\b/i;
const EQUALS = /[=≈≃]/, AGREEING = 0.02;
const SPAN = /^(\$?[0-9.,]+(?:[eE][+-]?[0-9]+)?)(\s*(?![eE][+-]?[0-9])[A-Za-z%][A-Za-z%/]*|)\s*(?:[-\u2013\u2014]|\bto\b)\s*(\$?[0-9.,]+(?:[eE][+-]?[0-9]+)?)((?:[\s/-]*[A-Za-z%])*)$/;
const TOKEN = /(?<space>\s*)(?:(?<number>(?:(?:[1-9]\d{0,2}(?<sep>[,_' ])\d{3}(?:\k<sep>\d{3})*(?!\d)|\d+(?:_\d+)*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>log2(?![A-Za-z0-9])|[A-Za-z]+|[$%])|(?<sign>\*\*|[-+*\/^(),])|(?<other>.))/gsu;

const plainSigns = (text) => text.replace(/[×·⋅∙•÷⁄−µμ]/g, (sign) => SIGNS[sign]);

function oneSpelling(text) {
  text = text.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/g, (raised) => `^(${[...raised].map((c) => LOWERED[RAISED.indexOf(c)]).join("")})`).replace(/([0-9]+) ?([¼-¾⅐-⅞])/g, "($1+$2)").replace(/√ ?([0-9.]*)/g, (_, number) => (number ? `sqrt(${number})` : "sqrt"));
  return plainSigns(plainSigns(text).normalize("NFKC"));
}

function spelled(text) {
  if ([...text].length > LONGEST) bad(T.too_long, LONGEST);
  text = oneSpelling(text.trim().replace(/×$/, "")); // a factor, 5 times
  text = text.trim().replace(/[=?.,;!]+$/, "").trimEnd().replace(PASTED, "e").replace(TIMES_BEHIND, "$1 x ").replace(DEVICE_NAMES, " GPUs").replace(DOLLARS, "$").replace(AND, " ");
  for (let preface; (preface = APPROXIMATELY.exec(text)); ) text = text.slice(preface[0].length);
  text = text.replace(ASIDE, (_, number) => number || "");
  if (!text) bad(T.give_number);
  return text;
}

function tokens(text) {
  if (BOUND.test(text)) bad(T.bound);
  if (RANGE.test(text)) bad(T.range);
  if (/\b0[xX][\da-fA-F]/.test(text)) bad(T.hexadecimal);
  return split(text);
}

const agrees = (value, other) => value === other || Math.abs(value - other) <= AGREEING * Math.max(Math.abs(value), Math.abs(other));

function equation(sides, want) {
  const last = read(sides.at(-1), want), end = sides.at(-1);
  const number = (split(spelled(end)).find((piece) => piece.kind === "number") || END).value;
  for (const side of sides.slice(0, -1)) {
    let reading;
    try {
      reading = read(side, want);
    } catch (error) {
      if (error instanceof BadAnswer) continue;
      throw error;
    }
    const { value, dimension, given } = reading;
    const equals = !given ? [last.value, last.value / want.factor, number] : dimension === last.dimension ? [last.value] : [];
    if (!equals.some((other) => agrees(given ? value : value / want.factor, other))) bad(T.not_equal, side, end);
  }
  return last;
}

function middle(text, want) {
  const found = SPAN.exec(text);
  if (!found) return null;
  const [, first, unit, second, rest] = found, low = read(first + (unit || rest), want), high = read(second + rest, want);
  if (low.dimension !== high.dimension || low.value >= high.value) return null;
  const value = (low.value + high.value) / 2;
  return { ...high, value, others: high.others.length ? [value / want.factor] : [], notes: [...high.notes, T.middle] };
}

function split(text) {
  const found = [];
  for (const { groups } of text.matchAll(TOKEN)) {
    const spaced = groups.space !== "";
    if (groups.number !== undefined) found.push(numbered(groups.number, spaced, found.at(-1)));
    else if (groups.word !== undefined) found.push({ kind: "word", text: spelledWord(groups.word), value: 0, spaced });
    else if (groups.sign !== undefined) found.push({ kind: "sign", text: groups.sign, value: 0, spaced });
    else if ("€£¥".includes(groups.other)) bad(T.dollars_only, groups.other);
    else if (groups.other.trim()) bad(T.no_place, ascii(groups.other));
  }
  return found;
}

// The word, in small letters where only those have a meaning: Days, as phones write them.
function spelledWord(word) {
  const small = word.toLowerCase();
  return word.length > 3 && !UNITS.has(word) && (UNITS.has(small) || SCALES.has(small)) ? small : word;
}

function ascii(sign) {
  const code = sign.codePointAt(0), hex = code.toString(16);
  if (sign === "\\") return "'\\\\'";
  if (sign === "'") return `"'"`;
  if (/^[^\p{C}\p{Z}]$/u.test(sign)) return `'${sign}'`;
  return `'\\${code < 256 ? "x" + hex.padStart(2, "0") : code < 65536 ? "u" + hex.padStart(4, "0") : "U" + hex.padStart(8, "0")}'`;
}

function numbered(piece, spaced, before) {
  if (before && before.kind === "number") {
    if (!spaced) bad(T.two_points);
    bad(T.two_numbers, before.text, piece);
  }
  const value = Number(piece.replace(/[,_' ]/g, ""));
  if (value === Infinity) bad(T.too_large);
  if (!value && /^[^eE]*[1-9]/.test(piece)) bad(T.too_small);
  return { kind: "number", text: piece, value, spaced };
}

const END = { kind: "end", text: "", value: 0, spaced: false };
const known = (word) => UNITS.has(word) || SCALES.has(word) || FUNCTIONS.includes(word);
const unknown = (word, want) =>
  word === "m" ? T.m_alone : say(known(word) ? T.unit_there : want.dimension === NUMBER ? T.no_unit_of_count : T.no_unit, word);

// The words behind a number.
class Units {
  constructor(pieces, want, rate) {
    Object.assign(this, { pieces, want, rate, place: 0, notes: [], flops: false, given: false, billions: false, deviceTime: false });
    this.lone = !pieces.some((piece) => piece.kind === "sign" && "**/^".includes(piece.text));
  }

  peek(ahead = 0) { return this.pieces[this.place + ahead] || END; }
  isUnit(piece) { return UNITS.has(piece.text); }

  tail() {
    const pieces = this.pieces;
    let start = pieces.length;
    while (start > 0 && (pieces[start - 1].kind === "word" || this.joins(start - 1))) start--;
    if (this.lone || start === 0 || start === pieces.length || JOINING.includes(pieces[start - 1].text)) return null;
    if (pieces.slice(0, start).some((piece) => this.isUnit(piece))) return null;
    const text = pieces[start].text;
    if (pieces[start - 1].kind === "number" && SCALES.has(text) && !UNITS.has(text)) start++;
    if (start === pieces.length) return null;
    const per = pieces[start].text === "per";
    if (!pieces.slice(start, start + 1 + per).some((piece) => this.isUnit(piece))) return null;
    this.place = start;
    const amount = this.behind([1, NUMBER]), whole = this.place === pieces.length;
    this.place = 0;
    if (!whole) return null;
    this.pieces = pieces.slice(0, start);
    return amount;
  }

  joins(place) {
    const pieces = this.pieces;
    if (place <= 0 || place + 1 >= pieces.length || !["/", "-", "*"].includes(pieces[place].text)) return false;
    return pieces[place - 1].kind === "word" && pieces[place + 1].kind === "word";
  }

  behind([value, dimension]) {
    let sign = this.per(), first = sign === 1, size = 1, devices = false;
    for (let piece; (piece = this.peek()).kind === "word" && !["per", "x", "X", "times"].includes(piece.text);) {
      const unit = this.unit(piece, first);
      if (unit) {
        value *= unit.factor ** sign;
        size *= unit.factor ** sign;
        dimension = times(dimension, unit.dimension, sign);
      } else value *= SCALES.get(piece.text);
      devices ||= sign === 1 && V.devices.includes(piece.text);
      this.place++;
      const joint = this.joint();
      first = false;
      if (joint !== 1 || !V.devices.includes(piece.text)) sign = joint; // both words of $4/GPU-hour
    }
    this.size = size;
    this.deviceTime ||= devices && dimension === SECOND;
    return [value, dimension];
  }

  per() {
    if (!["/", "per"].includes(this.peek().text) || !this.isUnit(this.peek(1))) return 1;
    this.place++;
    return -1;
  }

  joint() {
    const piece = this.peek(), following = this.peek(1), after = this.peek(2);
    const call = FUNCTIONS.includes(following.text) && after.text === "(";
    if (following.kind !== "word" || call || (following.text === "$" && after.kind === "number")) return 1;
    if (piece.text === "/" || piece.text === "per") {
      this.place++;
      return -1;
    }
    if (piece.text === "*" || (piece.text === "-" && !piece.spaced && !following.spaced)) this.place++;
    return 1;
  }

  unit(piece, first) {
    const text = piece.text;
    if (this.want.bits && ["b", "bit", "bits"].includes(text)) return { factor: 1, dimension: NUMBER };
    if (text === "B" || text === "b") return this.letterB(piece, first);
    let unit = this.asAsked(text) || UNITS.get(text);
    if (!unit) {
      if (first && SCALES.has(text)) return null;
      bad(unknown(text, this.want));
    }
    if (unit.flops) {
      this.flops = true;
      if (this.rate) unit = { ...unit, dimension: unit.dimension === FLOP_PER_S ? FLOP : FLOP_PER_S };
    }
    if (unit.note && !this.notes.includes(unit.note)) this.notes.push(unit.note);
    this.given ||= !unit.noun;
    return unit;
  }

  asAsked(text) {
    const asked = this.want.dimension;
    if (text === "t" && asked === V.perSecond && ["/", "per"].includes(this.peek(1).text)) return { factor: 1, dimension: NUMBER, noun: true };
    if (asked.split(",")[0] !== "0" && (text === "F" || V.operations.includes(text))) return { factor: 1, dimension: FLOP };
    return null;
  }

  letterB(piece, first) {
    const text = piece.text, following = this.peek(1), asked = this.want.dimension.split(",")[1] !== "0";
    const chained = following.text === "/" && this.joins(this.place + 1);
    if (!first || chained || (asked && this.lone && following.kind === "end")) {
      if (text === "b") bad(T.small_b);
      this.given = true;
      return { factor: 1, dimension: BYTE };
    }
    if (asked && (piece.spaced || this.billions) && following.kind === "end" && !this.pieces.slice(0, this.place).some((one) => this.isUnit(one)))
      bad(T.which_b);
    this.billions = true;
    return null;
  }
}

// Arithmetic over amounts, by recursive descent.
class Expression {
  constructor(units) {
    this.units = units;
    this.depth = this.listing = 0;
  }

  peek() { return this.units.peek(); }

  whole(wholeUnit) {
    const tail = wholeUnit && this.units.tail();
    let [value, dimension] = this.sum();
    if (this.peek().kind !== "end") bad(this.why());
    if (tail) [value, dimension] = [value * tail[0], times(dimension, tail[1])];
    if (!(Math.abs(value) < LARGEST)) bad(T.too_large);
    if (value > 0 && value < 1 / LARGEST) bad(T.too_small);
    if (value < 0) bad(T.below_zero);
    return [value, dimension];
  }

  deeper() { if (++this.depth > DEEPEST) bad(T.too_deep); }

  sum() {
    let [value, dimension] = this.product();
    for (;;) {
      const piece = this.peek();
      let more, other;
      if (piece.kind === "sign" && (piece.text === "+" || piece.text === "-")) {
        this.units.place++;
        [more, other] = this.product();
        if (piece.text === "-") more = -more;
      } else if (piece.kind === "number" && dimension === SECOND) {
        const before = this.units.size;
        [more, other] = this.product(true);
        if (other === NUMBER) bad(T.last_part);
        if (this.units.size >= before) bad(T.two_times);
      } else return [value, dimension];
      if (other !== dimension) bad(T.not_added, named(dimension), named(other));
      value += more;
    }
  }

  product(afterHours) {
    let [value, dimension] = this.signed(afterHours);
    for (;;) {
      const text = this.peek().text;
      if (["*", "x", "X", "times"].includes(text)) {
        this.units.place++;
        if (text !== "*" && this.peek().kind === "end") return [value, dimension];
        const [more, other] = this.signed();
        [value, dimension] = [value * more, times(dimension, other)];
      } else if (text === "/" || text === "per") {
        this.units.place++;
        const [more, other] = this.signed();
        if (more === 0) bad(T.by_zero);
        [value, dimension] = [value / more, times(dimension, other, -1)];
      } else return [value, dimension];
    }
  }

  minus() {
    let negative = false;
    for (; ["+", "-"].includes(this.peek().text); this.units.place++) negative = negative !== (this.peek().text === "-");
    return negative;
  }

  signed(afterHours) {
    const negative = this.minus(), [value, dimension] = this.measured(afterHours);
    return [negative ? -value : value, dimension];
  }

  measured(afterHours) {
    const amount = this.power(), piece = this.peek();
    if (afterHours && piece.text === "m") {
      this.units.place++;
      this.units.size = 60;
      return [amount[0] * 60, SECOND];
    }
    return piece.kind === "word" || piece.text === "/" ? this.units.behind(amount) : amount;
  }

  power() {
    const [value, dimension] = this.atom();
    if (!["^", "**"].includes(this.peek().text)) return [value, dimension];
    this.units.place++;
    this.deeper();
    const negative = this.minus(), [exponent, other] = this.power();
    this.depth--;
    if (other !== NUMBER || dimension !== NUMBER) bad(T.plain_power);
    return [raised(value, negative ? -exponent : exponent), NUMBER];
  }

  atom() {
    const piece = this.peek();
    this.units.place++;
    const next = this.peek();
    if (piece.kind === "number") return [this.number(piece), NUMBER];
    if (piece.text === "zero") return [0, NUMBER];
    if (piece.text === "(") {
      this.deeper();
      return this.closed(this.sum());
    }
    if (FUNCTIONS.includes(piece.text) && next.text === "(") {
      this.units.place++;
      return this.call(piece.text);
    }
    if (piece.text === "$" && next.kind === "number") {
      this.units.given = true;
      if (this.units.want.dimension !== DOLLAR) bad(T.no_money);
      return [this.scaled(this.atom()[0]), DOLLAR];
    }
    this.units.place--;
    return bad(this.why());
  }

  scaled(value) {
    const piece = this.peek();
    if (piece.kind !== "word" || !SCALES.has(piece.text)) return value;
    this.units.place++;
    return value * SCALES.get(piece.text);
  }

  number({ text, value }) {
    return this.listing && text.includes(",") ? bad(T.in_list, text) : value;
  }

  call(name) {
    const several = OF_SEVERAL.includes(name);
    this.deeper();
    this.listing += several;
    const given = [this.sum()];
    while (several && this.peek().text === ",") {
      this.units.place++;
      given.push(this.sum());
    }
    this.listing -= several;
    return this.closed(applied(name, given));
  }

  closed(amount) {
    if (this.peek().text !== ")") bad(this.peek().kind === "end" ? T.not_closed : this.why());
    this.units.place++;
    this.depth--;
    return amount;
  }

  why() {
    const piece = this.peek();
    if (piece.kind === "end") return T.stops;
    if (piece.kind === "word") return unknown(piece.text, this.units.want);
    const whole = this.units.peek(-1), part = this.units.peek(1);
    if (piece.text === "," && whole.kind === "number" && part.kind === "number" && !part.spaced) return say(T.decimal_comma, whole.text, part.text);
    return piece.text === "(" ? T.star_first : say(T.not_there, piece.text);
  }
}

function raised(base, exponent) {
  if (!Number.isFinite(base) || !Number.isFinite(exponent)) bad(T.too_large);
  if (base === 0 && exponent < 0) bad(T.by_zero);
  if (base < 0 && exponent !== Math.trunc(exponent)) bad(T.no_power);
  const value = base ** exponent;
  return Number.isFinite(value) ? value : bad(T.too_large);
}

function applied(name, given) {
  const [[value, dimension]] = given, values = given.map(([one]) => one);
  if (!values.every(Number.isFinite)) bad(T.too_large);
  if (OF_SEVERAL.includes(name)) {
    for (const [, other] of given) if (other !== dimension) bad(T.not_compared, named(dimension), named(other));
  } else if (dimension !== NUMBER) bad(T.takes_number, name);
  if ((name === "sqrt" && value < 0) || (name === "log2" && value <= 0)) bad(T.no_value, name);
  return [Math[name](...values), dimension];
}

function readOnce(pieces, want, rate, wholeUnit = true) {
  const units = new Units(pieces, want, rate);
  let [value, dimension] = new Expression(units).whole(wholeUnit);
  const others = [];
  if (dimension === NUMBER && !units.given) {
    if (want.unit === "%") others.push(value);
    [value, dimension] = [value * want.factor, want.dimension];
  }
  const expression = pieces.filter((piece) => piece.kind === "number").length > 1;
  const reading = { value, dimension, given: units.given, notes: units.notes, others, expression, billions: units.billions, deviceTime: units.deviceTime && dimension === SECOND };
  return [completed(reading, want), units.flops];
}

function completed(reading, want) {
  for (const [dimension, name] of [[FLOP, "FLOP"], [BYTE, "bytes"]])
    if (reading.expression && want.dimension !== dimension && times(reading.dimension, dimension) === want.dimension)
      return { ...reading, dimension: want.dimension, notes: [...reading.notes, say(T.without_unit, name)] };
  return reading;
}

function read(text, want) {
  text = spelled(text);
  const sides = text.split(EQUALS).map((side) => side.trim()).filter((side) => /[0-9]/.test(side));
  if (sides.length > 1) return equation(sides, want);
  text = sides[0] || text;
  const between = middle(text, want);
  if (between) return between;
  const pieces = tokens(text);
  let [reading, flops] = readOnce(pieces, want, false);
  if (reading.dimension !== want.dimension && flops) {
    const [again] = readOnce(pieces, want, true);
    if (again.dimension === want.dimension) {
      again.notes.push(T.as_asked);
      reading = again;
    }
  }
  if (reading.dimension !== want.dimension && reading.expression) {
    const [again] = readOnce(pieces, want, false, false);
    if (again.dimension === want.dimension) reading = again;
  }
  if (reading.dimension === "1,0,1,0,0" && want.dimension === FLOP) reading = { ...reading, dimension: FLOP };
  if (reading.dimension === NUMBER) {
    if (want.dimension !== NUMBER) bad(T.share, named(want.dimension));
    if (reading.given && !reading.expression && !["", "%"].includes(want.unit)) bad(T.how_many);
  }
  return reading;
}
