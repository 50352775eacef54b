"""Test grading a class's submissions: no file harms another, and a second run continues the first."""

import contextlib
import errno
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from foreign_files import foreign_link, nested_folders
from submissions_of_a_class import CRASH, RIGHT, SLOW, WRONG, a_submission

from studykit.errors import BusyError, MissingError, StudyError, UsageError
from studykit.exercise import catalog
from studykit.exercise.rewrite.trial import Trial
from studykit.exercise.verdict import Crashed, Incorrect, TimedOut, Verdict
from studykit.graders.host import place
from studykit.graders.rewrite.judge import JUDGE
from studykit.sandbox import bubblewrap, lockdown
from studykit.sandbox.channel import Child, pack
from studykit.sandbox.worker import Worker, open_worker, runtime_folder
from studykit.submissions import grader, grader_processes, results_log
from studykit.submissions.batch import Batch, open_batch
from studykit.submissions.grader import GradingPlaces, Result, grade_submission
from studykit.submissions.grader_processes import GraderProcess, GraderProcesses
from studykit.submissions.result_schemas import exercism, gradescope
from studykit.submissions.results_log import ResultsLog
from studykit.submissions.submission import BatchTask, Submission, read_submission, submission_names


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Iterator[GradingPlaces]:
    """Return places with numpy, whose workers start at once."""
    monkeypatch.setattr("studykit.graders.host.place.has_torch", lambda: False)
    opened = GradingPlaces()
    yield opened
    opened.close()


def a_task() -> BatchTask:
    return BatchTask(catalog.rewrite_named("split_heads"), 3, "terms")


@dataclass
class Answers:
    """Return right results without grading, and raise KeyboardInterrupt after `most` of them."""

    most: int = 100
    asked: list[str] = field(default_factory=list)

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        for submission in submissions:
            if len(self.asked) == self.most:
                raise KeyboardInterrupt
            self.asked.append(submission.name)
            yield Result(submission.name, {"verdict": "correct"}, "f(x)", submission.fingerprint)


def run(folder: Path, log: ResultsLog, executor: Answers) -> Batch:
    """Run the batch of a folder as the command does, until Ctrl-C if it comes."""
    batch = open_batch(folder, submission_names(folder).answers, a_task(), log.read())
    with contextlib.suppress(KeyboardInterrupt):
        batch.run(executor.results, log, lambda _: None)
    return batch


def test_our_bug_costs_one_file(places: GradingPlaces, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("4,300 digits")

    monkeypatch.setattr(grader, "grade", broken)

    result = grade_submission(places, a_submission())

    assert not result.passed
    assert result.fingerprint == ""  # a later run tries again
    assert "studykit failed on this file" in str(result.told["problem"])
    assert "ValueError: 4,300 digits" in str(result.told["problem"])


def test_a_worker_that_has_ended_is_started_again(places: GradingPlaces) -> None:
    retried = []
    places.usual().worker.close()  # killed, it would leave a moment later

    result = grade_submission(places, a_submission(), on_retry=lambda: retried.append(True))

    assert (result.verdict, retried) == ("correct", [True])
    assert grade_submission(places, a_submission()).passed


def test_an_answer_that_crashes_is_tried_once(places: GradingPlaces) -> None:
    retried: list[bool] = []

    result = grade_submission(places, a_submission(CRASH), on_retry=lambda: retried.append(True))

    assert (result.verdict, retried) == ("crashed", [])


def test_result_of_another_judge_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ann.py").write_text(RIGHT)
    now = read_submission(tmp_path, "ann.py", a_task())
    monkeypatch.setattr("studykit.submissions.submission.JUDGE", JUDGE - 1)
    before = read_submission(tmp_path, "ann.py", a_task())

    assert isinstance(now, Submission)
    assert isinstance(before, Submission)
    assert now.fingerprint != before.fingerprint


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])  # an `earlyoom` sends the second first
@pytest.mark.parametrize(
    ("times", "outcome"), [(1, ("correct", a_submission().fingerprint)), (2, ("crashed", ""))]
)  # a later run asks again
def test_killed_answer_is_retried(
    places: GradingPlaces,
    monkeypatch: pytest.MonkeyPatch,
    by: signal.Signals,
    times: int,
    outcome: tuple[str, str],
) -> None:
    monkeypatch.setattr(bubblewrap, "command", lambda *_: [])  # its children would be another process's
    opened: list[Worker] = [places.usual().worker]
    retried: list[bool] = []

    def noted(**given: Any) -> Worker:  # noqa: ANN401 - as `open_worker` takes them
        opened.append(open_worker(**given))
        return opened[-1]

    def sent(child: Child, one: Trial) -> None:
        process = opened[-1].process
        assert process is not None
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for pid in children[1:] if len(retried) < times else ():  # of the answer: the first is the exercise's own
            with contextlib.suppress(ProcessLookupError):  # it has gone since
                os.kill(int(pid), by)
        send(child, one)

    send = place._send
    monkeypatch.setattr(place, "_send", sent)
    monkeypatch.setattr(grader, "open_worker", noted)

    result = grade_submission(places, a_submission(), on_retry=lambda: retried.append(True))

    assert (result.verdict, result.fingerprint) == outcome
    assert retried == [True]


