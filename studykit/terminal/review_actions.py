"""What is done with what a learner says in a review, whichever way it is shown."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from studykit.cards.card import Card, CardId
from studykit.errors import StudyError
from studykit.review.keymap import Action, Press
from studykit.review.session import Session
from studykit.terminal.review_layout import ReviewStyle
from studykit.ui import ExerciseOutcome, Ui

if TYPE_CHECKING:
    from studykit.terminal.review_exercise import ReviewPlace


class CardAsker(Protocol):
    """Asks the question of a card."""

    left: str
    left_seed: int | None

    def ask(self, ui: Ui, place: "ReviewPlace", seed: int, reopened: object) -> ExerciseOutcome | None:
        """Ask until the question is closed; None where it was left by a command, named in `left`."""


@dataclass(frozen=True, slots=True)
class ReviewServices:
    """What a review needs from outside while it runs."""

    edit: Callable[[Card], tuple[Card | None, str]]
    turn: Callable[[Card], CardAsker]
    seed: Callable[[], int]
    skipped: list[str]  # sentences about exercises that were not asked to their end
    begun: dict[CardId, int]  # seeds of exercises that were left for a while


Away = Callable[[], AbstractContextManager[None]]
"""Lends the terminal to another program, such as an editor."""


def ask(
    session: Session, ui: Ui, style: ReviewStyle, away: Away, services: ReviewServices
) -> ExerciseOutcome | None:
    """Ask the question of a card; one that cannot be asked here is passed over with a sentence.

    One that is left for an undo or an edit comes back with the numbers it had.
    """
    from studykit.terminal.review_exercise import ReviewPlace

    state, card = session.state, session.state.card
    if card is None:
        return None
    seed = services.begun.pop(card.id, None)
    turn = services.turn(card)
    try:
        outcome = turn.ask(
            ui, ReviewPlace(ui, session, style), services.seed() if seed is None else seed, state.reopened
        )
    except StudyError as error:
        services.skipped.append(str(error))
        session.skip(f"Passed over: {error}")
        return None
    if outcome is not None:
        session.asked(outcome)
        return outcome
    if turn.left_seed is not None:
        services.begun[card.id] = turn.left_seed
    match turn.left:
        case "back":
            session.leave_typing()
        case "edit":
            act(session, Action.EDIT, away, services)
        case "quit":
            if session.kept:
                services.skipped.append(session.kept)
            act(session, Action.QUIT, away, services)
    return None


def act(session: Session, press: Press, away: Away, services: ReviewServices) -> None:
    """One action; the editor is opened here, since it needs the terminal."""
    if press is Action.EDIT and session.state.card is not None:
        with away():
            card, message = services.edit(session.state.card)
        session.reread(card, message)
    else:
        session.act(press)
