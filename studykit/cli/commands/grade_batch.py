"""Grade a folder of submissions on all cores, and resume after a stop: `study grade --batch`."""

import os
from collections.abc import Sequence
from contextlib import nullcontext
from math import isfinite
from pathlib import Path

from studykit import __version__
from studykit.cli.context import Context
from studykit.cli.display import refuse_own_file
from studykit.cli.exit import INTERRUPTED
from studykit.cli.progress_bar import progress
from studykit.errors import UsageError
from studykit.exercise.catalog import rewrite_named
from studykit.graders.host.place import CUDA_LIMITS, LIMITS, backend_and_device, place_for
from studykit.sandbox.lockdown import containment
from studykit.submissions.batch import names_in, open_batch
from studykit.submissions.cluster_graders import ClusterGraders, GradingTerms, checked_address
from studykit.submissions.grader_processes import GraderProcesses
from studykit.submissions.result_schemas import SCHEMAS
from studykit.submissions.results_log import ResultsLog
from studykit.submissions.submission import BatchTask
from studykit.text import counted, json_text, shown_name

_BUDGET_TIMES = 6
"""Time limit of a submission, in multiples of the limit of one child process."""
_MAX_NAMES = 20


def run(
    context: Context,
    folder: Path,
    exercise: str | None,
    results: Path | None,
    schema: str,
    device: str | None,
    budget_s: float | None,
    on: str | None,
) -> int:
    """Grade every Python file below the folder, here or on the cluster whose scheduler is `on`, and write results.

    Return 0 if all pass, 1 if not, or the code of an interruption after Ctrl-C.
    """
    if budget_s is not None and not isfinite(budget_s):
        raise UsageError(f"--budget {budget_s} is not a number of seconds. Give one such as 60.")
    if on is not None:
        checked_address(on)
    rewrite = rewrite_named(exercise) if exercise else None
    names_found = names_in(folder)
    names = names_found.answers
    backend, device = _backend_and_device(context, device, is_cluster=on is not None)
    budget_s = budget_s or _BUDGET_TIMES * (CUDA_LIMITS if device == "cuda" else LIMITS).wall_s
    if names_found.folders:
        count = counted(len(names_found.folders), "folder")
        context.tell(f"not looked into: {_first(names_found.folders)} ({count}: links, or not to be read)")
    if names_found.others:
        count = counted(len(names_found.others), "file")
        context.tell(f"not graded: {_first(names_found.others)} ({count} whose name does not end in .py)")
    with _log(results, folder) or nullcontext() as log:
        task = BatchTask(rewrite, context.seed(), f"{__version__} {backend} {device} {budget_s:g}")
        batch = open_batch(folder, names, task, log.read() if log else {})
        terms = GradingTerms(__version__, backend, device, budget_s)
        graders = (
            ClusterGraders(on, terms)
            if on is not None
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
            advice = "with --results FILE a second run resumes where the first one ended"
            saved = "the same command resumes there" if log else f"nothing is saved; {advice}"
            context.tell(f"interrupted: {len(batch.results)} of {len(names)} graded; {saved}.")
            return INTERRUPTED
        document = SCHEMAS[schema](batch.ordered)
        if log is None:
            context.write_json(document)
        else:
            log.finish(json_text(document) + "\n")
            graded_before = f"; {batch.known} of them graded before and unchanged" if batch.known else ""
            context.write(f"{batch.passed} of {len(names)} passed{graded_before}; results are in {results}.")
        return 0 if batch.passed == len(names) else 1


def _first(names: Sequence[str]) -> str:
    """Return the first few names of a list."""
    return ", ".join(map(shown_name, names[:_MAX_NAMES])) + (" ..." if names[_MAX_NAMES:] else "")


def _backend_and_device(context: Context, wanted: str | None, *, is_cluster: bool) -> tuple[str, str]:
    """Return backend and device of the submissions, after a notice if the GPU is not used.

    Raise MissingError if the sandbox does not work here, because nothing of a batch runs outside it.
    """
    backend, device = backend_and_device(wanted)
    if is_cluster or (device == "cpu" and containment().whole):
        return backend, device
    with place_for(context.open_worker, wanted) as place:
        if place.notice:
            context.tell(place.notice)
        return place.backend, place.device


def _log(results: Path | None, folder: Path) -> ResultsLog | None:
    """Return the log of the results, or None without a file. Raise UsageError if it would lie in `folder`."""
    if results is None:
        return None
    ways = (os.path.realpath, os.path.abspath)  # a link that lies inside may lead out again
    if any(Path(way(results)).is_relative_to(way(folder)) for way in ways):
        why = f"{results} would lie among the submissions, which may hold a file of that name"
        raise UsageError(f"{why}. Name a file outside of {folder}.")
    refuse_own_file(results)
    return ResultsLog(results)