@pytest.mark.parametrize(
    ("verdict", "is_kept"),
    [(TimedOut(5.0, of_cpu=True), True), (TimedOut(10.0), False), (Incorrect(why="no"), True)],
)
def test_timed_out_answer_is_graded_again(
    places: GradingPlaces, monkeypatch: pytest.MonkeyPatch, verdict: Verdict, *, is_kept: bool
) -> None:
    graded = SimpleNamespace(judgment=SimpleNamespace(verdict=verdict))
    monkeypatch.setattr(grader, "grade", lambda *_: graded)
    monkeypatch.setattr(grader, "document", lambda _: {"verdict": verdict.name})

    result = grade_submission(places, a_submission())

    assert (result.verdict, bool(result.fingerprint)) == (verdict.name, is_kept)


def test_second_try_has_a_worker_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Path | None] = []
    monkeypatch.setattr(GradingPlaces, "usual", lambda places: used.append(places.runtime))
    killed = Crashed("it was killed", killed=True), Result("ann.py", {"verdict": "crashed"})
    monkeypatch.setattr(grader, "_graded", lambda *_: killed)

    grade_submission(GradingPlaces(runtime=tmp_path), a_submission())

    assert used == [tmp_path, None]  # another child's memory cannot end it


def test_reused_grader_forgets_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade two files of one name with the same graders, as a cluster's worker may for two classes."""
    executor = processes()
    with contextlib.closing(executor):
        monkeypatch.setattr(sys, "executable", "/bin/false")
        with pytest.raises(MissingError, match="The graders cannot start"):
            executor.grade(a_submission(WRONG))
        monkeypatch.undo()

        assert executor.grade(a_submission(RIGHT)).verdict == "correct"


def test_missing_worker_gives_a_reason(places: GradingPlaces, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**_: object) -> None:
        raise MissingError("the sandbox cannot start")

    monkeypatch.setattr(grader, "open_worker", none)

    result = grade_submission(places, a_submission()).told

    assert result == {"problem": "Not graded: the sandbox cannot start"}


def test_results_do_not_hang_on_the_order(places: GradingPlaces) -> None:
    some = [a_submission(WRONG, name) for name in ("ann.py", "caf\udce9.py", "cem.py")]

    there = {one.name: grade_submission(places, one).told["diagnosis"] for one in some}
    back = {one.name: grade_submission(places, one).told["diagnosis"] for one in reversed(some)}

    assert there == back
    assert len(set(there.values())) == len(some)  # every file is drawn shapes of its own


def processes(**given: float) -> GraderProcesses:
    """Return graders that share the worker of this test run."""
    runtime = runtime_folder(os.environ["XDG_RUNTIME_DIR"])
    return GraderProcesses("cpu", runtime, given.get("budget_s", 100.0), most=int(given.get("most", 1)))


