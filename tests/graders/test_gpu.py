"""A GPU that is there but does not work in the closed sandbox: it is said, and the CPU does the work."""

import random

import pytest
from rewrites import task

from studykit.errors import MissingError
from studykit.graders.host import device_worker as bets
from studykit.graders.host import place as rewrites
from studykit.graders.host.grade import ending, grade
from studykit.graders.host.place import NO_GPU
from studykit.sandbox.worker import Worker, has_cuda

pytestmark = pytest.mark.skipif(has_cuda(), reason="the GPU of this machine may well work")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU, as far as files tell."""
    for module in (rewrites, bets):
        monkeypatch.setattr(module, "has_cuda", lambda: True)


@pytest.mark.usefixtures("seen")
def test_a_grade_runs_on_the_cpu_and_says_why(torch_worker: Worker) -> None:
    with rewrites.place_for(lambda _: torch_worker) as place:
        graded = grade(place, task("split_heads"), task("split_heads").solution, random.Random(1))

    assert (place.device, graded.device, graded.judgment.verdict.name) == ("cpu", "cpu", "correct")
    assert f"by torch on cpu, because {NO_GPU}; the sandbox limits" in ending(graded)


@pytest.mark.usefixtures("seen")
def test_a_gpu_that_was_asked_for_is_not_replaced(torch_worker: Worker) -> None:
    with (
        pytest.raises(MissingError, match=rf"^{NO_GPU}; use --device cpu\.$"),
        rewrites.place_for(lambda _: torch_worker, "cuda"),
    ):
        pass


@pytest.mark.usefixtures("seen")
def test_a_bet_measures_the_cpu_and_says_why(torch_worker: Worker) -> None:
    told: list[str] = []

    with bets.device_worker(lambda _: torch_worker, tell=told.append) as worker:
        assert worker.device == "cpu"
        assert worker.identity()["kind"] == "cpu"

    assert len(told) == 1
    assert told[0].startswith(f"Note: {NO_GPU} (")
    assert told[0].endswith("), so the CPU is measured.")


@pytest.mark.usefixtures("seen")
def test_a_bet_on_the_gpu_alone_is_refused(torch_worker: Worker) -> None:
    with (
        pytest.raises(MissingError, match=NO_GPU),
        bets.device_worker(lambda _: torch_worker, "cuda"),
    ):
        pass
