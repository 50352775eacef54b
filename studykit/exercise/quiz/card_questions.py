"""Cards as questions: choices, typed answers, and those that their learner marks in a quiz."""

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
    """Return a card as a question. If it `is_marked` its learner compares, unless the answer is the same."""
    if macros:
        card = card._replace(prompt=filled_in(card.prompt, macros), answer=filled_in(card.answer, macros))
    if card.kind is Kind.CHOICE:
        return choices.question_of(card, seed)
    shown = typed_answer.shown(card)
    return Question(
        name=str(card.id),
        seed=None,
        markdown=card.prompt,
        fields=("your answer",),
        judge=_marked(card) if is_marked else _compared(card),
        showing=lambda _answer, _verdict, _slips: None,
        right=shown if is_marked or "\n" not in shown else "",
        solution="" if is_marked else _solution(card, shown),
        tries=1,
        info=f"card {card.id}",
        help="Type the answer and press Enter.",
        doing="",
        text=card.prompt,
    )


def _solution(card: Card, shown: str) -> str:
    if card.kind is Kind.CLOZE and card.full:
        return card.full
    return shown if "\n" in shown else ""


def _compared(card: Card) -> Callable[[Asked], Reply]:
    def judge(asked: Asked) -> Reply:
        found = typed_answer.compare(asked.given[-1], card.answer, card.prompt)
        if found.same:
            return Reply(RIGHT, answer=asked.given[-1].strip())
        from studykit.picture import Difference

        # two that have little in common stand on the page already, one as it was typed, one behind the verdict
        pictures = (Difference(found.you, found.carets, found.want),) if found.carets else ()
        return Reply(INCORRECT, answer=asked.given[-1].strip(), pictures=pictures)

    return judge


def _marked(card: Card) -> Callable[[Asked], Reply]:
    def judge(asked: Asked) -> Reply:
        same = typed_answer.compare(asked.given[-1], card.answer, card.prompt).same
        return Reply(RIGHT if same else UNMARKED, answer=asked.given[-1].strip())

    return judge
