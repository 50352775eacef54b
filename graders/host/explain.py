"""Explain a wrong answer by running it again with small edits, one of which may make it right."""

import ast
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

from studykit.errors import MissingError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial, decode
from studykit.exercise.verdict import Correct, Crashed
from studykit.graders.host.place import LIMITS, Place, expected, first_header
from studykit.graders.rewrite.diagnosis import edits
from studykit.graders.rewrite.diagnosis.wrong_axes import NEARLY, NOT_FINITE
from studykit.graders.rewrite.judge import (
    BESIDES,
    RETURN,
    SIZES,
    Judgment,
    Outcome,
    Raised,
    Returned,
    agrees,
    explained_by,
)
from studykit.sandbox.channel import Child, Message, WorkerEndedError
from studykit.sandbox.lockdown import Limits

_SEARCH_LIMITS = Limits(wall_s=4.0, cpu_s=2)  # its child waits most of the time while edits are made here
_CONCLUSION = "all else is right."
_ARITHMETIC = ("RuntimeError", "IndexError", "ValueError")
_UNEXPLAINED = ("First wrong element", "In the input's axes", "Every element is ", NEARLY, NOT_FINITE)
_SORTS_LAST = 1 << 40
_MAX_TRIES = 2  # the OOM killer may end the child that runs the versions, or its worker
_MAX_EDITED_CHARACTERS = 4000
_VERSIONS_PER_REQUEST = 16  # few, because the clock is checked between two requests


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """Hold a wrong answer with its trials and results, up to the first failure."""

    exercise: Rewrite
    source: str
    trials: Sequence[Trial]
    wanted: Sequence[Returned]
    got: Sequence[Outcome]


def explained(place: Place, answer: WrongAnswer, judgment: Judgment) -> Judgment:
    """Add the cause of wrong values to a judgment. Return it unchanged without wrong values or a worker."""
    pairs = enumerate(zip(answer.wanted, answer.got, strict=False))
    wrong = [n for n, (expected_result, result) in pairs if not agrees(answer.exercise, expected_result, result)]
    # With right values, an input was changed or a gradient is wrong, which no edit of values would explain.
    for _ in range(_MAX_TRIES if wrong else 0):
        with suppress(MissingError):
            return _with_cause(answer, judgment, explained_by(_cause, place, answer, judgment, wrong))
    return judgment


def _cause(place: Place, answer: WrongAnswer, judgment: Judgment, wrong: Sequence[int]) -> str:
    """Return a sentence on the small edits that make the answer right, or ""."""
    exercise = answer.exercise
    if not is_searchable(answer.source) or not wants_search(exercise, judgment, answer.got[-1]):
        return ""
    results = answer.wanted
    if len(results) < len(answer.trials):
        results = expected(replace(place, device="cpu", limits=LIMITS), exercise, answer.trials)
    cause = _edits(place, exercise, answer.source, _telling_first(answer.trials, results, wrong))
    whose = re.search(r"names the axes of (\w+) in another order", judgment.diagnosis)
    is_another_way = bool(whose and " of `" in cause and f" of `{whose[1]}`" not in cause)
    return "" if is_another_way else cause


def _with_cause(answer: WrongAnswer, judgment: Judgment, cause: str) -> Judgment:
    """Add the cause, or a hint if nothing explains the answer."""
    lines = judgment.diagnosis.splitlines()
    if cause:
        besides = [line for line in lines if line.startswith(BESIDES)]
        lines = [line for line in lines if not line.startswith((NEARLY, NOT_FINITE, BESIDES))]
        conclusion = "all else is right but the method." if besides else _CONCLUSION
        lines += [cause.replace(_CONCLUSION, conclusion), *besides]
    elif (
        isinstance(answer.got[-1], Returned)
        and not answer.exercise.canonical
        and not any(words in judgment.diagnosis for words in (BESIDES, SIZES, f"\n{RETURN}"))
    ):
        lines.append(f"No small change that was tried makes it right. A hint: {answer.exercise.hints[0]}")
    return replace(judgment, diagnosis="\n".join(lines))


