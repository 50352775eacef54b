"""What is done with what a learner says in a review, whichever way it is shown."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from studykit.cards.card import Card, CardId
from studykit.errors import StudyError
from studykit.review.keymap import COMMANDS, OFFERED, Action, Keymap, Press
from studykit.review.session import Session
from studykit.terminal.review_layout import ReviewStyle
from studykit.ui import Asker, Command, ExerciseOutcome, Line, Quit, Reply, Ui

TYPED: Mapping[str, str] = {"": "compare", "skip": "skip", **OFFERED}
"""Commands while the answer of a card is typed."""


@dataclass(frozen=True, slots=True)
class ReviewServices:
    """What a review needs from outside while it runs."""

    edit: Callable[[Card], tuple[Card | None, str]]
    asker: Callable[[Card], Asker]
    seed: Callable[[], int]
    keys: Keymap
    skipped: list[str]  # sentences about exercises that were not asked to their end
    begun: dict[CardId, int]  # seeds of exercises that were left for a while


Away = Callable[[], AbstractContextManager[None]]
"""Lends the terminal to another program, such as an editor."""


def obey(session: Session, reply: Reply | None, away: Away, services: ReviewServices) -> None:
    """Take what was typed at a card."""
    match reply:
        case None:
            session.act(Action.CLOSE)
        case Quit():
            session.act(Action.QUIT)
        case Line(text):
            session.typed(text)
        case Command(key) if key in COMMANDS:
            act(session, COMMANDS[key], away, services)
        case _:
            session.typed("")


def ask(
    session: Session, ui: Ui, style: ReviewStyle, away: Away, services: ReviewServices
) -> ExerciseOutcome | None:
    """Put an exercise card to the learner; one that cannot be asked here is passed over with a sentence.

    One that is left for an undo or an edit, or whose answer is taken back, comes back with the numbers it had.
    """
    from studykit.terminal.review_exercise import ExerciseInReview

    card = session.state.card
    if card is None:
        return None
    seed = services.begun.pop(card.id, None) if session.state.seed is None else session.state.seed
    seed = services.seed() if seed is None else seed
    inside = ExerciseInReview(ui, session, style, services.keys)
    try:
        outcome = services.asker(card)(card, inside, seed)
    except StudyError as error:
        services.skipped.append(str(error))
        session.skip(f"Passed over: {error}")
        return None
    if inside.left is None:
        session.asked(outcome)
        return outcome
    if inside.left is Action.QUIT and session.kept:
        services.skipped.append(session.kept)
    services.begun[card.id] = seed
    if inside.left in {Action.EDIT, Action.QUIT}:
        act(session, inside.left, away, services)
    return None


def act(session: Session, press: Press, away: Away, services: ReviewServices) -> None:
    """One action; the editor is opened here, since it needs the terminal."""
    if press is Action.EDIT and session.state.card is not None:
        with away():
            card, message = services.edit(session.state.card)
        session.reread(card, message)
    else:
        session.act(press)