def results_of(executor: GraderProcesses, *submissions: Submission) -> dict[str, Result]:
    return {result.name: result for result in executor.results(submissions) if result is not None}


@pytest.mark.parametrize(("kills", "verdict"), [(1, "correct"), (2, "")])
def test_killed_grader_is_restarted(monkeypatch: pytest.MonkeyPatch, kills: int, verdict: str) -> None:
    killed: list[int] = []
    grade = GraderProcess.grade

    def graded(self: GraderProcess, submission: Submission, budget_s: float) -> Result:
        if submission.name == "ann.py" and len(killed) < kills:
            killed.append(self.process.pid)
            self.process.kill()
        return grade(self, submission, budget_s)

    monkeypatch.setattr(GraderProcess, "grade", graded)

    result = results_of(processes(), a_submission(), a_submission(WRONG, "bob.py"))

    assert len(killed) == kills
    assert result["ann.py"].verdict == verdict
    assert result["bob.py"].verdict == "incorrect"
    assert verdict or "its grader ended 2 times" in str(result["ann.py"].told["problem"])


@pytest.mark.parametrize("allowed", [0, 1])
def test_process_limit_keeps_running_graders(monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
    started: list[object] = []

    def popen(*given: Any, **named: Any) -> object:  # noqa: ANN401 - as Popen takes them
        if len(started) == allowed:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        started.append(usual(*given, **named))
        return started[-1]

    usual = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", popen)
    files = [a_submission(RIGHT, name) for name in ("ann.py", "bob.py", "cem.py")]

    if allowed:
        assert [one.verdict for one in results_of(processes(most=2), *files).values()] == ["correct"] * 3
    else:
        with pytest.raises(MissingError, match=r"The graders cannot start \(Resource temporarily unavailable\)"):
            results_of(processes(most=2), *files)


def test_late_reply_keeps_the_grader() -> None:
    """Receive the notice of a second try and the result at once, as after this process was stopped."""
    own_end, grader_end = socket.socketpair()
    with own_end, grader_end:
        process = GraderProcess(cast("subprocess.Popen[bytes]", None), own_end)
        grader_end.sendall(pack({"again": True}) + pack({"result": True}, [b'{"name": "ann.py", "told": {}}']))

        assert process.grade(a_submission(), 1.0) == Result("ann.py", {})


def test_time_stands_while_the_batch_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate `docker pause` during each poll."""
    moments = itertools.count(step=1_000)
    monkeypatch.setattr(grader_processes, "time", SimpleNamespace(monotonic=lambda: next(moments)))

    assert results_of(processes(), a_submission())["ann.py"].passed


def test_graders_fit_the_cores_of_a_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64))
    for limits, cores in (([], 64), (["cpu.max 150000 100000"], 2), (["cpu.max 2000 100000", "memory.max 1"], 1)):
        monkeypatch.setattr(lockdown, "group_limits", lambda limits=limits: limits)

        assert grader_processes.cores() == cores


@pytest.mark.thorough
def test_each_submission_has_its_own_budget() -> None:
    endless = a_submission(SLOW, "slow.py")

    result = results_of(processes(budget_s=2), endless, a_submission())

    assert result["slow.py"].verdict == "timed_out"
    assert "stopped after 2 seconds" in str(result["slow.py"].told["diagnosis"])
    assert not result["slow.py"].fingerprint  # somebody else may have taken the time: a later run asks again
    assert result["ann.py"].passed


def test_graders_that_fail_together_fail_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill the worker while all graders wait for it, so that each tries again."""
    started: list[object] = []

    def popen(*given: Any, **named: Any) -> object:  # noqa: ANN401 - as Popen takes them
        started.append(usual([sys.executable if len(started) >= 6 else "/bin/false", *given[0][1:]], **named))
        return started[-1]

    usual = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", popen)
    files = [a_submission(RIGHT, f"{name}.py") for name in "abcdef"]

    assert {one.verdict for one in results_of(processes(most=6), *files).values()} == {"correct"}


def test_idle_grader_closes_what_it_opened() -> None:
    executor = processes()
    started = []
    for _ in executor.results([a_submission()]):
        started += [one.process for one in executor._graders]

    assert started
    assert {process.poll() for process in started} == {0}  # killed, it would leave its own worker's folder


def test_graders_end_with_their_batch() -> None:
    executor = processes(most=2)
    results = executor.results(a_submission(WRONG, f"{number}.py") for number in itertools.count())
    next(results)
    started = [one.process for one in executor._graders]

    results.close()  # type: ignore[attr-defined]

    assert started
    assert all(process.poll() is not None for process in started)


def test_grader_answering_a_closed_batch_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    executor = processes(most=1)
    answered = GraderProcess.grade

    def closed_meanwhile(grader: GraderProcess, *given: Any) -> Result:  # noqa: ANN401 - handed on
        result = answered(grader, *given)
        executor.close()
        return result

    monkeypatch.setattr(GraderProcess, "grade", closed_meanwhile)

    assert executor.grade(a_submission()).verdict == "correct"
    assert executor._graders == []


def test_second_run_grades_only_changes(tmp_path: Path) -> None:
    folder, results = tmp_path / "in", tmp_path / "r.json"
    folder.mkdir()
    for name in ("ann.py", "bob.py", "cem.py"):
        (folder / name).write_text(RIGHT)

    with ResultsLog(results) as log:
        first = run(folder, log, Answers(most=2))
    (folder / "bob.py").write_text(WRONG)
    with ResultsLog(results) as log:
        second = run(folder, log, last := Answers())

    assert (len(first.results), first.passed) == (2, 2)
    assert (second.known, last.asked) == (1, ["bob.py", "cem.py"])
    assert [one.name for one in second.ordered] == ["ann.py", "bob.py", "cem.py"]


def test_a_submission_is_read_when_its_turn_comes(tmp_path: Path) -> None:
    for name in ("ann.py", "bob.py", "cem.py"):
        (tmp_path / name).write_text(RIGHT)
    batch = open_batch(tmp_path, ["ann.py", "bob.py", "cem.py"], a_task(), {})
    (tmp_path / "bob.py").unlink()
    (tmp_path / "bob.py").symlink_to("ann.py")

    batch.run((executor := Answers()).results, None, lambda _: None)

    assert executor.asked == ["ann.py", "cem.py"]
    assert str(batch.results["bob.py"].told["problem"]).startswith("bob.py is a link")
    assert (len(batch.results), batch.passed) == (3, 2)


def test_half_a_line_is_dropped(tmp_path: Path) -> None:
    with ResultsLog(tmp_path / "r.json") as log:
        assert log.read() == {}
        log.add(Result("ann.py", {"verdict": "correct"}, "f(x)", "mark"))
    path = tmp_path / "r.json.graded"
    whole = path.read_bytes()
    path.write_bytes(whole + b"null\n[]\n" + whole[:30])

    with ResultsLog(tmp_path / "r.json") as log:
        entries = log.read()
        log.add(Result("bob.py", {"verdict": "correct"}, "f(x)", "mark"))

    assert [one.name for one in entries.values()] == ["ann.py"]
    assert json.loads(path.read_bytes().splitlines()[-1])["name"] == "bob.py"


def a_line(**changed: object) -> bytes:
    result = {"verdict": "correct", "seconds": 0.5}
    line = {"name": "ann.py", "told": result, "signature": "f(x)", "fingerprint": "mark", **changed}
    return json.dumps(line).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        a_line(told={}),
        a_line(told={"verdict": ["correct"]}),
        a_line(told={"verdict": "correct", "seconds": float("nan")}),
        a_line(told={"verdict": "correct"}).replace(b'"correct"', b'"correct", "seconds": 1e999'),
        a_line(told={"verdict": "correct", "path": "bob.py"}),
        a_line(signature=None),
        a_line(fingerprint=7),
        a_line(more=1),
        b"[" * 100_000 + b"\n",
        b"\xff" + a_line(),
    ],
)
def test_foreign_line_is_graded_again(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "r.json.graded").write_bytes(line + b"\xef\xbb\xbf" + a_line(name="bob.py")[:-1] + b"\r\n")

    with ResultsLog(tmp_path / "r.json") as log:
        entries = log.read()

    assert [one.name for one in entries.values()] == ["bob.py"]


