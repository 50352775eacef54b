"""Test grading on a cluster: the same results as on one machine, whatever dies, and only on safe schedulers."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from submissions_of_a_class import RIGHT, WRONG, a_submission

from studykit import __version__
from studykit.errors import MissingError, UsageError
from studykit.exercise.catalog import rewrite_named as task
from studykit.graders.host.place import Place
from studykit.sandbox.worker import Worker, has_torch
from studykit.submissions import cluster_graders
from studykit.submissions.batch import open_batch
from studykit.submissions.cluster_graders import (
    ClusterGraders,
    GradingTerms,
    _received,
    checked_address,
    grade_on_worker,
)
from studykit.submissions.grader import Result, _graded
from studykit.submissions.grader_processes import GraderProcesses
from studykit.submissions.results_log import ResultsLog
from studykit.submissions.submission import BatchTask, Submission

TERMS = GradingTerms(__version__, "torch" if has_torch() else "numpy", "cpu", 60.0)


@pytest.mark.parametrize(
    "address", ["tls://grader.example:8786", "tcp://127.0.0.1:8786", "tcp://localhost:1", "tcp://[::1]:8786"]
)
def test_scheduler_needs_tls_or_this_machine(address: str) -> None:
    assert checked_address(address) == address


@pytest.mark.parametrize(
    "address",
    ["tcp://grader.example:8786", "tcp://10.0.0.7:8786", "tcp://127.0.0.1.example:8786", "tcp://0.0.0.0:1"],
)
def test_plain_tcp_to_another_machine_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="without TLS runs code from anybody"):
        checked_address(address)


@pytest.mark.parametrize(
    "address",
    [
        *("grader", "http://x:80", "tls://", "tls://x", "tls://x:port", "inproc://a:1", "", "tls://x:0"),
        *("tls://x:65536", "tls://[::1", "tls://x:1\n", "tls://a b:1", "tls://\udcff:1", "tcp://127.0.0.1:1/x"),
        *("tcp://evil.example:1@127.0.0.1:1", "tcp://127.0.0.1@evil.example:1", "tcp://127.0.0.1:1?#@x"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="such as tls://"):
        checked_address(address)


def test_a_worker_of_another_version_or_library_is_refused() -> None:
    for terms, why in (
        (replace(TERMS, version="0.0"), "but this machine has 0"),
        (replace(TERMS, backend="abacus"), "Install torch on both"),
    ):
        with pytest.raises(MissingError, match=why):
            grade_on_worker(asdict(a_submission()), asdict(terms))


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingError, match=r"pip install 'studykit-srs\[cluster\]'"):
        list(ClusterGraders("tcp://127.0.0.1:1", TERMS).results([]))


class FinishedFuture:
    """Act as the future of a finished task, with its worker's result."""

    status = "finished"

    def __init__(self, value: object) -> None:
        self.value = value

    def result(self) -> object:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {"name": "bob.py"},
        {"signature": None},
        {"fingerprint": "of something else"},
        {"told": {"verdict": "correct", "seconds": float("nan")}},
        {"told": {"verdict": "correct", "odd": {1, 2}}},
        {"more": 1},
        TypeError("Could not serialize object of type dict"),
    ],
)
def test_foreign_result_costs_one_file(reply: object) -> None:
    submission = a_submission()
    right = Result("ann.py", {"verdict": "correct"}, "f(x, h)", submission.fingerprint)
    whole = {**asdict(right), **reply} if isinstance(reply, dict) else reply

    result = _received(FinishedFuture(whole), submission)

    assert _received(FinishedFuture(asdict(right)), submission) == right
    assert (result.name, result.fingerprint, result.passed) == ("ann.py", "", False)
    assert "its worker sent no grade" in str(result.told["problem"])


def test_broken_result_is_fetched_again() -> None:
    with pytest.raises(CancelledError):
        _received(FinishedFuture(OSError("in the middle")), a_submission())


class LostFuture:
    """Act as a future. The first two made are cancelled, as if their scheduler had ended."""

    made: ClassVar[list["LostFuture"]] = []

    def __init__(self, submission: dict[str, str]) -> None:
        self.submission = submission
        self.made.append(self)
        self.status = "cancelled" if len(self.made) <= 2 else "finished"

    def result(self) -> dict[str, object]:
        return asdict(Result(self.submission["name"], {"verdict": "correct"}, "", self.submission["fingerprint"]))


class RestartedClient:
    """Act as a client of a scheduler that was started again."""

    status = "running"

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, _: object, submission: dict[str, str], *__: object, **___: object) -> LostFuture:
        return LostFuture(submission)


def test_restarted_scheduler_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")

    def wait(futures: list[LostFuture], **_: object) -> object:
        if any(one.status == "cancelled" for one in futures):
            raise CancelledError
        return SimpleNamespace(done=set(futures))

    monkeypatch.setattr(distributed, "wait", wait)
    monkeypatch.setattr(LostFuture, "made", [])
    handed_in = [a_submission(name=f"{number}.py") for number in range(4)]

    result = ClusterGraders("tcp://127.0.0.1:1", TERMS)._results(RestartedClient(), iter(handed_in))

    assert sorted(one.name for one in result if one is not None) == [one.name for one in handed_in]


@pytest.mark.thorough
def test_a_kept_grader_grades_one_after_another() -> None:
    graders = GraderProcesses("cpu", None, 60.0, most=1)
    try:
        first = graders.grade(a_submission())
        (kept,) = graders._graders
        second = graders.grade(a_submission(WRONG, "ben.py"))

        assert (first.verdict, second.verdict) == ("correct", "incorrect")
        assert graders._graders == [kept]
    finally:
        graders.close()


