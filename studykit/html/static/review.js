// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const NEW_A_DAY = 10, GOOD = 4, GUARD_MS = 300, SAFARI_DAYS = 7, QUIZ = 20;
const FIELD = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog";

const decks = new Set();
const wakeAll = (but) => decks.forEach((deck) => deck !== but && deck.wake());

// The decks that a review of all goes on with, as the index wrote them behind the address.
const following = () => decodeURIComponent(location.hash).match(/^#review((?:,[\p{L}\p{M}\p{N}_-]+)*)$/u)?.[1].split(",").slice(1);

function begin(deck) {
  const template = deck.querySelector("template"), { words, course, moved = "{}", version } = template.dataset, T = JSON.parse(words);
  const [end, grades, keys] = template.content.cloneNode(true).children, bar = deck.querySelector(".sk-bar"), [go, , undo] = bar.children, [file, sought] = bar.querySelectorAll("input"), status = bar.querySelector(".sk-status"), [warning, forgetful, newer] = bar.querySelectorAll(".sk-warn");
  const cards = Array.from(deck.querySelectorAll(".sk-card"), (article) => {
    const { card: id = article.id.slice(2), note = id } = article.dataset;
    return { id, note, article, details: article.querySelector(".sk-a") };
  });
  const store = new Store(course, cards.map((c) => c.id), JSON.parse(moved));
  let memories, today, todo, queue, began = 0, graded = -GUARD_MS, on, now; // queue: of practice; on: in a review, now: its card, and none at its end

  const look = () => {
    today = studyDay();
    todo = agenda(cards, store.log, today, NEW_A_DAY, (memories = new Map()));
    if (queue?.[0]) todo = queue;
  };
  const known = () => cards.filter((c) => memories.has(c.id));

  // Today's answers to cards of this page that were not started over since.
  const answers = () => {
    const over = new Map(live(store.log).filter((e) => e.kind === "reset").map((e) => [e.card, e.moment]));
    return live(store.log).filter((e) => isAnswer(e) && e.day === today && store.ids.has(e.card) && !(e.moment < over.get(e.card)));
  };
  const inDays = (days) => (days === 1 ? T.tomorrow : say(T.day, days));
  const next = () => {
    const later = cards.map((c) => dueDay(memories.get(c.id))).filter((day) => day > today), first = Math.min(...later);
    return !later[0] ? "" : first === today + 1 ? T.next_tomorrow : say(T.next, isoDay(first));
  };

  const show = (note) => {
    const count = todo.length, done = answers().length, fresh = todo.filter((c) => !memories.has(c.id)).length, rest = Math.min(known().length, QUIZ);
    go.textContent = count ? say(T.review, count) : rest ? say(T.practise, rest) : T.nothing;
    go.disabled = !(count || rest) || store.later;
    undo.hidden = !done;
    for (const each of [deck, document.body]) each.classList.toggle("sk-on", !!on); // a rule of :has would look at all cards
    bar.style = `--sk-done: ${(100 * done) / (done + count)}%`;
    status.textContent = store.later ? T.later : note || (now ? say(T.place, done + 1, done + count) : on ? "" : `${say(T.counts, count - fresh, fresh, known().length)} ${count ? "" : next()}`);
    if (now) return offerGrades();
    for (const { id, details } of cards) {
      const days = dueDay(memories.get(id)) - today, back = days > 1 ? say(T.back, days) : days > 0 ? T.tomorrow : days <= 0 ? T.due : "", { dataset } = details.firstChild;
      if (dataset.known !== back) dataset.known = back;
    }
  };

  // Label each grade with what it brings: days, or another showing today.
  const offerGrades = () => {
    const past = memories.get(now.id), review = became(past, { day: today }) === "review";
    for (const choice of grades.children) {
      const grade = +choice.value, again = grade < (review && past ? 3 : GOOD), { interval } = after(past, grade, today);
      choice.lastChild.textContent = again ? T.today : review ? inDays(interval) : T.enough;
      choice.classList.toggle("sk-go", grade === (now.article.suggested || GOOD));
      // Safari forgets what a page keeps after a week without a visit, but for what is on the home screen.
      if (interval > SAFARI_DAYS && /^Apple/.test(navigator.vendor) && !navigator.standalone) forgetful.hidden = false;
    }
  };

  // Puts a card before the reader, or none. It may have been read before the review.
  const turnTo = (card) => {
    for (const shown of [now, card].filter(Boolean)) {
      shown.details.open = false;
      shown.article.classList.toggle("sk-now", shown === card);
    }
    grades.remove();
    end.remove();
    now = card;
    show();
  };

  // The question is what a reader of the screen hears: its words as the name, then which card of how many, and what follows it.
  const focusOn = ({ article }) => {
    const heading = article.querySelector(".sk-q"), more = heading.nextElementSibling, field = article.querySelector(".sk-field"), place = field || article;
    const ids = [heading, status, more].map((each, at) => (each.id ||= `${article.id}-${at}`));
    article.tabIndex = -1;
    article.setAttribute("aria-labelledby", ids[0]);
    place.setAttribute("aria-describedby", ids.slice(!field, 2 + more.matches(".sk-more")).join(" "));
    if (field) field.value = "";
    place.focus({ preventScroll: true });
  };

  const ask = () => {
    on = true;
    todo[0]?.article.dispatchEvent(new Event("sk-shown"));
    turnTo(todo[0]);
    if (!now) return close();
    now.article.append(grades);
    focusOn(now);
    deck.scrollIntoView({ block: "nearest" });
    began = performance.now();
  };

  // Opens the answer, after what was typed or chosen is judged, and moves to it.
  const reveal = () => {
    if (now.article.judge?.()) return;
    const text = now.article.querySelector(".sk-text");
    now.details.open = true;
    text.tabIndex = -1;
    text.focus({ preventScroll: true });
  };

  // The end of a review: what was seen today, how much of it was right at first, when the next is.
  const close = () => {
    queue = undefined;
    const seen = [...Map.groupBy(answers(), (e) => e.card).values()], [counts, soon] = end.querySelectorAll("p"), rest = following(), link = rest && end.querySelector("a");
    counts.textContent = say(T.seen, seen.length, seen.filter(([first]) => first.grade > 2).length);
    soon.textContent = next();
    if (link) {
      link.href = rest[0] ? `${rest[0]}.html#review${rest.slice(1).map((name) => "," + name).join("")}` : "index.html";
      link.textContent = rest[0] ? say(T.decks_left, rest.length) : T.back_to_all;
    }
    bar.after(end);
    (link || end).focus();
  };

  // What could not be kept is warned of until it is.
  const keep = (...events) => {
    if (store.kept && store.own[0].day < studyDay()) store.turn();
    warning.hidden = store.add(...events);
    look();
    wakeAll(deck);
    navigator.storage?.persist?.().catch(() => {});
  };

  const record = (kind, card, rest) => {
    store.read();
    keep(store.event(kind, card, rest));
    ask();
  };

  const actions = {
    go: () => {
      look();
      const mixed = new Map(cards.map((card) => [card, Math.random()]));
      if (!todo[0]) queue = known().sort((a, b) => mixed.get(a) - mixed.get(b)).slice(0, QUIZ);
      ask(look());
    },
    stop: () => {
      on = queue = undefined;
      look();
      turnTo();
      go.focus();
    },
    grade: ({ value }) => {
      const { id, article } = now;
      graded = performance.now();
      queue = queue?.slice(1);
      record("answer", id, { grade: +value, took_ms: Math.round(performance.now() - began), showing: article.showing, typed: article.typed });
    },
    undo: () => {
      const newest = answers().pop();
      if (!newest) return;
      if (queue) queue = [...cards.filter((c) => c.id === newest.card), ...queue];
      show(T.undone, record("undo", newest.card, { target: newest.id }));
    },
    copy: () => saveCopy(store.read()),
    find: ({ value }) => sought.oninput((sought.value = sought.value === value ? "" : value)),
    read: () => file.click(),
    wipe: () => {
      store.read();
      if (known()[0] && confirm(T.sure)) show("", keep(...known().map((c) => store.event("reset", c.id))));
    },
    renew,
  };
  const early = () => performance.now() - graded < GUARD_MS;
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (early() && event.target.closest("button, summary")) event.preventDefault();
    else actions[button?.name]?.(button);
  });

  // Finds cards by words, or by an objective with a # before it.
  sought.oninput = () => {
    const words = sought.value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const { article } of cards) {
      const text = (article.textContent + article.dataset.for).toLowerCase();
      found += !(article.hidden = words.some((word) => !text.includes(word)));
    }
    show(found ? "" : T.none_found);
  };

  file.onchange = async () => {
    const copy = await readCopy(file.files[0]), schedules = () => cards.map((c) => JSON.stringify({ ...memories.get(c.id), last: 0 }));
    file.value = "";
    if (!copy) return show(T.bad);
    const before = schedules(), fresh = store.take(copy.sound);
    look();
    wakeAll(deck);
    const changed = schedules().filter((each, at) => each !== before[at]).length;
    show(fresh ? say(T.took, fresh.filter(isAnswer).length, changed) + (copy.refused ? " " + say(T.future, copy.refused) : "") : T.full);
  };

  // The keys of a review in a terminal; whether one was taken. A field, and what a button or a link does by itself, stays theirs;
  // but where the answer is typed, Enter shows the correct one next to it. A key that is held, or writes Chinese, means nothing here.
  deck.press = (event) => {
    const { key, target } = event, going = [" ", "Enter"].includes(key), typed = key === "Enter" && target.closest(".sk-typed");
    if (!on || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const field = target.closest(FIELD), open = now?.details.open;
    if (field && key === "Escape" && !field.closest("dialog") && deck.contains(field)) (now?.details.firstChild || go).focus();
    else if (field && !typed) return;
    else if (event.repeat || (early() && (going || key > "0"))) return going && (event.preventDefault(), true);
    else if (going && target.closest("button, a, summary, input:not(.sk-field)") && target.parentNode !== now?.details) return;
    else if (key === " " && open && now.article.getBoundingClientRect().bottom > innerHeight + 1) scrollBy({ top: innerHeight * 0.8 });
    else {
      const choice = open && [...grades.children].find((button, at) => (going ? button.matches(".sk-go") : +key === at + 1));
      if (choice) choice.click();
      else if (key === "u") actions.undo();
      else if (key === "?") (keys.open = !keys.open), keys.scrollIntoView({ block: "nearest" });
      else if (key === "Escape" || key === "q") actions.stop();
      else if (going && now) reveal();
      else return;
    }
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
  warning.hidden = store.works();
  watchFor(version, () => (newer.hidden = false));
  if (following() && todo[0]) ask();
  else if (following()) on = true, turnTo(), close();
}

function define() {
  if (customElements.get("study-deck")) return;
  customElements.define("study-deck", class extends HTMLElement {
    connectedCallback() {
      this.wake || begin(this);
      decks.add(this);
    }

    disconnectedCallback() {
      decks.delete(this);
    }
  });
  addEventListener("keydown", (event) => [...decks].some((deck) => deck.press(event)), true);
  addEventListener("beforeunload", (event) => document.querySelector("[role=alert].sk-warn:not([hidden])") && event.preventDefault());
  for (const name of ["storage", "pageshow", "visibilitychange"]) addEventListener(name, wakeAll);
}

// The browser may still be reading the cards.
document.readyState === "loading" ? addEventListener("DOMContentLoaded", define) : define();
