// The index: what is due in every deck, one review through all of them, one copy of progress, a field that finds cards.
const find = (name) => document.querySelector(name), main = find("main"), T = JSON.parse(main.dataset.words), NEW_A_DAY = 10;
const decks = Array.from(document.querySelectorAll(".deck"), (section) => {
  const link = section.querySelector("h2 a"), items = [...section.querySelectorAll(".cards li")];
  const cards = items.map(({ dataset, firstChild }) => {
    const id = dataset.card ?? firstChild.hash.slice(3);
    return { id, note: dataset.note ?? id };
  });
  return { section, link, items, cards, course: section.dataset.course, moved: JSON.parse(section.dataset.moved || "{}") };
});
const courses = [...Map.groupBy(decks, ({ course }) => course)].map(([course, its]) => {
  const cards = its.flatMap((deck) => deck.cards), moved = Object.assign({}, ...its.map((deck) => deck.moved));
  return { decks: its, cards, store: new Store(course, cards.map((c) => c.id), moved) };
});
const said = find("#said"), go = find("#go"), none = find("#none");
const fileOf = ({ link }) => decodeURIComponent(link.getAttribute("href")).replace(/\.html$/, "");

function draw() {
  const asked = [];
  let total = 0;
  for (const { decks, cards, store } of courses) {
    const memories = new Map(), ids = new Set(agenda(cards, store.read(), studyDay(), NEW_A_DAY, memories).map((c) => c.id));
    for (const deck of decks) {
      const today = deck.cards.filter((c) => ids.has(c.id)), fresh = today.filter((c) => !memories.has(c.id)).length;
      const known = deck.cards.filter((c) => memories.has(c.id)).length;
      deck.section.querySelector(".counts").textContent = say(T.counts, today.length - fresh, fresh, known);
      total += today.length;
      if (today[0]) asked.push(fileOf(deck));
    }
  }
  const [first, ...others] = asked;
  go.textContent = first ? say(T.review_all, total) : T.nothing;
  if (first) go.href = `${first}.html${["#review", ...others]}`;
  else go.removeAttribute("href");
}

find("#save").onclick = () => saveCopy(merged([], courses.flatMap(({ store }) => store.read())));

const file = find("#progress input");
find("#read").onclick = () => file.click();
file.onchange = async () => {
  said.textContent = await takeCopy(file, T, (events) => {
    // What no deck knows yet is kept too, with the first course.
    const courseOf = (e) => courses.find(({ store }) => store.ids.has(e.card)) || courses[0];
    const takes = courses.map((course) => course.store.take(events.filter((e) => courseOf(e) === course)));
    return takes.every(Boolean) ? takes.flat() : undefined;
  });
  draw();
};

const field = find("#find");
field.oninput = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { section, link, items } of decks) {
    const name = link.textContent.toLowerCase();
    let matches = 0;
    for (const item of items) {
      const text = name + " " + item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      matches += !item.hidden;
    }
    section.hidden = !matches && words.length > 0;
    section.querySelector("details").open = matches > 0 && words.length > 0;
    found += matches;
  }
  none.textContent = found || !words[0] ? "" : T.none_found;
};

for (const event of ["storage", "pageshow", "focus"]) addEventListener(event, draw);
find("#all").hidden = field.parentNode.hidden = false;
find("#newer button").onclick = renew;
watchFor(main.dataset.version, () => (find("#newer").hidden = false));
draw();
