"""Merge this machine's log with those of others: read new events from a shared folder, and add missing ones.

Nothing can conflict, because a log is a set of events and the state of a card follows from it. So it does not
matter how often machines exchange, in which order, or where an exchange is interrupted.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.store.event_log import MergeCounts
from studykit.store.store import Store
from studykit.store.sync_table import SyncState
from studykit.sync.folder import EventBatch, FolderTransport
from studykit.text import counted, listed

_EVENTS_PER_MERGE = 50_000


@dataclass(slots=True)
class Share:
    """Count the reviews and the other events that were sent, or taken from one machine."""

    reviews: int = 0
    others: int = 0

    def add(self, event: Event) -> None:
        """Count an event."""
        if event.kind is EventKind.ANSWER:
            self.reviews += 1
        else:
            self.others += 1

    def sentence(self) -> str:
        """Return the counts in words, such as `41 reviews and 2 other changes`."""
        parts = [counted(self.reviews, "review")] if self.reviews else []
        if self.others:
            parts.append(counted(self.others, "other change" if parts else "change"))
        return " and ".join(parts)


@dataclass(slots=True)
class ExchangeReport:
    """Report how many events an exchange read, by name of the machine, and how many it wrote."""

    took: dict[str, Share] = field(default_factory=dict)
    gave: Share = field(default_factory=Share)
    remarks: tuple[str, ...] = ()
    new_origin: str = ""

    def take(self, name: str, counts: MergeCounts) -> None:
        """Count what was new of the events that a machine wrote."""
        if counts.added:
            share = self.took.setdefault(name, Share())
            share.reviews += counts.answers
            share.others += counts.added - counts.answers

    def sentence(self) -> str:
        """Return a summary such as `took 41 reviews from laptop, sent 12 reviews`, or `nothing new`."""
        took = [f"{share.sentence()} from {name}" for name, share in self.took.items()]
        gave = self.gave.sentence()
        parts = [f"took {listed(took)}"] if took else []
        if gave:
            parts.append(f"sent {gave}")
        return ", ".join(parts) or "nothing new"


@dataclass(slots=True)
class _Exchange:
    """Run one exchange, remembering what the place has and what was new here."""

    store: Store
    transport: FolderTransport
    now: int
    before_taking: Callable[[], object]
    standing: SyncState
    done: ExchangeReport = field(default_factory=ExchangeReport)
    seen: set[bytes] = field(default_factory=set)
    added: int = 0

    def take(self, batches: Iterable[EventBatch]) -> None:
        """Merge the events at the place into the log."""
        for name, events in _joined(batches):
            if not self.seen:
                self.before_taking()
            self.seen.update(event.id.bytes for event in events)
            counts = self.store.log.merge(events)
            self.added += counts.added
            self.done.take(name, counts)

    def give(self) -> SyncState:
        """Send the events that the place lacks, and return the state to remember for the next exchange.

        When an exchange ends, the place has the whole log, and a log only grows. So next time the place lacks what
        the log has grown by, less what was just taken. Usually all of that was recorded here, after the newest
        event of this origin. If the numbers do not add up (an import, events from another place, a changed place),
        compare the ids of the whole log with those at the place.
        """
        self._see(self.transport.own_tail())
        size = self.store.log.count()
        last = "" if self.done.new_origin else self.standing.last
        own = self.store.sync.own_after(self.store.log.origin, last) if size != self.standing.size else []
        recorded = [event for event in own if event.id.bytes not in self.seen]
        lacking: Iterable[Event] = recorded
        is_as_left = self.standing.at and not self.transport.surprised and not self.done.new_origin
        with ExitStack() as stack:
            if not is_as_left or len(recorded) != size - self.standing.size - self.added:
                if self.standing.positions:  # without positions `take` has just read everything
                    self._see(self.transport.everything())
                # Its transaction ends here, because a place that refuses leaves it unfinished.
                lacking = stack.enter_context(closing(self.store.log.events()))
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
            self.done.gave.add(event)
            yield event


def _joined(batches: Iterable[EventBatch]) -> Iterator[EventBatch]:
    """Yield the events of each machine in large batches, which makes merging cheaper."""
    for name, group in groupby(batches, key=attrgetter("name")):
        events: list[Event] = []
        for batch in group:
            events.extend(batch.events)
            if len(events) >= _EVENTS_PER_MERGE:
                yield EventBatch(name, events)
                events = []
        if events:
            yield EventBatch(name, events)


def exchange(
    store: Store,
    transport: FolderTransport,
    *,
    now: int,
    again: bool = False,
    before_taking: Callable[[], object] = lambda: None,
) -> ExchangeReport:
    """Exchange events with a shared folder, and report how many went each way.

    `now` is in microseconds UTC. `again` reads everything as if for the first time. `before_taking` is called
    once, before anything is added to the log.
    """
    standing = SyncState({}) if again else store.sync.standing(transport.place)
    run = _Exchange(store, transport, now, before_taking, standing)
    run.take(transport.take(standing.positions))
    run.done.remarks = transport.remarks
    # Another machine writes under our name, as after a copied disk. Both sides renaming themselves does no harm.
    if transport.impostor:
        run.done.new_origin = store.log.renew_origin()
        transport.rename(run.done.new_origin)
    store.sync.give(transport.place, run.give)
    return run.done
