// Numeric exercises on a page: numbers drawn ahead by Python, an answer read and judged here.
const made = (tag, given) => Object.assign(document.createElement(tag), given);

class Exercise {
  constructor(card) {
    this.card = card;
    this.data = JSON.parse(card.dataset.sk);
    this.heading = card.querySelector(".sk-q");
    this.more = card.querySelector(".sk-more") || made("div", { className: "sk-more" });
    this.heading.after(this.more);
    this.answer = card.querySelector(".sk-text");
    this.details = card.querySelector(".sk-a");
    const form = card.querySelector(".sk-form"), [field, , hint, another, said] = form.children;
    Object.assign(this, { field, hint, said });
    form.hidden = false;
    form.onsubmit = () => {
      this.judge();
      return false;
    };
    hint.onclick = () => this.help();
    another.onclick = () => this.show();
    card.shown = () => {
      this.earlier = { tries: 0, hints: 0 };
      this.tries = this.hints = 0;
      this.show();
    };
    card.judge = () => this.suggest(1); // a solution that is opened before any verdict
    this.earlier = { tries: 0, hints: 0 };
    this.tries = this.hints = this.at = 0;
    this.pose();
  }

  show() {
    const others = this.data.seeds.length - 1;
    this.at = others ? (this.at + 1 + Math.floor(Math.random() * others)) % (others + 1) : 0;
    this.pose();
  }

  pose() {
    this.earlier = { tries: this.earlier.tries + this.tries, hints: this.earlier.hints + this.hints }; // with other numbers of this showing
    this.variant = posed(this.data, this.at);
    this.heading.innerHTML = this.variant.heading;
    this.more.innerHTML = this.variant.more;
    this.more.hidden = !this.variant.more;
    this.answer.innerHTML = this.variant.solution;
    this.tries = this.hints = 0;
    this.closed = this.details.open = false;
    this.hint.disabled = false;
    const { tolerance } = this.variant, near = tolerance >= 1 ? say(T.factor, 1 + tolerance) : tolerance ? say(T.within, digits(100 * tolerance)) : T.exact;
    const asked = `${this.data.label || T.number}, ${near}`;
    this.field.ariaLabel = `${T.your} (${asked})`;
    this.field.placeholder = asked;
    this.field.value = "";
    this.tell([]);
  }

  tell(lines, verdict) {
    this.said.replaceChildren(...lines.filter(Boolean).map((line) => made("p", { textContent: line })));
    if (verdict) this.said.firstChild.className = `sk-${verdict}`;
  }

  help() {
    this.said.append(made("p", { innerHTML: this.variant.hints[this.hints++] }));
    this.hint.disabled = this.hints >= this.variant.hints.length;
  }

  judge() {
    const judged = judge(this.variant, this.field.value);
    if (judged.verdict === "malformed") return this.tell([judged.why]);
    const echo = say(T.read_as, judged.echo);
    if (this.closed) return this.tell([echo, ...whenClosed(this.variant, judged)]);
    this.tries++;
    const correct = judged.verdict === "correct", over = correct || judged.verdict === "close" || this.tries > 1;
    if (!over) return this.tell([T.not_yet, echo, ...whileOpen(this.variant, judged)], judged.verdict);
    this.closed = true;
    this.tell([T[judged.verdict], echo, ...whenClosed(this.variant, judged)], judged.verdict);
    this.details.open = true;
    const { exercise, version, parameters } = this.data, slips = blamed(judged.slips).map((slip) => slip.id);
    const showing = { exercise, version, seed: this.variant.seed, parameters, answer: this.field.value, verdict: judged.verdict, slips };
    this.suggest(suggestedGrade(judged.verdict, this.earlier.tries + this.tries, this.earlier.hints + this.hints), { showing });
  }

  // Hands a grade to suggest to the review that the card is asked in, and what its event says: once for each showing.
  suggest(grade, event) {
    if (this.card.judged) return;
    this.card.judged = { grade, event };
    const deck = this.card.closest("study-deck");
    deck.wake();
    deck.querySelector(".sk-grades .sk-go")?.focus();
  }
}

for (const card of document.querySelectorAll("[data-sk]")) card.started ||= new Exercise(card); // a page may bring this script again
