// Progress in this browser: events of one deck, read with suspicion, kept with a limit.
const MOST_EVENTS = 20000, LARGEST_COPY = 8e6, DAY_MS = 864e5;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isoDay = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

function dayOf(iso) {
  const day = Date.parse(iso) / DAY_MS;
  return day >= -719162 && isoDay(day) === iso ? day : NaN;
}

// The study day: the wall clock's date, which rolls over at four in the morning.
const studyDay = (moment) => Math.floor(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate(), moment.getHours() - 4) / DAY_MS);

const uuid7 = (ms) =>
  (ms.toString(16).padStart(12, 0) + "-7xxx-8xxx-xxxxxxxxxxxx")
    .replace(/x/g, () => (crypto.getRandomValues(new Uint8Array(1))[0] % 16).toString(16))
    .replace(/.{8}/, "$&-");

const isText = (given) => typeof given === "string" && given.length <= 300;
const isCount = (given) => Number.isSafeInteger(given) && given >= 0;

// What was asked and said of an exercise; nothing where a row has it in another form.
function showingOf({ exercise, version, seed, parameters, answer, verdict, slips }) {
  const whole = [version, seed].every(isCount) && [exercise, parameters, answer, verdict].every(isText);
  if (whole && Array.isArray(slips) && slips.length < 10 && slips.every(isText)) return { exercise, version, seed, parameters, answer, verdict, slips };
}

// The event that a stored or copied row means, or nothing where it means none.
function eventOf(row) {
  const { id, kind, card, moment, zone, took_ms, grade, target } = row || {}, day = dayOf(row?.day);
  if (![id, card, zone].every(isText) || !UUID.test(id) || !isCount(moment) || isNaN(day)) return;
  const e = { id, kind, card, moment, day, zone, took_ms: isCount(took_ms) ? Math.min(took_ms, DAY_MS) : 0 };
  if (isAnswer(e) && isCount(grade) && grade < 6) return { ...e, grade, showing: showingOf(row.showing || {}) };
  if (kind === "reset") return e;
  if (["undo", "relink", "adopt"].includes(kind) && isText(target)) return { ...e, target };
}

function eventsOf(copied) {
  try {
    const { schema, kind, events } = JSON.parse(copied.length > LARGEST_COPY || copied);
    if (schema === 1 && kind === "studykit-progress") return events.slice(0, MOST_EVENTS).map(eventOf).filter(Boolean);
  } catch { }
}

const copyOf = (deck, log) =>
  JSON.stringify({ schema: 1, kind: "studykit-progress", deck, events: log.map((e) => ({ ...e, day: isoDay(e.day), profile: "sm2-text" })) });

function merged(mine, theirs) {
  const known = new Set(mine.map((e) => e.id));
  return mine.concat(theirs.filter((e) => !known.has(e.id) && known.add(e.id)));
}

// What pages of one deck kept here. Each page writes a key of its own and no other, so that none
// can overwrite what it has not seen, even where a browser shows it an old store or an empty one.
class Store {
  constructor(deck) {
    this.deck = deck;
    this.place = "studykit:v1:" + deck;
    this.log = [];
    this.turn();
  }

  // Takes a new key: only its events are this page's to write.
  turn() {
    this.key = this.place + " " + uuid7(Date.now());
    this.own = [];
    this.kept = this.seen = undefined;
  }

  keys() {
    const { place } = this;
    return Object.keys(localStorage).filter((key) => key === place || (key.startsWith(place) && UUID.test(key.slice(place.length + 1))));
  }

  read() {
    try {
      // Another page started over.
      if (this.kept && !(this.key in localStorage)) this.turn();
      const texts = this.keys().filter((key) => key !== this.key).map((key) => localStorage[key]), seen = texts.join("\n");
      if (seen === this.seen) return this.log;
      this.seen = seen;
      this.later = texts.some((text) => /^{"schema":([2-9]|\d\d)/.test(text));
      this.log = merged(this.own, texts.flatMap((text) => eventsOf(text) || []));
    } catch { }
    return this.log;
  }

  // Adds events; whether the browser now holds them, and those that it refused before.
  add(...events) {
    this.own.push(...events);
    this.log = this.log.concat(events);
    const text = copyOf(this.deck, this.own);
    try {
      localStorage[this.key] = text;
      return (this.kept = localStorage[this.key] === text);
    } catch { }
  }

  wipe() {
    for (const key of this.keys()) delete localStorage[key];
    this.turn();
  }
}
