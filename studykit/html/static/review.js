// <study-deck>: turns the cards that are already on the page into a review. Without this file they stay cards.
const make = (tag, name, text) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text) node.textContent = text;
  return node;
};
const say = (text, value) => text.replace("%", value);

class StudyDeck extends HTMLElement {
  connectedCallback() {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => this.begin(), { once: true });
    else this.begin();
  }

  disconnectedCallback() {
    removeEventListener("storage", this.heard);
  }

  begin() {
    if (this.bar || !this.isConnected) return;
    this.key = "studykit:v1:" + this.dataset.deck;
    this.cards = [...this.querySelectorAll(".sk-card")].map((node) => ({ node, id: node.dataset.card, note: node.dataset.note || node.dataset.card }));
    this.load();
    for (const { node } of this.cards) if ("typed" in node.dataset) this.typed(node);
    this.bar = make("div", "sk-bar");
    this.bar.dataset.pagefindIgnore = "";
    this.status = make("p", "sk-status");
    this.status.role = "status";
    this.go = this.button("sk-go", "", () => (this.now ? this.stop() : this.next()));
    this.back = this.button("", T.undo, () => this.undo());
    this.more = make("details", "sk-a sk-menu");
    this.more.append(make("summary", "", T.more), this.tools());
    this.bar.append(this.go, this.back, this.status, this.more);
    this.grades = make("div", "sk-grades");
    this.grades.role = "group";
    this.grades.ariaLabel = T.grade;
    for (const [key, grade, name] of [[1, 1, T.again], [2, 3, T.hard], [3, 4, T.good], [4, 5, T.easy]]) {
      const button = this.button("", name, () => this.answer(grade));
      button.dataset.grade = grade;
      button.ariaKeyShortcuts = key;
      button.append(make("small"));
      this.grades.append(button);
    }
    this.prepend(this.bar);
    this.addEventListener("keydown", (event) => this.pressed(event));
    this.addEventListener("toggle", (event) => event.target.parentNode === this.now?.node && this.opened(), true);
    this.addEventListener("sk-judged", (event) => this.judged(event.detail));
    this.heard = (event) => { if (event.key === this.key || event.key === null) { this.load(); this.tell(); } };
    addEventListener("storage", this.heard);
    this.tell();
  }

  button(name, text, act) {
    const button = make("button", name, text);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
  }

  // A card that asks for its answer in writing: Enter shows the right one beside it.
  typed(card) {
    const form = make("form", "sk-form sk-typed"), field = make("input", "sk-field"), answer = card.querySelector(".sk-a");
    form.dataset.pagefindIgnore = "";
    field.autocomplete = "off";
    field.ariaLabel = field.placeholder = T.typed;
    form.append(field);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer.open = true;
      answer.firstElementChild.focus();
    });
    answer.before(form);
    card.addEventListener("sk-shown", () => { field.value = ""; });
  }

  tools() {
    const box = make("div", "sk-tools"), file = make("input", "sk-vh");
    file.type = "file";
    file.accept = ".json";
    file.tabIndex = -1;
    file.ariaLabel = T.read;
    file.addEventListener("change", async () => { this.take(await file.files[0]?.text()); file.value = ""; });
    box.append(
      this.button("", T.save, () => this.give()),
      this.button("", T.read, () => file.click()),
      this.button("", T.wipe, () => confirm(T.sure) && this.keep([])),
      file,
    );
    return box;
  }

  load() {
    this.events = this.stored() || [];
  }

  stored() {
    try { return eventsOf(localStorage.getItem(this.key)); } catch { }
  }

  keep(events) {
    if (events.length > MOST_EVENTS) return this.tell(T.full);
    this.events = events;
    let note;
    try {
      localStorage.setItem(this.key, copyOf(this.dataset.deck, events));
    } catch { note = T.lost; }
    this.tell(note);
    return true;
  }

  give() {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([copyOf(this.dataset.deck, this.events)], { type: "application/json" }));
    link.download = "progress.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  take(text) {
    const theirs = eventsOf(text);
    if (!theirs) return this.tell(T.bad);
    const before = this.events.length, own = new Set(this.cards.map((c) => c.id));
    const all = union(this.events, theirs.filter((e) => own.has(e.card)));
    if (this.keep(all)) this.tell(say(T.took, all.length - before));
  }

  look() {
    this.day = studyDay(new Date());
    this.memories = replay(this.events);
    return agenda(this.cards, this.events, this.memories, this.day, 10);
  }

  tell(note) {
    const left = this.look();
    const days = this.cards.filter((c) => this.memories.has(c.id)).map((c) => due(this.memories.get(c.id))).filter((d) => d > this.day);
    const soon = days.length ? say(T.next, isoDay(Math.min(...days))) : "";
    this.go.textContent = this.now ? T.stop : left.length ? say(T.review, left.length) : T.nothing;
    this.go.classList.toggle("sk-go", !this.now);
    this.go.disabled = !this.now && !left.length;
    this.back.hidden = !live(this.events).some((e) => e.kind === "answer");
    this.more.hidden = !!this.now;
    this.status.textContent = note || (this.now ? say(T.left, left.length) : left.length ? "" : soon);
  }

  next() {
    const card = this.look()[0];
    this.leave();
    if (!card) {
      this.tell(T.done);
      return this.back.focus();
    }
    this.now = card;
    this.classList.add("sk-on");
    card.node.classList.add("sk-now");
    card.node.dispatchEvent(new CustomEvent("sk-shown"));
    this.began = Date.now();
    this.tell();
    this.prompt();
  }

  prompt() {
    const field = this.now.node.querySelector(".sk-field") || this.now.node.querySelector("summary");
    field.focus({ preventScroll: true });
    this.scrollIntoView({ block: "nearest" });
  }

  leave() {
    this.grades.remove();
    if (!this.now) return;
    this.now.node.querySelector(".sk-a").open = false;
    this.now.node.classList.remove("sk-now");
    this.now = undefined;
    this.classList.remove("sk-on");
  }

  stop() {
    this.leave();
    this.tell();
    this.go.focus();
  }

  opened() {
    const memory = this.memories.get(this.now.id);
    if (!this.now.node.querySelector(".sk-a").open) return this.grades.remove();
    for (const button of this.grades.children) {
      const kind = became(memory, this.day), then = after(memory, +button.dataset.grade, this.day);
      button.lastChild.textContent = kind === "review" ? say(T.day, then.interval) : "";
      button.classList.toggle("sk-go", button.dataset.grade === this.now.suggested);
    }
    if (!this.grades.isConnected) this.now.node.append(this.grades); // moving them would take the focus away
  }

  judged({ grade, showing }) {
    if (!this.now) return;
    this.now.showing = showing;
    this.now.suggested = String(grade);
    this.now.node.querySelector(".sk-a").open = true;
    this.opened();
    this.grades.querySelector(`[data-grade="${grade}"]`)?.focus();
  }

  write(kind, card, rest) {
    const known = union(this.stored() || [], this.events); // another page may have answered meanwhile
    const ms = Date.now(), newest = known.reduce((latest, e) => Math.max(latest, e.moment + 1), 0);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
    const e = { id: uuid7(ms), kind, card, moment: Math.max(ms * 1000, newest), day: studyDay(new Date(ms)), zone, ...rest };
    return this.keep([...known, e]);
  }

  answer(grade) {
    const card = this.now;
    if (!card) return;
    const rest = { grade, took_ms: Math.min(Date.now() - this.began, 864e5) };
    if (card.showing) rest.showing = card.showing;
    card.suggested = card.showing = undefined;
    if (this.write("answer", card.id, rest)) this.next();
  }

  undo() {
    const last = live(this.events).filter((e) => e.kind === "answer").pop();
    if (!last || !this.write("undo", last.card, { target: last.id, took_ms: 0 })) return;
    if (this.now) this.next();
    this.tell(T.undone);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input,textarea,select") || !this.now) return;
    const button = this.grades.isConnected && this.grades.children["1234".indexOf(event.key)];
    if (event.key.length === 1 && button) button.click();
    else if (event.key === "u") this.undo();
    else if (event.key === "Escape") this.stop();
    else return;
    event.preventDefault();
  }
}

if (!customElements.get("study-deck")) customElements.define("study-deck", StudyDeck);
