"""Run `answering.py`, and compare the database afterwards with the answers that it acknowledged."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from stores import opened_now

from studykit.errors import StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.store.store import Store

HERE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 120


@dataclass(slots=True)
class Outcome:
    """Count what a fault did: answers acknowledged, how many of those are lost, and what else is wrong."""

    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Add another outcome to this one."""
        self.acknowledged += other.acknowledged
        self.lost += other.lost
        self.wrong += other.wrong


@dataclass(frozen=True, slots=True)
class Round:
    """Hold one run of a fault: a folder with a fresh database in it, and the source of random choices."""

    folder: Path
    random: Random
    disk: Path | None  # the library that `disk.c` makes, where there is a compiler
    template: bytes  # a database with nothing in it

    @property
    def database(self) -> Path:
        """Return the path of the round's database, which is copied from the template at its first use."""
        path = self.folder / "study.db"
        if not path.exists():
            path.write_bytes(self.template)
        return path

    def answering(
        self, database: str, first: int, count: int, *words: str, **environ: str
    ) -> "subprocess.Popen[bytes]":
        """Start a process that answers. Its acknowledgments go to `FIRST.study.ack`."""
        seed = str(self.random.randrange(2**31))
        arguments = [database, str(self.acknowledged(first)), str(first), str(count), seed, *words]
        return subprocess.Popen(
            [sys.executable, str(HERE / "answering.py"), *arguments],
            env=os.environ | environ,
            stderr=subprocess.PIPE,
        )

    def acknowledged(self, first: int) -> Path:
        """Return the file of acknowledgments of the process whose first answer has this number."""
        return self.folder / f"{first}.study.ack"

    def lines(self, first: int) -> list[str]:
        """Return the complete lines of a process's acknowledgments."""
        path = self.acknowledged(first)
        text = path.read_text() if path.exists() else ""
        return text[: text.rfind("\n") + 1].splitlines()


def complaint(process: "subprocess.Popen[bytes]") -> list[str]:
    """Wait for a process to end, or kill it if it hangs, and return the last line of its error output, if any."""
    try:
        _, output = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["a process hangs"]
    return [output.decode(errors="replace").strip().splitlines()[-1]] if output else []


def judged(database: str, said: list[str], *, alone: bool = True) -> Outcome:
    """Compare a database with the acknowledged answers. `alone` says that only one process used it."""
    outcome = Outcome()
    answered = [int(words[1]) for words in map(str.split, said) if words[0] == "answer"]
    outcome.acknowledged = len(answered)
    try:
        with opened_now(database) as store:
            _look(store, said, answered, outcome)
    except StudyError as error:
        outcome.wrong.append(str(error))
        outcome.lost = len(answered)
    if alone:
        undone = [words for words in map(str.split, said) if words[0] == "undo"]
        outcome.wrong += [f"undo took back {taken} after {last}" for _, taken, last in undone if taken != last]
    return outcome


def _look(store: Store, said: list[str], answered: list[int], outcome: Outcome) -> None:
    events = list(store.log.events())
    there = Counter(event.took_ms for event in events if event.kind is EventKind.ANSWER)
    numbers = {str(event.id): event.took_ms for event in events}
    undone = {numbers.get(event.target) for event in events if event.kind is EventKind.UNDO}
    taken_back = [int(words[1]) for words in map(str.split, said) if words[0] == "undo"]
    lost = [number for number in answered if not there[number]]
    outcome.lost = len(lost) + sum(number not in undone for number in taken_back)
    outcome.wrong += [f"answer {number} stands {count} times" for number, count in there.items() if count > 1]
    outcome.wrong += [*store.problems(), *(str(each) for each in store.schedule.disagreements())]