def test_seconds_of_any_size_are_added_up() -> None:
    document = gradescope([Result("ann.py", {"verdict": "correct", "seconds": 10**400})])

    assert document["execution_time"] == 0


def test_cut_results_lose_no_later_line(tmp_path: Path) -> None:
    with ResultsLog(tmp_path / "r.json") as log:
        log.read()
        log.add(Result("ann.py", {"verdict": "correct"}, "f(x)", "mark"))
        os.truncate(log.path, 0)
        log.add(Result("bob.py", {"verdict": "correct"}, "f(x)", "mark"))
        entries = log.read()

    assert [one.name for one in entries.values()] == ["bob.py"]


def test_batches_end_independently(tmp_path: Path) -> None:
    (tmp_path / "r.json.new").write_text("theirs")
    with ResultsLog(tmp_path / "r.json") as log:
        log.finish("done")

        with pytest.raises(UsageError, match="is the log of another batch"):
            ResultsLog(tmp_path / "r.json.graded")
    assert (tmp_path / "r.json.new").read_text() == "theirs"
    assert {path.name for path in tmp_path.iterdir()} == {"r.json", "r.json.graded", "r.json.new"}


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    draft = tmp_path / ".r.json.part"
    with ResultsLog(tmp_path / "r.json"):
        draft.touch()  # the first run is about to rename it
        with pytest.raises(BusyError, match="Another run is writing"):
            ResultsLog(tmp_path / "r.json")
        assert draft.exists()


