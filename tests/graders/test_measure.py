"""Test measurements of tiny snippets in a real child, on a machine that may be busy."""

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from studykit.cli.app import run
from studykit.cli.context import Context
from studykit.cli.exit import run_program
from studykit.errors import BadDataError, MissingError
from studykit.exercise.bet.bounds import ceilings_key, ceilings_of
from studykit.exercise.bet.snippet import Snippet
from studykit.exercise.verdict import Crashed
from studykit.graders.host import device_worker as module
from studykit.graders.host.device_worker import (
    DeviceWorker,
    device_worker,
    read_count,
    read_measurement,
    refuse_nonsense,
)
from studykit.sandbox.channel import Child, pack
from studykit.sandbox.lockdown import MIB
from studykit.sandbox.worker import Worker, open_worker

SETUP = "def setup(n=8):\n    return torch.ones(n, n)\n"


def snippet(run_: str, **sizes: int) -> Snippet:
    return Snippet(f"{SETUP}def run(x):\n    {run_}\n", "mine.py", sizes)


def test_short_snippet_is_timed_in_batches(cpu_worker: DeviceWorker) -> None:
    count, measured = cpu_worker.time(snippet("return x + x"))

    assert (count.flops, count.bytes_moved) == (64, 512)
    assert 0 < measured.p20 <= measured.median <= measured.p80
    assert measured.samples >= 9
    assert [each.threads > 0 < min(each.seconds, each.stream_s, each.tiny_s) for each in measured.canaries] == [
        True,
        True,
    ]


@pytest.mark.thorough
def test_a_longer_snippet_is_timed_with_cold_caches(cpu_worker: DeviceWorker) -> None:
    count, measured = cpu_worker.time(snippet("return x @ x", n=512))

    assert count.flops == 2 * 512**3
    assert (measured.calls, measured.cold) == (1, True)


def test_sizes_reach_the_snippet(cpu_worker: DeviceWorker) -> None:
    assert cpu_worker.count(snippet("return x.sum()", n=32)).inputs == ("float32 (32, 32)",)


def test_snippet_error_has_its_line(cpu_worker: DeviceWorker) -> None:
    with pytest.raises(BadDataError, match=r"mine\.py:4: .*"):
        cpu_worker.time(snippet("return x @ torch.ones(3)"))


