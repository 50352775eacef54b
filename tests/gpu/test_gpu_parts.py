"""Test a sample of each GPU script on a CPU, so that the scripts keep working without a GPU."""

import json
import os
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from devices import ceilings
from rewrite_trials import one_after_another

from studykit.errors import BadDataError
from studykit.exercise.bet.bounds import Count, Kernel
from studykit.exercise.bet.score import Canary, Measurement
from studykit.exercise.estimate.hardware import device, named_by_driver
from studykit.graders.child import run_bet
from studykit.graders.host.device_worker import DeviceWorker
from studykit.sandbox.gpu import has_cuda
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

from . import __main__ as program
from . import bets, clocks, rewrites, sandbox
from .report import PartRun, Table

CEILINGS = ceilings("plain gpu")


def shared_worker(*, wrapped: bool) -> Worker:
    """Return the warm worker of this run of tests."""
    return open_worker(backend="torch", runtime=runtime_folder(os.environ["XDG_RUNTIME_DIR"]), wrapped=wrapped)


@pytest.fixture
def part(tmp_path: Path) -> PartRun:
    table = Table("a part", "cpu", tmp_path / "part.json", lambda _: None)
    return PartRun("cpu", table, shared_worker, time.monotonic() + 60, quick=True)


def wrong(part: PartRun) -> list[str]:
    """Return the lines that differ from what is expected."""
    return [f"{line.what}: {line.found}" for line in part.table.lines if line.ok is False]


def value_of(part: PartRun, beginning: str) -> str:
    """Return the finding in the only line whose title begins with this text."""
    (line,) = [line for line in part.table.lines if line.what.startswith(beginning)]
    return line.found


@pytest.mark.skipif(has_cuda(), reason="there is one")
def test_part_is_skipped_without_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main([]) == 6
    assert capsys.readouterr().err.startswith("left out: No GPU can be used here")


def test_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        program.main(["rewriting"])

    assert "'rewriting' is not a part; the parts are rewrites, sandbox, bets." in capsys.readouterr().err


def test_limits_of_parts_fit_a_short_run() -> None:
    assert sum(program.PARTS.values()) <= 540
    assert sum(program.QUICK.values()) < 100
    assert program.QUICK.keys() == program.PARTS.keys()


def test_late_part_ends_only_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "all.json"

    code = program.main(["sandbox", "bets", "--device", "cpu", "--limit", "0.1", "--json", str(path)])

    document = json.loads(path.read_text())
    assert code == 1
    assert [(each["part"], each["finished"]) for each in document["parts"]] == [
        ("sandbox", False),
        ("bets", False),
    ]
    assert "sandbox passed its limit of 0 s and was ended" in capfd.readouterr().out


def test_failed_step_is_written_at_once(part: PartRun, tmp_path: Path) -> None:
    with part.table.step("the driver"):
        raise RuntimeError("CUDA error:\n  unknown error")
    part.table.add("the next", "done", ok=True)

    document = json.loads((tmp_path / "part.json").read_text())
    assert wrong(part) == ["the driver: RuntimeError: CUDA error: unknown error"]
    assert [line["what"] for line in document["lines"]] == ["the driver", "the next"]
    assert document["finished"] is False


def test_rewrites_and_cheats_have_their_verdicts(part: PartRun) -> None:
    rewrites.run(part)

    assert wrong(part) == []
    assert value_of(part, "modules: 1 rewrites") == "6 of 6 answers as on the CPU"
    assert value_of(part, "float32 matmuls") == "highest"
    assert value_of(part, "2 cheats") == "2 incorrect"


