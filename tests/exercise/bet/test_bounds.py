"""Check the bounds that follow from ceilings, and what binds a snippet."""

from dataclasses import replace

import pytest
from devices import ceilings

from studykit.exercise.bet.bounds import Binds, Count, Kernel, MemoryPattern, bounds, floor, pattern

GPU = ceilings("gpu")
CPU = replace(GPU, kind="cpu")
MATMUL = Kernel("mm.default", 2 * 4096**3, 3 * 2 * 4096**2, "bfloat16")
RELU = Kernel("relu.default", 10**9, 8 * 10**9, "float32", MemoryPattern.COPY)
TINY = Kernel("add.Tensor", 16, 192, "float32")


def test_matmul_takes_flops_over_its_dtypes_peak() -> None:
    result = bounds(Count((MATMUL,), MATMUL.bytes_moved), GPU)

    assert result.eager == pytest.approx(137.4e-6, rel=1e-3)
    assert result.binds == {Binds.COMPUTE}


@pytest.mark.parametrize(
    ("read", "written", "updated", "bytes_per_s"),
    [
        (8, 0, 0, 2e12),
        (8e9, 64, 0, 2e12),
        (64, 8e9, 0, 4e12),
        (1, 1, 0, 3e12),
        (2, 1, 0, 2.8e12),
        (2, 1, 1, 2.5e12),
    ],
    ids=["read", "sum", "fill", "copy", "add", "add in place"],
)
def test_memory_time_uses_kernel_pattern(read: int, written: int, updated: int, bytes_per_s: float) -> None:
    how = pattern(read, written, updated)
    result = bounds(Count((replace(RELU, pattern=how),), RELU.bytes_moved, fused_pattern=how), GPU)

    assert result.eager == result.fused == pytest.approx(8e9 / bytes_per_s)
    assert result.binds == {Binds.MEMORY}


def test_each_tiny_kernel_pays_one_overhead() -> None:
    result = bounds(Count((TINY,) * 100, 192), GPU)

    assert result.eager == pytest.approx(500e-6)
    assert result.fused == pytest.approx(5e-6)
    assert result.binds == {Binds.OVERHEAD}


def test_a_chain_moves_less_when_it_is_fused() -> None:
    result = bounds(Count((RELU,) * 3, RELU.bytes_moved), GPU)

    assert result.eager == pytest.approx(3 * result.fused)


def test_a_view_costs_one_dispatch() -> None:
    result = bounds(Count((), 0), GPU)

    assert (result.eager, result.fused) == (1e-6, 1e-6)
    assert result.binds == {Binds.OVERHEAD}


def test_similar_times_bind_together() -> None:
    kernels = (RELU, replace(RELU, flops=0, bytes_moved=0), replace(MATMUL, flops=int(1000e12 * 8 / 3e3)))

    assert bounds(Count(kernels, 0), GPU).binds == {Binds.MEMORY, Binds.COMPUTE}


def test_uncounted_operation_may_bind_for_any_reason() -> None:
    assert bounds(Count((RELU,), 0, problems=("qr has no formula",)), GPU).binds == set(Binds)


def test_link_bytes_take_link_time() -> None:
    copy = Kernel("copy_.default", 0, 10**9, "float32", MemoryPattern.LINK)

    assert bounds(Count((copy,), 10**9), GPU).eager == pytest.approx(20e-3)
    assert floor(Count((copy,), 10**9), GPU) == pytest.approx(20e-3)


def test_exponential_may_be_compute_bound_on_cpu() -> None:
    gelu = Count((replace(RELU, op="gelu.default"),), RELU.bytes_moved)

    assert bounds(gelu, CPU).binds == {Binds.MEMORY, Binds.COMPUTE}
    assert bounds(gelu, GPU).binds == {Binds.MEMORY}


def test_cached_data_may_beat_only_memory() -> None:
    small = Count((replace(MATMUL, bytes_moved=10**6),), 10**6)

    assert floor(Count((RELU,), 10**6), GPU) == pytest.approx(10**9 / 50e12)
    assert floor(small, GPU) == pytest.approx(137.4e-6, rel=1e-3)
    assert floor(Count((RELU,), RELU.bytes_moved), GPU) == pytest.approx(8 / 3e3)


def test_unmeasured_dtype_gets_the_best_peak() -> None:
    assert GPU.peak("float64") == 1000e12


def test_intensity_is_flops_over_bytes() -> None:
    assert Count((RELU,), 0).intensity == 0.125
    assert Count((), 0).intensity == 0
