"""Convert cards to questions: choices, typed answers, and those that the learner marks in a quiz."""

from collections.abc import Callable, Mapping

from studykit.cards.card import Card, Kind
from studykit.cards.front_matter import filled_in
from studykit.exercise.quiz import choices
from studykit.review import typed_answer
from studykit.review.question import UNMARKED, Asked, Question, Reply
from studykit.scheduling.outcomes import INCORRECT, RIGHT

_NO_MACROS: Mapping[str, str] = {}


def question_of(
    card: Card, seed: int, macros: Mapping[str, str] = _NO_MACROS, *, is_marked: bool = False
) -> Question:
    """Return the question of a card. With `is_marked`, the learner marks an answer unlike the card's."""
    if macros:
        card = card._replace(prompt=filled_in(card.prompt, macros), answer=filled_in(card.answer, macros))
    if card.kind is Kind.CHOICE:
        return choices.question_of(card, seed)
    right_text = typed_answer.shown(card)
    return Question(
        name=str(card.id),
        seed=seed if is_marked else None,  # a line that is begun in a quiz belongs to that quiz
        markdown=card.prompt,
        fields=("your answer",),
        judge=_judge_of(card, right_text, is_marked=is_marked),
        showing=lambda _answer, _verdict, _slips: None,
        right=right_text if is_marked or "\n" not in right_text else "",
        solution="" if is_marked else _solution_of(card, right_text),
        tries=1,
        info=f"card {card.id}",
        help="Type the answer and press Enter.",
        text=card.prompt,
    )


def _solution_of(card: Card, right_text: str) -> str:
    if card.kind is Kind.CLOZE and card.full:
        return card.full
    return right_text if "\n" in right_text else ""


def _judge_of(card: Card, right_text: str, *, is_marked: bool) -> Callable[[Asked], Reply]:
    def judge(state: Asked) -> Reply:
        answer = state.given[-1].strip()
        comparison = typed_answer.compare(answer, card.answer, card.prompt)
        if comparison.same or is_marked:
            # Whoever typed one of several answers has not read what a longer one adds.
            more = "\n" in right_text and len(typed_answer.alternatives(card.answer)) > 1 and not is_marked
            details = right_text if more else ""
            return Reply(RIGHT if comparison.same else UNMARKED, answer=answer, details=details, has_remark=more)
        from studykit.picture import Difference

        # two that have little in common stand on the page already, one as it was typed, one behind the verdict
        pictures = (Difference(comparison.you, comparison.carets, comparison.want),) if comparison.carets else ()
        return Reply(INCORRECT, answer=answer, pictures=pictures)

    return judge
