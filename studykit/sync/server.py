"""A server as the place where machines meet: a learner's rows there are the union, and a class reads them.

Each machine is known there by its origin. How far its events were read is their totals and the newest one's id.
Where what follows that id does not add up to what is there, all events of that origin are read again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

from studykit.errors import UsageError
from studykit.scheduling.events import Event, is_name
from studykit.store.rows import within_limits
from studykit.store.sync_table import Totals
from studykit.sync.transport import EventBatch, Positions
from studykit.text import counted, printable

_EVENTS_PER_BATCH = 5_000  # events of a batch
_MAX_NAME_CHARACTERS = 40


class RemoteLog(Protocol):
    """A learner's log on a server, as `studykit.classroom.learner_log` has it."""

    @property
    def name(self) -> str:
        """Return the server's address, without a password."""

    def totals(self) -> Totals:
        """Return the totals of all events."""

    def origins(self) -> Mapping[str, tuple[Totals, str]]:
        """Return the totals of each machine's events, and what its owner calls it, by origin."""

    def events(self, origin: str, last: str = "") -> list[Event]:
        """Return the events of an origin after the one with this id, or all, in the order of recording."""

    def add(self, events: Collection[Event], origin: str, machine: str) -> int:
        """Add events, and return how many are new. `machine` is the name of this origin's machine."""


class ServerTransport:
    """A server as one machine sees it."""

    impostor = False

    def __init__(self, log: RemoteLog, device: str, name: str) -> None:
        """`name` is what its owner calls this machine."""
        self._log = log
        self.place = log.name
        self._device = device
        self._name = name
        self._read: dict[str, tuple[Totals, str]] = {}  # with the newest one's id, by origin
        self.surprised = False
        """Whether events came late or are gone, as after a restore of the server."""
        self._aside: dict[str, int] = {}  # how many events no file would give either, by machine

    @property
    def remarks(self) -> tuple[str, ...]:
        """Say what was not taken: whoever writes to a server by SQL can write anything."""
        return tuple(
            f"{counted(n, 'event')} of {name} are invalid and stayed there." for name, n in self._aside.items()
        )

    @property
    def positions(self) -> Positions:
        """Return the totals of each origin's events that were read, and the newest one's id."""
        return {origin: [total.events, total.moments, last] for origin, (total, last) in self._read.items()}

    def take(self, known: Positions) -> Iterator[EventBatch]:
        """Yield what came since `known`, by origin."""
        positions = {origin: _position(value) for origin, value in known.items()}
        if self._log.totals() == _sum(totals for totals, _ in positions.values()):
            self._read = positions  # quicker than by origin
            return
        there = self._log.origins()
        self._read, self.surprised = {}, bool(known.keys() - there.keys())
        for origin, (totals, name) in there.items():
            before, last = positions.get(origin, (Totals(), ""))
            events = self._log.events(origin, last) if totals != before else []
            if last and totals != before.plus(events):
                self.surprised = True
                before, last, events = Totals(), "", self._log.events(origin)
            self._note(origin, before, events, last)
            yield from self._batches(origin, name, events)

    def own_tail(self) -> Iterator[EventBatch]:
        """Yield nothing: what is there twice is written once, by its id."""
        return iter(())

    def everything(self) -> Iterator[EventBatch]:
        """Yield every event that the server has of this learner."""
        for origin, (_, name) in self._log.origins().items():
            yield from self._batches(origin, name, self._log.events(origin))

    def give(self, events: Iterable[Event]) -> None:
        """Add events. The server has them on disk when this returns."""
        rest = iter(events)
        while chunk := list(islice(rest, _EVENTS_PER_BATCH)):
            if self._log.add(chunk, self._device, self._name) == len(chunk):
                self._count(chunk)  # else another machine gave some meanwhile, and the numbers tell next time

    def rename(self, device: str) -> None:
        """Give as this machine from now on."""
        self._device = device

    def _count(self, events: Iterable[Event]) -> None:
        for event in events:
            totals, last = self._read.get(event.origin, (Totals(), ""))
            self._note(event.origin, totals, [event], last)

    def _note(self, origin: str, before: Totals, events: list[Event], last: str) -> None:
        """Note that these events were read or given after the others."""
        self._read[origin] = before.plus(events), max([last, *(str(event.id) for event in events[-1:])])

    def _batches(self, origin: str, machine: str, events: list[Event]) -> Iterator[EventBatch]:
        if not events:
            return
        name = printable(machine or origin or "a page", _MAX_NAME_CHARACTERS)
        sound = [event for each in events if (event := _sound(each)) is not None]
        if len(sound) < len(events):
            self._aside[name] = len(events) - len(sound)
        for start in range(0, len(sound), _EVENTS_PER_BATCH):
            yield EventBatch(origin, name, tuple(sound[start : start + _EVENTS_PER_BATCH]))


def _sound(event: Event) -> Event | None:
    """Return the event as this program would have recorded it, or None."""
    try:
        return within_limits(event) if all(map(is_name, (event.origin, event.zone, event.profile))) else None
    except UsageError:
        return None


def _sum(parts: Iterable[Totals]) -> Totals:
    each = list(parts)
    return Totals(sum(part.events for part in each), sum(part.moments for part in each))


def _position(value: object) -> tuple[Totals, str]:
    """Parse a position kept as a list, or return the beginning if it makes no sense."""
    match value:
        case [int(count), int(moments), str(last)] if count > 0 and last:
            return Totals(count, moments), last
        case _:
            return Totals(), ""
