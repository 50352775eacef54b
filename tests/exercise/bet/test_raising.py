"""Check how far a beaten ceiling rises, and when it does not."""

from dataclasses import replace

import pytest
from devices import ceilings

from studykit.exercise.bet import device_ceilings
from studykit.exercise.bet.bounds import Count, Kernel, MemoryPattern, bounds
from studykit.exercise.bet.device_ceilings import raised

GPU = ceilings("h100")
GB = 10**9


def moving(pattern: MemoryPattern, size: int = 3 * GB, kernels: int = 1) -> Count:
    return Count((Kernel("op", 0, size, "float32", pattern),) * kernels, size, fused_pattern=pattern)


def computing(dtype: str) -> Count:
    return Count((Kernel("mm.default", 10**12, GB, dtype, MemoryPattern.TRIAD),), GB)


@pytest.mark.parametrize(
    ("count", "name"),
    [
        (moving(MemoryPattern.COPY), "copy_bytes_per_s"),
        (moving(MemoryPattern.TRIAD), "triad_bytes_per_s"),
        (moving(MemoryPattern.LINK), "link_bytes_per_s"),
        (computing("float32"), "flops_per_s.float32"),
    ],
    ids=["copy", "triad", "link", "matmul"],
)
def test_beaten_ceiling_rises_to_the_run(count: Count, name: str) -> None:
    seconds = bounds(count, GPU).eager / 1.05

    higher = raised(count, seconds, GPU)

    assert higher.raised == {name: pytest.approx(1.05)}
    assert bounds(count, higher).eager == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("count", "factor"),
    [
        (moving(MemoryPattern.COPY), 1.0),  # exactly as measured
        (moving(MemoryPattern.COPY), 1.11),  # more than 10 %
        (moving(MemoryPattern.READ), 1.06),  # 3.39 of 3.35 TB/s
        (computing("bfloat16"), 1.05),  # 997 of 989.5 TFLOP/s
        (moving(MemoryPattern.COPY, 90_000_000), 1.05),  # the cache may have held it
        (moving(MemoryPattern.COPY, 300_000_000, kernels=4), 1.2),  # and may hand on part of it
    ],
    ids=["equal", "too far", "datasheet bandwidth", "datasheet peak", "cached", "cached between"],
)
def test_ceiling_stays_where_the_run_proves_too_little(count: Count, factor: float) -> None:
    assert raised(count, bounds(count, GPU).eager / factor, GPU) is GPU


def test_raises_together_stay_within_the_limit() -> None:
    count = moving(MemoryPattern.COPY)
    once = raised(count, bounds(count, GPU).eager / 1.06, GPU)

    assert raised(count, bounds(count, once).eager / 1.06, once) is once
    assert raised(count, bounds(count, once).eager / 1.03, once).raised["copy_bytes_per_s"] == pytest.approx(
        1.0918
    )


def test_matmul_ceiling_rises_beside_small_kernels() -> None:
    count = Count((*computing("float32").kernels, *moving(MemoryPattern.COPY).kernels), GB)
    seconds = bounds(count, GPU).eager - 0.001

    higher = raised(count, seconds, GPU)

    assert list(higher.raised) == ["flops_per_s.float32"]
    assert bounds(count, higher).eager == pytest.approx(seconds, rel=0.002)


def test_raised_ceilings_survive_the_store() -> None:
    identity = {name: getattr(GPU, name) for name in ("device", "kind", "driver", "torch", "threads")}
    higher = replace(GPU, copy_bytes_per_s=3.1e12, raised={"copy_bytes_per_s": 3.1 / 3})

    assert device_ceilings.ceilings_of(identity, device_ceilings.values(higher)) == higher
