"""Test where code runs if the GPU does not start in the sandbox, or the sandbox cannot be enforced."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_ui import ScriptedUi

from studykit.errors import MissingError
from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite.trial import draw
from studykit.exercise.verdict import TimedOut
from studykit.graders.host import device_worker as bets
from studykit.graders.host import place as rewrites
from studykit.graders.host.grade import ending, grade
from studykit.graders.rewrite.judge import Outcome, Returned
from studykit.sandbox import gpu
from studykit.sandbox.confinement import Permission, require_enforcement
from studykit.sandbox.gpu import NO_GPU, has_cuda
from studykit.sandbox.lockdown import Containment
from studykit.sandbox.worker import Worker

MAC = Containment(files=False, network=False, processes=False, memory=True)
REFUSED = f"{NO_GPU} \\(.+\\)"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the files of a GPU's driver exist."""
    if has_cuda():
        pytest.skip("the GPU of this machine may well work")
    for module in (rewrites, bets):
        monkeypatch.setattr(module, "has_cuda", lambda: True)


@pytest.fixture
def works_outside(monkeypatch: pytest.MonkeyPatch, seen: None) -> None:
    """Pretend that the GPU starts only outside the sandbox."""
    for module in (rewrites, bets):
        monkeypatch.setattr(module, "gpu_trouble", lambda place: "OS call failed" if place.confined else "")


def of_file(worker: Worker, *, flag: bool = False) -> Permission:
    return Permission.of_file(lambda _: worker, flag=flag)


def of_typed(worker: Worker, setting: str = "ask") -> Permission:
    return Permission.of_typed(lambda _: worker, setting)


@pytest.mark.usefixtures("seen")
def test_grade_falls_back_to_the_cpu(torch_worker: Worker) -> None:
    with rewrites.place_for(lambda _: torch_worker, None, of_file(torch_worker)) as place:
        notice = place.notice
        graded = grade(place, task("split_heads"), task("split_heads").solution, random.Random(1))

    assert notice.startswith(f"Note: {NO_GPU} (")
    assert re.search("Torch not compiled with CUDA|no NVIDIA driver", notice)  # by the build of torch
    assert notice.endswith("so the CPU is used; add --unconfined to run your own file outside it.")
    assert (place.device, graded.device, graded.judgment.verdict.name) == ("cpu", "cpu", "correct")
    assert f"by torch on cpu, because {NO_GPU} (" in ending(graded)
    assert "; the sandbox limits" in ending(graded)


@pytest.mark.usefixtures("seen")
def test_grade_on_cuda_is_refused(torch_worker: Worker) -> None:
    with (
        pytest.raises(MissingError, match=rf"(?i)^{REFUSED}\. Use --device cpu, or add --unconfined .+\.$"),
        rewrites.place_for(lambda _: torch_worker, "cuda", of_file(torch_worker)),
    ):
        pass


@pytest.mark.usefixtures("seen")
def test_bet_falls_back_to_the_cpu(torch_worker: Worker) -> None:
    with bets.device_worker(lambda _: torch_worker) as worker:
        assert worker.device == "cpu"
        assert worker.identity()["kind"] == "cpu"

    assert worker.notice.startswith(f"Note: {NO_GPU} (")
    assert worker.notice.endswith("), so the CPU is used.")


@pytest.mark.usefixtures("seen")
def test_bet_on_cuda_is_refused(torch_worker: Worker) -> None:
    with pytest.raises(MissingError, match=f"(?i){NO_GPU}"), bets.device_worker(lambda _: torch_worker, "cuda"):
        pass


@pytest.mark.usefixtures("works_outside")
def test_file_runs_outside_by_the_flag_only(torch_worker: Worker) -> None:
    ui = ScriptedUi("y")
    for flag in (True, False):
        permission = of_file(torch_worker, flag=flag)
        with rewrites.place_for(lambda _: torch_worker, None, permission, ui) as place:
            assert (place.device, place.confined) == (("cuda", False) if flag else ("cpu", True))
        with bets.device_worker(lambda _: torch_worker, "auto", permission, ui) as worker:
            assert (worker.device, worker.confined) == (("cuda", False) if flag else ("cpu", True))

    assert ui.script == ["y"]  # no question was asked


