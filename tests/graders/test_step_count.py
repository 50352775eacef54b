"""Test counts of training steps against the CPU's allocator, counts by hand, and the table of the bets."""

import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from counts import FILE, LAYERS, key_of, row, sizes
from step_programs import MODULES, program_of, reported_peak
from torch import nn

from studykit.exercise.bet.step_count import DEPTHS, StepCount, extended
from studykit.graders.count.step import Program, TooDeepError, count_step, measured_peak
from studykit.graders.count.storages import OtherDeviceError

TABLE: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
DRAWN = list(sizes())
LENGTHS = {"d", "h", "f", "L", "b", "rows", "V", "tokens"}
BY_OPTION = {
    f"{program} {key_of({name: drawn[name] for name in drawn if name not in LENGTHS})}": (program, drawn)
    for program, drawn in reversed(DRAWN)
    if drawn.get("L", LAYERS[0]) == LAYERS[0]
}
"""The smallest size of each program with each option; `tests/support/counts.py` counts all."""


@pytest.mark.parametrize("name", MODULES)
def test_counted_peak_is_within_1_percent_of_allocator(name: str) -> None:
    program = program_of(name)

    assert count_step(lambda: program, {}).peak == pytest.approx(reported_peak(program), rel=0.01)


@pytest.mark.parametrize(("program", "drawn"), BY_OPTION.values(), ids=BY_OPTION)
def test_count_of_the_table_comes_out_again(program: str, drawn: dict[str, Any]) -> None:
    assert TABLE[program][key_of(drawn)] == row(program, drawn)


def test_table_has_every_size_and_no_other() -> None:
    assert sorted((name, key) for name, rows in TABLE.items() for key in rows) == sorted(
        (name, key_of(drawn)) for name, drawn in DRAWN
    )


def counted(build: Callable[..., Any], step: Callable[..., Any], **drawn: int | str) -> StepCount:
    return count_step(lambda: Program(build, step), drawn)


def stack(layers: int = 4, *, dtype: str = "float32", every: int = 0) -> tuple[Any, ...]:
    model = nn.Sequential(*(nn.Sequential(nn.Linear(256, 256, bias=False), nn.GELU()) for _ in range(layers)))
    return model.to(getattr(torch, dtype)), torch.randn(512, 256, dtype=getattr(torch, dtype)), every


def stack_step(model: nn.Sequential, x: torch.Tensor, every: int) -> None:
    from torch.utils.checkpoint import checkpoint

    model.zero_grad()
    for layer in model:
        x = checkpoint(layer, x, use_reentrant=False) if every else layer(x)
    x.sum().backward()  # type: ignore[no-untyped-call]  # torch's own


def test_module_that_is_cast_has_half_the_bytes() -> None:
    whole, half = counted(stack, stack_step), counted(stack, stack_step, dtype="bfloat16")

    assert whole.weights == 4 * 4 * 256 * 256
    assert (half.weights, half.parameters) == (whole.weights // 2, whole.parameters)


def test_checkpoint_keeps_inputs_and_repeats_no_last_product() -> None:
    plain, kept = counted(stack, stack_step), counted(stack, stack_step, every=1)

    assert kept.saved < plain.saved
    assert kept.flops["backward"] >= plain.flops["backward"]


def test_lstm_has_its_flops_on_a_cpu() -> None:
    def step(lstm: nn.Module, x: torch.Tensor) -> None:
        lstm(x)[0].sum().backward()

    count = count_step(lambda: Program(lambda: (nn.LSTM(32, 64, 2), torch.randn(7, 3, 32)), step), {})

    assert count.flops == {
        "forward": 2 * 7 * 3 * 4 * 64 * (32 + 64 + 64 + 64),
        "backward": 2 * count.flops["forward"],
    }


def test_fused_attention_has_its_flops_on_a_cpu() -> None:
    def build() -> tuple[Any, ...]:
        return (torch.randn(2, 4, 128, 32, requires_grad=True),)

    def step(x: torch.Tensor) -> None:
        nn.functional.scaled_dot_product_attention(x, x, x).sum().backward()  # type: ignore[no-untyped-call]  # torch's own

    count = counted(build, step)

    assert count.flops["forward"] == 2 * 2 * 2 * 4 * 128 * 128 * 32
    assert count.flops["backward"] == 2.5 * count.flops["forward"]


def test_held_result_counts_in_the_backward_peak() -> None:
    def build() -> tuple[Any, ...]:
        return nn.Linear(64, 8192), torch.randn(256, 64)

    def held(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
        model.zero_grad()
        y: torch.Tensor = model(x)
        y.logsumexp(-1).sum().backward()  # type: ignore[no-untyped-call]  # torch's own
        return y

    def dropped(model: nn.Module, x: torch.Tensor) -> None:
        model.zero_grad()
        model(x).logsumexp(-1).sum().backward()  # torch's own

    assert counted(build, held).peak >= counted(build, dropped).peak


def test_tensor_on_a_missing_gpu_is_refused() -> None:
    with pytest.raises(OtherDeviceError, match="makes tensors on cuda"):
        counted(lambda: (torch.randn(4, device="cuda"),), lambda x: x + 1)


def test_deep_model_follows_from_three_depths() -> None:
    at = [counted(stack, stack_step, layers=layers) for layers in DEPTHS]

    assert extended(at, 64).peak == counted(stack, stack_step, layers=64).peak
    assert extended(at, 64).is_exact
    with pytest.raises(TooDeepError):
        counted(stack, stack_step, layers=101)


def test_depths_that_bend_give_a_lower_bound() -> None:
    def build(layers: int = 4) -> tuple[Any, ...]:
        return (torch.randn(1024), layers)

    def step(x: torch.Tensor, layers: int) -> list[torch.Tensor]:
        large = torch.zeros(10 * 1024)
        del large
        return [x + 1 for _ in range(layers)]

    at = [counted(build, step, layers=layers) for layers in DEPTHS]
    deep = extended(at, 96)

    assert not deep.is_exact
    assert deep.peak < counted(build, step, layers=96).peak


def test_measured_peak_leaves_out_what_was_there_before(monkeypatch: pytest.MonkeyPatch) -> None:
    allocated = {"now": 100, "most": 100}

    def step() -> None:
        allocated["most"] = max(allocated["most"], allocated["now"] + 75)

    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda: allocated["now"])
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: allocated["most"])
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda: None)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)

    assert measured_peak(lambda: Program(lambda: (), step), {}) == 75
