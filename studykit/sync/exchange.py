"""Uniting the log with those of other machines: take what is new there, give what it lacks.

Nothing is asked and nothing can conflict: a log is a set of events, and what a card is follows from it. So it does
not matter how often this is done, in which order, or where it stops.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.store.store import Store
from studykit.store.sync_table import Offer, SyncState
from studykit.sync.transport import EventBatch
from studykit.text import counted, listed

if TYPE_CHECKING:
    from studykit.sync.folder import FolderTransport
    from studykit.sync.server import ServerTransport

Transport: TypeAlias = "FolderTransport | ServerTransport"
"""A place where machines meet. Each gives to what is its own there, and takes from all."""
_EVENTS_PER_MERGE = 50_000  # events of a merge


@dataclass(slots=True)
class Share:
    """How many events went one way, reviews and others."""

    reviews: int = 0
    others: int = 0

    def sentence(self) -> str:
        """Format such as `41 reviews and 2 other changes`."""
        parts = [counted(self.reviews, "review")] if self.reviews else []
        if self.others:
            parts.append(counted(self.others, "other change" if parts else "change"))
        return " and ".join(parts)


@dataclass(slots=True)
class ExchangeReport:
    """What an exchange brought: what came by name of the machine, what went."""

    took: dict[str, Share] = field(default_factory=dict)
    gave: Share = field(default_factory=Share)
    remarks: tuple[str, ...] = ()
    new_origin: str = ""

    def sentence(self) -> str:
        """Format such as `took 41 reviews from laptop, sent 12 reviews`."""
        took = [f"{share.sentence()} from {name}" for name, share in self.took.items()]
        gave = self.gave.sentence()
        parts = [f"took {listed(took)}"] if took else []
        if gave:
            parts.append(f"sent {gave}")
        return ", ".join(parts) or "nothing new"


@dataclass(slots=True)
class _Exchange:
    """One run: what is known to be at the place, and what was new here."""

    store: Store
    transport: Transport
    now: int
    before_taking: Callable[[], object]
    standing: SyncState
    done: ExchangeReport = field(default_factory=ExchangeReport)
    seen: set[bytes] = field(default_factory=set)
    added: int = 0

    def take(self, batches: Iterable[EventBatch]) -> None:
        """Merge what others gave into the log."""
        for name, events in _joined(batches):
            if not self.seen:
                self.before_taking()
            self.seen.update(event.id.bytes for event in events)
            counts = self.store.log.merge(events)
            self.added += counts.added
            if counts.added:
                share = self.done.took.setdefault(name, Share())
                share.reviews += counts.answers
                share.others += counts.added - counts.answers

    def give(self, offer: Offer) -> SyncState:
        """Give what the place lacks, and return where that leaves us.

        When an exchange ends, the place has the whole log, which only grows. So the place lacks what the log has
        grown by since, less what was taken just now. Usually all of that was recorded here, after the newest event
        of this origin. Otherwise (an import, events from another place, a changed place) the ids of the whole log
        are compared with those at the place.
        """
        self._see(self.transport.own_tail())
        size = offer.count()
        last = "" if self.done.new_origin else self.standing.last
        own = offer.own_after(self.store.log.origin, last) if size != self.standing.size else []
        recorded = [event for event in own if event.id.bytes not in self.seen]
        lacking: Iterable[Event] = recorded
        is_as_left = self.standing.at and not self.transport.surprised and not self.done.new_origin
        if not is_as_left or len(recorded) != size - self.standing.size - self.added:
            if self.standing.positions:  # else everything was just taken
                self._see(self.transport.everything())
            lacking = offer.events()
        self.transport.give(self._unseen(lacking))
        return SyncState(self.transport.positions, size, str(own[-1].id) if own else last, self.now)

    def _see(self, batches: Iterable[EventBatch]) -> None:
        self.seen.update(event.id.bytes for batch in batches for event in batch.events)

    def _unseen(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield and count the events that the place does not have."""
        for event in events:
            if event.id.bytes in self.seen:
                continue
            self.seen.add(event.id.bytes)
            if event.kind is EventKind.ANSWER:
                self.done.gave.reviews += 1
            else:
                self.done.gave.others += 1
            yield event


def _joined(batches: Iterable[EventBatch]) -> Iterator[tuple[str, list[Event]]]:
    """Yield the events of each machine in large batches, which makes merging cheaper."""
    name, events = "", list[Event]()
    for batch in batches:
        if events and (batch.name != name or len(events) >= _EVENTS_PER_MERGE):
            yield name, events
            events = []
        name = batch.name
        events.extend(batch.events)
    if events:
        yield name, events


def exchange(
    store: Store,
    transport: Transport,
    *,
    now: int,
    again: bool = False,
    before_taking: Callable[[], object] = lambda: None,
) -> ExchangeReport:
    """Take and give events. `now` is in microseconds UTC, `again` reads everything as if for the first time.

    `before_taking` is called once before anything is added to the log.
    """
    standing = SyncState({}) if again else store.sync.standing(transport.place)
    run = _Exchange(store, transport, now, before_taking, standing)
    run.take(transport.take(standing.positions))
    run.done.remarks = transport.remarks
    if transport.impostor:
        run.done.new_origin = store.log.renew_origin()
        transport.rename(run.done.new_origin)
    store.sync.give(transport.place, run.give)
    return run.done
