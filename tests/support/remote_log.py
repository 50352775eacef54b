"""Fake `studykit.classroom.learner_log`: a learner's log on a class's server, held in memory."""

from collections.abc import Collection

from studykit.classroom.learner_log import LearnerLog
from studykit.scheduling.events import Event


class MemoryLog(LearnerLog):
    """Hold events by id, and the name of each origin's machine."""

    def __init__(self) -> None:
        self.name = "postgresql://ana@class.example.org/course"
        self.logged: dict[bytes, Event] = {}
        self._machines: dict[str, str] = {}

    def ids(self) -> set[bytes]:
        return set(self.logged)

    def events(self, ids: list[bytes]) -> list[Event]:
        return [self.logged[id_] for id_ in ids]

    def machines(self) -> dict[str, str]:
        return self._machines

    def add(self, events: Collection[Event], origin: str, machine: str) -> None:
        self.logged = {event.id.bytes: event for event in events} | self.logged
        self._machines[origin] = machine