def _telling_first(
    trials: Sequence[Trial], results: Sequence[Returned], wrong: Sequence[int]
) -> list[tuple[Trial, Returned]]:
    """Pair trials with their right results, failed trials first, and small ones before large.

    The last trial, which has an axis of size 1, comes after the other failed or passed ones.
    """
    places = range(len(results))
    size = {n: sum(len(t.data) for t in trials[n].tensors) + (n == len(trials) - 1) * _SORTS_LAST for n in places}
    return [(trials[n], results[n]) for n in sorted(places, key=lambda n: (n not in wrong, size[n]))]


_MAX_BITS = 10_000  # Python refuses to print integers of more than 4,300 digits, which is 14,000 bits


def _edits(place: Place, exercise: Rewrite, source: str, trials: Sequence[tuple[Trial, Returned]]) -> str:
    """Return an explanation of the one or two edits that make the answer right on all trials, or "".

    The search takes at most `place.search_s`.
    """
    until = time.monotonic() + place.search_s
    single = edits.singles(source, exercise)
    limits = replace(_SEARCH_LIMITS, wall_s=min(place.search_s, _SEARCH_LIMITS.wall_s))
    waiting, versions = chain(((edit,) for edit in single), edits.pairs(single)), edits.EditedAnswers(source)
    with place.worker.start("run_rewrite", limits) as child:
        child.ask(first_header(exercise, place.backend, "cpu"))
        while (
            child.ending is None
            and time.monotonic() < until
            and (batch := list(islice(waiting, _VERSIONS_PER_REQUEST)))
        ):
            sources = [versions.text_with(edit) for edit in batch]
            agreements = _agree(child, exercise, sources, trials[0])
            for edit, text, is_right in zip(batch, sources, agreements, strict=True):
                if is_right and all(_agree(child, exercise, [text], trial)[0] for trial in trials[1:]):
                    return edits.explanation(edit)
        if isinstance(child.ending, Crashed) and child.ending.killed:
            raise WorkerEndedError("The search for the mistake was ended from outside. Try again.")
    return ""


def _agree(child: Child, exercise: Rewrite, sources: Sequence[str], trial: tuple[Trial, Returned]) -> list[bool]:
    """Return, for each version, whether its result is right on one trial."""
    inputs, expected_result = trial
    header = {"codes": list(sources), "arguments": inputs.described()}
    reply = child.ask(header, [tensor.data for tensor in inputs.tensors])
    all_wrong = [False] * len(sources)
    if not isinstance(reply, Message):
        return all_wrong
    try:
        blobs = list(reply.blobs)
        values = [None if value is None else decode(value, blobs) for value in reply.header["values"]]
    except (KeyError, TypeError, ValueError, RecursionError):
        return all_wrong
    if len(values) != len(sources):
        return all_wrong
    return [value is not None and agrees(exercise, expected_result, Returned(value)) for value in values]


def is_searchable(source: str) -> bool:
    """Return whether an answer is one plain function, which small edits can mend."""
    if len(source) > _MAX_EDITED_CHARACTERS:
        return False
    tree = ast.parse(source)
    odd = (
        ast.ClassDef,
        ast.Lambda,
        ast.AsyncFunctionDef,
        ast.comprehension,
        ast.For,
        ast.While,
        ast.Try,
        ast.With,
    )
    nodes = [*ast.walk(tree)]
    count = sum(isinstance(node, ast.FunctionDef) for node in nodes)
    return count == 1 and not any(isinstance(n, odd) or _is_long(n) for n in nodes)


def _is_long(node: ast.AST) -> bool:
    """Return whether a node is a number too long for Python to print, as hexadecimal ones may be."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value.bit_length() > _MAX_BITS


def wants_search(exercise: Rewrite, judgment: Judgment, last: Outcome) -> bool:
    """Return whether the judgment does not explain yet why the answer is wrong."""
    if isinstance(last, Raised):
        return isinstance(judgment.verdict, Crashed) and last.type in _ARITHMETIC
    if not isinstance(last, Returned) or isinstance(judgment.verdict, Correct):
        return False
    failed = {check.name for check in judgment.checks if not check.passed}
    if "shape" in failed:
        return not exercise.canonical
    lines = [line for line in judgment.diagnosis.splitlines() if not line.startswith(BESIDES)]
    return "values" in failed and (not exercise.canonical or lines[-1].startswith(_UNEXPLAINED))
