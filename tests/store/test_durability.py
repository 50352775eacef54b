"""Test that no acknowledged answer is lost to a second process, or to kill -9 at any moment."""

import os
import subprocess
import sys
from pathlib import Path

from plain_replay import plain_replay
from stores import opened

KILLS = int(os.environ.get("STUDYKIT_TEST_KILLS", "10"))

ANSWERING = """
import sys
from datetime import UTC, datetime
from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.opening import open_store

store = open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
for number in range(int(sys.argv[2])):
    event = store.log.record(EventKind.ANSWER, CardId(f"card-{number % 3}"), grade=Grade(number % 6)).event
    print(event.id, flush=True)
    if number % 4 == 3:
        store.log.undo()
"""


def answering(path: Path, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ANSWERING, str(path), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    both = [answering(path, 40), answering(path, 40)]

    try:
        words = [line for process in both for line in process.communicate(timeout=60)[0].split()]
    finally:
        for process in both:
            process.kill()

    with opened(path) as store:
        logged = {str(event.id) for event in store.log.events()}
        assert (len(words), len(logged)) == (80, 100)
        assert logged.issuperset(words)
        assert store.schedule.disagreements() == ()


def test_kill_9_loses_no_acknowledged_answer(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    acknowledged: list[str] = []

    for kill in range(KILLS):
        acknowledged += killed_after(path, lines=1 + 7 * kill % 11)

    with opened(path) as store:
        assert {str(event.id) for event in store.log.events()}.issuperset(acknowledged)
        assert (store.problems(), store.schedule.disagreements()) == ((), ())
        assert store.schedule.memories() == plain_replay(store.log.events())


def killed_after(path: Path, *, lines: int) -> list[str]:
    """Return what a process acknowledged before it was killed, after a few lines."""
    process = answering(path, 100_000)
    try:
        assert process.stdout is not None
        words = [process.stdout.readline().strip() for _ in range(lines)]
    finally:
        process.kill()
        rest, _ = process.communicate(timeout=60)
    whole = rest[: rest.rfind("\n") + 1]
    return words + whole.split()
