// The app: one list of what is due in all decks, one review through them, one copy of progress, and word of an update.
const find = (name) => document.querySelector(name);
const say = (phrase, given) => phrase.replace("%", given);
const said = find("#said"), go = find("#go"), review = find("#review"), counts = document.querySelectorAll(".due span");
const stores = D.map(({ id }) => new Store(id));
let logs, list, running;

function draw() {
  logs = stores.map((store) => store.read());
  list = dueList(D, logs, studyDay(new Date()));
  const total = list.reduce((sum, { due, fresh }) => sum + due + fresh, 0);
  list.forEach(({ due, fresh }, at) => {
    counts[at].textContent = [due && say(T.due, due), fresh && say(T.fresh, fresh)].filter(Boolean).join(", ");
  });
  go.textContent = total ? say(T.review, total) : T.nothing;
  go.disabled = !total;
}

function close(note) {
  running = undefined;
  review.hidden = true;
  review.replaceChildren();
  document.body.classList.remove("reviewing");
  draw();
  said.textContent = note || "";
  go.focus();
}

// The next deck with something due, its cards taken from its own page; after the last one the list again.
async function next() {
  const at = list.findIndex(({ due, fresh }) => due + fresh), deck = D[at];
  if (!deck) return close(T.done);
  let cards;
  try {
    const answer = await fetch(deck.file + ".html");
    const page = await answer.text(), from = page.indexOf("<study-deck"); // its style is not this page's
    cards = new DOMParser().parseFromString(page.slice(from), "text/html").querySelector("study-deck");
  } catch { }
  if (!cards) return close(say(T.missing, deck.name));
  const end = cards.querySelector("template")?.content.querySelector(".sk-end");
  end?.querySelector("a")?.remove(); // the app goes on by itself
  const on = end?.querySelector("[name=stop]");
  if (on) on.textContent = T.on;
  const later = new Set(list[at].later), idOf = ({ id, dataset }) => dataset.card ?? id.slice(2);
  for (const card of cards.querySelectorAll(".sk-card")) if (later.has(idOf(card))) card.remove();
  const name = document.createElement("h2");
  name.textContent = deck.name;
  review.replaceChildren(name, cards);
  review.hidden = false;
  document.body.classList.add("reviewing");
  document.dispatchEvent(new Event("sk-cards"));
  running = at;
  new MutationObserver((_, watch) => {
    cards.querySelector(".sk-end [name=stop]")?.click(); // the list is the end of this review
    if (cards.classList.contains("sk-on") || !cards.isConnected) return;
    watch.disconnect();
    draw();
    if (list[at].due + list[at].fresh) close();
    else next();
  }).observe(cards, { attributeFilter: ["class"], childList: true });
  cards.querySelector(".sk-go").click();
  if (!cards.classList.contains("sk-on")) close(say(T.missing, deck.name)); // the deck's own script would not begin
}

go.onclick = next;

find("#save").onclick = () => {
  draw();
  const href = URL.createObjectURL(new Blob([copyOfAll(logs)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
};

const file = find("#progress input");
find("#read").onclick = () => file.click();
file.onchange = async () => {
  const events = eventsOf(await file.files[0]?.text(), LARGEST_OF_ALL); // such as a terminal's whole log
  file.value = "";
  draw();
  if (!events) return (said.textContent = T.bad);
  const fresh = shared(D, logs, events);
  if (fresh.some((added, at) => logs[at].length + added.length > MOST_EVENTS)) return (said.textContent = T.full);
  const kept = stores.map((store, at) => !fresh[at].length || store.add(...fresh[at])); // each deck's, whatever became of another's
  draw();
  said.textContent = kept.every(Boolean) ? say(T.took, fresh.flat().length) : T.lost;
};

const waken = () => running === undefined && draw();
for (const event of ["storage", "pageshow", "focus"]) addEventListener(event, waken);
document.addEventListener("visibilitychange", waken);

// The service worker keeps every page for the time without a network, and waits with a new version until it is asked for.
async function serve() {
  const state = find("#state"), update = find("#update");
  if (!navigator.serviceWorker) return (state.textContent = T.online);
  const kept = await navigator.serviceWorker.register("service-worker.js");
  const offer = (worker) => {
    if (worker?.state !== "installed" || !navigator.serviceWorker.controller) return;
    update.hidden = false;
    update.querySelector("button").onclick = () => {
      navigator.serviceWorker.oncontrollerchange = () => location.reload();
      worker.postMessage("update");
    };
  };
  offer(kept.waiting);
  kept.onupdatefound = () => {
    const worker = kept.installing;
    worker.onstatechange = () => offer(worker);
  };
  document.addEventListener("visibilitychange", () => document.hidden || kept.update().catch(() => {}));
  await navigator.serviceWorker.ready;
  state.textContent = T.offline;
}

for (const control of [go, find("#progress")]) control.hidden = false;
draw();
serve().catch(() => (find("#state").textContent = T.online));
