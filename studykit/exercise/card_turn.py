"""Make the turns that ask the cards of a review."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId
from studykit.cards.front_matter import filled_in
from studykit.errors import BadDataError, NotFoundError
from studykit.exercise import catalog
from studykit.exercise.run import RunState
from studykit.exercise.services import Services
from studykit.exercise.tries import open_tries
from studykit.exercise.turn import Asking, Draw, Turn
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling import outcomes

if TYPE_CHECKING:
    from studykit.scheduling.agenda import Agenda
    from studykit.store.typed_drafts import TypedDrafts


def queue(agenda: "Agenda", limit: int | None = None) -> RunState:
    """Return the cards that failed today, then at most `limit` due and new ones, as turns."""
    cards = (*agenda.drill, *(*agenda.due, *agenda.new)[:limit])
    return RunState(tuple(turn_to_come(card) for card in cards))


def turn_to_come(card: CardId) -> Turn:
    """Return a card's turn before the card is read, which an edit may change until it is asked."""

    def pose(*_: object) -> Question:
        raise AssertionError(f"Card {card} has not been read yet. `ReviewRun` does that when its turn comes.")

    return Turn(card, "", pose, card=card)


def face_of(card: Card, macros: Mapping[str, str]) -> Question:
    """Return a card that its learner grades as a question without fields, so that no judge is loaded."""
    return Question(
        name=str(card.id),
        seed=None,
        markdown=filled_in(card.prompt, macros),
        fields=(),
        judge=lambda _: Reply(""),
        showing=lambda _answer, _verdict, _slips: None,
        can_reveal=True,
    )


def turn_of(services: Services, card: Card, macros: Mapping[str, str], seed: int, *, is_new: bool = False) -> Turn:
    """Return a card's turn. Unless `is_new`, it continues at the tries that were left open."""
    if card.task is None:
        from studykit.exercise.quiz.card_questions import question_of

        question = question_of(card, seed, macros)
        if question.seed is None:
            judge = partial(_kept_line, services.open_drafts(), question)
            question = replace(question, judge=judge)
        return Turn(card.id, "", lambda _asking, _done: question, card=card.id, detail=card)
    try:
        exercise = catalog.find(card.task.name)
    except NotFoundError as error:
        raise BadDataError(f"{card.path}:{card.line}: {error.message}", error.command) from None
    from studykit.exercise.registry import kind_of

    kind, draw = kind_of(exercise), Draw(seed, dict(card.task.pinned), card=card.id)
    tries = open_tries(services.store, card.id, exercise, outcomes.WRONG) if not is_new else ()
    again = None
    if tries:
        draw = replace(draw, seed=tries[-1].seed, showing=tries[-1])
        again = partial(turn_of, services, card, macros, seed, is_new=True)

    def pose(asking: Asking, _done: object) -> Question:
        return kind.pose(asking, exercise, asking.begun(exercise.id, draw))

    follow = None if kind.follow_up is None else partial(kind.follow_up, services, exercise.id)
    return Turn(card.id, exercise.id, pose, again, follow, card=card.id, tries=tries, detail=card)


def _kept_line(drafts: "TypedDrafts", question: Question, asked: Asked) -> Reply:
    """Save the typed line as a draft until the card is graded, then judge it and return the reply."""
    drafts.keep(question.name, asked.given[-1])
    return question.judge(asked)
