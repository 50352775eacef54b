// Hands what was made of an answer to the review that the card is asked in: a grade to suggest, and what its event says.
// The first verdict of a showing counts, and so does a solution that is opened before one: what comes later is practice.
function suggest(card, grade, event) {
  if (card.judged) return;
  card.judged = { grade, event };
  const deck = card.closest("study-deck");
  deck.wake();
  deck.querySelector(".sk-grades .sk-go")?.focus();
}

// The twin of suggested_grade in studykit/scheduling/outcomes.py.
const suggestedGrade = (verdict, tries, hints) =>
  verdict === "incorrect" || tries > 2 ? 1 : verdict === "correct" && tries === 1 && !hints ? 4 : 3;

const solvedBefore = (card, details) => (details.ontoggle = () => details.open && card.matches(".sk-now") && suggest(card, 1));

// Begins with each card once, however often a page brings this script.
const beginWith = (selector, start) => document.querySelectorAll(selector).forEach((card) => (card.started ||= start(card) || true));
