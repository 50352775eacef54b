"""Count what a training step of yours costs, without allocating anything: `study count`."""

from pathlib import Path
from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.display import services, write_report
from studykit.cli.options import Json, Plain, Unconfined, pinned_pairs
from studykit.cli.progress_bar import counting
from studykit.exercise.bet.snippet import pinned_sizes
from studykit.exercise.bet.snippet_bets import own
from studykit.exercise.bet.step_count import DEPTHS, described, document
from studykit.exercise.estimate.template import Parts
from studykit.exercise.kind import Report
from studykit.graders.host.device_worker import device_worker

CUDA_BLOCK = 512  # bytes to which CUDA's allocator rounds up

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file with setup() and run(...), or build() and step(...).")
]
Sizes = Annotated[
    list[str] | None, typer.Argument(metavar="[K=V]...", help="Sizes for its setup, such as layers=80.")
]
Measure = Annotated[bool, typer.Option("--measure", help="Run it on the GPU too, and show what was allocated.")]


def count(
    ctx: typer.Context,
    file: File,
    sizes: Sizes = None,
    *,
    measure: Measure = False,
    unconfined: Unconfined = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Count memory and FLOPs of a training step, allocating nothing."""
    context = context_of(ctx)
    snippet = own(file, pinned_sizes([*pinned_pairs(sizes or ()).items()])).snippet
    run = services(context, plain=plain)
    permission = run.file_permission(unconfined)
    with (
        device_worker(run.open_worker, "cuda" if measure else "cpu", permission) as worker,
        counting(context, "counting", len(DEPTHS)) as advance,
    ):
        worker.check_own_file(permission)
        step_count = worker.count_step(snippet, advance, block=CUDA_BLOCK if measure else 1)
        peak_bytes = worker.peak_memory(snippet) if measure else None
    head = f"One step of {file}, counted, not measured:\n"
    title = "Alive at the peak" if step_count.is_exact else "Alive at the peak, at least"
    picture = Parts(title, step_count.parts).bars()
    report = Report(
        document(step_count, peak_bytes),
        "\n".join([head, *described(step_count, peak_bytes)]),
        pictures=(picture,),
    )
    write_report(context, report, json=json, plain=plain)
