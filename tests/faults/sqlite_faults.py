"""Cause faults around a file of answers: in the process, the disk, the power, the clock."""

import time
from collections.abc import Iterator
from pathlib import Path

from answers import Outcome, Round, complaint, judged
from power_cut import cuts
from stores import opened_now

from studykit.errors import StudyError
from studykit.store.recovery import recover

ANSWERS = 40
CUTS = 40
PROCESSES = 4
FOREVER = 10**9


def killed(round_: Round) -> Outcome:
    """Kill a process while it answers."""
    process = round_.answering(str(round_.database), 1, 100_000)
    wait_for_the_first(round_, 1)
    time.sleep(round_.random.uniform(0, 0.2))
    process.kill()
    wrong = complaint(process)
    return _with(judged(str(round_.database), round_.lines(1)), wrong)


def killed_together(round_: Round) -> Outcome:
    """Let several processes answer on one file, and kill them one after another."""
    firsts = [1 + 100_000 * number for number in range(PROCESSES)]
    processes = [round_.answering(str(round_.database), first, 99_999) for first in firsts]
    wait_for_the_first(round_, firsts[0])
    wrong = []
    for process in processes:
        time.sleep(round_.random.uniform(0, 0.2))
        process.kill()
        wrong += complaint(process)
    words = [line for first in firsts for line in round_.lines(first)]
    return _with(judged(str(round_.database), words, alone=False), wrong)


def clocks_and_zones(round_: Round) -> Outcome:
    """Set the clock forward and back by days in a random zone, which changes for the next process."""
    wrong = []
    for first in (1, 1001):
        wrong += complaint(round_.answering(str(round_.database), first, ANSWERS, "steps"))
    return _with(judged(str(round_.database), round_.lines(1) + round_.lines(1001)), wrong)


def write_error(round_: Round) -> Outcome:
    """Fail writes with an input/output error, once or for good."""
    return _spoilt(round_, "eio")


def full_disk(round_: Round) -> Outcome:
    """Fill the disk, for a while or for good."""
    return _spoilt(round_, "enospc")


def torn_write(round_: Round) -> Outcome:
    """Write only half of a write, and stop the machine."""
    return _spoilt(round_, "torn")


def failing_sync(round_: Round) -> Outcome:
    """Fail syncing with an input/output error."""
    return _spoilt(round_, "fsync")


def power_cut(round_: Round) -> Outcome:
    """Cut the power at any moment. Any part of the unsynced data is on the disk, torn by sectors."""
    outcome = Outcome()
    for number, (files, words) in enumerate(_cut(round_, lies_from=2.0)):
        outcome.add(judged(str(_put(round_, number, files)), _lines(words)))
    return outcome


def lying_sync(round_: Round) -> Outcome:
    """Ignore syncing from some moment on, then cut the power. Such a disk loses data.

    What is left has to be a log of what was answered, or damage that is reported and recovered.
    """
    outcome = Outcome()
    for number, (files, words) in enumerate(_cut(round_, lies_from=round_.random.random())):
        outcome.acknowledged += sum(line.startswith("answer") for line in _lines(words))
        outcome.wrong += _wrong_in_what_is_left(_put(round_, number, files))
    return outcome


def _wrong_in_what_is_left(database: Path) -> list[str]:
    try:
        with opened_now(database) as store:
            if not store.problems():
                list(store.log.events())
                store.schedule.rebuild()  # as `doctor --fix` does
                return [str(each) for each in store.schedule.disagreements()]
    except StudyError:
        pass  # reported, and now recovered
    try:
        recover(database)
    except StudyError:
        pass
    except Exception as error:  # noqa: BLE001 - a bug is a line of the table
        return [f"recovery: {error!r}"]
    return []


def _spoilt(round_: Round, fault: str) -> Outcome:
    if round_.disk is None:
        return Outcome()
    lasting = round_.random.choice((1, 3, FOREVER))
    process = round_.answering(
        str(round_.database),
        1,
        ANSWERS,
        LD_PRELOAD=str(round_.disk),
        STUDY_FAULT=fault,
        STUDY_FAULT_FILE="study",
        STUDY_FAULT_AT=str(round_.random.randrange(1, 3 * ANSWERS)),
        STUDY_FAULT_FOR=str(lasting),
    )
    wrong = complaint(process)
    return _with(judged(str(round_.database), round_.lines(1)), wrong)


def _cut(round_: Round, *, lies_from: float) -> Iterator[tuple[dict[str, bytes], bytes]]:
    """Yield the files on the disk after each of some power cuts, and what was acknowledged."""
    if round_.disk is None:
        return iter(())
    trace = round_.folder / "trace"
    process = round_.answering(
        str(round_.database),
        1,
        3 * ANSWERS,
        LD_PRELOAD=str(round_.disk),
        STUDY_FAULT_FILE="study",
        STUDY_TRACE=str(trace),
    )
    if wrong := complaint(process):
        raise RuntimeError(wrong[0])
    return cuts(round_.template, trace, round_.random, CUTS, lies_from=lies_from)


def _put(round_: Round, number: int, files: dict[str, bytes]) -> Path:
    """Write the database of one cut into a new folder."""
    folder = round_.folder / f"cut{number}"
    folder.mkdir()
    (folder / "study.db").write_bytes(files["d"])
    if files["w"]:
        (folder / "study.db-wal").write_bytes(files["w"])
    return folder / "study.db"


def _lines(said: bytes) -> list[str]:
    return said[: said.rfind(b"\n") + 1].decode().splitlines()


def _with(outcome: Outcome, wrong: list[str]) -> Outcome:
    outcome.wrong += wrong
    return outcome


def wait_for_the_first(round_: Round, first: int) -> None:
    """Wait until something is acknowledged, for at most 30 seconds."""
    end = time.monotonic() + 30
    while not round_.lines(first) and time.monotonic() < end:
        time.sleep(0.01)
