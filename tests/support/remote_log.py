"""Fake `studykit.classroom.learner_log`: a learner's log on a class's server, held in memory."""

from collections.abc import Collection

from studykit.scheduling.events import Event
from studykit.store.sync_table import Totals


class MemoryLog:
    """Hold events by id, and the name of each origin's machine."""

    name = "postgresql://ana@class.example.org/course"

    def __init__(self) -> None:
        self.logged: dict[str, Event] = {}
        self._machines: dict[str, str] = {}

    def origins(self) -> dict[str, tuple[Totals, str]]:
        origins = sorted({event.origin for event in self.logged.values()})
        return {origin: (Totals().plus(self.events(origin)), self._machines.get(origin, "")) for origin in origins}

    def events(self, origin: str, last: str = "") -> list[Event]:
        return [event for id_, event in sorted(self.logged.items()) if event.origin == origin and id_ > last]

    def add(self, events: Collection[Event], origin: str, machine: str) -> int:
        before = len(self.logged)
        self.logged = {str(event.id): event for event in events} | self.logged
        self._machines[origin] = machine
        return len(self.logged) - before
