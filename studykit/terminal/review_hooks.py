"""What a review needs from outside while it runs, and how it puts an exercise to the learner."""

from collections.abc import Callable
from dataclasses import dataclass, field

from studykit.cards.card import Card
from studykit.errors import StudyError
from studykit.review.session import Session
from studykit.ui import Asker, Ui


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a session needs from outside while it runs."""

    edit: Callable[[Card], tuple[Card | None, str]]
    asker: Callable[[Card], Asker]
    seed: Callable[[], int]
    skipped: list[str] = field(default_factory=list)  # sentences about exercises that could not be asked


def ask(session: Session, ui: Ui, hooks: Hooks) -> None:
    """Put an exercise card to the learner; one that cannot be asked here is passed over with a sentence."""
    card = session.state.card
    if card is None:
        return
    try:
        asked = hooks.asker(card)(card, ui, hooks.seed())
    except StudyError as error:
        hooks.skipped.append(str(error))
        session.skip(str(error))
    else:
        session.asked(asked)
