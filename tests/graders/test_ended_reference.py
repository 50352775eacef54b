"""Test that an answer is checked again, not called wrong, if the child that runs the reference dies or starves."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from children import children_of

from studykit.exercise.catalog import rewrite_named
from studykit.exercise.verdict import Correct, Crashed
from studykit.graders.host import place
from studykit.graders.host.grade import Graded, grade
from studykit.graders.host.place import Place, side_by_side
from studykit.sandbox import bubblewrap
from studykit.sandbox.channel import Child, Message, WorkerEndedError
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker
from studykit.submissions.grader import GradingPlaces, grade_submission
from studykit.submissions.submission import Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
TASK = rewrite_named("rewrite.layer_norm")


def reference_of(worker: Worker) -> int:
    """Return the process that runs the exercise's own code, which was started last."""
    assert worker.process is not None
    return children_of(worker.process.pid)[-1]


def signal_to(worker: Worker, child: Child, number: int) -> None:
    """Send a signal to the child. If it only stops the child, leave it nearly no time."""
    os.kill(reference_of(worker), number)
    child._remaining_s = 0.1 if number == signal.SIGSTOP else child._remaining_s


def graded(worker: Worker, source: str = TASK.solution) -> Graded:
    """Grade with a worker that comes again when a fresh one is wanted, as a shared worker does."""
    place = Place(worker, fresh=lambda: Worker(worker.path, worker.backend))
    return grade(place, TASK, source, Random(1))


def on_start(patch: pytest.MonkeyPatch, started: Callable[[Worker, Child], None]) -> None:
    """Call a function for each child that a worker has started."""
    start = Worker.start

    def start_and_tell(self: Worker, *given: Any, **named: Any) -> Child:  # noqa: ANN401 - passed on
        child = start(self, *given, **named)
        started(self, child)
        return child

    patch.setattr(Worker, "start", start_and_tell)


@pytest.mark.parametrize("signalled", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_ended_reference_is_run_again(worker: Worker, monkeypatch: pytest.MonkeyPatch, signalled: int) -> None:
    begun: list[Child] = []

    def started(_: Worker, child: Child) -> None:
        begun.append(child)
        if len(begun) == 1:
            signal_to(worker, child, signalled)

    on_start(monkeypatch, started)

    assert graded(worker).judgment.verdict == Correct()
    assert len(begun) == 4


@pytest.mark.parametrize("begun", [True, False])
def test_child_that_never_began_gives_no_verdict(monkeypatch: pytest.MonkeyPatch, *, begun: bool) -> None:
    """Check a child that never ran, because no file could be opened or a watcher killed it."""
    ended = Crashed("it ended itself with exit code 90 before it answered")
    ours = SimpleNamespace(receive=lambda: Message({}), begun=True, ending=None)
    theirs = SimpleNamespace(receive=lambda: ended, begun=begun, ending=ended)
    children = iter([ours, theirs])
    monkeypatch.setattr(place, "_begin", lambda *_: next(children))
    grader = cast("Place", SimpleNamespace(backend="numpy"))

    with contextlib.ExitStack() as opened:
        if not begun:
            opened.enter_context(
                pytest.raises(WorkerEndedError, match="could not start, because the process that runs it")
            )
        with side_by_side(grader, TASK, TASK.solution, []) as runs:
            assert runs.got == [ended]


def test_a_child_begins_when_it_is_locked(worker: Worker) -> None:
    with worker.start("run_rewrite", Limits()) as child:
        assert not child.begun

        child.ask({"code": TASK.solution, **place.first_header(TASK, "numpy", "cpu")})

        assert child.begun


@pytest.mark.parametrize("killed", [1, 2])
def test_killed_check_stores_no_wrong_verdict(monkeypatch: pytest.MonkeyPatch, killed: int) -> None:
    monkeypatch.setattr("studykit.graders.host.place.has_torch", lambda: False)
    monkeypatch.setattr(bubblewrap, "command", lambda *_: [])  # its children would be another process's
    opened: list[Worker] = []
    retried: list[bool] = []

    ended: list[Worker] = []

    def started(its: Worker, _: Child) -> None:
        if its not in ended and len(ended) < killed:
            ended.append(its)
            os.kill(reference_of(its), signal.SIGKILL)

    def noted(**given: object) -> Worker:
        opened.append(open_worker(**given))  # type: ignore[arg-type]
        return opened[-1]

    on_start(monkeypatch, started)
    monkeypatch.setattr("studykit.submissions.grader.open_worker", noted)
    places = GradingPlaces()
    submission = Submission("ann.py", TASK.id, TASK.solution, 3, "a mark")

    result = grade_submission(places, submission, on_retry=lambda: retried.append(True))
    places.close()

    assert retried == [True]
    if killed == 1:
        assert (result.verdict, result.fingerprint) == ("correct", "a mark")
    else:
        assert (result.verdict, result.fingerprint) == ("", "")  # the next run grades it
        assert str(result.told["problem"]).startswith("Not graded: ")


@pytest.mark.parametrize("killed", [1, 2])
def test_search_ended_from_outside_is_repeated(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, killed: int
) -> None:
    """Check that the search is repeated once, and that the diagnosis does not claim that no small change helps."""
    searches: list[Child] = []

    def started(_: Worker, child: Child) -> None:
        searches.extend([child] if child.limits.cpu_s == 2 else [])
        if child in searches and len(searches) <= killed:
            signal_to(worker, child, signal.SIGKILL)

    on_start(monkeypatch, started)

    judgment = graded(worker, TASK.solution.replace("'mean'", "'sum'", 1)).judgment

    assert judgment.verdict.name == "incorrect"
    assert len(searches) == 2
    assert ("the sum is taken instead of the mean" in judgment.diagnosis) == (killed == 1)
    assert "No small change" not in judgment.diagnosis
