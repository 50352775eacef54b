// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const NEW_A_DAY = 10, GOOD = 4, ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const say = (phrase, ...given) => phrase.replace(/%/g, () => given.shift());

function begin(deck) {
  const template = deck.querySelector("template"), T = JSON.parse(template.dataset.words), store = new Store(deck.dataset.deck);
  const [end, grades, keys] = template.content.cloneNode(true).children;
  const bar = deck.querySelector(".sk-bar"), [go, , status, warning] = bar.children, [file, sought] = bar.querySelectorAll("input");
  const cards = Array.from(deck.querySelectorAll(".sk-card"), (article) => {
    const { card: id = article.id.slice(2), note = id } = article.dataset, task = article.matches("[data-sk], [data-choice]");
    return { id, note, task, article, details: article.querySelector(".sk-a") };
  });
  const { signal } = (deck.leaving = new AbortController());
  let memories, today, left, began, now, over, showing, suggested, answered = 0;

  const look = () => {
    today = studyDay(new Date());
    left = agenda(cards, store.log, today, NEW_A_DAY, (memories = new Map()));
  };

  const answers = () => live(store.log).filter(isAnswer);
  const next = () => {
    const later = cards.map((c) => memories.has(c.id) && dueDay(memories.get(c.id))).filter((day) => day > today);
    return later.length ? say(T.next, isoDay(Math.min(...later))) : "";
  };

  const tell = (note) => {
    look();
    show(note);
  };

  const show = (note) => {
    const count = left.length;
    go.textContent = now ? T.stop : count ? say(T.review, count) : T.nothing;
    go.className = now ? "" : "sk-go";
    go.disabled = !now && (!count || store.later);
    go.hidden = over;
    for (const undo of bar.querySelectorAll("[name=undo]")) undo.hidden = !answers()[0];
    deck.classList.toggle("sk-on", !!(now || over));
    document.body.classList.toggle("sk-asks", !!(now || over));
    bar.style.setProperty("--sk-done", (100 * answered) / (answered + count) + "%");
    status.textContent = (store.later && T.later) || note || (now ? say(T.left, count) : count || over ? "" : next());
    if (now) return;
    for (const { id, article } of cards) {
      const past = memories.get(id), days = past && dueDay(past) - today;
      article.querySelector("summary").dataset.known = past ? (days > 0 ? say(T.back, days) : T.due) : "";
    }
  };

  // What could not be kept stays in sight until it is.
  const warn = (why) => (warning.hidden = !(warning.firstChild.textContent = why));

  // Browsers tell other pages what was kept; other bars of this page hear it here.
  const spread = () => dispatchEvent(new CustomEvent("sk-kept", { detail: deck }));

  const keep = (...events) => {
    if (store.read().length + events.length > MOST_EVENTS) return warn(T.full);
    if (store.kept && store.own[0].day < studyDay(new Date())) store.turn();
    warn(store.add(...events) ? "" : T.lost);
    spread();
    navigator.storage?.persist?.().catch(() => {});
    return true;
  };

  // Puts a card before the reader, or none: then the page is a list of cards again.
  const turnTo = (card) => {
    // It may have been read before the review.
    for (const shown of [now, card]) if (shown) shown.details.open = false;
    now?.article.classList.remove("sk-now");
    card?.article.classList.add("sk-now");
    grades.remove();
    end.remove();
    now = card;
    over = showing = suggested = undefined;
  };

  const ask = () => {
    look();
    turnTo(left[0]);
    over = !now;
    show();
    if (over) return close();
    now.article.querySelector("form")?.reset();
    now.article.dispatchEvent(new Event("sk-shown"));
    now.article.querySelector(".sk-field, summary").focus({ preventScroll: true });
    deck.scrollIntoView({ block: "nearest" });
    began = Date.now();
  };

  // The end of a review: what was seen today, how much of it was right at first, when the next is.
  const close = () => {
    const firsts = new Map(), [seen, soon] = end.querySelectorAll("p");
    for (const { card, day, grade } of answers()) if (day === today && !firsts.has(card)) firsts.set(card, grade);
    seen.textContent = say(T.seen, firsts.size, [...firsts.values()].filter((grade) => grade > 2).length);
    soon.textContent = next();
    bar.after(end);
    end.focus();
  };

  const stop = () => {
    turnTo();
    tell();
    go.focus();
  };

  // What a grade would bring: days, or another showing today.
  const outcome = (grade) => {
    const past = memories.get(now.id), review = became(past, today) === "review";
    if (grade < (review && past ? 3 : GOOD)) return T.today;
    return review ? say(T.day, after(past, grade, today).interval) : T.enough;
  };

  const usual = (choice) => +choice.value === (suggested || !now.task * GOOD);

  const offerGrades = () => {
    if (!now.details.open) return grades.remove();
    let told;
    for (const choice of grades.children) {
      const brings = outcome(+choice.value);
      choice.lastChild.textContent = brings === told ? "" : (told = brings);
      choice.classList.toggle("sk-go", usual(choice));
    }
    // Moving them would take the focus away.
    if (!grades.isConnected) now.article.append(grades);
  };

  const record = (kind, card, rest) => {
    const ms = Date.now(), moment = Math.max(ms * 1000, live(store.log).at(-1)?.moment + 1 || 0);
    return keep({ id: uuid7(ms), kind, card, moment, day: studyDay(new Date(ms)), zone: ZONE, ...rest });
  };

  const grade = ({ value }) => {
    const took_ms = Math.min(Date.now() - began, DAY_MS);
    if (!record("answer", now.id, { grade: +value, took_ms, showing })) return;
    answered++;
    ask();
  };

  const actions = {
    stop,
    go: () => (now ? stop() : ask((answered = 0))),
    undo: () => {
      const newest = answers().pop();
      if (!newest || !record("undo", newest.card, { target: newest.id, took_ms: 0 })) return;
      answered -= answered > 0;
      if (now || over) ask();
      tell(T.undone);
    },
    copy: () => {
      const href = URL.createObjectURL(new Blob([copyOf(store.deck, store.read())], { type: "application/json" }));
      Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1000);
    },
    find: ({ value }) => sought.oninput((sought.value = sought.value === value ? "" : value)),
    read: () => file.click(),
    wipe: () => confirm(T.sure) && spread(wake(store.wipe())),
  };
  bar.onclick = end.onclick = grades.onclick = ({ target }) => {
    const button = target.closest("button");
    if (button) (actions[button.name] || grade)(button);
  };
  // Finds cards by words, or by an objective with a # before it.
  sought.oninput = () => {
    const words = sought.value.toLowerCase().split(/\s+/);
    for (const { article } of cards) {
      const text = (article.textContent + article.dataset.for).toLowerCase();
      article.hidden = !words.every((word) => text.includes(word));
    }
    for (const button of bar.querySelectorAll("[name=find]")) button.ariaPressed = button.value === sought.value;
  };
  file.onchange = async () => {
    const events = eventsOf(await file.files[0]?.text()), before = store.read();
    file.value = "";
    if (!events) return tell(T.bad);
    const added = merged(before, events.filter((e) => cards.some((c) => c.id === e.card))).slice(before.length);
    if (!added.length || keep(...added)) tell(say(T.took, added.length));
  };

  // The keys of a review in a terminal. A field, and whatever a button or a link does by itself, stays theirs.
  const press = (event) => {
    const { key, target } = event, going = [" ", "Enter"].includes(key), open = now?.details.open;
    if (!(now || over) || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, textarea, select, [contenteditable], dialog")) return;
    if (going && target.closest("button, a, summary") && target.parentNode !== now?.details) return;
    const choice = open && [...grades.children].find((button, at) => (going ? usual(button) : +key === at + 1));
    if (choice) grade(choice);
    else if (key === "u") actions.undo();
    else if (key === "?") keys.open = !keys.open;
    else if (key === "Escape" || key === "q") stop();
    else if (going && now && !open) now.details.open = true;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", press, { signal, capture: true });
  deck.addEventListener("toggle", ({ target }) => target === now?.details && offerGrades(), true);
  deck.addEventListener("sk-judged", ({ detail }) => {
    if (!now) return;
    ({ grade: suggested, showing } = detail);
    now.details.open = true;
    offerGrades();
    grades.querySelector(".sk-go").focus();
  });

  // Another page may have answered, or a day may have passed.
  const wake = (event) => {
    if (event?.detail === deck) return;
    store.read();
    look();
    if (now && !left.includes(now)) return ask();
    if (over && left[0]) return stop();
    show();
    if (now) offerGrades();
  };
  for (const name of ["storage", "pageshow", "sk-kept"]) addEventListener(name, wake, { signal });
  document.addEventListener("visibilitychange", wake, { signal });
  addEventListener("beforeunload", (event) => warning.hidden || event.preventDefault(), { signal });

  // A card that asks for its answer in writing: Enter shows the right one beside it.
  for (const form of deck.querySelectorAll(".sk-typed")) form.hidden = false;
  deck.addEventListener("submit", (event) => {
    if (!event.target.matches(".sk-typed")) return;
    event.preventDefault();
    now.details.open = true;
    now.details.firstChild.focus();
  });
  bar.hidden = false;
  deck.append(keys);
  wake();
}

class StudyDeck extends HTMLElement {
  connectedCallback() {
    // The browser may still be reading the cards.
    const enter = () => this.isConnected && !this.leaving && begin(this);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", enter, { once: true });
    else enter();
  }

  disconnectedCallback() {
    this.leaving?.abort();
  }
}

customElements.get("study-deck") || customElements.define("study-deck", StudyDeck);
