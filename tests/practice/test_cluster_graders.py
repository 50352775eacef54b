"""Batches on a cluster: the results of one machine, whatever dies meanwhile; and what a scheduler may be."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from submissions_of_a_class import RIGHT

from studykit import __version__
from studykit.errors import MissingError, UsageError
from studykit.practice import cluster_graders
from studykit.practice.batch import open_batch
from studykit.practice.cluster_graders import ClusterGraders, GradingTerms, checked_address, grade_on_worker
from studykit.practice.grader import Result
from studykit.practice.grader_processes import GraderProcesses
from studykit.practice.results_log import ResultsLog
from studykit.practice.submissions import BatchTask, Submission
from studykit.sandbox.worker import has_torch

TERMS = GradingTerms(__version__, "torch" if has_torch() else "numpy", "cpu", 60.0)
WRONG = RIGHT.replace("(h d)", "(d h)")


def a_submission(name: str, source: str = RIGHT) -> Submission:
    return Submission(name, "rewrite.split_heads", source, 3, f"mark of {source}")


@pytest.mark.parametrize(
    "address", ["tls://grader.example:8786", "tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786"]
)
def test_a_scheduler_is_reached_by_tls_or_on_this_machine(address: str) -> None:
    assert checked_address(address) == address


@pytest.mark.parametrize(
    "address",
    ["tcp://grader.example:8786", "tcp://10.0.0.7:8786", "tcp://127.0.0.1.example:8786", "tcp://0.0.0.0:1"],
)
def test_plain_tcp_to_another_machine_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="without TLS runs the code of anybody"):
        checked_address(address)


@pytest.mark.parametrize(
    "address", ["grader", "http://x:80", "tls://", "tls://x", "tls://x:port", "inproc://a:1", ""]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="such as tls://"):
        checked_address(address)


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(MissingError, match="the run is of 0"):
        grade_on_worker(asdict(a_submission("ann.py")), asdict(replace(TERMS, version="0.0")))


def test_a_worker_that_grades_on_another_library_is_refused() -> None:
    with pytest.raises(MissingError, match="install torch on both"):
        grade_on_worker(asdict(a_submission("ann.py")), asdict(replace(TERMS, backend="abacus")))


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingError, match=r"pip install 'studykit-srs\[cluster\]'"):
        list(ClusterGraders("tcp://127.0.0.1:1", TERMS).results([]))


@pytest.mark.thorough
def test_a_kept_grader_grades_one_after_another() -> None:
    graders = GraderProcesses("cpu", None, 60.0, most=1)
    try:
        first = graders.grade(a_submission("ann.py"))
        (kept,) = graders._graders
        second = graders.grade(a_submission("ben.py", WRONG))

        assert (first.verdict, second.verdict) == ("correct", "incorrect")
        assert graders._graders == [kept]
    finally:
        graders.close()


class Cluster:
    """A scheduler and workers of this machine, each a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._started(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--no-show",
            "--scheduler-file",
            str(folder / "scheduler.json"),
        )
        self.address = self._address()

    def work(self) -> None:
        """One worker more, without a nanny that would start it again."""
        words = ("worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard")
        self.workers.append(self._started(*words, "--local-directory", str(self._folder)))

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _started(self, *words: str) -> "subprocess.Popen[bytes]":
        environ = {**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"}
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-P", "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        return subprocess.Popen(command, cwd=self._folder, env=environ, stdout=quiet, stderr=quiet)

    def _address(self) -> str:
        import json

        file = self._folder / "scheduler.json"
        for _ in range(600):
            if file.exists() and (text := file.read_text()):
                return str(json.loads(text)["address"])
            time.sleep(0.1)
        raise RuntimeError("the scheduler did not start")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.close()


def without_seconds(results: Iterable[Result | None]) -> dict[str, object]:
    """What came of each, but for how long it took."""
    return {
        one.name: {key: value for key, value in one.told.items() if key != "seconds"}
        for one in results
        if one is not None
    }


@contextmanager
def here() -> Iterator[GraderProcesses]:
    graders = GraderProcesses("cpu", None, 60.0)
    try:
        yield graders
    finally:
        graders.close()


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_cluster_gives_the_results_of_one_machine_though_a_worker_dies(cluster: Cluster) -> None:
    for _ in range(2):
        cluster.work()
    handed_in = [a_submission(f"{number:02}.py", RIGHT if number % 3 else WRONG) for number in range(24)]
    found = []

    for result in ClusterGraders(cluster.address, TERMS).results(handed_in):
        found.append(result)
        if sum(one is not None for one in found) == 5:
            cluster.workers[0].send_signal(signal.SIGKILL)

    with here() as graders:
        assert without_seconds(found) == without_seconds(graders.results(handed_in))
    assert sorted(one.name for one in found if one is not None) == [one.name for one in handed_in]


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_a_run_goes_on_where_its_scheduler_died(cluster: Cluster, tmp_path: Path) -> None:
    cluster.work()
    folder = tmp_path / "in"
    folder.mkdir()
    names = [f"{number}/split_heads.py" for number in range(6)]
    for name in names:
        (folder / name).parent.mkdir()
        (folder / name).write_text(RIGHT)
    task = BatchTask(None, 3, "terms")
    graded: list[int] = []

    def look(done: int) -> None:
        if done == 2 and not graded:
            graded.append(done)
            cluster.scheduler.kill()

    with ResultsLog(tmp_path / "r.json") as log:
        batch = open_batch(folder, names, task, log.read())
        with pytest.raises(MissingError, match="has gone; what is graded so far is kept"):
            batch.run(ClusterGraders(cluster.address, TERMS), log, lambda so_far: look(so_far.done))
        again = open_batch(folder, names, task, log.read())

    assert again.known >= 2
    assert len(again.waiting) == 6 - again.known


@pytest.mark.thorough
def test_a_scheduler_without_workers_is_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_graders, "_ALONE_LOOKS", 2)

    with pytest.raises(MissingError, match="has no worker"):
        list(ClusterGraders(cluster.address, TERMS).results([a_submission("ann.py")]))


@pytest.mark.thorough
def test_where_no_scheduler_is_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster_graders, "_CONNECT_S", 1.0)

    with pytest.raises(MissingError, match="there is no scheduler at tcp"):
        list(ClusterGraders("tcp://127.0.0.1:9", TERMS).results([]))
