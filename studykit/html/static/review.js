// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const make = (tag, className = "", textContent = "", more) => Object.assign(document.createElement(tag), { className, textContent, ...more });
const press = (className, wording, onclick) => make("button", className, wording, { type: "button", onclick });
const say = (phrase, given) => phrase.replace("%", given);

// A card that asks for its answer in writing: Enter shows the right one beside it.
function typed(article) {
  const field = make("input", "sk-field", "", { autocomplete: "off", ariaLabel: T.typed, placeholder: T.typed });
  const details = article.querySelector(".sk-a"), written = make("form", "sk-form sk-typed");
  written.append(field);
  written.onsubmit = () => {
    details.open = true;
    details.firstElementChild.focus();
    return false;
  };
  details.before(written);
}

function begin(deck) {
  const key = "studykit:v1:" + deck.dataset.deck;
  const cards = [...deck.querySelectorAll(".sk-card")].map((article) => ({ article, id: article.dataset.card, note: article.dataset.note || article.dataset.card }));
  let log, memories, today, began, now, details, showing, suggested;

  const stored = () => {
    try { return eventsOf(localStorage.getItem(key)) || []; } catch { return []; }
  };

  const keep = (changed, note = "") => {
    if (changed.length > MOST_EVENTS) return tell(T.full);
    log = changed;
    try { localStorage.setItem(key, copyOf(deck.dataset.deck, log)); } catch { note = T.lost; }
    tell(note);
    return true;
  };

  const give = () => {
    const href = URL.createObjectURL(new Blob([copyOf(deck.dataset.deck, log)], { type: "application/json" }));
    make("a", "", "", { href, download: "progress.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };

  const take = (copied) => {
    const theirs = eventsOf(copied), had = log.length;
    if (!theirs) return tell(T.bad);
    const all = merged(log, theirs.filter((e) => cards.some((c) => c.id === e.card)));
    keep(all, say(T.took, all.length - had));
  };

  const remaining = () => {
    today = studyDay(new Date());
    memories = replay(log);
    return agenda(cards, log, today, 10);
  };

  const tell = (note) => {
    const { length } = remaining(), later = cards.filter((c) => memories.has(c.id)).map((c) => dueDay(memories.get(c.id))).filter((day) => day > today);
    go.textContent = now ? T.stop : length ? say(T.review, length) : T.nothing;
    go.className = now ? "" : "sk-go";
    go.disabled = !now && !length;
    undoing.hidden = !live(log).some(isAnswer);
    menu.hidden = !!now;
    statusLine.textContent = note || (now ? say(T.left, length) : !length && later.length ? say(T.next, isoDay(Math.min(...later))) : "");
  };

  const showNext = () => {
    const card = remaining()[0];
    leave();
    if (!card) {
      tell(T.done);
      return undoing.focus();
    }
    now = card;
    details = now.article.querySelector(".sk-a");
    details.open = false; // it may have been read before the review
    stage(true);
    now.article.querySelector("form")?.reset();
    now.article.dispatchEvent(new Event("sk-shown"));
    began = Date.now();
    tell();
    now.article.querySelector(".sk-field, summary").focus({ preventScroll: true });
    deck.scrollIntoView({ block: "nearest" });
  };

  const stage = (on) => {
    deck.classList.toggle("sk-on", on);
    now.article.classList.toggle("sk-now", on);
  };

  const leave = () => {
    grades.remove();
    showing = suggested = undefined;
    if (!now) return;
    details.open = false;
    stage(false);
    now = null;
  };

  const endReview = () => {
    leave();
    tell();
    go.focus();
  };

  const whenOpened = () => {
    if (!details.open) return grades.remove();
    const past = memories.get(now.id), review = became(past, today) === "review";
    for (const choice of grades.children) {
      choice.lastChild.textContent = review ? say(T.day, after(past, +choice.dataset.grade, today).interval) : "";
      choice.classList.toggle("sk-go", +choice.dataset.grade === suggested);
    }
    if (!grades.isConnected) now.article.append(grades); // moving them would take the focus away
  };

  const record = (kind, card, rest) => {
    const known = merged(stored(), log), ms = Date.now(); // another page may have answered meanwhile
    const moment = known.reduce((latest, e) => Math.max(latest, e.moment + 1), ms * 1000);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
    return keep([...known, { id: uuid7(ms), kind, card, moment, day: studyDay(new Date(ms)), zone, ...rest }]);
  };

  const answer = (grade) => now && record("answer", now.id, { grade, took_ms: Math.min(Date.now() - began, DAY_MS), showing }) && showNext();

  const undo = () => {
    const newest = live(log).filter(isAnswer).pop();
    if (!newest || !record("undo", newest.card, { target: newest.id, took_ms: 0 })) return;
    if (now) showNext();
    tell(T.undone);
  };

  const go = press("sk-go", "", () => (now ? endReview() : showNext())), undoing = press("", T.undo, undo);
  const statusLine = make("p", "sk-status", "", { role: "status" }), menu = make("details", "sk-a sk-menu");
  const tools = make("div", "sk-tools"), bar = make("div", "sk-bar"), grades = make("div", "sk-grades", "", { role: "group", ariaLabel: T.grade });
  const file = make("input", "sk-vh", "", { type: "file", accept: ".json", tabIndex: -1, ariaLabel: T.read });
  file.onchange = async () => {
    take(await file.files[0]?.text());
    file.value = "";
  };
  tools.append(press("", T.save, give), press("", T.read, () => file.click()), press("", T.wipe, () => confirm(T.sure) && keep([])), file);
  menu.append(make("summary", "", T.more), tools);
  bar.append(go, undoing, statusLine, menu);
  [[1, T.again], [3, T.hard], [4, T.good], [5, T.easy]].forEach(([grade, name], place) => {
    const choice = press("", name, () => answer(grade));
    choice.dataset.grade = grade;
    choice.ariaKeyShortcuts = place + 1;
    choice.append(make("small"));
    grades.append(choice);
  });

  deck.onkeydown = ({ key, target, ctrlKey, altKey, metaKey }) => {
    if (!now || ctrlKey || altKey || metaKey || target.matches("input, textarea, select")) return;
    const choice = grades.isConnected && grades.children["1234".indexOf(key)];
    if (choice) choice.click();
    else if (key === "u") undo();
    else if (key === "Escape") endReview();
    else return;
    return false;
  };
  deck.addEventListener("toggle", ({ target }) => now && target === details && whenOpened(), true);
  deck.addEventListener("sk-judged", ({ detail }) => {
    if (!now) return;
    ({ grade: suggested, showing } = detail);
    details.open = true;
    whenOpened();
    grades.querySelector(".sk-go")?.focus();
  });
  deck.heard = (changed) => {
    if (changed.key && changed.key !== key) return;
    log = stored();
    tell();
  };
  addEventListener("storage", deck.heard);

  log = stored();
  deck.querySelectorAll("[data-typed]").forEach(typed);
  deck.prepend(bar);
  tell();
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