@pytest.mark.usefixtures("works_outside")
@pytest.mark.parametrize(
    ("setting", "keys", "outside"),
    [
        ("ask", ["y"], True),
        ("ask", ["n"], False),
        ("ask", [None], False),
        ("always", [], True),
        ("never", [], False),
    ],
)
def test_typed_answer_runs_outside_after_one_question(
    torch_worker: Worker, setting: str, keys: list[str | None], *, outside: bool
) -> None:
    ui, permission = ScriptedUi(*keys), of_typed(torch_worker, setting)

    for _ in range(2):
        with rewrites.place_for(lambda _: torch_worker, None, permission, ui) as place:
            assert (place.device, place.confined) == (("cuda", False) if outside else ("cpu", True))

    assert ui.text.count("OS call failed") == len(keys)


@pytest.mark.usefixtures("works_outside")
def test_nothing_else_runs_outside(torch_worker: Worker) -> None:
    with rewrites.place_for(lambda _: torch_worker) as place:
        assert (place.device, place.confined) == ("cpu", True)


def test_machine_without_a_sandbox_runs_what_is_permitted(torch_worker: Worker) -> None:
    require_enforcement(MAC, of_file(torch_worker, flag=True))
    require_enforcement(MAC, of_typed(torch_worker), ScriptedUi("y"))

    for permission, words in (
        (of_file(torch_worker), "Add --unconfined"),
        (of_typed(torch_worker, "never"), "outside it:\n  study config set sandbox.unconfined always$"),
        (None, "Only your own file"),
    ):
        with pytest.raises(MissingError, match=f"(?s)cannot limit files, network, processes .*{words}"):
            require_enforcement(MAC, permission, ScriptedUi("y"))


def test_unenforced_machine_refuses_a_batch(torch_worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrites, "containment", lambda **_: MAC)

    with pytest.raises(MissingError, match="nothing was run"), rewrites.place_for(lambda _: torch_worker):
        pass


def test_child_outside_the_sandbox_has_limits_on_time(torch_worker: Worker, tmp_path: Path) -> None:
    place = rewrites.Place(torch_worker, confined=False, limits=replace(rewrites.LIMITS, cpu_s=1))
    file = tmp_path / "made"
    file.touch(mode=0o600)
    writes = f"def f(*_):\n    open({str(file)!r}, 'w').close()\n    return 1\n"
    loops = "def f(*_):\n    while True: pass\n"

    def outcomes(source: str) -> list[Outcome]:
        trial = draw(task("split_heads"), random.Random(1), 1)
        with place.child() as child:
            return rewrites.run(child, place, task("split_heads"), source, trial)

    result = [outcomes(source) for source in (writes, loops)]
    graded = grade(place, task("split_heads"), task("split_heads").solution, random.Random(1))

    assert isinstance(result[0][0], Returned) is not torch_worker.wrapped  # which has no such folder
    assert result[1] == [TimedOut(1.0)]
    assert ending(graded).endswith("by torch on cpu; it ran outside the sandbox, which limited its time only.")


@pytest.mark.parametrize(
    ("build", "node", "sees"),
    [
        ("cuda", "nvidiactl", True),
        ("cuda", "dxg", True),
        ("hip", "kfd", True),
        ("hip", "nvidiactl", False),
        ("cuda", "kfd", False),
        ("", "kfd", False),
    ],
)
def test_gpu_needs_a_node_and_cuda_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build: str, node: str, *, sees: bool
) -> None:
    drivers = [replace(one, nodes=(str(tmp_path / Path(one.nodes[0]).name),)) for one in gpu.DRIVERS]
    monkeypatch.setattr(gpu, "DRIVERS", drivers)
    monkeypatch.setattr(gpu, "_builds", lambda: {build})
    (tmp_path / node).touch()

    assert gpu.has_cuda() is sees
    assert (gpu.unused() == "") is sees
    assert sees or "torch is not built for it" in gpu.unused()
