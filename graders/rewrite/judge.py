"""Judges what an answer returned against what the exercise's own code returned; bytes against bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.tensors import Items, Tensor, Value
from studykit.exercise.rewrite.trial import Trial
from studykit.exercise.verdict import Correct, Crashed, Incorrect, Refused, TimedOut, Verdict
from studykit.graders.rewrite import compare
from studykit.graders.rewrite.diagnosis import exceptions
from studykit.graders.rewrite.method import Method
from studykit.graders.rewrite.whitelist import Literal

Ending = TimedOut | Crashed | Refused


@dataclass(frozen=True, slots=True)
class Returned:
    """What one call gave back, and its tensors afterwards."""

    value: Value
    inputs: tuple[Value, ...] = ()
    gradients: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of the answer, as the child described it."""

    type: str
    family: tuple[str, ...]
    message: str
    line: int


Outcome = Returned | Raised | Ending


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict with what led to it."""

    verdict: Verdict
    checks: tuple[Check, ...]
    diagnosis: str = ""  # several lines of plain text; empty when all is well


def judge(
    exercise: Rewrite, method: Method, trials: Sequence[Trial], wanted: Sequence[Returned], got: Sequence[Outcome]
) -> Judgment:
    """The first thing that is wrong, then the verdict."""
    values = _values(exercise, method, trials, wanted, got)
    faults = [str(offence) for offence in method.offences]
    checks = (*values.checks, Check("method", not faults, "; ".join(faults[:3])))
    if not isinstance(values.verdict, Correct):
        unknown = any(isinstance(one, Raised) and one.type == "NameError" for one in got)  # a typo: that is all
        told = bool(faults) and not unknown
        besides = f"\nBesides, the method is not allowed here: {', '.join(faults[:3])}." if told else ""
        return Judgment(values.verdict, checks, values.diagnosis + besides)
    if faults:
        said = f"The values are right, the method is not allowed here: {', '.join(faults[:3])}.\n{_rule(exercise)}"
        return Judgment(Incorrect(why=said.splitlines()[0]), checks, said)
    return Judgment(Correct(), checks)


def judge_unrun(exercise: Rewrite, method: Method) -> Judgment:
    """The verdict on an answer that is not run here because it breaks the rule."""
    faults = [str(offence) for offence in method.offences]
    said = f"Not allowed here: {', '.join(faults[:3])}.\n{_rule(exercise)}"
    return Judgment(Incorrect(why=said.splitlines()[0]), (Check("method", passed=False, detail=faults[0]),), said)


def _rule(exercise: Rewrite) -> str:
    more = f", {', '.join(exercise.helpers)}" if exercise.helpers else ""
    return (
        f"Say it with {' and '.join(exercise.must)}: an answer may call einops' functions{more}, read .shape, "
        "and use + - * / on what they give."
    )


def _values(
    exercise: Rewrite, method: Method, trials: Sequence[Trial], wanted: Sequence[Returned], got: Sequence[Outcome]
) -> Judgment:
    for place, (trial, want) in enumerate(zip(trials, wanted, strict=True)):
        outcome = got[min(place, len(got) - 1)]
        if isinstance(outcome, Ending):
            return Judgment(outcome, (Check("runs", passed=False, detail=ended(outcome)),), ended(outcome))
        if isinstance(outcome, Raised):
            return _raised(exercise, outcome, method, _case(exercise, trial))
        found = _compare(exercise, trial, want, outcome)
        if found is not None:
            name, detail = found
            passed = [Check(n, passed=True) for n in ("runs", *_ORDER[: _ORDER.index(name)])]
            told = f"{_case(exercise, trial)}\n{detail}{_literal_note(method.literals, exercise)}"
            failed = Check(name, passed=False, detail=detail.splitlines()[0])
            return Judgment(Incorrect(why=_headline(detail)), (*passed, failed), told)
    made = _ORDER if wanted and wanted[0].gradients else _ORDER[:-1]
    return Judgment(Correct(), (Check("runs", passed=True), *(Check(name, passed=True) for name in made)))


def _headline(detail: str) -> str:
    """The line that explains, where there is one: the last but for general advice."""
    lines = [line for line in detail.splitlines() if not line.startswith("The first name in parentheses")]
    return lines[-1]


_ORDER = ("shape", "dtype", "values", "inputs", "gradient")


def agrees(exercise: Rewrite, want: Returned, got: Outcome) -> bool:
    """Whether a call gave back the right values, without asking why not."""
    if not isinstance(got, Returned):
        return False
    if isinstance(want.value, Items) and isinstance(got.value, Items):
        return want.value.kind == got.value.kind and want.value.items == got.value.items
    return compare.same(want.value, got.value, exercise.tolerance)


def _compare(exercise: Rewrite, trial: Trial, want: Returned, got: Returned) -> tuple[str, str] | None:
    """The name of the first check that fails and why, or None."""
    fault = compare.fault(exercise, trial, want.value, got.value)
    if fault is not None:
        return fault
    if got.inputs != trial.tensors:
        names = [a.name for a in exercise.arguments if a.groups is not None]
        changed = [n for n, was, now in zip(names, trial.tensors, got.inputs, strict=False) if was != now]
        return (
            "inputs",
            f"The answer changed its input {' and '.join(changed) or names[0]}; make a new tensor instead.",
        )
    for name, one, other in zip((a.name for a in exercise.arguments), want.gradients, got.gradients, strict=False):
        if not compare.same(one, other, exercise.tolerance):
            return "gradient", f"The values are right, but the gradient of {name} is not: is it cut off somewhere?"
    if len(want.gradients) != len(got.gradients):
        return "gradient", "The values are right, but no gradient comes back."
    return None


def _raised(exercise: Rewrite, error: Raised, method: Method, case: str) -> Judgment:
    what = exceptions.raised(exercise, error.type, error.message, error.line, method.patterns)
    first = what.splitlines()[0]
    check = (Check("runs", passed=False, detail=first),)
    where = f" on line {error.line}" if error.line else ""
    verdict: Verdict
    if "OSError" in error.family:  # files, network, processes: no answer has business there
        what = f"The sandbox refused what the answer tried{where}: {error.message}"
        verdict = Refused(what)
        check = (Check("runs", passed=False, detail=what),)
    elif "MemoryError" in error.family or "can't allocate memory" in error.message:
        what = f"The answer asked for more memory than it may have{where}."
        verdict = Crashed(what)
        check = (Check("runs", passed=False, detail=what),)
    else:
        verdict = Incorrect(why=first) if error.type == "EinopsError" else Crashed(first)
        what = f"{case}\n{what}"
    return Judgment(verdict, check, what + _literal_note(method.literals, exercise))


def _literal_note(literals: Sequence[Literal], exercise: Rewrite) -> str:
    if not literals:
        return ""
    one = literals[0]
    if not one.name:
        return f"\nLine {one.line} fixes a size: {one.value} in the pattern. Name that axis instead."
    known = one.name in {a.name for a in exercise.arguments if a.groups is None}
    instead = f"; write {one.name}={one.name}" if known else ""
    return f"\nLine {one.line} fixes a size: {one.name}={one.value}. The judge draws other sizes{instead}."


def _case(exercise: Rewrite, trial: Trial) -> str:
    """`Case: x of shape (2, 3, 10) (b s w), h = 5`."""
    parts = []
    for argument, given in zip(exercise.arguments, trial.arguments, strict=True):
        if isinstance(given, Tensor):
            parts.append(f"{argument.name} of shape {given.shape} ({argument.shown})")
        else:
            parts.append(f"{argument.name} = {given}")
    return "Case: " + ", ".join(parts)


def ended(ending: Ending) -> str:
    """How an answer that gave nothing ended, in one sentence."""
    match ending:
        case TimedOut(seconds, of_cpu):
            return f"The answer did not finish within {seconds:g} s{' of CPU time' if of_cpu else ''}."
        case Crashed(why) | Refused(why):
            return f"The answer was stopped: {why}."
