"""Simulate the machines of one learner, whose files are copied, restored and synchronized in part.

They meet on a stick, on a server and in a folder, which each of them copies. A synchronizer carries the files of
the copies, whole or not; clocks are wrong now and then, and a machine may be killed at any moment of an exchange.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import NoReturn

from machines import LEARNER, Machine, empty_database
from remote_log import MemoryLog

from studykit.backup.restore import install, unpack_backup
from studykit.classroom.learner_log import exchange_with_class
from studykit.sync.exchange import exchange
from studykit.sync.folder import EventBatch, FolderTransport, Positions

NAMES = ("laptop", "desktop", "phone")
PLACES = ("cloud", "stick", "server")
MAX_MACHINES = 5
_KILLED = 1 / 6  # of the exchanges
_WRONG_DAYS = 9


class KilledError(BaseException):
    """Raised where the simulated process is killed."""


class CloudTransport(FolderTransport):
    """Sync through the machine's own copy of a folder that a synchronizer carries between machines."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(folder_of(machine.home), machine.store.log.origin, machine.device, LEARNER)
        self.place = "cloud"


class DyingTransport(CloudTransport):
    """Sync through the folder in a process that is often killed while reading or writing a line."""

    def __init__(self, machine: Machine, random: Random) -> None:
        super().__init__(machine)
        self._random = random

    def take(self, known: Positions) -> Iterator[EventBatch]:
        for batch in super().take(known):
            if self._random.random() < 0.2:
                raise KilledError
            yield batch
            if self._random.random() < 0.2:
                raise KilledError

    def _append(self, path: Path | None, chunk: list[bytes], after: int) -> None:
        if path is not None and chunk and self._random.random() < 0.7:
            data = b"".join(chunk)
            part = data[: self._random.randrange(len(data) + 1)]
            super()._append(path, [part] if part else [], after)
            self._die()
        super()._append(path, chunk, after)

    def _die(self) -> NoReturn:
        raise KilledError


