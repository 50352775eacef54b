"""Test that every known cheat is refused with the right verdict, and changes nothing outside its child."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks import CHEATS
from children import children_of

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import Graded, grade
from studykit.graders.host.place import Place
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

LIMITS = Limits(wall_s=25, cpu_s=1)  # the wall is wide: a busy machine must not look like a cheat


ON_THE_MACHINE = {*(13, 15, 22, 23, 37, 38, 40, 41, 47, 49), *range(50, 57), *(62, 64, 68, 69, 70)}
"""Numbers of cheats that reach for more than values: only they may meet bubblewrap."""
WRAPPED = [
    pytest.param(True, name, marks=pytest.mark.thorough) for name in CHEATS if int(name[:2]) in ON_THE_MACHINE
]
LEAVING = ("15 os._exit", "22 segfault", "37 fill it later", "38 fork and survive", "64 threads without end")


@pytest.fixture(
    params=[pytest.param(False, id="bare"), pytest.param(True, id="wrapped", marks=pytest.mark.thorough)]
)
def wrapped(request: pytest.FixtureRequest) -> bool:
    """Run each test without bubblewrap, and with it if it works: the first layer must hold by itself."""
    return bool(request.param)


@pytest.fixture
def place(*, wrapped: bool) -> Iterator[Place]:
    """Return a place in one warm worker that all cheats share."""
    runtime = runtime_folder(os.environ["XDG_RUNTIME_DIR"])
    with open_worker(backend="torch", runtime=runtime, wrapped=wrapped) as worker:
        yield Place(worker, limits=LIMITS)


TASK = task("split_heads")


def graded(place: Place, source: str) -> Graded:
    return grade(place, TASK, source, random.Random(11))


def test_list_of_attacks_has_at_least_66() -> None:
    assert len(CHEATS) >= 66


@pytest.mark.parametrize(
    ("wrapped", "name"), [*((False, name) for name in CHEATS), *WRAPPED], indirect=["wrapped"]
)
def test_a_cheat_gets_its_verdict(place: Place, name: str, tmp_path: Path) -> None:
    source, verdicts = CHEATS[name]
    log = tmp_path / "study.db"
    log.write_text("the log")

    outcome = graded(place, source)

    assert outcome.judgment.verdict.name in verdicts, outcome.judgment
    assert outcome.judgment.diagnosis
    assert log.read_text() == "the log"
    assert not (Path.home() / "study-cheat").exists()


@pytest.mark.parametrize("name", ["01 view and permute", "34 pin random", "43 exec", "04 decoy call"])
def test_forbidden_method_fails_despite_right_values(place: Place, name: str) -> None:
    outcome = graded(place, CHEATS[name][0])

    assert [check.name for check in outcome.judgment.checks if not check.passed] == ["method"]


@pytest.mark.thorough
def test_honest_answer_passes_after_lasting_cheats(*, wrapped: bool) -> None:
    with open_worker(backend="torch", shared=False, wrapped=wrapped) as worker:
        place = Place(worker, limits=LIMITS)
        for name in LEAVING:
            graded(place, CHEATS[name][0])

        outcome = graded(place, TASK.solution)

        assert outcome.judgment.verdict == Correct()
        until = time.monotonic() + 5  # the verdict did not wait for their end
        while _grandchildren(worker):
            assert time.monotonic() < until
            time.sleep(0.05)


def _grandchildren(worker: Worker) -> list[int]:
    """Return the processes that the worker forked. Under bubblewrap two more lie between it and us."""
    assert worker.process is not None
    pids = [worker.process.pid]
    for _ in range(3 if worker.wrapped else 1):
        pids = [pid for each in pids for pid in children_of(each)]
    return pids
