"""The store as a review needs it: a log, cards to ask, and what was worked out from the log."""

from typing import TYPE_CHECKING, Protocol, Unpack

from studykit.cards.card import Card, CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, EventDetails, RecordedEvent, UndoneEvent
from studykit.scheduling.memory import Memory

if TYPE_CHECKING:
    from uuid import UUID

    from studykit.scheduling.fsrs import Fsrs


class ReviewLog(Protocol):
    """The log as a session needs it."""

    def record(self, kind: EventKind, card: CardId, **details: Unpack[EventDetails]) -> RecordedEvent:
        """Append an event; it is on disk when this returns."""

    def undo(self, target: "UUID | None" = None) -> UndoneEvent | None:
        """Take back an event, or the newest that can be; None where there is none."""

    def history(self, card: CardId) -> tuple[Event, ...]:
        """The events of a card in order."""


class ReviewCards(Protocol):
    """The collection's cards as a session needs them."""

    def present(self, card: CardId) -> Card | None:
        """The card as its deck has it now; None where its text has left the collection."""


class ReviewSchedule(Protocol):
    """What was worked out from the log, as a session needs it."""

    @property
    def fsrs(self) -> "Fsrs | None":
        """What plans; None for SM-2."""

    def memory(self, card: CardId) -> Memory | None:
        """The memory of a card; None where it is new."""

    def flagged(self, card: CardId) -> bool:
        """Whether the learner flagged the card."""


class Drafts(Protocol):
    """Answers that were begun at cards and exercises and not given, which outlive a session."""

    unfinished: bool  # whether what was typed last is kept

    def of(self, place: str) -> str:
        """What was typed at a place, such as a card; empty where nothing was."""

    def newest(self, start: str) -> str:
        """The place that begins so where something was typed last; empty where none was."""

    def keep(self, place: str, text: str) -> None:
        """Remember what is typed at a place; an empty text is forgotten."""


class ReviewStore(Protocol):
    """The store as a session needs it."""

    @property
    def log(self) -> ReviewLog:
        """Where answers go."""

    @property
    def cards(self) -> ReviewCards:
        """The cards to ask."""

    @property
    def schedule(self) -> ReviewSchedule:
        """Memories and flags."""

    def checkpoint(self) -> None:
        """Do now what would otherwise make a later answer slow, as long as nobody waits."""