class Fleet:
    """Simulate three machines, and the clones of them that join later."""

    def __init__(self, home: Path, random: Random) -> None:
        self._home, self._random = home, random
        self._chaos = random.choice([0.0, 0.3, 1.0])  # how much a synchronizer and kills disturb
        self._places = random.sample(PLACES, random.randint(1, len(PLACES)))
        self._empty = empty_database(home)
        self._stick = home / "stick"
        self._stick.mkdir()
        self._page = Machine(home / "page", "page", self._empty)
        self._server = MemoryLog()
        self.machines = [Machine(home / name, name, self._empty, draws_origin=True) for name in NAMES]
        self.kills = 0
        self.recorded: set[bytes] = set()
        """Ids of acknowledged events, without those that only a replaced database held."""

    def close(self) -> None:
        """Close all databases until `open` is called."""
        for store in (self._page.store, *(machine.store for machine in self.machines)):
            store.close()

    def open(self) -> None:
        """Open all databases again."""
        for machine in (self._page, *self.machines):
            machine.store = machine.opened()

    def live_a_day(self) -> None:
        """Simulate a day on all machines, then one mishap, then the synchronizer."""
        for machine in self.machines:
            self._live(machine)
        self.have_a_mishap()
        self.carry()

    def have_a_mishap(self) -> None:
        """Copy, put back or restore the database of a random machine, or clone the machine."""
        machine = self._random.choice(self.machines)
        what: Callable[[Machine], object] = self._random.choice(
            [self._keep, self._put_back, self._restore, self._clone]
        )
        what(machine)

    def settle(self) -> None:
        """Sync every machine with every place, and carry all files, four times, so that nothing new is left."""
        for _ in range(4):
            for machine in self.machines:
                for place in self._places:
                    self._meet(machine, place)
            self.carry(whole=True)

    def lacking(self) -> list[str]:
        """List the machines and places that lack an event which was recorded or exists elsewhere."""
        ids_by_device = {machine.device: machine.ids() for machine in self.machines}
        for place in self._places:
            for machine in self.machines if place == "cloud" else self.machines[:1]:
                ids_by_device[f"{place} of {machine.device}"] = self._ids_at(machine, place)
        every = self.recorded.union(*ids_by_device.values())
        return [
            f"{name} lacks {len(every - ids)} of {len(every)} events"
            for name, ids in ids_by_device.items()
            if every - ids
        ]

    def carry(self, *, whole: bool = False) -> None:
        """Copy files between the copies of the folder. Without `whole`, some are left out or cut short."""
        homes = [machine.home for machine in self.machines]
        self._random.shuffle(homes)
        for giver in homes:
            for taker in homes:
                if giver != taker and (whole or self._random.random() >= self._chaos / 2):
                    disorder = 0.0 if whole else self._chaos * 0.3
                    _carry(folder_of(giver), folder_of(taker), giver.name, self._random, disorder)

    # What a machine does

    def _live(self, machine: Machine) -> None:
        random = self._random
        machine.now += timedelta(days=1, minutes=random.randrange(300))
        if random.random() < 0.1:
            machine.wrong_by = timedelta(days=random.randint(-_WRONG_DAYS, _WRONG_DAYS))
        if random.random() < 0.2:
            self._import(machine)
        for _ in range(random.choice([0, 0, random.randrange(6)])):
            event = machine.study(random)
            machine.now += timedelta(seconds=random.randrange(90))
            if event is not None:
                self.recorded.add(event.id.bytes)
        for place in self._places:
            if random.random() < 0.7:
                self._sync_or_die(machine, place)

    def _sync_or_die(self, machine: Machine, place: str) -> None:
        """Sync a machine with a place, and kill it midway now and then."""
        if place != "cloud" or self._random.random() >= _KILLED * self._chaos:
            self._meet(machine, place)
            return
        try:
            exchange(machine.store, DyingTransport(machine, self._random), now=_microseconds(machine))
        except KilledError:
            self.kills += 1
            machine.reopen()

    def _meet(self, machine: Machine, place: str) -> None:
        if place == "server":
            exchange_with_class(machine.store, self._server, machine.device, now=_microseconds(machine))
        else:
            exchange(machine.store, self._transport(machine, place), now=_microseconds(machine))

    def _transport(self, machine: Machine, place: str) -> FolderTransport:
        return CloudTransport(machine) if place == "cloud" else machine.transport(self._stick)

    def _ids_at(self, machine: Machine, place: str) -> set[bytes]:
        if place == "server":
            return self._server.ids()
        batches = self._transport(machine, place).everything()
        return {event.id.bytes for batch in batches for event in batch.events}

    # What happens to files

    def _import(self, machine: Machine) -> None:
        """Import an event that a page recorded."""
        event = replace(self._page.answer(f"card-{self._random.randrange(8)}"), origin="")
        self._page.now += timedelta(hours=self._random.randrange(40))
        machine.store.log.merge([event])
        self.recorded.add(event.id.bytes)

    def _keep(self, machine: Machine) -> None:
        machine.copy_database(machine.home / "kept.db")

    def _put_back(self, machine: Machine) -> None:
        backup = machine.home / "kept.db"
        if backup.exists():
            self._replaced(machine, lambda: machine.reopen(backup))

    def _restore(self, machine: Machine) -> None:
        """Restore the copy that a random machine kept, as `study backup restore` does."""
        backup = self._random.choice(self.machines).home / "kept.db"

        def restore() -> None:
            machine.store.close()
            with tempfile.TemporaryDirectory(dir=self._home) as work:
                database = unpack_backup(backup, Path(work)).database
                install(database, machine.home / "study.db", machine.now, sound=True)
            machine.store = machine.opened()

        if backup.exists():
            self._replaced(machine, restore)

    def _replaced(self, machine: Machine, replace: Callable[[], None]) -> None:
        """Replace a machine's database, and forget the events that only the old one held."""
        before = machine.ids()
        replace()
        others: Iterable[set[bytes]] = [one.ids() for one in self.machines]
        places = [self._ids_at(one, place) for one in self.machines for place in self._places]
        self.recorded -= before.difference(*others, *places)

    def _clone(self, machine: Machine) -> None:
        """Start another machine from a copy of this one's database, or of its whole disk."""
        if len(self.machines) == MAX_MACHINES:
            return
        name = f"clone-{len(self.machines)}"
        home = self._home / name
        home.mkdir()
        machine.copy_database(home / "study.db")
        if self._random.random() < 0.5:
            shutil.copytree(folder_of(machine.home), home / "folder")
        clone = Machine(home, name, self._empty, draws_origin=True)
        clone.now = machine.now
        self.machines.append(clone)


def folder_of(home: Path) -> Path:
    """Return a machine's copy of the folder, made if missing."""
    (folder := home / "folder").mkdir(parents=True, exist_ok=True)
    return folder


def _microseconds(machine: Machine) -> int:
    return int(machine.now.timestamp() * 1_000_000)


def _carry(giver: Path, taker: Path, name: str, random: Random, disorder: float) -> None:
    """Copy one copy of the folder into another, with files cut short or skipped, and conflicts renamed."""
    for file in sorted(giver.rglob("*.*")):
        target = taker / file.relative_to(giver)
        if not file.is_file() or file.name.startswith("."):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        data = file.read_bytes()
        if file.suffix != ".jsonl":
            target.write_bytes(data)
            continue
        if random.random() < disorder:
            continue
        if random.random() < disorder:
            data = data[: random.randrange(len(data) + 1)]
        there = target.read_bytes() if target.exists() else b""
        if data.startswith(_whole_lines(there)):
            target.write_bytes(max(data, there, key=len))
        elif not there.startswith(_whole_lines(data)) and "conflict" not in file.name:
            target.with_name(f"{file.stem}.sync-conflict-{name}.jsonl").write_bytes(data)


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def differences(machines: list[Machine]) -> list[str]:
    """List the problems in each machine's database, and how each machine differs from the first."""
    first, *others = machines
    for machine in machines:
        machine.now = first.now
    wrong = [f"{one.device}: {text}" for one in machines for text in one.store.schedule.disagreements()]
    wrong += [f"{one.device}: {text}" for one in machines for text in one.store.problems()]
    for other in others:
        if other.ids() != first.ids():
            wrong.append(f"{other.device} has other events than {first.device}")
        if other.knows() != first.knows():
            wrong.append(f"{other.device} knows other things than {first.device}")
    return wrong
