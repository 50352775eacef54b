"""What a session works with: the desk it sits at, its limits, and one state of it."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol
from uuid import UUID

from studykit.cards.card import Card, CardId
from studykit.review.keymap import Action, Stage
from studykit.review.progress import Given
from studykit.review.typed_answer import Comparison
from studykit.scheduling.events import Became, Event, EventKind, Showing
from studykit.scheduling.sm2 import Grade, Memory
from studykit.ui import ExerciseOutcome


@dataclass(frozen=True, slots=True)
class Written:
    """An event that is on disk, and what it did."""

    event: UUID
    before: Memory | None
    after: Memory | None
    became: Became | None


@dataclass(frozen=True, slots=True)
class Taken:
    """An event that was taken back."""

    card: CardId
    kind: EventKind


class Desk(Protocol):
    """What a session needs from the place where cards and log are kept."""

    def today(self) -> date:
        """The study day."""

    def card(self, card: CardId) -> Card | None:
        """The card as it now stands; None where it is gone or suspended."""

    def memory(self, card: CardId) -> Memory | None:
        """What the log says of a card."""

    def flagged(self, card: CardId) -> bool:
        """Whether the learner flagged it."""

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Its events in order."""

    def record(
        self,
        kind: EventKind,
        card: CardId,
        *,
        grade: Grade | None = None,
        took_ms: int = 0,
        showing: Showing | None = None,
    ) -> Written:
        """Append an event; it is on disk when this returns."""

    def undo(self, event: UUID | None) -> Taken | None:
        """Take back an event, or the newest that can be; None where there is none."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a session is limited."""

    cards: int | None = None
    minutes: float | None = None
    space_grades: bool = True


@dataclass(frozen=True, slots=True)
class Again:
    """A card that comes again today, and the turn after which it waits."""

    card: CardId
    since: int


@dataclass(frozen=True, slots=True)
class State:
    """Everything that undo brings back."""

    stage: Stage
    waiting: tuple[CardId, ...]
    drawn: int = 0  # cards taken from `waiting`
    drill: tuple[Again, ...] = ()
    turn: int = 0
    card: Card | None = None
    memory: Memory | None = None
    answers: tuple[Given, ...] = ()
    shown_ms: int = 0
    revealed_ms: int = 0
    comparison: Comparison | None = None
    asked: ExerciseOutcome | None = None
    flagged: bool = False
    flash: str = ""
    page: Action | None = None  # INFO, WHY or HELP over the card
    scroll: int = 0


def revealed(state: State, now_ms: int) -> State:
    """The state with its answer side up."""
    return replace(state, stage=Stage.ANSWER, revealed_ms=now_ms, page=None, scroll=0, flash="")


def looked(state: State, action: Action) -> State:
    """The state after an action that only changes what is seen."""
    match action:
        case Action.INFO | Action.WHY | Action.HELP:
            return replace(state, page=None if state.page is action else action, scroll=0)
        case Action.CLOSE:
            return replace(state, page=None, scroll=0)
        case Action.DOWN | Action.PAGE_DOWN:
            return replace(state, scroll=state.scroll + (1 if action is Action.DOWN else 10))
        case Action.UP | Action.PAGE_UP:
            return replace(state, scroll=max(0, state.scroll - (1 if action is Action.UP else 10)))
        case _:
            return state
