// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const NEW_A_DAY = 10, GOOD = 4, GUARD_MS = 300, SAFARI_DAYS = 7, QUIZ = 20;

const decks = () => [...document.querySelectorAll("study-deck")];
const wakeAll = (but) => decks().forEach((deck) => deck !== but && deck.wake());

function begin(deck) {
  const template = deck.querySelector("template"), { words, course, moved = "{}", version } = template.dataset, T = JSON.parse(words);
  const [end, grades, keys] = template.content.children, bar = deck.querySelector(".sk-bar"), [go, , undo, status, warning, forgetful, newer] = bar.children, [file, sought] = bar.querySelectorAll("input");
  const cards = Array.from(deck.querySelectorAll(".sk-card"), (article) => {
    const { card: id = article.id.slice(2), note = id } = article.dataset;
    return { id, note, article, details: article.querySelector(".sk-a") };
  });
  const store = new Store(course, cards.map((c) => c.id), JSON.parse(moved));
  let memories, today, todo, queue, began, graded, on, now; // queue: of practice; on: in a review, now: its card, and none at its end

  const look = () => {
    today = studyDay();
    todo = agenda(cards, store.log, today, NEW_A_DAY, (memories = new Map()));
    if (queue?.[0]) todo = queue;
  };
  const known = () => cards.filter((c) => memories.has(c.id));

  // Today's answers to cards of this page that are not new again.
  const answers = () => live(store.log).filter((e) => isAnswer(e) && e.day === today && store.ids.has(e.card) && memories.has(e.card));
  const inDays = (days) => days === 1 ? T.tomorrow : say(T.day, days);
  const next = () => {
    const later = cards.map((c) => dueDay(memories.get(c.id)) - today).filter((days) => days > 0);
    return later[0] ? say(T.next, inDays(Math.min(...later))) : "";
  };

  const show = (note) => {
    const count = todo.length, done = answers().length, fresh = todo.filter((c) => !memories.has(c.id)).length, rest = Math.min(known().length, QUIZ);
    go.textContent = count ? say(T.review, count) : rest ? say(T.practise, rest) : T.nothing;
    go.disabled = !(count || rest);
    undo.hidden = !done;
    for (const each of [deck, document.body]) each.classList.toggle("sk-on", !!on); // a rule of :has would look at all cards
    bar.style = `--sk-done: ${100 * done / (done + count)}%`;
    status.textContent = note || (now ? say(T.place, done + 1, done + count) : on ? "" : `${say(T.counts, count - fresh, fresh, known().length)} ${count ? "" : next()}`);
    if (now) return offerGrades();
    for (const { id, details } of cards) {
      const days = dueDay(memories.get(id)) - today, back = days > 0 ? inDays(days) : days <= 0 ? T.due : "", { dataset } = details.firstChild;
      if (dataset.known !== back) dataset.known = back;
    }
  };

  // Label each grade with what it brings: days, or another showing today.
  const offerGrades = () => {
    const past = memories.get(now.id), review = became(past, { day: today }) === "review";
    for (const choice of grades.children) {
      const grade = +choice.value, again = grade < (review && past ? 3 : GOOD), { interval } = after(past, grade, today);
      choice.lastChild.textContent = again ? T.today : review ? inDays(interval) : T.enough;
      choice.classList.toggle("sk-go", grade === (now.article.judged?.grade || GOOD));
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

  const focusOn = (place) => {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };

  const ask = () => {
    on = true;
    turnTo(todo[0]);
    if (!now) return close();
    const { article } = now;
    article.judged = undefined;
    article.shown?.();
    // What a reader of the screen hears: the question, which card of how many, and what follows the question.
    const field = article.querySelector(".sk-field"), heading = article.querySelector(".sk-q"), place = field || heading;
    place.ariaDescribedByElements = [field && heading, status, article.querySelector(".sk-more")].filter(Boolean);
    if (field) field.value = "";
    article.append(grades);
    focusOn(place);
    deck.scrollIntoView({ block: "nearest" });
    began = performance.now();
  };

  // Opens the answer, after what was typed or chosen is judged, and moves to it.
  const reveal = () => {
    if (now.article.judge?.()) return;
    now.details.open = true;
    offerGrades();
    focusOn(now.article.querySelector(".sk-text"));
  };

  // The end of a review: what was seen today, how much of it was right at first, when the next is.
  const close = () => {
    queue = undefined;
    // The index wrote behind the address that all decks are reviewed, and which are left.
    const seen = Map.groupBy(answers(), (e) => e.card), [, counts, soon] = end.children, [all, first, ...others] = location.hash.split(","), link = all === "#review" && end.querySelector("a");
    counts.textContent = say(T.seen, seen.size, [...seen.values()].filter(([answer]) => answer.grade > 2).length);
    soon.textContent = next();
    if (link) {
      link.href = first ? `./${first}.html${[all, ...others]}` : "index.html";
      link.textContent = first ? say(T.decks_left, others.length + 1) : T.back_to_all;
    }
    bar.after(end);
    (link || end).focus();
  };

  // What could not be kept is warned of until it is.
  const keep = (...events) => {
    warning.hidden = store.add(...events);
    look();
    wakeAll(deck);
    navigator.storage?.persist?.();
  };

  const record = (kind, card, rest) => {
    store.read();
    keep(store.event(kind, card, rest));
    ask();
  };

  const actions = {
    go: () => {
      for (const card of cards) card.place = Math.random();
      if (!todo[0]) queue = known().sort((a, b) => a.place - b.place).slice(0, QUIZ);
      ask(look());
    },
    stop: () => {
      on = queue = undefined;
      look();
      turnTo();
      go.focus();
    },
    grade: ({ value }) => {
      graded = performance.now();
      queue = queue?.slice(1);
      record("answer", now.id, { grade: +value, took_ms: Math.round(graded - began), ...now.article.judged?.event });
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
      if (known()[0] && confirm(T.sure)) show(keep(...known().map((c) => store.event("reset", c.id))));
    },
    renew,
  };
  const early = () => performance.now() - graded < GUARD_MS;
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("button, summary"), opens = now && button === now.details.firstChild && !now.details.open;
    if (opens || early()) event.preventDefault();
    if (!early()) opens ? reveal() : actions[button?.name]?.(button);
  });

  // Finds cards by words, or by an objective with a # before it.
  sought.oninput = () => {
    const words = sought.value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const { article } of cards) {
      const text = (article.textContent + article.dataset.for).toLowerCase();
      found += !(article.hidden = words.some((word) => !text.includes(word)));
    }
    show(!found && T.none_found);
  };

  file.onchange = async () => {
    const message = await takeCopy(file, T, (events) => store.take(events));
    wakeAll();
    show(message);
  };

  // The keys of a review in a terminal; whether one was taken. What has the focus beside the deck, a field, and what a button or a link
  // does by itself, stays theirs; but where the answer is typed, Enter shows the correct one next to it. A key that is held, or writes
  // Chinese, means nothing here.
  deck.press = (event) => {
    const { key, target } = event, going = [" ", "Enter"].includes(key), field = target.closest(".sk-field"), open = now?.details.open;
    if (!on || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !(deck.contains(target) || target.contains(deck))) return;
    if (field && key === "Escape") now.details.firstChild.focus();
    else if (field && !(key === "Enter" && target.closest(".sk-typed"))) return;
    else if (event.repeat || early()) { if (!going) return; }
    else if (going && target.closest("button, a, summary, input:not(.sk-field)")) return;
    else if (key === " " && open && now.article.getBoundingClientRect().bottom > innerHeight + 1) return; // scrolls
    else {
      const choice = open && (going ? grades.querySelector(".sk-go") : grades.children[key - 1]);
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

  addEventListener("beforeunload", (event) => warning.hidden || event.preventDefault());
  bar.hidden = false;
  deck.append(keys);
  deck.wake();
  warning.hidden = store.write(MARK, []) && delete localStorage[MARK]; // whether this browser keeps anything at all
  watchFor(version, () => (newer.hidden = false));
  if (/^#review\b/.test(location.hash)) ask();
}

// The script stands behind the cards or is deferred; a page may bring it again.
if (!customElements.get("study-deck")) {
  customElements.define("study-deck", class extends HTMLElement {
    connectedCallback() {
      this.wake || begin(this);
    }
  });
  addEventListener("keydown", (event) => decks().some((deck) => deck.press(event)), true);
  for (const name of ["storage", "pageshow", "visibilitychange"]) addEventListener(name, wakeAll);
}
