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
    status.textContent = note || (now ? say(T.place, done + 1, done + count) : `${say(T.counts, count - fresh, fresh, known().length)} ${count ? "" : next()}`);
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
    article.querySelector("form")?.reset();
    // What a reader of the screen hears: the question, which card of how many, and what follows the question.
    const field = article.querySelector(".sk-field"), heading = article.querySelector(".sk-q"), place = field || heading;
    place.ariaDescribedByElements = [field && heading, status, article.querySelector(".sk-more")].filter(Boolean);
    article.append(grades);
    focusOn(place);
    deck.scrollIntoView({ block: "nearest" });
    began = performance.now();
  };

  // Judges what was typed or chosen, and moves to the answer. The first verdict of a showing counts: what comes later is practice.
  const reveal = (article) => {
    const { verdict, event } = article.judge?.() || {};
    if (verdict) Object.assign(article.querySelector("output"), { value: T[verdict] || "", className: `sk-${verdict}` });
    if (verdict === "malformed") return;
    if (verdict) article.judged ||= { grade: { correct: 4, close: 3 }[verdict] || 1, event };
    article.querySelector(".sk-a").open = true;
    if (now) offerGrades();
    focusOn(article.querySelector(".sk-text"));
  };

  // The end of a review: what was seen today, and how much of it was right at first.
  const close = () => {
    queue = undefined;
    // The index wrote behind the address that all decks are reviewed, and which are left.
    const seen = Map.groupBy(answers(), (e) => e.card), [all, ...others] = location.hash.split(","), link = all === "#review" && end.querySelector("a");
    end.children[1].textContent = say(T.seen, seen.size, [...seen.values()].filter(([answer]) => answer.grade > 2).length);
    if (link) {
      link.textContent = others[0] ? say(T.decks_left, others.length) : T.back_to_all;
      link.href = `./${others.shift() || "index"}.html${[all, ...others]}`;
    }
    bar.after(end);
    (link || end).focus();
  };

  // What could not be kept is warned of until it is.
  const keep = (...events) => {
    warning.hidden = store.add(...events);
    look();
    wakeAll(deck);
    navigator.storage?.persist();
  };

  const record = (kind, card, rest) => {
    store.read();
    keep(store.event(kind, card, rest));
    ask();
  };

  const actions = {
    go: () => {
      const rest = known();
      if (!todo[0]) queue = Array.from(rest.slice(-QUIZ), () => rest.splice(Math.random() * rest.length, 1)[0]);
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
      if (confirm(T.sure)) show(keep(...known().map((c) => store.event("reset", c.id))));
    },
    check: (button) => reveal(button.closest(".sk-card")),
    renew,
  };
  const early = () => performance.now() - graded < GUARD_MS;
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("button, summary"), opens = now && button === now.details.firstChild && !now.details.open;
    if (opens || early()) event.preventDefault();
    if (!early()) opens ? reveal(now.article) : actions[button?.name]?.(button);
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

  // The keys of a review in a terminal; whether one was taken. What has the focus outside the deck, a field, and what a button, an option or
  // a link does by itself, stays theirs: Enter in a form presses Check. A key that is held, or writes Chinese, means nothing here.
  deck.press = (event) => {
    const { key, target } = event, going = [" ", "Enter"].includes(key), field = target.closest(".sk-field"), open = now?.details.open;
    if (!on || event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !(deck.contains(target) || target.contains(deck))) return;
    if (field && key === "Escape") field.blur();
    else if (field) return;
    else if (event.repeat || early()) { if (!going) return; }
    else if (going && target.closest("button, a, summary, input")) return;
    else if (key === " " && open && now.article.getBoundingClientRect().bottom > innerHeight + 1) return; // scrolls
    else {
      const choice = open && going ? grades.querySelector(".sk-go") : deck.querySelectorAll(open ? ".sk-grades button" : ".sk-now .sk-options input")[key - 1];
      if (choice) choice.focus(), choice.click();
      else if (key === "u") actions.undo();
      else if (key === "?") (keys.open = !keys.open), keys.scrollIntoView({ block: "nearest" });
      else if (key === "Escape" || key === "q") actions.stop();
      else if (going && now) reveal(now.article);
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
  for (const name of ["storage", "visibilitychange"]) addEventListener(name, wakeAll);
}