def test_unwritable_results_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for name, why in (("no/r.json", "No such file"), ("pipe", "it is a pipe"), (".", "it is a folder")):
        with pytest.raises(StudyError, match=why):
            ResultsLog(tmp_path / name)
    for name in ("", ".", "/"):
        with pytest.raises(UsageError, match="is not a file name"):
            ResultsLog(Path(name))


def test_swapped_results_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to("made")
    monkeypatch.setattr(results_log, "kind", lambda _: "")  # the look saw an ordinary file

    for name in ("pipe.json", "link.json"):
        with pytest.raises(StudyError, match="cannot be written"):
            ResultsLog(tmp_path / name)
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a file to somebody else")
def test_foreign_results_in_shared_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "r.json.graded").write_text("")
    os.chown(tmp_path / "r.json.graded", 65534, 65534)

    for mode in (0o1777, 0o777, 0o770):
        tmp_path.chmod(mode)
        with pytest.raises(StudyError, match=r"r.json.graded is another user's"):
            ResultsLog(tmp_path / "r.json")
    tmp_path.chmod(0o700)
    with ResultsLog(tmp_path / "r.json") as log:
        assert log.read() == {}


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a file to somebody else")
def test_replaced_results_are_private(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("theirs")
    (tmp_path / "r.json").chmod(0o666)
    os.chown(tmp_path / "r.json", 65534, 65534)

    with ResultsLog(tmp_path / "r.json") as log:
        log.finish("done")

    status = (tmp_path / "r.json").stat()
    assert (status.st_uid, status.st_mode & 0o022) == (0, 0)


def test_results_avoid_foreign_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "private").mkdir()
    foreign_link(tmp_path / "o", tmp_path / "private", monkeypatch)

    with pytest.raises(StudyError, match="o is somebody else's link"):
        ResultsLog(tmp_path / "o" / "r.json")

    assert list((tmp_path / "private").iterdir()) == []


