"""The child that checks a right answer is killed, or gets no processor: it is checked again, and never wrong."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from studykit.exercise.catalog import rewrite_named
from studykit.exercise.verdict import Correct, Crashed, Refused
from studykit.graders.host import place
from studykit.graders.host.grade import Graded, grade
from studykit.graders.host.place import BothRuns, Place, ReferenceEndedError, side_by_side
from studykit.practice.grader import GradingPlaces, grade_submission
from studykit.practice.submissions import Submission
from studykit.sandbox import bubblewrap
from studykit.sandbox.channel import Child, Message, WorkerEndedError
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
TASK = rewrite_named("rewrite.layer_norm")
LAST = 32  # questions about its solution


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with open_worker(backend="numpy", shared=False, wrapped=False) as opened:
        yield opened


def reference_of(worker: Worker) -> int:
    """The process that the exercise's own code runs in: the first that a grade starts."""
    assert worker.process is not None
    pid = worker.process.pid
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def signal_to(worker: Worker, child: Child, number: int) -> None:
    """Signal the child; one that is stopped has nearly no time left."""
    os.kill(reference_of(worker), number)
    child._left_s = 0.1 if number == signal.SIGSTOP else child._left_s


def hit(
    monkeypatch: pytest.MonkeyPatch, worker: Worker, at: int, *, signalled: int = signal.SIGKILL, grades: int = 1
) -> list[int]:
    """Signal the child of so many grades before it is asked its question of this number; the questions asked."""
    asked: list[int] = []
    hits: list[int] = []

    def ask(runs: BothRuns, header: dict[str, object], blobs: Sequence[bytes]) -> object:
        asked.append(len(asked) + 1)
        if len(hits) < grades and len(asked) == at:
            hits.append(at)
            asked.clear()
            signal_to(worker, runs.reference, signalled)
        return usual(runs, header, blobs)

    usual = BothRuns.ask
    monkeypatch.setattr(BothRuns, "ask", ask)
    return asked


def graded(worker: Worker, source: str = TASK.solution) -> Graded:
    """By a place whose fresh worker is the same one, as a shared one is."""
    place = Place(worker, fresh=lambda: Worker(worker.path, worker.backend))
    return grade(place, TASK, source, Random(1))