def test_a_snippet_that_never_ends_is_ended(cpu_worker: DeviceWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", replace(module.LIMITS, wall_s=2))

    with pytest.raises(BadDataError, match="still running after 2 s"):
        cpu_worker.count(snippet("while True: pass"))


def test_snippet_over_its_memory_is_refused(cpu_worker: DeviceWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIMITS", replace(module.LIMITS, memory_bytes=300 * MIB))

    with pytest.raises(BadDataError, match="memory"):
        cpu_worker.time(snippet("return x + 1", n=16384))


def test_idle_worker_that_left_is_replaced(torch_worker: Worker) -> None:
    ended = open_worker(backend="numpy", shared=False)
    ended.close()

    result = DeviceWorker(ended, "cpu", lambda: torch_worker)

    assert result.identity()["kind"] == "cpu"
    assert result.worker is torch_worker


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child outlives its worker")
def test_worker_killed_while_measuring_is_replaced(torch_worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_worker(backend="numpy", shared=False, wrapped=False) as mortal:
        process, ask = mortal.process, Child.ask
        assert process is not None

        def asked(child: Child, header: dict[str, object]) -> object:
            process.kill()
            process.wait()
            return ask(child, header)

        monkeypatch.setattr(Child, "ask", asked)

        result = DeviceWorker(mortal, "cpu", lambda: torch_worker)

        assert result.count(snippet("return x + x")).flops == 64
        assert result.worker is torch_worker


@pytest.mark.parametrize(
    ("ended", "begun", "said"),
    [
        (
            Crashed("it ended itself with exit code 90"),
            False,
            "The measurement did not begin: it ended itself with",
        ),
        (Crashed("it ended by signal 15", killed=True), True, "The snippet did not finish: it ended by signal 15"),
    ],
)
def test_ended_measurement_is_repeated(torch_worker: Worker, ended: Crashed, said: str, *, begun: bool) -> None:
    class Ended:
        """Act as a worker whose children end."""

        def start(self, *_: object, **__: object) -> AbstractContextManager[object]:
            return nullcontext(SimpleNamespace(ask=lambda _: ended, begun=begun, shown=str))

        def close(self) -> None:
            """Do nothing."""

    ending = cast("Worker", Ended())

    assert DeviceWorker(ending, "cpu", lambda: torch_worker).count(snippet("return x + x")).flops == 64
    with pytest.raises(BadDataError, match=said):
        DeviceWorker(ending, "cpu", lambda: ending).count(snippet("return x + x"))


def test_a_gpu_that_is_not_there_is_missing(cpu_worker: DeviceWorker) -> None:
    if cpu_worker.identity()["cuda"]:
        assert cpu_worker.device == "cpu"
        return

    with (
        pytest.raises(MissingError, match="No GPU can be used here"),
        device_worker(Context.from_environment().open_worker, "cuda"),
    ):
        pass


@pytest.mark.thorough
def test_whole_bet_runs_on_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STUDYKIT_DB", str(tmp_path / "study.db"))

    words = ["time", "bet.add_tiny", "--bet", "1us", "--binds", "overhead", "--device", "cpu", "--json"]
    code = run_program(run, words)

    result = json.loads(capsys.readouterr().out)
    assert code in {0, 1}
    assert result["verdict"] in {"correct", "close", "incorrect", "not_scored", "refused"}
    assert result["measured"]["median"] > 0
    assert all(result["ceilings"][name] > 0 for name in ("flops_per_s.float32", "copy_bytes_per_s", "overhead_s"))


@pytest.mark.parametrize(
    "header", [{"count": 7}, {}, {"count": {"kernels": [{"op": 1}]}}], ids=["number", "nothing", "kernel"]
)
def test_a_snippet_that_forges_its_reply_is_refused(cpu_worker: DeviceWorker, header: dict[str, object]) -> None:
    source = f"import os\ndef setup():\n    os.write(3, {pack(header)!r})\n    os._exit(0)\ndef run(): pass\n"

    with pytest.raises(BadDataError):
        cpu_worker.count(Snippet(source, "mine.py", {}))


NOTHING: dict[str, object] = {
    "kernels": [],
    "fused_bytes": 1,
    "fused_pattern": "copy",
    "inputs": [],
    "problems": [],
}
OP: dict[str, object] = {"op": "mm", "flops": 1, "bytes_moved": 1, "dtype": "float32", "pattern": "triad"}
CANARY: dict[str, object] = {"seconds": 0.01, "cpu_per_wall": 2.0, "threads": 2, "stream_s": 0.0, "tiny_s": 0.0}
TIMES: dict[str, object] = {"median": 1.0, "p20": 1.0, "p80": 1.0, "samples": 9, "calls": 1, "cold": True}


NAN = float("nan")


@pytest.mark.parametrize(
    "forged",
    [
        *({"flops": flops} for flops in (10**400, -1, "x")),
        *({"bytes_moved": moved} for moved in (1.5, float("inf"))),
        {"pattern": "fastest"},
        {"more": 1},
    ],
    ids=str,
)
def test_impossible_operation_is_refused(forged: dict[str, object]) -> None:
    with pytest.raises(BadDataError, match="measurement returned invalid values"), refuse_nonsense():
        read_count(NOTHING | {"kernels": [OP | forged]})


@pytest.mark.parametrize(
    ("times", "canaries"),
    [
        *((TIMES | {"median": median}, [CANARY]) for median in (0.0, -1.0, NAN, float("inf"), "x")),
        (TIMES | {"median": 5e-324, "p20": 5e-324}, [CANARY]),
        (TIMES | {"p80": 1e308}, [CANARY]),
        (TIMES | {"p20": 2.0}, [CANARY]),
        (TIMES | {"samples": "\x1b[2J"}, [CANARY]),
        (TIMES | {"calls": [1]}, [CANARY]),
        (TIMES, [CANARY | {"threads": "x"}]),
        (TIMES, [CANARY | {"cpu_per_wall": NAN}]),
        (TIMES, [CANARY | {"stream_s": -1.0}]),
        (TIMES, []),
    ],
)
def test_impossible_measurement_is_refused(times: dict[str, object], canaries: list[dict[str, object]]) -> None:
    with pytest.raises(BadDataError, match="measurement returned invalid values"), refuse_nonsense():
        read_measurement(times, canaries)


def test_described_inputs_are_safe_lines() -> None:
    inputs = ["\x1b]0;title\x07\ud800 (4)", "x\nmeasured  1 ns"]

    count = read_count(NOTHING | {"inputs": inputs, "problems": ["\x1b[2J", "\n\u2028" * 99]})

    assert (count.inputs, count.problems) == (("]0;title (4)", "x measured 1 ns"), ("[2J", ""))


def test_snippet_error_has_no_control_characters(cpu_worker: DeviceWorker) -> None:
    with pytest.raises(BadDataError) as told:
        cpu_worker.count(snippet("raise type('\x1b[31mE', (Exception,), {})('\x1b]0;title\x07')"))

    assert "[31mE: ]0;title." in str(told.value)
    assert "\x1b" not in str(told.value)


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("KeyboardInterrupt", "KeyboardInterrupt: no message"),
        ("SystemExit(3)", "SystemExit: 3"),
        ("type('E', (Exception,), {'__str__': lambda _: 5})()", "E: no message"),
    ],
)
def test_exception_of_a_snippet_is_shown(cpu_worker: DeviceWorker, raised: str, said: str) -> None:
    with pytest.raises(BadDataError, match=said):
        cpu_worker.time(snippet(f"raise {raised}"))


def test_ceilings_survive_the_store() -> None:
    identity = {"device": "a CPU", "kind": "cpu", "driver": "Linux", "torch": "2", "threads": 2}

    assert ceilings_of(identity, {"copy_bytes_per_s": 1.0}) is None
    assert ceilings_key(identity) == "cpu a CPU; Linux; torch 2; 2 threads"