def test_folder_as_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".r.json.part").mkdir()

    with pytest.raises(StudyError, match=r"r.json.part is in the way: it is a folder. Name another file"):
        ResultsLog(tmp_path / "r.json")
    assert not (tmp_path / "r.json.graded").exists()


def test_old_results_stay_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text("before")

    with ResultsLog(tmp_path / "r.json") as log:
        log.add(Result("a.py", {"verdict": "correct"}, fingerprint="f"))

    assert (tmp_path / "r.json").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.json", "r.json.graded"]


def test_foreign_sticky_results_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.json").touch()
    tmp_path.chmod(0o1777)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)

    with pytest.raises(StudyError, match=r"r.json cannot be written: it belongs to another user"):
        ResultsLog(tmp_path / "r.json")


def test_full_disk_keeps_the_grades(tmp_path: Path) -> None:
    with ResultsLog(tmp_path / "r.json") as log:
        log.add(Result("a.py", {"verdict": "correct"}, fingerprint="f"))
        file, log._file = log._file, open("/dev/full", "r+b")  # noqa: SIM115, PTH123 - the log closes it
        with pytest.raises(StudyError, match=r"graded cannot be written: No space left.*saved. Make room"):
            log.add(Result("b.py", {"verdict": "correct"}, fingerprint="g"))
        file.close()
    with ResultsLog(tmp_path / "r.json") as log:
        assert len(log.read()) == 1


def test_late_folder_as_results_keeps_the_grades(tmp_path: Path) -> None:
    with ResultsLog(tmp_path / "r.json") as log:
        (tmp_path / ".r.json.part").mkdir()
        log.add(Result("a.py", {"verdict": "correct"}, fingerprint="f"))
        with pytest.raises(
            StudyError,
            match=r"r.json.part is in the way: it is a folder. Results so far are saved. Make room",
        ):
            log.finish("done")
    (tmp_path / ".r.json.part").rmdir()
    with ResultsLog(tmp_path / "r.json") as log:
        assert len(log.read()) == 1


def test_results_are_written_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    for name in ("r.json", "s.json.graded", ".t.json.part"):
        (tmp_path / name).symlink_to("mine")
    (tmp_path / "lost.json").symlink_to("nowhere")
    (tmp_path / "h.json.graded").hardlink_to(tmp_path / "mine")
    os.mkfifo(tmp_path / "u.json.graded")
    os.mkfifo(tmp_path / ".v.json.part")

    for name, why in (
        ("r", "is a link"),
        ("lost", "is a link"),
        ("s", "links"),
        ("h", r"h.json.graded is linked from elsewhere as well"),
        ("u", r"u.json.graded is a pipe"),
    ):
        with pytest.raises(StudyError, match=why):
            ResultsLog(tmp_path / f"{name}.json")
    for name in ("t", "v"):
        with ResultsLog(tmp_path / f"{name}.json") as log:
            log.finish("done")

        assert (tmp_path / f"{name}.json").read_text() == "done"
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_links_and_pipes_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.py").symlink_to("../right.py")
    (tmp_path / "in" / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "in" / "folder").symlink_to("..")
    os.mkfifo(tmp_path / "in" / "pipe.py")
    (tmp_path / "in" / "large.py").write_bytes(b"#" * 70_000)

    folder = submission_names(tmp_path / "in")
    names, left_out = folder.answers, folder.folders
    result = [read_submission(tmp_path / "in", name, a_task()) for name in names]

    assert left_out == ["folder"]
    assert [why for why in result if isinstance(why, str)] == [
        "large.py is larger than 65,536 bytes. Hand in a Python file.",
        "link.py is a link, which is not read. Hand in a Python file.",
        "pipe.py is a pipe, which is not read. Hand in a Python file.",
        "zero.py is a link, which is not read. Hand in a Python file.",
    ]


