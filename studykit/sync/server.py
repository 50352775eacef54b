"""Exchange events with a class's server, whose table holds the union of a learner's machines.

The server knows each machine by its origin. How far its events were read is stored as their totals and the newest
id. If the events after that id do not add up to the server's totals, all events of that origin are read again.
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

_EVENTS_PER_BATCH = 5_000
_MAX_NAME_CHARACTERS = 40


class RemoteLog(Protocol):
    """Describe a learner's log on a server, which `studykit.classroom.learner_log` implements."""

    @property
    def name(self) -> str:
        """Return the server's address, without a password."""

    def origins(self) -> Mapping[str, tuple[Totals, str]]:
        """Return the totals of each machine's events and its owner's name for it, by origin."""

    def events(self, origin: str, last: str = "") -> list[Event]:
        """Return an origin's events after the one with id `last` (all if empty), in the order of recording."""

    def add(self, events: Collection[Event], origin: str, machine: str) -> int:
        """Add events and return how many are new. `machine` names the machine with this origin."""


class ServerTransport:
    """Exchange a learner's events with a class's server, on behalf of one of their machines."""

    impostor = False

    def __init__(self, log: RemoteLog, device: str, name: str) -> None:
        """Set up without connecting. `name` is what its owner calls this machine."""
        self._log = log
        self.place = log.name
        self._device = device
        self._name = name
        self._read: dict[str, tuple[Totals, str]] = {}  # totals and newest id by origin
        self.surprised = False
        """Whether events came late or are gone, as after the server was restored."""
        self._invalid: dict[str, int] = {}  # count by machine

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return a sentence for each machine with invalid events. Writing by SQL, a student can add anything."""
        return tuple(
            f"{counted(count, 'invalid event')} of {name} skipped." for name, count in self._invalid.items()
        )

    @property
    def positions(self) -> Positions:
        """Return the totals of the events read and the newest id, by origin."""
        return {origin: [total.events, total.moments, last] for origin, (total, last) in self._read.items()}

    def take(self, since: Positions) -> Iterator[EventBatch]:
        """Yield the events after these positions, by origin."""
        origins = self._log.origins()
        self._read, self.surprised = {}, bool(since.keys() - origins.keys())
        for origin, (totals, name) in origins.items():
            before, last = _position(since.get(origin))
            events = self._log.events(origin, last) if totals != before else []
            # Ids are in order of time, so an event that arrived late lies before `last`.
            if last and totals != before.plus(events):
                self.surprised = True
                before, last, events = Totals(), "", self._log.events(origin)
            self._note(origin, before, events, last)
            yield from self._batches(origin, name, events)

    def own_tail(self) -> Iterator[EventBatch]:
        """Yield nothing. The server ignores an event whose id it has, so giving one twice is harmless."""
        return iter(())

    def everything(self) -> Iterator[EventBatch]:
        """Yield all events of this learner."""
        for origin, (_, name) in self._log.origins().items():
            yield from self._batches(origin, name, self._log.events(origin))

    def give(self, events: Iterable[Event]) -> None:
        """Add events. The server has them on disk when this returns."""
        remaining = iter(events)
        while chunk := list(islice(remaining, _EVENTS_PER_BATCH)):
            # If another machine gave some of them meanwhile, do not count. The totals then differ at the next
            # sync, which reads them again.
            if self._log.add(chunk, self._device, self._name) == len(chunk):
                for event in chunk:
                    totals, last = self._read.get(event.origin, (Totals(), ""))
                    self._note(event.origin, totals, [event], last)

    def rename(self, device: str) -> None:
        """Write under this device name from now on."""
        self._device = device

    def _note(self, origin: str, before: Totals, events: list[Event], last: str) -> None:
        """Count these events of an origin as exchanged."""
        self._read[origin] = before.plus(events), max([last, *(str(event.id) for event in events[-1:])])

    def _batches(self, origin: str, machine: str, events: list[Event]) -> Iterator[EventBatch]:
        if not events:
            return
        name = printable(machine or origin or "a page", _MAX_NAME_CHARACTERS)
        valid = [event for each in events if (event := _validated(each)) is not None]
        if len(valid) < len(events):
            self._invalid[name] = len(events) - len(valid)
        for start in range(0, len(valid), _EVENTS_PER_BATCH):
            yield EventBatch(name, valid[start : start + _EVENTS_PER_BATCH])


def _validated(event: Event) -> Event | None:
    """Return the event cut to the limits of what this program records, or None if it cannot be."""
    try:
        return within_limits(event) if all(map(is_name, (event.origin, event.zone, event.profile))) else None
    except UsageError:
        return None


def _position(value: object) -> tuple[Totals, str]:
    """Parse a position stored as a list. Return the beginning if it is invalid."""
    match value:
        case [int(count), int(moments), str(last)] if count > 0 and last:
            return Totals(count, moments), last
        case _:
            return Totals(), ""
