"""Record the shipped bets on this device: two runs of every size, counted by our own counter, in one file.

    python -m tests.gpu record --json exercises/measurements/h100.json
    python -m tests.gpu record --device cpu --json FILE    the same script without a GPU, on the CPU's sizes

The file is what `studykit/exercise/bet/recorded.py` reads; `study check FILE` compares it with the datasheet.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import torch

from studykit.exercise import catalog
from studykit.exercise.bet.bounds import Ceilings, Count
from studykit.exercise.bet.recorded import source_of
from studykit.exercise.bet.score import Measurement
from studykit.exercise.bet.snippet import CLASS, BetExercise, Size, Sizes, Snippet
from studykit.exercise.estimate.hardware import named_by_driver
from studykit.graders.bet import counting
from studykit.graders.child.run_bet import loaded, prepare
from studykit.graders.host.device_worker import DeviceWorker
from studykit.sandbox.worker import open_worker

from .bets import InProcessDevice, measurements

METHOD = (
    "Each row is the median of single calls by the program's own clock: CUDA events, random inputs, the caches "
    "flushed before each call, float32 without TF32. Calls below 20 us are timed in batches. The fifth number is "
    "the median of a second run."
)
NOT_IN_HALF = {"bet.cast", "bet.host_to_device", "bet.device_to_host"}
"""In bfloat16 these are another program: nothing to cast, and memory that is not pinned."""
_QUICK_BETS = 2
_WAY_BACK = {"bet.host_to_device": "bet.device_to_host"}
"""Copies that a build of torch without CUDA cannot count, and those of as many bytes that it can."""


def bets() -> dict[str, BetExercise]:
    """Return the shipped bets by id."""
    return {bet.id: bet for bet in catalog.of_set("timing") if isinstance(bet, BetExercise)}


def sizes_of(exercise: BetExercise, device: str) -> Iterator[dict[str, Size]]:
    """Yield every size of a bet in float32, and in bfloat16 if that does not change its program."""
    grid = exercise.sizes.get(CLASS[device], {})
    for values in product(*grid.values()):
        yield dict(zip(grid, values, strict=True))
        if "dtype" not in grid and "bfloat16" not in exercise.source and exercise.id not in NOT_IN_HALF:
            yield {**dict(zip(grid, values, strict=True)), "dtype": "bfloat16"}


def count(exercise: BetExercise, sizes: Sizes) -> Count:
    """Count the kernels and bytes of a bet as on a GPU, even without one.

    Without CUDA in torch, fake CUDA tensors would end the process wherever gradients or attention are computed.
    """
    exercise = bets()[_WAY_BACK.get(exercise.id, exercise.id)]
    linked = "pin_memory" in exercise.source
    line = counting.LINE_BYTES["cpu"]
    counting.LINE_BYTES["cpu"] = counting.LINE_BYTES["cuda"]
    try:
        setup, run = loaded(source_of(exercise, sizes), exercise.id)
        return counting.faked(setup, run, setup_sizes(exercise, sizes), "cuda" if linked else "cpu")
    finally:
        counting.LINE_BYTES["cpu"] = line
        torch.set_default_dtype(torch.float32)


def setup_sizes(exercise: BetExercise, sizes: Sizes) -> dict[str, Size]:
    """Return the sizes that the snippet's `setup` takes."""
    return {name: size for name, size in sizes.items() if name in exercise.sizes["gpu"]}


def row(sizes: Sizes, times: Sequence[float | None], counted: Count) -> list[Any]:
    """Return a row of the file, in which equal kernels are written once with their count."""
    kernels = [[*asdict(kernel).values(), number] for kernel, number in Counter(counted.kernels).items()]
    return [dict(sizes), *times, kernels, counted.fused_bytes, counted.fused_pattern]


def document(facts: Mapping[str, Any], ceilings: Ceilings, rows: Mapping[str, list[list[Any]]]) -> str:
    """Return the text of a recording, with one row on each line."""
    head = {**facts, "method": METHOD, "ceilings": ceilings.values()}
    lines = [json.dumps(head, indent=1).removesuffix("\n}") + ',\n "rows": {']
    for name, found in rows.items():
        joined = ",\n   ".join(json.dumps(each, separators=(",", ":")) for each in found)
        lines.append(f"  {json.dumps(name)}: [\n   {joined}]" + ("," if name != list(rows)[-1] else ""))
    return "\n".join([*lines, " }\n}\n"])


def record(device: str, path: Path, *, quick: bool = False) -> None:
    """Measure every bet twice and write the file."""
    prepare(device, 0)
    with open_worker(backend="torch", shared=False) as worker:
        here = InProcessDevice(worker, device, lambda: worker)
        ceilings, rows = here.ceilings(), dict[str, list[list[Any]]]()
        for name, exercise in list(bets().items())[: _QUICK_BETS if quick else None]:
            for sizes in sizes_of(exercise, device):
                first, again = two_runs(here, exercise, sizes)
                counted = count(exercise, sizes)
                times = (first.median, first.p20, first.p80, again.median)
                rows.setdefault(name, []).append(row(sizes, [float(f"{t:.4g}") for t in times], counted))
                print(f"{name} {sizes}: {first.median:.4g} s, again {again.median:.4g} s", flush=True)
    card = named_by_driver(ceilings.device)
    facts = {
        "card": str(card) if card else ceilings.device,
        "device": ceilings.device,
        "driver": ceilings.driver,
        "torch": ceilings.torch,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    path.write_text(document(facts, ceilings, rows))


def two_runs(worker: DeviceWorker, exercise: BetExercise, sizes: Sizes) -> list[Measurement]:
    """Time a bet twice, and return both measurements."""
    job = Snippet(source_of(exercise, sizes), exercise.id, setup_sizes(exercise, sizes))
    try:
        return [measured for _, measured in measurements(worker, job, 2)]
    finally:
        torch.set_default_dtype(torch.float32)
