"""Simulate machines of one learner that study apart and sync through a folder, with wrong clocks."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from stores import opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store
from studykit.sync.exchange import ExchangeReport, exchange
from studykit.sync.folder import FolderTransport

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
CARDS = [CardId(f"card-{number}") for number in range(8)]
LEARNER = "ana"
KINDS = (
    *[EventKind.ANSWER] * 8,
    *(EventKind.SUSPEND, EventKind.UNSUSPEND, EventKind.FLAG, EventKind.BURY, EventKind.RESET),
)


class Machine:
    """Simulate a computer with its own log, whose clock shows `now` plus `wrong_by`."""

    def __init__(
        self,
        home: Path,
        device: str,
        empty: Path,
        *,
        wrong_by: timedelta = timedelta(),
        draws_origin: bool = False,
    ) -> None:
        """Copy the database from `empty`. The origin is the device's name, or a random one if `draws_origin`."""
        home.mkdir(parents=True, exist_ok=True)
        self.home, self.device, self.wrong_by, self._draws_origin = home, device, wrong_by, draws_origin
        self.now = START
        if not (home / "study.db").exists():
            shutil.copyfile(empty, home / "study.db")
        self.store = self.opened()

    def opened(self) -> Store:
        """Open the store as another process would."""
        return opened(
            self.home / "study.db",
            lambda: self.now + self.wrong_by,
            origin=None if self._draws_origin else self.device,
        )

    def reopen(self, file: Path | None = None) -> None:
        """Close and reopen the store as a new process would, with a copy of `file` as its database if given."""
        self.store.close()
        if file is not None:
            shutil.copyfile(file, self.home / "study.db")
        self.store = self.opened()

    def copy_database(self, copy: Path) -> Path:
        """Copy the database to `copy` while the store is closed, and return that path."""
        self.store.close()
        shutil.copyfile(self.home / "study.db", copy)
        self.store = self.opened()
        return copy

    def transport(self, folder: Path) -> FolderTransport:
        """Return this machine's transport through a folder."""
        return FolderTransport(folder, self.store.log.origin, self.device, LEARNER)

    def sync(self, folder: Path, *, again: bool = False) -> ExchangeReport:
        """Exchange events with the other machines through a folder."""
        moment = int(self.now.timestamp() * 1_000_000)
        return exchange(self.store, self.transport(folder), now=moment, again=again)

    def answer(self, card: str = "card-0", grade: Grade = Grade.GOOD) -> Event:
        """Record an answer to a card."""
        return self.store.log.record(EventKind.ANSWER, CardId(card), grade=grade, took_ms=1000).event

    def study(self, random: Random) -> Event | None:
        """Record a random action of a learner, and return its event, or None if there was nothing to undo."""
        kind = random.choice(KINDS)
        if random.random() < 0.1:
            undone = self.store.log.undo()
            return undone.undo if undone else None
        if random.random() < 0.05:
            one, other = random.sample(CARDS, 2)
            return self.store.log.record(EventKind.RELINK, one, target=other).event
        grade = random.choice(list(Grade)) if kind is EventKind.ANSWER else None
        return self.store.log.record(kind, random.choice(CARDS), grade=grade, took_ms=random.randrange(9000)).event

    def knows(self) -> object:
        """Return all that the store computes from its log: memories, marks and statistics."""
        marks = {
            card: (mark.suspended, mark.buried, mark.flagged) for card, mark in self.store.schedule.marks().items()
        }
        days = self.store.schedule.stats(self.now.date())
        return self.store.schedule.memories(), marks, days

    def ids(self) -> set[bytes]:
        """Return the ids of all events in the machine's log."""
        return self.store.log.ids()

    def events(self) -> list[Event]:
        """Return all events in the machine's log."""
        return list(self.store.log.events())


def empty_database(folder: Path) -> Path:
    """Make a new database without a learner. Copying it is faster than migrating."""
    path = folder / "empty.db"
    opened(path, START, origin="none").close()
    return path