@pytest.mark.parametrize("at", [1, 2, 3, LAST - 2, LAST])
def test_a_right_answer_whose_check_is_killed_at_any_question_is_checked_again(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    asked = hit(monkeypatch, worker, at)

    assert graded(worker).judgment.verdict == Correct()
    assert len(asked) == LAST


def test_a_right_answer_whose_check_gets_no_processor_is_checked_again(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = hit(monkeypatch, worker, 2, signalled=signal.SIGSTOP)

    assert graded(worker).judgment.verdict == Correct()
    assert len(asked) == LAST


@pytest.mark.parametrize(
    ("signalled", "why"),
    [
        (signal.SIGKILL, "was stopped: it ended by being killed, .* before it answered"),
        (signal.SIGSEGV, "was stopped: it ended by a segmentation fault before it answered"),
        (signal.SIGSTOP, "did not finish within 10 s"),
    ],
)
def test_a_check_that_ends_twice_gives_no_verdict(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, signalled: int, why: str
) -> None:
    """So an answer that ends it by its steps never passes, though nobody else is the cause."""
    hit(monkeypatch, worker, 2, signalled=signalled, grades=2)

    told = rf"^the answer has no verdict, the process that checks it {why}; try again\.$"
    with pytest.raises(ReferenceEndedError, match=told) as raised:
        graded(worker)
    assert raised.value.exit_code == 6


@pytest.mark.parametrize("signalled", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_a_reference_that_is_ended_before_it_has_answered_is_run_again(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, signalled: int
) -> None:
    begun: list[Child] = []

    def started(self: Worker, *given: object, **named: object) -> object:
        begun.append(start(self, *given, **named))  # type: ignore[arg-type]
        if len(begun) == 1:
            signal_to(worker, begun[0], signalled)
        return begun[-1]

    start = Worker.start
    monkeypatch.setattr(Worker, "start", started)

    assert graded(worker).judgment.verdict == Correct()
    assert len(begun) == 4


@pytest.mark.parametrize("begun", [True, False])
def test_an_answer_whose_child_ends_before_it_is_locked_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, *, begun: bool
) -> None:
    """It has not run: the machine had no room for one more file, or a watcher killed the child."""
    ended = Crashed("it ended itself with exit code 90 before it answered")
    ours = SimpleNamespace(receive=lambda: Message({}), begun=True, ending=None)
    theirs = SimpleNamespace(receive=lambda: ended, begun=begun, ending=ended)
    children = iter([ours, theirs])
    monkeypatch.setattr(place, "_begun", lambda *_: next(children))
    grader = cast("Place", SimpleNamespace(backend="numpy"))

    with contextlib.ExitStack() as opened:
        if not begun:
            opened.enter_context(pytest.raises(WorkerEndedError, match="did not begin, a child of the"))
        with side_by_side(grader, TASK, TASK.solution, []) as runs:
            assert runs.got == [ended]


def test_a_child_begins_when_it_is_locked(worker: Worker) -> None:
    with worker.start("run_rewrite", Limits()) as child:
        assert not child.begun

        child.ask({"code": TASK.solution, "function": "f", "backend": "numpy", "device": "cpu"})

        assert child.begun


def test_a_child_that_is_refused_an_answers_steps_speaks_against_it_and_any_other_against_nobody() -> None:
    """The judge refuses a reply that is too large, the worker ends who scatters memory: no doing of others."""
    refused = Refused("it scattered its memory")
    child = cast("Child", SimpleNamespace(ask=lambda *_: refused))
    runs = BothRuns([], [], child, child)

    assert runs.ask({"steps": [], "arguments": []}, []) == refused
    with pytest.raises(ReferenceEndedError, match="was stopped: it scattered its memory; try again"):
        runs.ask({"arguments": []}, [])


@pytest.mark.parametrize("killed", [1, 2])
def test_a_batch_stores_no_wrong_verdict_where_a_check_was_killed(
    monkeypatch: pytest.MonkeyPatch, killed: int
) -> None:
    monkeypatch.setattr("studykit.graders.host.place.has_torch", lambda: False)
    monkeypatch.setattr(bubblewrap, "command", lambda *_: [])  # its children would be another process's
    opened: list[Worker] = []
    retried: list[bool] = []

    def ask(runs: BothRuns, header: dict[str, object], blobs: Sequence[bytes]) -> object:
        if len(opened) <= killed:
            os.kill(reference_of(opened[-1]), signal.SIGKILL)
        return usual(runs, header, blobs)

    def noted(**given: object) -> Worker:
        opened.append(open_worker(**given))  # type: ignore[arg-type]
        return opened[-1]

    usual = BothRuns.ask
    monkeypatch.setattr(BothRuns, "ask", ask)
    monkeypatch.setattr("studykit.practice.grader.open_worker", noted)
    places = GradingPlaces()
    submission = Submission("ann.py", TASK.id, TASK.solution, 3, "a mark")

    result = grade_submission(places, submission, on_retry=lambda: retried.append(True))
    places.close()

    assert retried == [True]
    if killed == 1:
        assert (result.verdict, result.fingerprint) == ("correct", "a mark")
    else:
        assert (result.verdict, result.fingerprint) == ("", "")  # the next run grades it
        assert str(result.told["problem"]).startswith("There is no grade: the answer has no verdict")


@pytest.mark.parametrize("killed", [1, 2])
def test_a_search_that_somebody_ends_says_nothing_untrue(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, killed: int
) -> None:
    """It is tried again; ended twice, nobody says that no small change makes the answer right."""
    searches: list[Child] = []

    def started(self: Worker, program: str, *given: object, **named: object) -> Child:
        child: Child = start(self, program, *given, **named)  # type: ignore[arg-type]
        searches.extend([child] if program == "run_edited" else [])
        if child in searches and len(searches) <= killed:
            signal_to(worker, child, signal.SIGKILL)
        return child

    start = Worker.start
    monkeypatch.setattr(Worker, "start", started)

    judgment = graded(worker, TASK.solution.replace("'mean'", "'sum'", 1)).judgment

    assert judgment.verdict.name == "incorrect"
    assert len(searches) == 2
    assert ("the sum is taken instead of the mean" in judgment.diagnosis) == (killed == 1)
    assert "No small change" not in judgment.diagnosis