class Cluster:
    """Run a scheduler and workers on this machine, each a process that can be killed."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", certificates: Sequence[str] = ()) -> None:
        self._folder = folder
        self._certificates = certificates
        self.workers: list[subprocess.Popen[bytes]] = []
        file = ("--scheduler-file", str(folder / "scheduler.json"))
        self.scheduler = self._started("scheduler", "--host", host, "--port", "0", "--no-show", *file)
        self.address = self._address()

    def work(self) -> None:
        """Start one more worker, without a nanny that would restart it."""
        words = ("worker", self.address, "--no-nanny", "--nthreads", "1")
        self.workers.append(self._started(*words, "--local-directory", str(self._folder)))

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _started(self, *words: str) -> "subprocess.Popen[bytes]":
        environ = {**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"}
        quiet = subprocess.DEVNULL
        program = [sys.executable, "-P", "-m", "distributed.cli.dask_" + words[0]]
        command = [*program, *words[1:], "--no-dashboard", *self._certificates]
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
    calls = Cluster(tmp_path)
    try:
        yield calls
    finally:
        calls.close()


def without_seconds(results: Iterable[Result | None]) -> dict[str, object]:
    """Return the results without their times."""
    return {
        one.name: {key: value for key, value in one.told.items() if key != "seconds"}
        for one in results
        if one is not None
    }


@pytest.mark.thorough
@pytest.mark.timeout(300)
def test_cluster_survives_a_dead_worker(cluster: Cluster) -> None:
    for _ in range(2):
        cluster.work()
    handed_in = [a_submission(RIGHT if number % 3 else WRONG, f"{number:02}.py") for number in range(24)]
    results = []

    for result in ClusterGraders(cluster.address, TERMS).results(handed_in):
        results.append(result)
        if sum(one is not None for one in results) == 5:
            cluster.workers[0].send_signal(signal.SIGKILL)

    with closing(GraderProcesses("cpu", None, 60.0)) as graders:
        assert without_seconds(results) == without_seconds(graders.results(handed_in))
    assert sorted(one.name for one in results if one is not None) == [one.name for one in handed_in]


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
        with pytest.raises(MissingError, match=r"is gone\. Results so far are saved"):
            batch.run(
                ClusterGraders(cluster.address, TERMS).results, log, lambda so_far: look(len(so_far.results))
            )
        again = open_batch(folder, names, task, log.read())

    assert again.known >= 2
    assert len(again.waiting) == 6 - again.known


def authority(folder: Path) -> tuple[Path, Path, Path]:
    """Return files with a new authority's certificate, a certificate that it signed, and its key."""
    folder.mkdir()
    calls = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
    new = "openssl req -newkey rsa:2048 -nodes -subj"
    for command in (
        f"{new} /CN=class -x509 -days 2 -keyout ca.key -out ca.pem",
        f"{new} /CN=grader -keyout key.pem -out cert.csr",
        "openssl x509 -req -in cert.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out cert.pem",
    ):
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    return calls


@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_only_own_certificates_reach_the_scheduler(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    own, foreign = authority(tmp_path / "known"), authority(tmp_path / "foreign")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.py").write_text(RIGHT)
    flags = ("--tls-ca-file", "--tls-cert", "--tls-key")
    words = [str(word) for pair in zip(flags, own, strict=True) for word in pair]
    cluster = Cluster(tmp_path, "tls://127.0.0.1", words)

    def grade(*certificates: Path) -> "subprocess.CompletedProcess[str]":
        names = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
        tls = {
            f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(file)
            for name, file in zip(names, certificates, strict=False)
        }
        words = ["grade", "split_heads", "--batch", "in", "--results", "r.json", "--on", cluster.address]
        command = [sys.executable, "-P", "-m", "studykit", *words]
        return subprocess.run(
            command, cwd=tmp_path, env={**os.environ, **tls}, capture_output=True, text=True, check=False
        )

    try:
        cluster.work()
        without, abroad, right = grade(), grade(*foreign), grade(*own)
    finally:
        cluster.close()

    assert cluster.address.startswith("tls://")
    assert without.returncode == 6
    assert "needs certificates. Set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ..." in without.stderr
    assert abroad.returncode == 6
    assert "does not let you in" in abroad.stderr
    assert "check the files of DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in abroad.stderr
    assert right.stdout.startswith("1 of 1 passed"), right.stderr


def test_batch_diagnosis_ignores_the_load(torch_worker: Worker) -> None:
    mistaken = task("attention").solution.replace("softmax", "2 + softmax")
    submission = Submission("ann.py", "rewrite.attention", mistaken, 3, "mark")

    diagnoses = [
        _graded(Place(torch_worker, search_s=limit), submission)[1].told["diagnosis"] for limit in (0.0, 60.0)
    ]

    assert diagnoses[0] == diagnoses[1]
    assert "all else is right" in str(diagnoses[0])


@pytest.mark.thorough
def test_a_scheduler_without_workers_is_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_graders, "_MAX_POLLS_ALONE", 2)

    with pytest.raises(MissingError, match="has no worker"):
        list(ClusterGraders(cluster.address, TERMS).results([a_submission()]))


@pytest.mark.thorough
def test_where_no_scheduler_is_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster_graders, "_CONNECT_S", 1.0)

    with pytest.raises(MissingError, match="No scheduler answers at tcp"):
        list(ClusterGraders("tcp://127.0.0.1:9", TERMS).results([]))
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.CRITICAL)  # or it prints tracebacks
