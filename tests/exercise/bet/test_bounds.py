"""Bounds from ceilings: what a device cannot beat, and what binds it."""

from dataclasses import replace

import pytest

from studykit.exercise.bet.bounds import Binds, Ceilings, Count, Kernel, MemoryPattern, bounds, floor, pattern

GPU = Ceilings(
    device="a GPU",
    kind="cuda",
    driver="CUDA",
    torch="2",
    threads=0,
    flops_per_s={"float32": 50e12, "bfloat16": 1000e12},
    copy_bytes_per_s=3e12,
    triad_bytes_per_s=2.8e12,
    update_bytes_per_s=2.5e12,
    read_bytes_per_s=2e12,
    fill_bytes_per_s=4e12,
    overhead_s=5e-6,
    dispatch_s=1e-6,
    launch_s=3e-6,
    touch_s_per_byte=0.0,
    canary_s=1e-3,
    cache_bytes=50_000_000,
    link_bytes_per_s=50e9,
)
CPU = replace(GPU, kind="cpu")
MATMUL = Kernel("mm.default", 2 * 4096**3, 3 * 2 * 4096**2, "bfloat16")
RELU = Kernel("relu.default", 10**9, 8 * 10**9, "float32", MemoryPattern.COPY)
TINY = Kernel("add.Tensor", 16, 192, "float32")


def test_a_large_matmul_takes_its_flops_over_the_peak_of_its_dtype() -> None:
    found = bounds(Count((MATMUL,), MATMUL.bytes_moved), GPU)

    assert found.eager == pytest.approx(137.4e-6, rel=1e-3)
    assert found.binds == {Binds.COMPUTE}


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
def test_memory_time_uses_the_pattern_of_the_kernel(
    read: int, written: int, updated: int, bytes_per_s: float
) -> None:
    how = pattern(read, written, updated)
    found = bounds(Count((replace(RELU, pattern=how),), RELU.bytes_moved, fused_pattern=how), GPU)

    assert found.eager == found.fused == pytest.approx(8e9 / bytes_per_s)
    assert found.binds == {Binds.MEMORY}


def test_tiny_kernels_pay_one_overhead_each_and_a_perfect_kernel_pays_one() -> None:
    found = bounds(Count((TINY,) * 100, 192), GPU)

    assert found.eager == pytest.approx(500e-6)
    assert found.fused == pytest.approx(5e-6)
    assert found.binds == {Binds.OVERHEAD}


def test_a_chain_moves_less_when_it_is_fused() -> None:
    found = bounds(Count((RELU,) * 3, RELU.bytes_moved), GPU)

    assert found.eager == pytest.approx(3 * found.fused)


def test_a_view_costs_one_dispatch() -> None:
    found = bounds(Count((), 0), GPU)

    assert (found.eager, found.fused) == (1e-6, 1e-6)
    assert found.binds == {Binds.OVERHEAD}


def test_two_reasons_bind_together_when_they_take_about_as_long() -> None:
    kernels = (RELU, replace(RELU, flops=0, bytes_moved=0), replace(MATMUL, flops=int(1000e12 * 8 / 3e3)))

    assert bounds(Count(kernels, 0), GPU).binds == {Binds.MEMORY, Binds.COMPUTE}


def test_what_could_not_be_counted_may_bind_for_any_reason() -> None:
    assert bounds(Count((RELU,), 0, problems=("qr has no formula",)), GPU).binds == set(Binds)


def test_bytes_over_the_link_take_the_time_of_the_link() -> None:
    copy = Kernel("copy_.default", 0, 10**9, "float32", MemoryPattern.LINK)

    assert bounds(Count((copy,), 10**9), GPU).eager == pytest.approx(20e-3)
    assert floor(Count((copy,), 10**9), GPU) == pytest.approx(20e-3)


def test_an_exponential_may_bind_a_cpu_by_its_arithmetic_too() -> None:
    gelu = Count((replace(RELU, op="gelu.default"),), RELU.bytes_moved)

    assert bounds(gelu, CPU).binds == {Binds.MEMORY, Binds.COMPUTE}
    assert bounds(gelu, GPU).binds == {Binds.MEMORY}


def test_what_fits_in_the_cache_may_beat_memory_but_not_arithmetic() -> None:
    small = Count((replace(MATMUL, bytes_moved=10**6),), 10**6)

    assert floor(Count((RELU,), 10**6), GPU) == pytest.approx(10**9 / 50e12)
    assert floor(small, GPU) == pytest.approx(137.4e-6, rel=1e-3)
    assert floor(Count((RELU,), RELU.bytes_moved), GPU) == pytest.approx(8 / 3e3)


def test_a_dtype_that_was_not_measured_gets_the_best_peak() -> None:
    assert GPU.peak("float64") == 1000e12


def test_intensity_is_flops_over_bytes_and_none_for_a_view() -> None:
    assert Count((RELU,), 0).intensity == 0.125
    assert Count((), 0).intensity == 0
