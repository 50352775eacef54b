"""Grade a folder of submissions on all cores, and resume after a stop: `study grade --batch`."""

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from studykit import __version__
from studykit.cli.context import Context
from studykit.cli.exit import INTERRUPTED
from studykit.cli.progress_bar import progress
from studykit.errors import UsageError
from studykit.exercise.catalog import rewrite_named
from studykit.graders.host.place import CUDA_LIMITS, LIMITS, backend_and_device, place_for
from studykit.sandbox.lockdown import containment
from studykit.submissions.batch import Batch, names_in, open_batch
from studykit.submissions.cluster_graders import ClusterGraders, GradingTerms, checked_address
from studykit.submissions.grader_processes import GraderProcesses
from studykit.submissions.result_schemas import SCHEMAS
from studykit.submissions.results_log import ResultsLog
from studykit.submissions.submission import BatchTask
from studykit.text import counted, json_text, shown_name

_BUDGET_TIMES = 6
"""Time limit of a submission, in multiples of the limit of one child process."""
_MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Hold the arguments of `study grade --batch`."""

    folder: Path
    exercise: str | None = None
    results: Path | None = None
    schema: str = "exercism"
    device: str | None = None
    budget_s: float | None = None
    on: str | None = None  # the address of a cluster's scheduler


def run(context: Context, request: BatchRequest) -> int:
    """Grade every Python file below the folder and write the results.

    Return 0 if all pass, 1 if not, or the code of an interruption after Ctrl-C.
    """
    if request.budget_s is not None and not isfinite(request.budget_s):
        raise UsageError(f"--budget {request.budget_s} is not a number of seconds. Give one such as 60.")
    if request.on is not None:
        checked_address(request.on)
    exercise = rewrite_named(request.exercise) if request.exercise else None
    names_found = names_in(request.folder)
    names = names_found.answers
    backend, device = _backend_and_device(context, request)
    budget_s = request.budget_s or _BUDGET_TIMES * (CUDA_LIMITS if device == "cuda" else LIMITS).wall_s
    if names_found.folders:
        count = counted(len(names_found.folders), "folder")
        context.tell(f"not looked into: {_first(names_found.folders)} ({count}: links, or not to be read)")
    if names_found.others:
        count = counted(len(names_found.others), "file")
        context.tell(f"not graded: {_first(names_found.others)} ({count} whose name does not end in .py)")
    with _log(request) or nullcontext() as log:
        task = BatchTask(exercise, context.seed(), f"{__version__} {backend} {device} {budget_s:g}")
        batch = open_batch(request.folder, names, task, log.read() if log else {})
        terms = GradingTerms(__version__, backend, device, budget_s)
        graders = (
            ClusterGraders(request.on, terms)
            if request.on is not None
            else GraderProcesses(device, context.worker_folder, budget_s)
        )
        try:
            with progress(context, "grading", len(names)) as bar:
                batch.run(
                    graders.results,
                    log,
                    lambda state: bar.reach(len(state.results), len(names), f"grading, {state.passed} passed"),
                )
        except KeyboardInterrupt:
            context.tell(_interrupt_message(batch, request))
            return INTERRUPTED
        return _write_results(context, request, batch, log)


def _first(names: Sequence[str]) -> str:
    """Return the first few names of a list."""
    return ", ".join(map(shown_name, names[:_MAX_NAMES])) + (" ..." if names[_MAX_NAMES:] else "")


def _backend_and_device(context: Context, request: BatchRequest) -> tuple[str, str]:
    """Return backend and device of the submissions, after a notice if the GPU is not used.

    Raise MissingError if the sandbox does not work here, because nothing of a batch runs outside it.
    """
    backend, device = backend_and_device(request.device)
    if request.on is not None or (device == "cpu" and containment().whole):
        return backend, device
    with place_for(context.open_worker, request.device) as place:
        if place.notice:
            context.tell(place.notice)
        return place.backend, place.device


def _log(request: BatchRequest) -> ResultsLog | None:
    if request.results is None:
        return None
    ways = (os.path.realpath, os.path.abspath)  # a link that lies inside may lead out again
    if any(Path(way(request.results)).is_relative_to(way(request.folder)) for way in ways):
        why = f"{request.results} would lie among the submissions, which may hold a file of that name"
        raise UsageError(f"{why}. Name one outside of {request.folder}.")
    return ResultsLog(request.results)


def _write_results(context: Context, request: BatchRequest, batch: Batch, log: ResultsLog | None) -> int:
    document = SCHEMAS[request.schema](batch.ordered)
    if log is None:
        context.write_json(document)
    else:
        log.finish(json_text(document) + "\n")
        graded_before = f"; {batch.known} of them graded before and unchanged" if batch.known else ""
        summary = f"{batch.passed} of {len(batch.names)} passed"
        context.write(f"{summary}{graded_before}; results are in {request.results}.")
    return 0 if batch.passed == len(batch.names) else 1


def _interrupt_message(batch: Batch, request: BatchRequest) -> str:
    text = f"interrupted: {len(batch.results)} of {len(batch.names)} graded"
    if request.results is None:
        return f"{text}, and nothing is saved; with --results FILE a second run resumes where the first one ended."
    return f"{text}; the same command resumes there."
