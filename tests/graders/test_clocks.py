"""Test clocks, caches, canaries and ceilings, with a fake clock and with small pieces of real work.

These tests import torch into their own process, so they run only with STUDYKIT_TEST_ALL=1.
"""

import gc
import importlib
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from studykit.exercise.bet.score import Canary

pytestmark = pytest.mark.thorough
LIKE = Canary(1.0, 2.0, 3, 4.0, 5.0)


def bet(name: str) -> Any:  # noqa: ANN401 - a module
    """Return a module of the measuring child, to replace its names."""
    return importlib.import_module(f"studykit.graders.bet.{name}")


class Clock:
    """Act as a clock that moves only when work is done."""

    def __init__(self) -> None:
        self.wall = 64.0
        self.done: list[str] = []

    def perf_counter(self) -> float:
        return self.wall

    def work(self, name: str, *seconds: float) -> Callable[..., None]:
        """Return work that takes each of the times once, and then always the last."""

        def call(*_: object) -> None:
            self.wall += seconds[min(self.done.count(name), len(seconds) - 1)]
            self.done.append(name)

        return call

    def timer(self, *seconds: float) -> Any:  # noqa: ANN401 - a Timer
        """Return a timer of batches whose calls take these times. It flushes in no time."""
        remaining = list(seconds)

        def timed(calls: int) -> float:
            spent = calls * remaining.pop(0)
            self.wall += spent
            return spent

        return SimpleNamespace(now=self.perf_counter, timed=timed, flush=self.work("flush", 0.0))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def canary(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module
    canary = bet("canary")
    monkeypatch.setattr(canary, "time", clock)
    monkeypatch.setattr(canary, "_stream", lambda device: clock.work(f"copy {device}", 1.0))
    monkeypatch.setattr(canary, "_tiny", clock.work("tiny", 0.25))
    monkeypatch.setattr(canary.torch.cuda, "synchronize", lambda: None)
    return canary


def test_median_leaves_out_two_calls(canary: Any, clock: Clock) -> None:  # noqa: ANN401
    assert canary._median(clock.work("uneven", 8.0, 8.0, 0.5, 0.5, 0.5, 0.25, 0.25), 0.0) == 0.5
    assert canary._median(clock.work("short", 0.03125), 0.5) == 0.03125
    assert clock.done.count("short") == 16


@pytest.mark.parametrize(
    ("device", "small_work", "tiny_s"), [("cpu", ["tiny"], 0.25 / 500), ("cuda", [], 0.0)], ids=["cpu", "gpu"]
)
def test_every_fourth_flush_measures_canaries(
    canary: Any,  # noqa: ANN401
    clock: Clock,
    device: str,
    small_work: list[str],
    tiny_s: float,
) -> None:
    flush = canary.FlushWithCanary(clock.work("plain", 1.0), device)

    assert flush.canaries(LIKE) == []
    for _ in range(12):
        flush.flush()

    assert clock.done == ["plain", "plain", "plain", "plain", f"copy {device}", *small_work, "plain"] * 3
    assert flush.canaries(LIKE) == [Canary(1.0, 2.0, 3, 1.0, tiny_s)]


def test_a_gpu_has_finished_the_flush_before_memory_is_timed(
    canary: Any,  # noqa: ANN401
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(canary.torch.cuda, "synchronize", clock.work("wait", 1.0))
    flush = canary.FlushWithCanary(clock.work("plain", 1.0), "cuda")

    for _ in range(4):
        flush.flush()

    assert clock.done == ["plain", "plain", "plain", "plain", "wait", "copy cuda", "plain"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the module of ceilings, with small arrays and short measurements."""
    short: dict[str, dict[str, object]] = {
        "ceilings": {"SIDES": {"cpu": (16, 32)}, "ARRAY_BYTES": 4096, "BLOCK": 64}
        | dict.fromkeys(("MATMUL_S", "STREAM_S", "WARM_S"), 0.01),
        "canary": {"SIDE": {"cpu": 32}, "STREAM_BYTES": {"cpu": 4096}}
        | dict.fromkeys(("WANTED_S", "STREAM_S", "TINY_S"), 0.01),
    }
    for name, values in short.items():
        for constant, value in values.items():
            monkeypatch.setattr(bet(name), constant, value)
    bet("canary")._array.cache_clear()
    yield bet("ceilings")
    bet("canary")._array.cache_clear()


def test_ceilings_are_measured_with_canaries(small: Any) -> None:  # noqa: ANN401
    measured, identity = small.measured("cpu", 77), small.identity("cpu")

    first, last = measured.pop("canaries")
    flops_per_s = measured.pop("flops_per_s")
    assert set(flops_per_s) == {"float32", "bfloat16"}
    assert (measured.pop("cache_bytes"), measured.pop("link_bytes_per_s")) == (77, 0.0)
    assert min(*measured.values(), *flops_per_s.values(), *first.values(), *last.values()) > 0
    assert measured["stream_s"] == min(first["stream_s"], last["stream_s"])
    assert measured["dispatch_s"] <= measured["overhead_s"] < 1e-4  # of one call, not of a batch
    assert measured["tiny_s"] < 1e-4
    assert all(identity[name] for name in ("device", "driver", "torch", "threads"))


def test_quickest_call_is_sought_for_its_time(clock: Clock) -> None:
    best = bet("ceilings")._best

    assert best(clock.timer(4.0, 2.0, 1.0, 2.0), 4.0) == 1.0
    assert best(clock.timer(0.5, 8.0), 4.0) == 0.5
    assert clock.done == ["flush"] * 6  # before each single call, whose launch a GPU then hides
    assert best(clock.timer(0.5, 0.25, 8.0), 4.0, calls=200) == 0.25
    assert clock.done == ["flush"] * 6


def test_best_matmul_counts_until_one_is_slow(small: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    monkeypatch.setattr(small, "SIDES", {"cpu": (4, 8, 16)})
    products = []
    monkeypatch.setattr(small, "timer_for", lambda call, _: products.append(call()))
    spent = iter([0.125, 0.25, 0.5, 1.0])
    monkeypatch.setattr(small, "_best", lambda *_: next(spent))

    assert small._matmul("float32", "cpu") == 2 * 16**3 / 0.5
    assert small._matmul("bfloat16", "cpu") == 2 * 4**3 / 1.0  # larger ones would be slower still
    assert [len(each) for each in products] == [4, 8, 16, 4]
    assert products[1].unique().numel() > 32  # random: a GPU is faster on constants


def test_each_stream_pattern_is_its_best_way(small: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    spent = [0.5, 0.25, 2.0, 4.0, 8.0, 32.0, 1.0, 0.5]
    monkeypatch.setattr(small, "_best", lambda *_: spent.pop(0))

    assert small._streams("cpu", 0) == {
        "copy_bytes_per_s": 2 * 4096 / 0.25,
        "triad_bytes_per_s": 3 * 4096 / 2,
        "update_bytes_per_s": 3 * 4096 / 4,
        "read_bytes_per_s": 4096 / 8,
        "fill_bytes_per_s": 4096 / 0.5,
    }
    for cache, size in ((1200, 4800), (5000, 4 * 4096)):  # four times the cache, within limits
        spent = [1.0] * 8
        assert small._streams("cpu", cache)["fill_bytes_per_s"] == size


def test_allocator_is_fixed_only_with_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")

    assert stopwatch.fix_allocator() is (platform.libc_ver()[0] == "glibc")
    monkeypatch.setattr(stopwatch.platform, "libc_ver", lambda: ("musl", "1"))
    assert stopwatch.fix_allocator() is False


def test_last_cache_sums_groups_of_cores(tmp_path: Path) -> None:
    stopwatch = bet("stopwatch")
    for core in range(4):
        for level, shared, size in ((2, str(core), "512K"), (3, "0-1" if core < 2 else "2-3", "32M")):
            folder = tmp_path / f"cpu{core}" / "cache" / f"index{level}"
            folder.mkdir(parents=True)
            for name, text in (("level", str(level)), ("shared_cpu_list", shared), ("size", size)):
                (folder / name).write_text(f"{text}\n")
    (tmp_path / "cpu4" / "cache" / "index3").mkdir(parents=True)  # one that says nothing

    assert stopwatch.last_cache(tmp_path) == 64 << 20
    assert stopwatch.last_cache(tmp_path / "nowhere") == 0
    assert stopwatch.cache_bytes("cpu") > 0


def test_a_flush_reads_twice_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")
    monkeypatch.setattr(stopwatch, "MAX_FLUSH_BYTES", 4096)

    assert [stopwatch.flusher("cpu", cache).__self__.nbytes for cache in (1024, 10_000)] == [2048, 4096]
    assert stopwatch.timer_for(gc.isenabled, "cpu", 512).flush() == 0


def test_cpu_timer_makes_the_requested_calls() -> None:
    calls: list[int] = []
    timer = bet("stopwatch").timer_for(lambda: calls.append(1), "cpu")

    assert timer.timed(3) > 0
    assert len(calls) == 3
    assert timer.faults() > 0


def test_the_collector_rests_while_work_is_done() -> None:
    without_gc = bet("stopwatch").without_gc

    assert without_gc(gc.isenabled) is False
    with pytest.raises(ZeroDivisionError):
        without_gc(lambda: 1 // 0)
    assert gc.isenabled()


def test_a_processor_is_called_as_its_maker_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = bet("stopwatch")
    listed = tmp_path / "cpuinfo"
    monkeypatch.setattr(stopwatch, "Path", lambda _: listed)
    monkeypatch.setattr(stopwatch.platform, "processor", lambda: "")
    monkeypatch.setattr(stopwatch.platform, "machine", lambda: "arm64")

    assert stopwatch.device_name("cpu") == "arm64"
    listed.write_text("flags : fpu\nmodel name\t: A: one \nmodel name\t: B\n")
    assert stopwatch.device_name("cpu") == "A: one"
