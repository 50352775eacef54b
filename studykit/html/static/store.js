// Progress in this browser: one log for each course, of which a deck is a view; read with suspicion, kept with a limit.
const DAY_MS = 864e5, MARK = "studykit:v2 ", FORMER = "studykit:v1:";

const isoDay = (day) => new Date(day * DAY_MS).toJSON()?.slice(0, 10);

// The study day: the wall clock's date, which rolls over at four in the morning.
const studyDay = (now = new Date()) => Math.floor((now - now.getTimezoneOffset() * 6e4) / DAY_MS - 4 / 24);

// The time has eleven hexadecimal digits until the year 2527.
const uuid7 = (ms) =>
  `0${ms.toString(16)}-7xxx-8xxx-xxxxxxxxxxxx`
    .replace(/x/g, () => ((Math.random() * 16) | 0).toString(16))
    .replace(/.{8}/, "$&-");

const isText = (given) => typeof given === "string" && given.length <= 300;

// The event that a stored or copied row means, or nothing where it means none. What the page itself does not use stays as it came.
function eventOf(row) {
  const { id, kind, card, moment, zone, grade, target, day: date } = row || {}, day = Date.parse(date) / DAY_MS;
  if (![card, zone].every(isText) || !/^[0-9a-f-]{36}$/.test(id) || !(Number.isSafeInteger(moment) && moment >= 0) || isoDay(day) !== date) return;
  return (kind === "answer" ? [0, 1, 2, 3, 4, 5].includes(grade) : kind === "reset" || (/^(undo|relink|adopt)$/.test(kind) && isText(target))) && { ...row, day };
}

function eventsOf(copied) {
  try {
    const { schema, events } = JSON.parse(copied);
    if (schema === 1) return events.map(eventOf).filter(Boolean);
  } catch { }
}

const copyOf = (log) =>
  JSON.stringify({ schema: 1, kind: "studykit-progress", events: log.map((e) => ({ ...e, day: isoDay(e.day) })) });

// Takes the events of a copy that somebody gives, but for those of days to come; returns what to say of it.
async function takeCopy(input, T, take) {
  const events = eventsOf(await input.files[0].text()), sound = events?.filter((e) => e.day <= studyDay() + 1 && e.moment < (Date.now() + 2 * DAY_MS) * 1000);
  input.value = "";
  if (!events) return T.bad;
  const fresh = take(sound), refused = events.length - sound.length, changed = new Set(fresh?.map((e) => e.card));
  return fresh ? say(T.took, fresh.filter(isAnswer).length, changed.size) + (refused ? " " + say(T.future, refused) : "") : T.full;
}

function saveCopy(log) {
  const href = URL.createObjectURL(new Blob([copyOf(log)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
}

// Both logs, each event once.
const merged = (mine, theirs) => [...new Map([...mine, ...theirs].map((e) => [e.id, e])).values()];

// What pages of one course kept here. Each page writes a key of its own and no other, so that none
// can overwrite what it has not seen, even where a browser shows it an old store or an empty one.
// Former pages kept a key for each deck, and cached ones still do: of those the page takes what is of its cards.
class Store {
  log = [];
  own = [];
  entries = new Map();
  formerIds = new Set();

  // The ids of the page's cards, and those that they had before.
  constructor(course, ids, moved = {}) {
    Object.assign(this, { course, ids: new Set(ids), moved: new Map(Object.entries(moved)) });
    this.key = this.newKey();
  }

  newKey() {
    return `${MARK}${uuid7(Date.now())} ${this.course}`;
  }

  // Whether the browser now holds the events under a key.
  write(key, events) {
    try {
      return (localStorage[key] = copyOf(events));
    } catch { }
  }

  // A card's events go on with it under its present id.
  moving(e) {
    const card = this.moved.get(e.card);
    if (!card) return e;
    this.formerIds.add(e.card);
    return { ...e, card };
  }

  read() {
    try {
      let changed;
      for (const [key, text] of Object.entries(localStorage)) {
        const isOfCourse = key.startsWith(MARK) && key.slice(MARK.length + 37) === this.course;
        if (key === this.key || !(isOfCourse || key.startsWith(FORMER)) || this.entries.get(key)?.text === text) continue;
        const events = eventsOf(text)?.map((e) => this.moving(e)).filter((e) => isOfCourse || this.ids.has(e.card));
        changed = this.entries.set(key, { text, events });
      }
      if (!changed) return this.log;
      // A page that is older than its site keeps what its cards have, though a newer one took it over.
      this.log = merged(this.own, [...this.entries.values()].flatMap(({ events }) => events || [])).filter((e) => e.kind !== "relink" || this.ids.has(e.card) || !this.ids.has(e.target));
      // A terminal that knows a card by its former id learns of it by a copy.
      const linked = new Set(this.log.map((e) => e.kind === "relink" && e.target));
      const news = [...this.formerIds].filter((old) => !linked.has(old)).map((old) => this.event("relink", this.moved.get(old), { target: old }));
      if (news[0]) this.add(...news);
    } catch { }
    return this.log;
  }

  // Something that happens now, after everything that is known.
  event(kind, card, rest) {
    const ms = Date.now(), moment = Math.max(ms * 1000, live(this.log).at(-1)?.moment + 1 || 0);
    return { id: uuid7(ms), kind, card, moment, day: studyDay(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...rest };
  }

  // Adds events; whether the browser now holds them, and those that it refused before.
  add(...events) {
    this.own.push(...events);
    this.log = this.log.concat(events);
    return this.write(this.key, this.own);
  }

  // Adds the events of a copy under a key of their own: what does not fit is left out as a whole.
  take(events) {
    const log = this.read(), fresh = merged(log, events.map((e) => this.moving(e))).slice(log.length);
    if (fresh[0] && !this.write(this.newKey(), fresh)) return;
    this.read();
    return fresh;
  }
}
