"""Machines whose copies of a folder are never the same: a synchroniser carries files between them, whole or not.

Each machine has a home with a database and a copy of the folder, a clock that is set wrong now and then, and is
killed at any moment.
"""

import shutil
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import NoReturn

from machines import Machine

from studykit.sync.exchange import exchange
from studykit.sync.folder import FolderTransport
from studykit.sync.transport import EventBatch, Positions

NAMES = ("laptop", "desktop", "phone")
_KILLED_ONE_IN = 6
_WRONG_DAYS = 9


class KilledError(BaseException):
    """The machine's process is no more."""


class DyingTransport(FolderTransport):
    """A folder whose user is killed while it reads or while it writes a line."""

    def __init__(self, machine: Machine, random: Random) -> None:
        super().__init__(folder_of(machine.home), machine.store.log.origin, machine.device)
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
            written = data[: self._random.randrange(len(data) + 1)]
            super()._append(path, [written] if written else [], after)
            self._die()
        super()._append(path, chunk, after)

    def _die(self) -> NoReturn:
        raise KilledError


def folder_of(home: Path) -> Path:
    """The machine's copy of the folder."""
    (folder := home / "folder").mkdir(parents=True, exist_ok=True)
    return folder


def carry(giver: Path, taker: Path, own: str, random: Random, *, whole: bool = False) -> None:
    """Bring files of one copy of the folder to another, but for the taker's own; some in part, some not yet."""
    for file in sorted(giver.rglob("*.*")):
        target = taker / file.relative_to(giver)
        if file.parent.name == own or not file.is_file() or file.name.startswith("."):
            continue
        data = file.read_bytes()
        if not whole and random.random() < 0.3:
            continue
        if not whole and random.random() < 0.3 and file.suffix == ".jsonl":
            there = target.stat().st_size if target.exists() else 0
            data = data[: random.randint(min(there, len(data)), len(data))]
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or len(data) >= target.stat().st_size or target.suffix != ".jsonl":
            target.write_bytes(data)


def carry_all(homes: Iterable[Path], random: Random, *, whole: bool = False) -> None:
    """Bring each machine's own files to all others."""
    places = list(homes)
    random.shuffle(places)
    for giver in places:
        for taker in places:
            if giver != taker and (whole or random.random() < 0.5):
                carry(folder_of(giver), folder_of(taker), taker.name, random, whole=whole)


def live_a_day(machine: Machine, random: Random) -> set[bytes]:
    """A day at one machine, with its clock and its end as they come; ids of what it acknowledged."""
    machine.now += timedelta(days=1, minutes=random.randrange(300))
    if random.random() < 0.1:
        machine.wrong_by = timedelta(days=random.randint(-_WRONG_DAYS, _WRONG_DAYS))
    before = {event.id.bytes for event in machine.events()}
    for _ in range(random.randrange(6)):
        machine.study(random)
        machine.now += timedelta(seconds=random.randrange(90))
    acknowledged = {event.id.bytes for event in machine.events()} - before
    if random.random() < 0.7:
        sync_or_die(machine, random)
    return acknowledged


def sync_or_die(machine: Machine, random: Random) -> None:
    """Sync, and be killed in the middle now and then."""
    if random.randrange(_KILLED_ONE_IN):
        machine.sync(folder_of(machine.home))
        return
    try:
        exchange(machine.store, DyingTransport(machine, random), now=int(machine.now.timestamp() * 1e6))
    except KilledError:
        machine.store.close()
        machine.store = machine.opened()


def settle(machines: list[Machine], random: Random) -> None:
    """Let the synchroniser finish, and everybody sync until there is nothing new."""
    homes = [machine.home for machine in machines]
    for _ in range(3):
        for machine in machines:
            machine.sync(folder_of(machine.home))
        carry_all(homes, random, whole=True)


def differences(machines: list[Machine]) -> list[str]:
    """What is not the same on all machines, down to the last card; empty when all is."""
    first, *others = machines
    for machine in machines:
        machine.now = first.now
    wrong = [f"{one.device}: {told}" for one in machines for told in one.store.schedule.disagreements()]
    wrong += [f"{one.device}: {told}" for one in machines for told in one.store.problems()]
    for other in others:
        if {event.id for event in other.events()} != {event.id for event in first.events()}:
            wrong.append(f"{other.device} has other events than {first.device}")
        if other.knows() != first.knows():
            wrong.append(f"{other.device} knows other things than {first.device}")
    return wrong


def a_fleet(home: Path, empty: Path) -> list[Machine]:
    """Three machines that never met."""
    return [Machine(home / name, name, empty) for name in NAMES]


def remove(home: Path) -> None:
    """Forget a fleet."""
    shutil.rmtree(home, ignore_errors=True)
