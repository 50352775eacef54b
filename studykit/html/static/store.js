// Progress in this browser: events of one deck, read with suspicion, kept with a limit.
const DAY_MS = 864e5;

const isoDay = (day) => new Date(day * DAY_MS).toJSON()?.slice(0, 10);

// The study day: the wall clock's date, which rolls over at four in the morning.
const studyDay = (now = new Date()) => Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() - 4) / DAY_MS);

const uuid7 = (ms) =>
  (ms.toString(16).padStart(12, 0) + "-7xxx-8xxx-xxxxxxxxxxxx")
    .replace(/x/g, () => ((Math.random() * 16) | 0).toString(16))
    .replace(/.{8}/, "$&-");

const isText = (given) => typeof given === "string" && given.length <= 300;
const isCount = (given) => Number.isSafeInteger(given) && given >= 0;

// The event that a stored or copied row means, or nothing where it means none. What the page itself does not use stays as it came.
function eventOf(row) {
  const { id, kind, card, moment, zone, grade, target, day: date } = row || {}, day = Date.parse(date) / DAY_MS;
  if (![id, card, zone, date].every(isText) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) || !isCount(moment) || isoDay(day) !== date) return;
  const whole = kind === "answer" ? isCount(grade) && grade < 6 : kind === "reset" || (/^(undo|relink|adopt)$/.test(kind) && isText(target));
  return whole && { ...row, day };
}

function eventsOf(copied, largest = 8e6) {
  try {
    const { schema, kind, events } = JSON.parse(copied.length > largest || copied);
    if (schema === 1 && kind === "studykit-progress") return events.map(eventOf).filter(Boolean);
  } catch { }
}

const copyOf = (log) =>
  JSON.stringify({ schema: 1, kind: "studykit-progress", events: log.map((e) => ({ ...e, day: isoDay(e.day) })) });

// Both logs, each event once.
const merged = (mine, theirs) => [...new Map([...mine, ...theirs].map((e) => [e.id, e])).values()];

// What pages of one deck kept here. Each page writes a key of its own and no other, so that none
// can overwrite what it has not seen, even where a browser shows it an old store or an empty one.
class Store {
  log = [];

  constructor(deck) {
    this.place = "studykit:v1:" + deck;
    this.turn();
  }

  // Takes a new key: only its events are this page's to write.
  turn() {
    this.key = this.place + " " + uuid7(Date.now());
    this.own = [];
    this.kept = this.seen = false;
  }

  keys() {
    const lengths = [this.place.length, this.key.length];
    return Object.keys(localStorage).filter((key) => key.startsWith(this.place) && lengths.includes(key.length));
  }

  read() {
    try {
      // Another page started over.
      if (this.kept && !(this.key in localStorage)) this.turn();
      const texts = this.keys().filter((key) => key !== this.key).map((key) => localStorage[key]), seen = texts.join();
      if (seen !== this.seen) {
        this.seen = seen;
        this.later = texts.some((text) => /^{"schema":([2-9]|\d\d)/.test(text));
        this.log = merged(this.own, texts.flatMap((text) => eventsOf(text) || []));
      }
    } catch { }
    return this.log;
  }

  // Adds events; whether the browser now holds them, and those that it refused before.
  add(...events) {
    this.own.push(...events);
    this.log = this.log.concat(events);
    const text = copyOf(this.own);
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