def test_folder_turned_link_is_not_followed(tmp_path: Path) -> None:
    for name in ("in/ann/far", "private/far"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "split_heads.py").write_text(RIGHT)
    (name,) = submission_names(tmp_path / "in").answers

    assert isinstance(read_submission(tmp_path / "in", name, a_task()), Submission)
    (tmp_path / "in" / "ann").rename(tmp_path / "away")
    (tmp_path / "in" / "ann").symlink_to("../private")

    result = read_submission(tmp_path / "in", name, a_task())

    assert isinstance(result, str)
    assert result.startswith("ann/far/split_heads.py cannot be read: ")


def test_endless_folders_cost_no_result(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(RIGHT)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "up").symlink_to("..")

    with nested_folders(tmp_path, 2100):  # longer than a path may be
        folder = submission_names(tmp_path)

    deep, up = folder.folders
    assert (folder.answers, set(deep.split("/")), up) == (["ann.py"], {"a"}, "up")


@pytest.mark.parametrize("number", ["0x" + "f" * 3800, "9" * 3800, "0b" + "1" * 200])
def test_number_too_long_to_write_fails_the_answer(places: GradingPlaces, number: str) -> None:
    for source in (RIGHT.replace("h=h", f"h={number}"), f"def f(x, h): return x * {number}"):
        result = grade_submission(places, a_submission(source)).told

        assert result["verdict"] in {"incorrect", "crashed"}


def test_misnamed_answers_are_refused_and_others_listed(tmp_path: Path) -> None:
    names = ("a.py", "B.PY", "d.py.txt", "e.ipynb", "a.py.bak", "notes.txt", ".DS_Store", "__init__.py", "w.pyw")
    for name in (*names, "__pycache__/a.cpython-311.pyc"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(RIGHT)

    folder = submission_names(tmp_path)

    assert folder.answers == ["B.PY", "a.py", "d.py.txt", "e.ipynb", "w.pyw"]
    assert folder.others == ["a.py.bak", "notes.txt"]
    assert read_submission(tmp_path, "B.PY", a_task()) == "B.PY is not a Python file. Hand in B.py."
    assert read_submission(tmp_path, "d.py.txt", a_task()) == "d.py.txt is not a Python file. Hand in d.py."


def test_any_file_name_is_listed(tmp_path: Path) -> None:
    names = [b"caf\xe9.py", b"a\nb.py", b"back\\slash.py", "tx\u202eyp.py".encode()]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_text(RIGHT)
    result = submission_names(tmp_path).answers

    tests = exercism([Result(name, {"verdict": "correct"}) for name in result])["tests"]

    assert isinstance(tests, list)
    assert sorted(os.fsencode(name) for name in result) == sorted(names)
    assert {test["name"] for test in tests} == {r"caf\xe9.py", r"a\nb.py", r"back\\slash.py", r"tx\u202eyp.py"}


def test_results_are_told_in_both_schemas() -> None:
    graded = {"exercise": "rewrite.split_heads", "diagnosis": "", "seconds": 0.5, "printed": "ho" * 400}
    result = [
        Result("ann/split_heads.py", {**graded, "verdict": "correct"}, "f(x, h)"),
        Result("bob/split_heads.py", {**graded, "verdict": "incorrect", "diagnosis": "not (h d)"}, "f(x, h)"),
        Result("cem/split_heads.py", {"problem": "it is a link"}),
    ]

    document, points = exercism(result), gradescope(result)

    assert (document["version"], document["status"]) == (3, "error")
    run = {"test_code": "f(x, h)", "output": "ho" * 250}
    assert document["tests"] == [
        {"name": "ann/split_heads.py", "status": "pass", **run},
        {"name": "bob/split_heads.py", "status": "fail", "message": "not (h d)", **run},
        {"name": "cem/split_heads.py", "status": "error", "message": "it is a link"},
    ]
    assert (points["score"], points["execution_time"]) == (1.0, 1.0)
    assert isinstance(points["tests"], list)
    assert [test["status"] for test in points["tests"]] == ["passed", "failed", "failed"]
    assert [test["output"] for test in points["tests"]] == ["", "not (h d)", "it is a link"]
