"""The desk of a review: the learner's store, as a session asks for it."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from studykit.cards.card import Card, CardId
from studykit.review.state import Taken, Written
from studykit.scheduling.events import Event, EventKind, Showing
from studykit.scheduling.sm2 import Grade, Memory
from studykit.store.store import Store

if TYPE_CHECKING:
    from studykit.scheduling.fold import Mark

_MARKED = frozenset((EventKind.SUSPEND, EventKind.BURY, EventKind.FLAG, EventKind.UNFLAG, EventKind.UNSUSPEND))


class ReviewDesk:
    """Cards and log in a store. A card that an edit gave a new id is found under its old one too."""

    def __init__(self, store: Store, today: Callable[[], date]) -> None:
        self._store = store
        self._today = today
        self._marks: Mapping[CardId, Mark] | None = None
        self.moved: dict[CardId, CardId] = {}

    def today(self) -> date:
        """The study day."""
        return self._today()

    def card(self, card: CardId) -> Card | None:
        """The card as it now stands; None where its text has left the collection."""
        return self._store.cards.present(self.moved.get(card, card))

    def memory(self, card: CardId) -> Memory | None:
        """What the log says of a card."""
        return self._store.schedule.memory(card)

    def flagged(self, card: CardId) -> bool:
        """Whether the learner flagged it."""
        if self._marks is None:
            self._marks = self._store.schedule.marks()
        mark = self._marks.get(card)
        return mark is not None and mark.flagged

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Its events in order."""
        return self._store.log.history(card)

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
        done = self._store.log.record(kind, card, grade=grade, took_ms=took_ms, showing=showing)
        if kind in _MARKED:
            self._marks = None
        return Written(done.event.id, done.before, done.after, done.became)

    def undo(self, event: UUID | None) -> Taken | None:
        """Take back an event, or the newest that can be; None where there is none."""
        undone = self._store.log.undo(event)
        if undone is None:
            return None
        if undone.target.kind in _MARKED:
            self._marks = None
        return Taken(undone.target.card, undone.target.kind)
