// Hands what was made of an answer to the review that the card is asked in: a grade to suggest, and what its event says.
function suggest(card, suggested, showing) {
  Object.assign(card, { suggested, showing });
  const deck = card.closest("study-deck");
  deck.wake?.();
  deck.querySelector(".sk-grades .sk-go")?.focus();
}

// Before that no grade is suggested.
const withdraw = (card) => Object.assign(card, { suggested: 0, showing: undefined });

// The twin of suggested_grade in studykit/scheduling/outcomes.py.
const suggestedGrade = (verdict, tries, hints) =>
  verdict === "incorrect" || tries > 2 ? 1 : verdict === "correct" && tries === 1 && !hints ? 4 : 3;
