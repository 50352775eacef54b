"""Test clocks, caches, canaries and ceilings with a fake clock.

These import torch into the test process, so they run only in the long run.
"""

import gc
import importlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from studykit.exercise.bet.score import Canary

pytestmark = pytest.mark.thorough


def bet(name: str) -> Any:  # noqa: ANN401 - a module
    """Return a module of the measuring child, to replace its names."""
    return importlib.import_module(f"studykit.graders.bet.{name}")


class Notes(list[Any]):
    """Record what was done, in order."""

    def note(self, each: object, result: object = None) -> Any:  # noqa: ANN401
        self.append(each)
        return result


class Clock:
    """Act as a clock that moves only when work is done, with the CPU busy half of the time."""

    def __init__(self) -> None:
        self.wall = 64.0
        self.done: list[str] = []

    def perf_counter(self) -> float:
        return self.wall

    def process_time(self) -> float:
        return 8 + self.wall / 2

    def work(self, name: str, *seconds: float) -> Callable[..., None]:
        """Return work that takes each of the times once, and then always the last."""

        def call(*_: object) -> None:
            self.wall += seconds[min(self.done.count(name), len(seconds) - 1)]
            self.done.append(name)

        return call

    def timer(self, seconds: Callable[[int], float]) -> Any:  # noqa: ANN401 - a Timer
        """Return a timer of calls whose duration depends on the number of the batch."""

        def timed(calls: int) -> float:
            spent = calls * seconds(len(self.done))
            self.wall += spent
            self.done.append(str(calls))
            return spent

        return SimpleNamespace(now=self.perf_counter, timed=timed)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def canary(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module
    canary = bet("canary")

    monkeypatch.setattr(canary, "time", clock)
    monkeypatch.setattr(canary, "_matmul", lambda device: clock.work(f"mm {device}", 1.0, 1.0, 0.0625))
    monkeypatch.setattr(canary, "_stream", lambda device: clock.work(f"copy {device}", 1.0, 1.0, 0.03125))
    monkeypatch.setattr(canary, "_tiny", clock.work("tiny", 0.5, 0.5, 0.25))
    return canary


def test_canary_is_the_median_after_two_calls(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    import torch

    assert canary.measure("cpu") == Canary(0.0625, 0.5, torch.get_num_threads(), 0.03125, 0.25 / 500)
    assert [clock.done.count(name) for name in ("mm cpu", "copy cpu", "tiny")] == [7, 7, 7]
    assert canary.measure("cuda") == Canary(0.0625, 0.5, 0, 0.03125, 0.0)


def test_canary_runs_until_its_time_is_up(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    assert canary._median(clock.work("short", 0.03125), 0.5) == 0.03125
    assert clock.done.count("short") == 16


def test_median_leaves_out_two_calls(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    assert canary._median(clock.work("uneven", 8.0, 8.0, 0.5, 0.5, 0.5, 0.25, 0.25), 0.0) == 0.5


def test_every_fourth_flush_measures_canaries(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    flush = canary.FlushWithCanary(clock.work("plain", 1.0), "cpu")
    like = Canary(1.0, 2.0, 3, 4.0, 5.0)

    assert flush.canaries(like) == []
    for _ in range(12):
        flush.flush()

    one = ["plain"] * 4 + ["copy cpu", "tiny", "plain"]
    assert clock.done == one * 3
    assert flush.canaries(like) == [Canary(1.0, 2.0, 3, 1.0, 0.5 / 500)]


def test_gpu_flush_measures_only_memory(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    flush = canary.FlushWithCanary(clock.work("plain", 1.0), "cuda")
    for _ in range(4):
        flush.flush()

    assert flush.canaries(Canary(1.0, 2.0, 3, 4.0, 5.0)) == [Canary(1.0, 2.0, 3, 1.0, 0.0)]


def test_canary_is_copy_matmul_and_small_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    canary = bet("canary")

    monkeypatch.setattr(canary, "STREAM_BYTES", {"cpu": 256})
    monkeypatch.setattr(canary, "SIDE", {"cpu": 8})
    canary._array.cache_clear()
    array = canary._array("cpu", 1)
    assert array is canary._array("cpu", 1)
    assert array.tolist() == [1.0] * 64
    canary._stream("cpu")()
    assert array.tolist() == [0.0] * 64
    canary._array.cache_clear()
    notes = Notes()
    monkeypatch.setattr(torch, "mm", lambda *given, out: notes.append((*given, out)))
    canary._matmul("cpu")()
    assert [each.shape for each in notes[0]] == [(8, 8)] * 3
    assert notes[0][2] is not notes[0][0] is not notes[0][1]
    assert canary._tiny() is None


@pytest.fixture
def ceilings(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module
    ceilings = bet("ceilings")

    monkeypatch.setattr(ceilings, "time", clock)
    return ceilings


def test_quickest_call_is_sought_for_its_time(ceilings: Any, clock: Clock) -> None:  # noqa: ANN401
    assert ceilings._best(clock.timer(lambda batch: [4.0, 2.0, 1.0, 2.0][batch]), 4.0) == 1.0
    assert clock.done == ["1"] * 4
    assert ceilings._best(clock.timer(lambda batch: [0.5, 8.0][batch - 4]), 4.0) == 0.5


def test_short_calls_are_timed_two_hundred_at_once(ceilings: Any, clock: Clock) -> None:  # noqa: ANN401
    slow, quick = 2.0**-13, 2.0**-14

    result = ceilings._batched(clock.timer(lambda batch: quick if batch == 1 else slow))

    assert result == quick
    assert clock.done == ["200"] * 6


def test_a_device_is_identified(ceilings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    import torch

    monkeypatch.setattr(ceilings, "device_name", lambda device: f"a {device}")
    monkeypatch.setattr(ceilings, "driver", lambda device: f"driver of {device}")
    identity = {"device": "a cpu", "kind": "cpu", "driver": "driver of cpu", "torch": str(torch.__version__)}

    assert ceilings.identity("cpu") == identity | {"threads": torch.get_num_threads()}
    assert ceilings.identity("cuda")["threads"] == 0


def test_ceilings_are_put_together(ceilings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    notes = Notes()

    def told(result: object, *words: object) -> Any:  # noqa: ANN401
        return notes.note(" ".join(map(str, words)), result)

    ready = [Canary(1.0, 2.0, 3, 6.0, 8.0), Canary(2.0, 1.0, 3, 5.0, 7.0)] * 2
    monkeypatch.setattr(ceilings, "fix_allocator", lambda: told(None, "fix"))
    monkeypatch.setattr(ceilings.canary, "measure", lambda device: told(ready.pop(), "canary", device))
    monkeypatch.setattr(ceilings, "_matmul", lambda dtype, device: told(9.0, dtype, device))
    monkeypatch.setattr(ceilings, "_streams", lambda device, cache: told({"s": 1.0}, "streams", device, cache))
    monkeypatch.setattr(ceilings, "_small", lambda device: told({"o": 2.0}, "small", device))
    monkeypatch.setattr(ceilings, "_link", lambda: 3.0)

    measured = ceilings.measured("cpu", 77)

    canaries = [
        {"seconds": 2.0, "cpu_per_wall": 1.0, "threads": 3, "stream_s": 5.0, "tiny_s": 7.0},
        {"seconds": 1.0, "cpu_per_wall": 2.0, "threads": 3, "stream_s": 6.0, "tiny_s": 8.0},
    ]
    assert measured == {
        "flops_per_s": {"float32": 9.0, "bfloat16": 9.0},
        "s": 1.0,
        "o": 2.0,
        "canary_s": 1.0,
        "stream_s": 5.0,
        "tiny_s": 7.0,
        "cache_bytes": 77,
        "link_bytes_per_s": 0.0,
        "canaries": canaries,
    }
    work = ["float32 cpu", "bfloat16 cpu", "streams cpu 77", "small cpu"]
    assert notes == ["fix", "canary cpu", *work, "canary cpu"]
    assert ceilings.measured("cuda", 0)["link_bytes_per_s"] == 3.0


def test_best_matmul_counts_until_one_is_slow(ceilings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    monkeypatch.setattr(ceilings, "SIDES", {"cpu": (4, 8, 16)})
    calls = Notes()
    monkeypatch.setattr(ceilings, "timer_for", lambda call, device: calls.note(call(), ("timer", device)))
    spent = iter([0.125, 0.25, 0.5, 1.0, 0.125])
    notes = Notes()
    monkeypatch.setattr(ceilings, "_best", lambda timer, wanted: notes.note((timer[1], wanted), next(spent)))

    assert ceilings._matmul("float32", "cpu") == 2 * 16**3 / 0.5
    assert [(tuple(each.shape), str(each.dtype)) for each in calls] == [
        ((n, n), "torch.float32") for n in (4, 8, 16)
    ]
    assert calls[1].unique().numel() > 32  # random: a GPU is faster on constants
    assert notes == [("cpu", 0.25)] * 3
    assert ceilings._matmul("bfloat16", "cpu") == 2 * 4**3 / 1.0
    assert str(calls[-1].dtype) == "torch.bfloat16"


def test_each_stream_pattern_is_its_best_way(ceilings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    monkeypatch.setattr(ceilings, "ARRAY_BYTES", 1024)
    monkeypatch.setattr(ceilings, "BLOCK", 64)
    notes = Notes()
    monkeypatch.setattr(
        ceilings, "timer_for", lambda call, device: notes.note(call().flatten().unique().numel(), device)
    )
    spent = {"now": [0.5, 0.25, 2.0, 4.0, 8.0, 32.0, 1.0, 0.5]}
    monkeypatch.setattr(
        ceilings, "_best", lambda timer, wanted: spent["now"].pop(0) if (timer, wanted) == ("cpu", 0.35) else None
    )

    assert ceilings._streams("cpu", 0) == {
        "copy_bytes_per_s": 2 * 1024 / 0.25,
        "triad_bytes_per_s": 3 * 1024 / 2,
        "update_bytes_per_s": 3 * 1024 / 4,
        "read_bytes_per_s": 1024 / 8,
        "fill_bytes_per_s": 1024 / 0.5,
    }
    assert min(notes[:4]) > 16  # these write random numbers
    assert notes[4:] == [1, 1, 1, 1]
    for cache, size in ((300, 1200), (5000, 4096)):
        spent["now"] = [1.0] * 8
        assert ceilings._streams("cpu", cache)["fill_bytes_per_s"] == size


def test_small_costs_are_the_least_of_each_kind(ceilings: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    notes = Notes()
    monkeypatch.setattr(ceilings, "timer_for", lambda call, device: notes.note(call(), device))
    spent = [6.0, 4.0, 3.0, 2.0, 5.0, 1.0, 7.0, 3.0, 2.0, 5.0]
    monkeypatch.setattr(ceilings, "_batched", lambda timer: spent.pop(0) if timer == "cpu" else None)

    assert ceilings._small("cpu") == {"overhead_s": 4.0, "dispatch_s": 2.0}
    assert notes[1].untyped_storage().data_ptr() != notes[0].untyped_storage().data_ptr()
    assert [each.numel() for each in notes] == [16] * 5
    assert ceilings._small("cpu")["dispatch_s"] == 1.0


def test_allocator_is_fixed_only_with_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    notes = Notes()
    answers = [1, 1, 1, 0, 0]
    library = SimpleNamespace(mallopt=lambda *given: notes.note(given, answers.pop(0)))
    monkeypatch.setattr(stopwatch.ctypes, "CDLL", lambda name: library if name is None else None)
    monkeypatch.setattr(stopwatch.platform, "libc_ver", lambda: ("glibc", "2"))
    assert [stopwatch.fix_allocator() for _ in range(3)] == [True, False, False]
    assert notes[:2] == [(-3, 1 << 30), (-1, 2**31 - 1)]
    monkeypatch.setattr(stopwatch.platform, "libc_ver", lambda: ("musl", "1"))
    assert stopwatch.fix_allocator() is False


def test_sizes_of_caches_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    assert [stopwatch._size(text) for text in ("32M", "512K", "64", " 7\n", "")] == [32 << 20, 512 << 10, 64, 7, 0]
    folder = tmp_path / "cpu0" / "cache" / "index0"
    folder.mkdir(parents=True)
    (folder / "level").write_text("1\n")
    assert stopwatch.last_cache(tmp_path) == 0
    notes = Notes()
    result = [5, 0]
    monkeypatch.setattr(stopwatch, "last_cache", lambda path: notes.note(str(path), result.pop(0)))
    assert [stopwatch.cache_bytes("cpu"), stopwatch.cache_bytes("cpu")] == [5, 32 << 20]
    assert notes == ["/sys/devices/system/cpu"] * 2


def test_a_flush_reads_twice_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    monkeypatch.setattr(stopwatch, "MAX_FLUSH_BYTES", 4096)
    made = Notes()
    zeros = stopwatch.torch.zeros
    monkeypatch.setattr(stopwatch.torch, "zeros", lambda size, **kinds: made.note(8 * size, zeros(size, **kinds)))

    assert stopwatch.flusher("cpu", 1024)() == 0
    stopwatch.flusher("cpu", 10000)()
    stopwatch.timer_for(gc.isenabled, "cpu", 512).flush()
    stopwatch.timer_for(gc.isenabled, "cpu").flush()

    assert made == [2048, 4096, 1024]


def test_cpu_timer_makes_the_requested_calls(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    monkeypatch.setattr(stopwatch, "time", clock)
    timer = stopwatch.timer_for(clock.work("call", 2.0), "cpu")

    assert timer.timed(3) == 6.0
    assert clock.done == ["call"] * 3
    assert timer.now() == clock.wall
    assert timer.faults() > 0


def test_the_collector_rests_while_work_is_done() -> None:
    without_gc = bet("stopwatch").without_gc

    assert without_gc(gc.isenabled) is False
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        without_gc(lambda: 1 // 0)
    assert gc.isenabled()


def test_a_processor_is_called_as_its_maker_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    listed = tmp_path / "cpuinfo"
    notes = Notes()
    monkeypatch.setattr(stopwatch, "Path", lambda path: notes.note(path, listed))
    monkeypatch.setattr(stopwatch.platform, "processor", lambda: "")
    monkeypatch.setattr(stopwatch.platform, "machine", lambda: "arm64")
    monkeypatch.setattr(stopwatch.platform, "system", lambda: "Linux")
    monkeypatch.setattr(stopwatch.platform, "release", lambda: "6.1")
    assert stopwatch.device_name("cpu") == "arm64"
    listed.write_text("flags : fpu\nmodel name\t: A: one \nmodel name\t: B\n")
    assert stopwatch.device_name("cpu") == "A: one"
    listed.write_text("flags : fpu\n")
    monkeypatch.setattr(stopwatch.platform, "processor", lambda: "x86")
    assert stopwatch.device_name("cpu") == "x86"
    assert notes == ["/proc/cpuinfo"] * 3
    assert stopwatch.driver("cpu") == "Linux 6.1"
