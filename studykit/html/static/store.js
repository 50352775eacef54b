// Progress in this browser: events of one deck, read with suspicion, kept with a limit.
const MOST_EVENTS = 20000, LARGEST_COPY = 8e6;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isoDay = (day) => new Date(day * 864e5).toISOString().slice(0, 10);

function dayOf(iso) {
  const day = /^\d{4}-\d\d-\d\d$/.test(iso) ? Date.parse(iso + "T00:00Z") / 864e5 : NaN;
  return day >= -719162 && isoDay(day) === iso ? day : NaN;
}

// The study day: the wall clock's date, which rolls over at four in the morning.
function studyDay(now) {
  const wall = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() - 4);
  return Math.floor(wall / 864e5);
}

function uuid7(ms) {
  const b = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 5; i >= 0; i--) { b[i] = ms % 256; ms = Math.floor(ms / 256); }
  b[6] = (b[6] & 15) | 112;
  b[8] = (b[8] & 63) | 128;
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const isText = (value) => typeof value === "string" && value.length <= 300;

// What was asked and said of an exercise; nothing where a row has it in another form.
function showingOf(row) {
  const { exercise, version, seed, parameters, answer, verdict, slips } = row || {};
  const whole = [version, seed].every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!whole || ![exercise, parameters, answer, verdict].every(isText) || !Array.isArray(slips) || slips.length > 9 || !slips.every(isText)) return;
  return { exercise, version, seed, parameters, answer, verdict, slips };
}

// The event that a stored or copied row means, or nothing where it means none.
function eventOf(row) {
  if (!row || !ID.test(row.id) || !isText(row.card) || !isText(row.zone) || !Number.isSafeInteger(row.moment)) return;
  if (!["answer", "undo", "reset", "relink"].includes(row.kind)) return;
  const e = { id: row.id, kind: row.kind, card: row.card, moment: row.moment, day: dayOf(row.day), zone: row.zone };
  if (row.moment < 0 || Number.isNaN(e.day)) return;
  e.took_ms = Number.isSafeInteger(row.took_ms) && row.took_ms > 0 ? Math.min(row.took_ms, 864e5) : 0;
  if (e.kind === "answer") {
    if (![0, 1, 2, 3, 4, 5].includes(row.grade)) return;
    e.grade = row.grade;
    const showing = showingOf(row.showing);
    if (showing) e.showing = showing;
  } else if (e.kind !== "reset") {
    if (!isText(row.target)) return;
    e.target = row.target;
  }
  return e;
}

const rowOf = (e) => ({ ...e, day: isoDay(e.day), profile: "sm2-text" });

function eventsOf(text) {
  if (typeof text !== "string" || text.length > LARGEST_COPY) return;
  try {
    const copy = JSON.parse(text);
    if (copy.schema === 1 && copy.kind === "studykit-progress" && Array.isArray(copy.events))
      return copy.events.slice(0, MOST_EVENTS).map(eventOf).filter(Boolean);
  } catch { }
}

const copyOf = (deck, events) => JSON.stringify({ schema: 1, kind: "studykit-progress", deck, events: events.map(rowOf) });

function union(mine, theirs) {
  const known = new Set(mine.map((e) => e.id));
  return mine.concat(theirs.filter((e) => !known.has(e.id) && known.add(e.id)));
}
