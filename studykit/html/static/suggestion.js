// Hands what was made of an answer to the review that the card is asked in: a grade to suggest, and what its event says.
// The first verdict of a showing counts, and so does a solution that is opened before one: what comes later is practice.
function suggest(card, suggested, event) {
  if (card.suggested) return;
  Object.assign(card, { suggested }, event);
  const deck = card.closest("study-deck");
  deck.wake?.();
  deck.querySelector(".sk-grades .sk-go")?.focus();
}

// Before that no grade is suggested.
const withdraw = (card) => Object.assign(card, { suggested: 0, showing: undefined, typed: undefined });

// The twin of suggested_grade in studykit/scheduling/outcomes.py.
const suggestedGrade = (verdict, tries, hints) =>
  verdict === "incorrect" || tries > 2 ? 1 : verdict === "correct" && tries === 1 && !hints ? 4 : 3;

const solvedBefore = (card, details) => (details.ontoggle = () => details.open && card.matches(".sk-now") && suggest(card, 1));

// Begins with the cards that are there, and those that a page brings later.
function beginWith(selector, start) {
  const begin = () => document.querySelectorAll(selector).forEach((card) => (card.started ||= start(card) || true));
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", begin) : begin();
  document.addEventListener("sk-cards", begin);
}
