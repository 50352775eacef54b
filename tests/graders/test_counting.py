"""Test that the FLOPs and bytes counted for every shipped snippet equal counts by hand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from studykit.errors import BadDataError
from studykit.exercise import catalog
from studykit.exercise.bet.bench import bet_named
from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.snippet import BetExercise, Snippet
from studykit.graders.child import run_bet
from studykit.graders.host.device_worker import LIMITS, PROGRAM, DeviceWorker, read_count
from studykit.sandbox.channel import Message

SEED = 7
FORMULAS = json.loads((Path(__file__).parent.parent / "data" / "bet_counts.json").read_text())
"""By bet, in its sizes: FLOPs, bytes of separate kernels, bytes of one fused kernel where they differ."""
PRETENDED = [
    "matmul", "matmul_bf16", "matvec", "dot", "linear", "attention_scores", "relu", "gelu", "add_in_place",
    "chain", "cast", "sum_rows", "softmax", "layer_norm", "embedding", "mlp", "swiglu", "adamw_by_hand",
]  # fmt: skip
"""Snippets whose operations a build of torch without CUDA can pretend to run there."""


def by_hand(name: str, sizes: Mapping[str, Any]) -> tuple[float, float, float]:
    """Return the count by hand of a bet with these sizes."""
    flops, moved, *fused = (eval(text, {}, dict(sizes)) for text in FORMULAS[name])  # noqa: S307 - our own
    return flops, moved, fused[0] if fused else moved


def asked(cpu_worker: DeviceWorker, job: dict[str, Any]) -> Any:  # noqa: ANN401
    with cpu_worker.worker.start(PROGRAM, LIMITS, device="cpu", threads=1) as child:
        reply = child.ask({"work": "count", "device": "cpu", **job})
    assert isinstance(reply, Message)
    return reply.header


def all_bets() -> list[BetExercise]:
    return [found for found in catalog.of_set("timing") if isinstance(found, BetExercise)]


def counted_here(cpu_worker: DeviceWorker, exercise: BetExercise, device: str) -> tuple[Count, Mapping[str, Any]]:
    sizes = exercise.draw(SEED, device)
    return cpu_worker.count(Snippet(exercise.source, exercise.id, sizes)), sizes


@pytest.mark.parametrize("exercise", [x for x in all_bets() if "cpu" in x.sizes], ids=lambda x: x.id)
def test_a_snippet_counts_as_by_hand(cpu_worker: DeviceWorker, exercise: BetExercise) -> None:
    count, sizes = counted_here(cpu_worker, exercise, "cpu")

    assert (count.flops, count.bytes_moved, count.fused_bytes) == by_hand(exercise.id, sizes)
    assert count.problems == ()  # no big operation goes without a formula


@pytest.mark.parametrize("name", PRETENDED)
def test_snippet_counts_the_same_on_a_pretended_gpu(cpu_worker: DeviceWorker, name: str) -> None:
    exercise = bet_named(f"bet.{name}")
    sizes = exercise.draw(SEED, "cuda")
    if "dtype" in sizes:  # counted by hand in float32
        sizes["dtype"] = "float32"

    count = read_count(asked(cpu_worker, {"source": exercise.source, "sizes": sizes, "pretend": "cuda"})["count"])

    assert (count.flops, count.bytes_moved, count.fused_bytes) == by_hand(f"bet.{name}", sizes)
    if "dtype" in sizes:
        job = {"source": exercise.source, "sizes": {**sizes, "dtype": "bfloat16"}, "pretend": "cuda"}
        half = read_count(asked(cpu_worker, job)["count"])
        assert (half.flops, half.bytes_moved) == (count.flops, count.bytes_moved / 2)
        assert {kernel.dtype for kernel in half.kernels} == {"bfloat16"}


@pytest.mark.parametrize(
    ("run", "flops", "moved"),
    [
        ("x.t()", 0, 0),
        ("x.view(-1)", 0, 0),
        ("x + x", 4096, 2 * 16384),
        ("x + 1", 4096, 2 * 16384),
        ("torch.add(x, 1, out=x)", 4096, 2 * 16384),
        ("x[:, 0].clone()", 0, 64 * 64 + 64 * 4),
        ("x[0].expand(64, 64) + x", 4096, 256 + 16384 + 16384 - 256),
        ("torch.addmm(x[0], x, x)", 2 * 64**3, 16384 + 16384),
        ("torch.baddbmm(x[None], x[None], x[None])", 2 * 64**3, 16384 + 16384),
        ("torch.einsum('ij,kj->ik', x, x)", 2 * 64**3, 16384 + 16384),
        ("x.zero_()", 0, 16384),
        ("torch.zeros_like(x)", 0, 16384),
        ("torch.cat([x, x])", 0, 16384 + 2 * 16384),
        ("x.cumsum(0)", 4096, 2 * 16384),
        ("F.log_softmax(x, -1)", 5 * 4096, 2 * 16384),
        ("x.to(torch.float32)", 0, 0),
        ("F.conv2d(x[None, None], x[None, None, :3, :3])", 2 * 62**2 * 9, 16384 + 4 * 62**2),
        ("torch.add(x, 1, out=torch.empty(64, 64))", 4096, 2 * 16384),
        ("x[:, :1].clone()", 0, 64 * 64 + 64 * 4),
        ("x[0].expand(64, 64) + 1", 4096, 256 + 16384),
        ("x[:2] + 1", 128, 512 + 512),
        ("x[0, 0] + 1", 1, 4 + 4),
        ("x[0] + x[1]", 64, 512 + 256),
        ("x[:0] + 1", 0, 0),
        ("x[0, :1].expand(0) + 1", 0, 0),
        ("torch.cat([x, x[:1]])", 0, 16384 + 65 * 256),
        ("y + x", 4096, 3 * 16384),
    ],
)
def test_operation_costs_its_flops_and_bytes(cpu_worker: DeviceWorker, run: str, flops: int, moved: int) -> None:
    source = (
        f"y = torch.ones(64, 64)\ndef setup():\n    return torch.ones(64, 64)\ndef run(x):\n    return {run}\n"
    )

    count = cpu_worker.count(Snippet(source, "op", {}))

    assert (count.flops, count.bytes_moved) == (flops, moved)


def counted_run(cpu_worker: DeviceWorker, run: str, setup: str = "torch.ones(64, 64)") -> Count:
    source = f"def setup():\n    return {setup}\ndef run(x, *rest):\n    {run}\n"
    return cpu_worker.count(Snippet(source, "mine.py", {}))


def test_kernel_has_its_name_and_dtype(cpu_worker: DeviceWorker) -> None:
    count = counted_run(cpu_worker, "return x.bfloat16() @ x.bfloat16(), (x > 0) & (x < 0)")

    assert [(kernel.op, kernel.dtype) for kernel in count.kernels] == [
        ("_to_copy.default", "float32"),
        ("_to_copy.default", "float32"),
        ("mm.default", "bfloat16"),
        ("gt.Scalar", "float32"),
        ("lt.Scalar", "float32"),
        ("bitwise_and.Tensor", ""),
    ]


@pytest.mark.parametrize(
    ("run", "pattern"),
    [
        ("x.sum()", "read"),
        ("x.fill_(1.0)", "fill"),
        ("torch.relu(x)", "copy"),
        ("x + rest[0]", "triad"),
        ("x.add_(rest[0])", "update"),
        ("x.relu_()", "update"),
        ("F.embedding(torch.arange(64), x)", "copy"),
    ],
)
def test_kernel_knows_its_memory_pattern(cpu_worker: DeviceWorker, run: str, pattern: str) -> None:
    count = counted_run(cpu_worker, f"return {run}", "torch.ones(64, 64), torch.ones(64, 64)")

    assert [count.kernels[-1].pattern, count.fused_pattern] == [pattern, pattern]


def test_pinned_memory_counts_as_a_copy(cpu_worker: DeviceWorker) -> None:
    pinned = counted_run(cpu_worker, "return x.pin_memory()")
    exercise = bet_named("bet.device_to_host")

    job = {"source": exercise.source, "sizes": {"n": 1024}, "pretend": "cuda"}
    down = read_count(asked(cpu_worker, job)["count"])

    assert [(kernel.bytes_moved, kernel.pattern) for kernel in pinned.kernels] == [(2 * 16384, "copy")]
    assert [(kernel.bytes_moved, kernel.pattern) for kernel in down.kernels] == [(4096, "link")]


def test_profiler_mark_is_not_counted_as_kernel(cpu_worker: DeviceWorker) -> None:
    count = counted_run(cpu_worker, 'with torch.profiler.record_function("a"):\n        return x + x')

    assert [kernel.op for kernel in count.kernels] == ["add.Tensor"]


@pytest.mark.parametrize(
    ("run", "fused"),
    [("x + 1, x[:1] + 1", 16384 + 16384 + 256), ("x[:0] + 1", 0), ("(x + 1) * 2 + x[0]", 16384 + 16384)],
)
def test_one_kernel_for_all_reads_each_place_once(cpu_worker: DeviceWorker, run: str, fused: int) -> None:
    assert counted_run(cpu_worker, f"return {run}").fused_bytes == fused


FUSED = "torch.ops.aten._scaled_dot_product"
FLASH = f"{FUSED}_flash_attention_for_cpu"


@pytest.mark.parametrize(
    ("run", "flops"),
    [
        (f"return {FLASH}(x, x, x, 0.0, False)", 4 * 6 * 8 * 8 * 4),
        (f"return {FLASH}(x, x, x, 0.0, True)", 4 * 6 * 36 * 4),
        (f"return {FUSED}_flash_attention(x, x, x, 0.0, True)", 4 * 6 * 36 * 4),
        (f"return {FUSED}_efficient_attention(x, x, x, None, True, 0.0, True)", 4 * 6 * 36 * 4),
        (f"return {FUSED}_efficient_attention(x, x, x, None, True, 0.0, False)", 4 * 6 * 8 * 8 * 4),
        (f"return {FUSED}_cudnn_attention(x, x, x, None, True, 0.0, True)", 4 * 6 * 36 * 4),
        ("F.scaled_dot_product_attention(x[:, :, :4], x, x).sum().backward()", 3.5 * 4 * 6 * 4 * 8 * 4),
        ("F.scaled_dot_product_attention(x, x, x, is_causal=True).sum().backward()", 3.5 * 4 * 6 * 36 * 4),
    ],
    ids=["open", "causal", "flash", "efficient", "efficient open", "cudnn", "open backward", "causal backward"],
)
def test_attention_counts_the_pairs_that_its_mask_leaves(cpu_worker: DeviceWorker, run: str, flops: float) -> None:
    count = counted_run(cpu_worker, run, "torch.ones(2, 3, 8, 4, requires_grad=True)")

    assert sum(kernel.flops for kernel in count.kernels if "attention" in kernel.op) == flops


def test_strided_read_has_shorter_lines_on_gpu(cpu_worker: DeviceWorker) -> None:
    source = "def setup():\n    return torch.ones(64, 64)\ndef run(x):\n    return torch.relu(x.select(1, 0))\n"

    count = read_count(asked(cpu_worker, {"source": source, "sizes": {}, "pretend": "cuda"})["count"])

    assert count.bytes_moved == 64 * 32 + 64 * 4


def test_big_uncounted_operation_is_named(cpu_worker: DeviceWorker) -> None:
    source = "def setup():\n    return torch.ones(512, 512)\ndef run(x):\n    return torch.linalg.qr(x)\n"

    count = cpu_worker.count(Snippet(source, "qr", {}))

    assert count.problems == ("linalg_qr.default moves 3,145,728 bytes and has no FLOP formula",)


def test_modules_and_optimizers_bring_their_tensors(cpu_worker: DeviceWorker) -> None:
    source = (
        "def setup():\n    x, m = torch.ones(3, 4), torch.nn.Linear(4, 2)\n"
        "    return x, m, 7, x, torch.optim.AdamW(m.parameters(), fused=False)\n"
        "def run(x, m, n, _, optimizer):\n    m(x).sum().backward()\n    optimizer.step()\n"
    )

    count = cpu_worker.count(Snippet(source, "mine.py", {}))

    parameters, state = ("float32 (2, 4)", "float32 (2)"), ("float32 ()", "float32 (2, 4)", "float32 (2, 4)")
    moments = (*state, "float32 ()", "float32 (2)", "float32 (2)")
    assert count.inputs == ("float32 (3, 4)", *parameters, *moments, *parameters)


BODY = "def setup():\n    return torch.ones(2)\n{}def run(x):\n    return {}\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def setup(:\n", "mine.py:1: SyntaxError"),
        ("def setup():\n    return 1\n", "mine.py needs setup() and run"),
        (BODY.format("", "x.nope"), "mine.py:4: AttributeError"),
        (BODY.format("", "x @ y"), "mine.py:4: NameError: name 'y' is not defined.$"),
        (BODY.format("", "x @ torch.ones(3)"), r"mine.py:4: RuntimeError: [^;]*$"),
        (BODY.format("@torch.compile\n", "x + x"), "mine.py: torch.compile does not work in the sandbox; [^;]*$"),
        (BODY.format("", "x.sum().item()"), "mine.py:4: .*may not look at values"),
        (BODY.format("", "x[x > 0]"), "mine.py:4: .*may not look at values"),
        (BODY.format("", "x.numpy()"), "mine.py:4: .*may not look at values"),
        ("def setup():\n    return open('/proc/self/mem').read()\ndef run(x):\n    return x\n", "PermissionError"),
    ],
    ids=["syntax", "part", "attribute", "name", "shape", "compile", "value", "mask", "array", "file"],
)
def test_uncountable_snippet_names_its_reason(cpu_worker: DeviceWorker, source: str, message: str) -> None:
    with pytest.raises(BadDataError, match=message.replace("()", r"\(\)")):
        cpu_worker.count(Snippet(source, "mine.py", {}))


def _touched(*_: object, **__: object) -> object:
    raise AssertionError("the GPU's driver was touched")


def test_warming_up_never_touches_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    run_bet.warm()  # torch imports what it needs as the build that it is
    for owner, name in (
        (torch.cuda, "is_available"),
        (torch.cuda, "init"),
        (torch._C, "_cuda_init"),
        (torch._C, "_cuda_getDeviceCount"),
        (torch._C, "_ensureCUDADeviceGuardSet"),
    ):
        monkeypatch.setattr(owner, name, _touched, raising=False)  # a build for the CPU lacks some
    monkeypatch.setattr(torch.cuda, "_is_compiled", lambda: True)

    run_bet.warm()

    touches = (torch.cuda.is_available, torch._C._ensureCUDADeviceGuardSet)
    assert all(each.__name__ == _touched.__name__ for each in touches)