def test_verdict_that_differs_by_device_is_named(part: PartRun, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def second_is_other(place: object, exercise: object, sources: list[str], trials: list[object]) -> list[object]:
        calls.append(place)
        turned = sources if len(calls) % 2 else sources[::-1]
        return one_after_another(place, exercise, turned, trials)  # type: ignore[arg-type, return-value]

    monkeypatch.setattr(rewrites, "one_after_another", second_is_other)
    monkeypatch.setattr(rewrites, "AT_ONCE", 1)
    with rewrites.places(part) as both:
        rewrites.catalogue(part, both)

    assert any("correct" in line and "on the GPU" in line for line in wrong(part))


@pytest.mark.thorough
def test_the_sandbox_holds_with_a_device_open(part: PartRun) -> None:
    sandbox.run(part)

    assert wrong(part) == []
    assert value_of(part, "2 attacks, without bubblewrap") == "nothing gained, nothing changed"


@pytest.mark.parametrize(
    ("times", "words"),
    [((1e-3, 1.2e-3), "(x1.200 over 2)"), ((1e-3, 1e-3), "(x1.000 over 2)"), ((1e-9, 1e-9), "under its bound")],
)
def test_odd_repeats_are_reported(
    part: PartRun, monkeypatch: pytest.MonkeyPatch, times: tuple[float, ...], words: str
) -> None:
    count = Count((Kernel("add", 1 << 24, 3 << 26, "float32"),), 3 << 26)
    runs = [(count, Measurement(each, each, each, 9, 1, cold=True)) for each in times]
    monkeypatch.setattr(bets, "measurements", lambda *_: iter(runs))
    with shared_worker(wrapped=False) as worker:
        device_worker = DeviceWorker(worker, "cpu", lambda: worker)

    agree, under = bets.repeated(part, device_worker, CEILINGS, "bet.add")

    assert words in value_of(part, "bet.add")
    assert agree == (max(times) == min(times))
    assert under == ("under" in words)


@pytest.mark.parametrize(
    ("driver_name", "name"),
    [
        ("NVIDIA H200", "H200 SXM"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM"),
        ("NVIDIA H100 PCIe", "H100 PCIe"),
        ("NVIDIA A100-SXM4-80GB", "A100 80GB SXM"),
        ("NVIDIA A100-SXM4-40GB", "A100 40GB SXM"),
        ("NVIDIA L40S", "L40S"),
        ("NVIDIA L4", "L4"),
        ("NVIDIA GB200", "GB200"),
        ("NVIDIA B200", "B200 HGX"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("NVIDIA GeForce RTX 3060", None),
        ("AMD EPYC", None),
    ],
)
def test_a_device_is_found_on_the_datasheet(driver_name: str, name: str | None) -> None:
    assert named_by_driver(driver_name) == (device(name) if name else None)


ANSWERS = """#!/bin/sh
case "$1" in
  *event_reasons*) exit 1 ;;
  *throttle_reasons*) echo 0x0000000000000024 ;;
  *) echo "P0, 1980, 1980, 3201, 650.10, 700.00, 61" ;;
esac
"""


def test_clocks_are_told_with_what_slows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nvidia-smi").write_text(ANSWERS)
    (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    sentence = clocks.sentence(clocks.readings())

    assert sentence.startswith("P0, SM 1980 of 1980 MHz, memory 3201 MHz, 650.10 of 700.00 W, 61 degrees")
    assert sentence.endswith("slowed by: power cap, thermal, by the driver")


def test_without_nvidia_smi_the_clocks_are_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert clocks.readings() == {}
    assert clocks.sentence({}) == "nvidia-smi does not answer here"


class DeviceOutOfReach(DeviceWorker):
    """Stand in for a worker in whose sandbox the GPU does not work."""

    def _ask(self, job: dict[str, object]) -> dict[str, object]:
        raise BadDataError(f"{job['work']} failed: it ended itself with exit code 90.")


def test_refused_gpu_leaves_the_other_measurements(part: PartRun, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = {name: value for name, value in asdict(CEILINGS).items() if name != "quiet"}
    canary = asdict(Canary(1e-2, 1.0, 0))
    monkeypatch.setattr(run_bet, "prepare", lambda *_: None)
    monkeypatch.setattr(run_bet, "perform", lambda _: {**reply, "canaries": [canary, canary]})
    with shared_worker(wrapped=False) as worker:
        device_worker, ceilings = bets.measured_ceilings(part, DeviceOutOfReach(worker, "cpu", lambda: worker))

    assert wrong(part) == ["ceilings in the sandbox: ceilings failed: it ended itself with exit code 90."]
    assert isinstance(device_worker, bets.InProcessDevice)
    assert ceilings.flops_per_s == CEILINGS.flops_per_s
