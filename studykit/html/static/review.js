// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const say = (phrase, given) => phrase.replace("%", given);

// A card that asks for its answer in writing: Enter shows the right one beside it.
function askInWriting({ details }, field) {
  const form = document.createElement("form");
  form.className = "sk-form sk-typed";
  form.append(field);
  details.before(form);
  form.onsubmit = () => {
    details.open = true;
    details.firstElementChild.focus();
    return false;
  };
}

function begin(deck) {
  const name = deck.dataset.deck, place = "studykit:v1:" + name;
  const [bar, grades, field] = deck.querySelector("template").content.cloneNode(true).children;
  const [go, undoing, save, read, wipe] = bar.querySelectorAll("button");
  const status = bar.querySelector("p"), menu = bar.querySelector("details"), file = bar.querySelector("input");
  const cards = Array.from(deck.querySelectorAll(".sk-card"), (article) => {
    const { card: id, note = id } = article.dataset;
    return { id, note, article, details: article.querySelector(".sk-a") };
  });
  let log, memories, today, began, now, showing, suggested;

  const load = () => {
    try { return eventsOf(localStorage.getItem(place)) || []; } catch { return []; }
  };

  const keep = (events, note) => {
    if (events.length > MOST_EVENTS) return tell(T.full);
    log = events;
    try { localStorage.setItem(place, copyOf(name, log)); } catch { note = T.lost; }
    tell(note);
    return true;
  };

  const remaining = () => {
    today = studyDay(new Date());
    memories = replay(log);
    return agenda(cards, log, today, 10);
  };

  const answers = () => live(log).filter(isAnswer);

  const tell = (note) => {
    const left = remaining().length, later = cards.flatMap((c) => memories.get(c.id) || []).map(dueDay).filter((day) => day > today);
    const next = left || !later.length ? "" : say(T.next, isoDay(Math.min(...later)));
    go.textContent = now ? T.stop : left ? say(T.review, left) : T.nothing;
    go.className = now ? "" : "sk-go";
    go.disabled = !now && !left;
    undoing.hidden = !answers().length;
    menu.hidden = !!now;
    status.textContent = note || (now ? say(T.left, left) : next);
  };

  // Puts a card before the reader, or none: then the page is a list of cards again.
  const turnTo = (card) => {
    for (const shown of [now, card]) if (shown) shown.details.open = false; // it may have been read before the review
    now?.article.classList.remove("sk-now");
    card?.article.classList.add("sk-now");
    deck.classList.toggle("sk-on", !!card);
    grades.remove();
    now = card;
    showing = suggested = undefined;
  };

  const showNext = () => {
    turnTo(remaining()[0]);
    tell(now ? "" : T.done);
    if (!now) return undoing.focus();
    now.article.querySelector("form")?.reset();
    now.article.dispatchEvent(new Event("sk-shown"));
    now.article.querySelector(".sk-field, summary").focus({ preventScroll: true });
    deck.scrollIntoView({ block: "nearest" });
    began = Date.now();
  };

  const endReview = () => {
    turnTo();
    tell();
    go.focus();
  };

  const offerGrades = () => {
    if (!now.details.open) return grades.remove();
    const past = memories.get(now.id), review = became(past, today) === "review";
    for (const choice of grades.children) {
      const grade = +choice.value;
      choice.lastChild.textContent = review ? say(T.day, after(past, grade, today).interval) : "";
      choice.classList.toggle("sk-go", grade === suggested);
    }
    if (!grades.isConnected) now.article.append(grades); // moving them would take the focus away
  };

  const record = (kind, card, rest) => {
    const known = merged(load(), log), ms = Date.now(); // another page may have answered meanwhile
    const moment = Math.max(ms * 1000, ...known.map((e) => e.moment + 1));
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
    return keep([...known, { id: uuid7(ms), kind, card, moment, day: studyDay(new Date(ms)), zone, ...rest }]);
  };

  const undo = () => {
    const newest = answers().pop();
    if (!newest || !record("undo", newest.card, { target: newest.id, took_ms: 0 })) return;
    if (now) showNext();
    tell(T.undone);
  };

  go.onclick = () => (now ? endReview() : showNext());
  undoing.onclick = undo;
  save.onclick = () => {
    const href = URL.createObjectURL(new Blob([copyOf(name, log)], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };
  read.onclick = () => file.click();
  file.onchange = async () => {
    const events = eventsOf(await file.files[0]?.text());
    file.value = "";
    if (!events) return tell(T.bad);
    const all = merged(log, events.filter((e) => cards.some((c) => c.id === e.card)));
    keep(all, say(T.took, all.length - log.length));
  };
  wipe.onclick = () => confirm(T.sure) && keep([]);
  for (const choice of grades.children)
    choice.onclick = () => {
      const took_ms = Math.min(Date.now() - began, DAY_MS);
      if (now && record("answer", now.id, { grade: +choice.value, took_ms, showing })) showNext();
    };
  deck.onkeydown = ({ key, target, ctrlKey, altKey, metaKey }) => {
    if (!now || ctrlKey || altKey || metaKey || target.matches("input, textarea, select")) return;
    const choice = grades.isConnected && grades.children["1234".indexOf(key)];
    if (choice) choice.click();
    else if (key === "u") undo();
    else if (key === "Escape") endReview();
    else return;
    return false;
  };
  deck.addEventListener("toggle", ({ target }) => target === now?.details && offerGrades(), true);
  deck.addEventListener("sk-judged", ({ detail }) => {
    if (!now) return;
    ({ grade: suggested, showing } = detail);
    now.details.open = true;
    offerGrades();
    grades.querySelector(".sk-go")?.focus();
  });
  deck.heard = ({ key }) => {
    if (key && key !== place) return;
    log = load();
    tell();
  };
  addEventListener("storage", deck.heard);

  for (const card of cards) if ("typed" in card.article.dataset) askInWriting(card, field.cloneNode());
  deck.prepend(bar);
  deck.heard({});
}

class StudyDeck extends HTMLElement {
  connectedCallback() {
    // With nothing after it the browser may still be reading the cards; else waiting would only let the page jump.
    const enter = () => this.isConnected && !this.heard && begin(this);
    if (!this.nextSibling && document.readyState === "loading") document.addEventListener("DOMContentLoaded", enter, { once: true });
    else enter();
  }

  disconnectedCallback() {
    removeEventListener("storage", this.heard);
  }
}

if (!customElements.get("study-deck")) customElements.define("study-deck", StudyDeck);
