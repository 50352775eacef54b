// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const NEW_A_DAY = 10, GOOD = 4, ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const say = (phrase, ...given) => phrase.replace(/%/g, () => given.shift());

const decks = () => [...document.querySelectorAll("study-deck")];
const wakeAll = (but) => decks().forEach((deck) => deck !== but && deck.wake?.());

function begin(deck) {
  const template = deck.querySelector("template"), T = JSON.parse(template.dataset.words), store = new Store(deck.dataset.deck);
  const [end, grades, keys] = template.content.cloneNode(true).children;
  const bar = deck.querySelector(".sk-bar"), [go, , undo, status, warning] = bar.children, [file, sought] = bar.querySelectorAll("input");
  const cards = Array.from(deck.querySelectorAll(".sk-card"), (article) => {
    const { card: id = article.id.slice(2), note = id } = article.dataset;
    return { id, note, article, details: article.querySelector(".sk-a") };
  });
  let memories, today, todo, began, on, now; // on: in a review, now: its card, and none at its end

  const look = () => {
    today = studyDay();
    todo = agenda(cards, store.log, today, NEW_A_DAY, (memories = new Map()));
  };

  const answers = () => live(store.log).filter((e) => isAnswer(e) && e.day === today);
  const next = () => {
    const later = cards.map((c) => dueDay(memories.get(c.id))).filter((day) => day > today);
    return later[0] ? say(T.next, isoDay(Math.min(...later))) : "";
  };

  const show = (note) => {
    const count = todo.length, done = answers().length;
    go.textContent = count ? say(T.review, count) : T.nothing;
    go.disabled = !count || store.later;
    undo.hidden = !done;
    deck.classList.toggle("sk-on", !!on);
    bar.style = `--sk-done: ${(100 * done) / (done + count)}%`;
    status.textContent = store.later ? T.later : note || (now ? say(T.left, count) : count || on ? "" : next());
    if (now) return offerGrades();
    for (const { id, details } of cards) {
      const days = dueDay(memories.get(id)) - today;
      details.firstChild.dataset.known = days > 0 ? say(T.back, days) : days <= 0 ? T.due : "";
    }
  };

  // Label each grade with what it brings: days, or another showing today.
  const offerGrades = () => {
    const past = memories.get(now.id), review = became(past, { day: today }) === "review";
    for (const choice of grades.children) {
      const grade = +choice.value, again = grade < (review && past ? 3 : GOOD);
      choice.lastChild.textContent = again ? T.today : review ? say(T.day, after(past, grade, today).interval) : T.enough;
      choice.classList.toggle("sk-go", grade === (now.article.suggested ?? GOOD));
    }
  };

  // Puts a card before the reader, or none. It may have been read before the review.
  const turnTo = (card) => {
    for (const shown of [now, card]) if (shown) shown.details.open = false;
    now?.article.classList.remove("sk-now");
    card?.article.classList.add("sk-now");
    grades.remove();
    end.remove();
    now = card;
    show();
  };

  const ask = () => {
    on = true;
    todo[0]?.article.dispatchEvent(new Event("sk-shown"));
    turnTo(todo[0]);
    if (!now) return close();
    now.article.append(grades);
    const first = now.article.querySelector(".sk-field, summary");
    first.value = "";
    first.focus({ preventScroll: true });
    deck.scrollIntoView({ block: "nearest" });
    began = performance.now();
  };

  // The end of a review: what was seen today, how much of it was right at first, when the next is.
  const close = () => {
    const seen = Map.groupBy(answers(), (e) => e.card), [counts, soon] = end.querySelectorAll("p");
    counts.textContent = say(T.seen, seen.size, [...seen.values()].filter(([first]) => first.grade > 2).length);
    soon.textContent = next();
    bar.after(end);
    end.focus();
  };

  // What could not be kept is warned of until it is.
  const keep = (...events) => {
    store.read();
    if (store.kept && store.own[0].day < studyDay()) store.turn();
    warning.hidden = store.add(...events);
    look();
    wakeAll(deck);
    navigator.storage?.persist?.().catch(() => {});
  };

  const record = (kind, card, rest) => {
    const ms = Date.now(), moment = Math.max(ms * 1000, live(store.log).at(-1)?.moment + 1 || 0);
    keep({ id: uuid7(ms), kind, card, moment, day: studyDay(), zone: ZONE, ...rest });
    ask();
  };

  const actions = {
    go: () => ask(look()),
    stop: () => {
      on = false;
      turnTo();
      go.focus();
    },
    grade: ({ value }) => record("answer", now.id, { grade: +value, took_ms: Math.round(performance.now() - began), showing: now.article.showing }),
    undo: () => {
      const newest = answers().pop();
      if (newest) show(T.undone, record("undo", newest.card, { target: newest.id }));
    },
    copy: () => {
      const href = URL.createObjectURL(new Blob([copyOf(store.read())], { type: "application/json" }));
      Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
    },
    find: ({ value }) => sought.oninput((sought.value = sought.value === value ? "" : value)),
    read: () => file.click(),
    wipe: () => confirm(T.sure) && wakeAll(store.wipe()),
  };
  deck.onclick = ({ target }) => {
    const button = target.closest("button");
    actions[button?.name]?.(button);
  };

  // Finds cards by words, or by an objective with a # before it.
  sought.oninput = () => {
    const words = sought.value.toLowerCase().split(/\s+/);
    for (const { article } of cards) {
      const text = (article.textContent + article.dataset.for).toLowerCase();
      article.hidden = !words.every((word) => text.includes(word));
    }
  };

  file.onchange = async () => {
    const events = eventsOf(await file.files[0]?.text()), before = store.read();
    file.value = "";
    if (!events) return show(T.bad);
    const added = merged(before, events.filter((e) => cards.some((c) => c.id === e.card))).slice(before.length);
    if (added[0]) keep(...added);
    show(say(T.took, added.length));
  };

  // The keys of a review in a terminal; whether one was taken. A field, and what a button or a link does by itself, stays theirs;
  // but where the answer is typed, Enter shows the correct one next to it.
  deck.press = (event) => {
    const { key, target } = event, going = [" ", "Enter"].includes(key), typed = key === "Enter" && target.closest(".sk-typed");
    if (!on || event.ctrlKey || event.altKey || event.metaKey || (!typed && target.closest("input, textarea, select, [contenteditable], dialog"))) return;
    if (going && target.closest("button, a, summary") && target.parentNode !== now?.details) return;
    const choice = now?.details.open && [...grades.children].find((button, at) => (going ? button.className : +key === at + 1));
    if (choice) choice.click();
    else if (key === "u") actions.undo();
    else if (key === "?") keys.open = !keys.open;
    else if (key === "Escape" || key === "q") actions.stop();
    else if (going && now) {
      now.details.open = true;
      now.details.firstChild.focus();
    } else return;
    event.preventDefault();
    return true;
  };

  // Another page may have answered, or a day may have passed.
  deck.wake = () => {
    store.read();
    look();
    if (now ? !todo.includes(now) : on && todo[0]) return now ? ask() : actions.stop();
    show();
  };

  bar.hidden = false;
  deck.append(keys);
  deck.wake();
}

function define() {
  if (customElements.get("study-deck")) return;
  customElements.define("study-deck", class extends HTMLElement {
    connectedCallback() {
      this.wake || begin(this);
    }
  });
  addEventListener("keydown", (event) => decks().some((deck) => deck.press?.(event)), true);
  addEventListener("beforeunload", (event) => document.querySelector(".sk-warn:not([hidden])") && event.preventDefault());
  for (const name of ["storage", "pageshow", "visibilitychange"]) addEventListener(name, wakeAll);
}

// The browser may still be reading the cards.
document.readyState === "loading" ? addEventListener("DOMContentLoaded", define) : define();
