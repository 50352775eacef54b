"""Grade a rewrite, and format the grade for a terminal, as Markdown and as JSON."""

import re
import time
from dataclasses import dataclass, replace
from random import Random

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.pasted import python_of
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.verdict import Correct, Malformed
from studykit.graders.host.place import Place, ReferenceEndedError, side_by_side
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.answer_text import UnreadableError
from studykit.graders.rewrite.judge import (
    CheckResult,
    Judgment,
    cause_first,
    faults_in,
    judge,
    needless,
    with_method,
)
from studykit.sandbox.channel import WorkerEndedError
from studykit.sandbox.lockdown import UNCONFINED, Containment

TRIALS = 5
OF_TORCH = "Note: einops' einsum takes whole names for axes, as in einsum(x, y, 'batch d, batch d -> batch')."
FLOAT32_TOLERANCE = 1e-3
_IN_FLOAT32 = re.compile(r"\.float\b|\bfloat32\b")
_MAX_SHOWN_LINES = 8


@dataclass(frozen=True, slots=True)
class Graded:
    """Hold a judgment, and how it was reached."""

    exercise: Rewrite
    judgment: Judgment
    seconds: float  # from the first request to the verdict, the worker's start included
    device: str
    backend: str
    printed: str = ""
    held: Containment = UNCONFINED  # what the sandbox enforced
    note: str = ""  # why it did not run on an existing GPU
    left_out: str = ""  # what was pasted with the answer and is not Python


def grade(
    place: Place, exercise: Rewrite, source: str, random: Random, *, count: int = TRIALS, again: bool = True
) -> Graded:
    """Grade an answer over `count` new trials. Show the right axes only if `again`.

    If the worker ends meanwhile, or the child of the exercise's own code, grade it once more on the same trials
    with a new worker.
    """
    source, left_out = python_of(source)
    source = as_source(exercise, source)
    if exercise.tolerance and _IN_FLOAT32.search(source):  # Llama's own code computes its norm in float32
        exercise = replace(exercise, tolerance=FLOAT32_TOLERANCE)
    state = random.getstate()
    try:
        graded = _graded(place, exercise, source, random, count, again=again)
    except (WorkerEndedError, ReferenceEndedError):
        if place.fresh is None:
            raise
        random.setstate(state)
        with place.fresh() as worker:
            place = replace(place, worker=worker, fresh=None)
            graded = _graded(place, exercise, source, random, count, again=again)
    return replace(graded, held=place.held, note=place.note, left_out=left_out)


def _graded(place: Place, exercise: Rewrite, source: str, random: Random, count: int, *, again: bool) -> Graded:
    began = time.monotonic()
    try:
        text = answer_text.read(source, exercise)
    except UnreadableError as error:
        reason = str(error)
        message = f"Cannot read the answer: {reason}{'' if reason.endswith('?') else '.'}\n{error.shown}".rstrip()
        return Graded(exercise, Judgment(Malformed(reason), (), message), 0.0, place.device, place.backend)
    trials = trial.draw(exercise, random, count)
    with side_by_side(place, exercise, source, trials) as runs:
        expected, got = runs.wanted, runs.got
        judgment = judge(exercise, text, trials[: len(expected)], expected, got, again=again)
        faults = faults_in(exercise, text, runs.record, got[-1])
        if isinstance(judgment.verdict, Correct) and not faults:
            faults = [needless(name) for name in exercise.must if runs.is_right_without(name, trials[0])]
            if not faults and any(name == "einsum" for name, _ in runs.record.operations):
                judgment = replace(judgment, diagnosis=OF_TORCH)
        judgment = with_method(judgment, got, faults)
        printed = runs.answering.shown()
    if not isinstance(judgment.verdict, Correct | Malformed):
        from studykit.graders.host.explain import WrongAnswer, explained

        judgment = explained(place, WrongAnswer(exercise, source, trials, expected, got), judgment)
        judgment = replace(judgment, diagnosis=cause_first(exercise, source, judgment.diagnosis))
    return Graded(exercise, judgment, time.monotonic() - began, place.device, place.backend, printed)


def lines(graded: Graded, *, ascii_only: bool = False) -> list[str]:
    """Return lines with the checks, the diagnosis, and what the answer printed."""
    judgment = graded.judgment
    result = [f"  {checks(judgment.checks, ascii_only=ascii_only)}"] if judgment.checks else []
    if judgment.diagnosis:
        result += [""] if result else []
        result += [f"  {line}" for line in judgment.diagnosis.splitlines()]
    if graded.left_out:
        result += ["", f"  Read without {graded.left_out}."]
    if graded.printed.strip():
        printed = graded.printed.strip().splitlines()
        result += ["", "  It printed:", *(f"    {line[:100]}" for line in printed[:_MAX_SHOWN_LINES])]
    return [*result, "", f"{ending(graded)}"]


def checks(found: tuple[CheckResult, ...], *, ascii_only: bool = False) -> str:
    """Format the checks: `✓ runs   ✗ shape`."""
    signs = ("ok", "NO") if ascii_only else ("✓", "✗")
    return "   ".join(f"{signs[0] if check.passed else signs[1]} {check.name}" for check in found)


def ending(graded: Graded) -> str:
    """Return a sentence with the verdict, the time it took, and where it ran."""
    verdict = graded.judgment.verdict
    if isinstance(verdict, Malformed):
        return "Malformed: the answer cannot be read."
    word = "Passed" if isinstance(verdict, Correct) else verdict.name.replace("_", " ").capitalize()
    return f"{word} in {graded.seconds:.2f} s, {where(graded)}."


def where(graded: Graded) -> str:
    """Return which library ran the answer, and what the sandbox limited."""
    library = f"torch on {graded.device}" if graded.backend == "torch" else "numpy, because torch is not installed"
    note = f", because {graded.note}" if graded.note else ""
    return f"by {library}{note}; {graded.held.sentence()}"


def document(graded: Graded) -> dict[str, object]:
    """Return the document of `study grade --json`."""
    judgment = graded.judgment
    return {
        "exercise": graded.exercise.id,
        "verdict": judgment.verdict.name,
        "checks": [{"name": c.name, "passed": c.passed, "detail": c.detail} for c in judgment.checks],
        "diagnosis": judgment.diagnosis,
        "seconds": round(graded.seconds, 4),
        "device": graded.device,
        "backend": graded.backend,
        "sandbox": graded.held.sentence(),
        "printed": graded.printed,
        "left_out": graded.left_out,
    }


def markdown(graded: Graded) -> str:
    """Return checks, diagnosis and output as Markdown, in code blocks because carets need a fixed width."""
    judgment = graded.judgment
    parts = [checks(judgment.checks)] if judgment.checks else []
    if judgment.diagnosis:
        parts.append(f"```text\n{judgment.diagnosis}\n```")
    if graded.printed.strip():
        parts.append(f"It printed:\n\n```text\n{graded.printed.strip()[:400]}\n```")
    return "\n\n".join(filter(None, [*parts, _short(graded)]))


def _short(graded: Graded) -> str:
    """Return the ending without the library and the sandbox if both are the usual ones."""
    if isinstance(graded.judgment.verdict, Malformed):
        return ""
    if graded.held.whole and graded.backend == "torch":
        return ending(graded).partition("; ")[0].rstrip(".") + "."
    return ending(graded)
