"""Compare what an answer returned with what the exercise's own code returned, as bytes."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ParamSpec

from studykit.errors import MissingError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Items, Other, Plain, Tensor, Trial, WireValue, differing
from studykit.exercise.verdict import Correct, Crashed, Ending, Incorrect, Malformed, Refused, TimedOut, Verdict
from studykit.graders.rewrite import operations
from studykit.graders.rewrite.answer_text import AnswerText, Literal
from studykit.text import listed, printable

_Given = ParamSpec("_Given")
JUDGE = 3  # the number of this judge: results of another are not kept. Raise it where a verdict may change.
RETURN = "Return "  # how the advice begins where the result is of another kind
SIZES = "Your sizes are"  # how what is wrong with a dictionary of sizes begins


@dataclass(frozen=True, slots=True)
class Returned:
    """Hold one call's result, its input tensors after the call, and their gradients."""

    value: WireValue
    inputs: tuple[WireValue, ...] = ()
    gradients: tuple[WireValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """Hold an exception of the answer, as the child described it."""

    type: str
    family: tuple[str, ...]
    message: str
    line: int


Outcome = Returned | Raised | Ending


@dataclass(frozen=True, slots=True)
class CallRecord:
    """Hold what an answer's own code called while it ran, as its child reports it."""

    operations: tuple[tuple[str, int], ...] = ()  # those of the table, with their lines
    called: frozenset[str] = frozenset()  # functions of einops, on what came from the inputs


@dataclass(frozen=True, slots=True)
class Fault:
    """Hold what an answer does that its exercise does not allow, and what to do instead."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Hold the result of one check."""

    name: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """Hold the verdict with the checks that led to it."""

    verdict: Verdict
    checks: tuple[CheckResult, ...]
    diagnosis: str = ""  # several lines of plain text; of a right answer a note, or nothing


def with_method(values: Judgment, got: Sequence[Outcome], faults: Sequence[Fault]) -> Judgment:
    """Combine the judgment on an answer's values with its method: right values by a wrong method are wrong."""
    if isinstance(values.verdict, Malformed):
        return values
    ran = bool(got) and isinstance(got[-1], Returned)  # else it is not known what it would have called
    method = CheckResult("method", not faults, "; ".join(fault.what for fault in faults))
    checks = (*values.checks, method) if ran or faults else values.checks
    if not faults:
        return Judgment(values.verdict, checks, values.diagnosis)
    first = faults[0]
    if not isinstance(values.verdict, Correct):
        unknown = any(isinstance(one, Raised) and one.type == "NameError" for one in got)  # a typo: that is all
        besides = "" if unknown else f"\n{BESIDES}{first.what}. {first.advice}"
        return Judgment(values.verdict, checks, values.diagnosis + besides)
    sentence = f"The values are right, but {first.what}."
    return Judgment(Incorrect(why=sentence), checks, f"{sentence}\n{first.advice}")


def faults_in(exercise: Rewrite, text: AnswerText, record: CallRecord, last: Outcome) -> list[Fault]:
    """List operations that the exercise does not allow, and required functions that the last run did not call."""
    fine = operations.allowed_in(exercise) if record.operations else frozenset()
    found: dict[int, list[str]] = {}
    for name, line in record.operations:
        if name not in fine and line not in text.idle_lines:
            found.setdefault(line, []).append(name)
    faults = []
    for line, names in sorted(found.items()):
        what = f"line {line} uses {listed([operations.described(name) for name in names])}"
        advice = [operations.ADVICE[name] for name in names]
        best = next((each for each in advice if each.startswith(exercise.must)), advice[0])
        faults.append(Fault(what, f"Use einops there: {best}."))
    others = sorted(record.called - {*exercise.must})
    for name in exercise.must if isinstance(last, Returned) else ():
        if name not in record.called:
            what = (
                f"the answer calls {listed(others)}" if others else f"the answer never calls {name} on its input"
            )
            advice_text = f"This exercise asks for {' and '.join(exercise.must)}: use {name} instead."
            faults.append(Fault(what, advice_text))
    return faults


def needless(name: str) -> Fault:
    """Return the fault of an answer whose result does not depend on what a required function returns."""
    return Fault(
        f"the result does not depend on what {name} returns", f"Compute the result with {name}, and return that."
    )


def judge(
    exercise: Rewrite,
    text: AnswerText,
    trials: Sequence[Trial],
    wanted: Sequence[Returned],
    got: Sequence[Outcome],
    *,
    again: bool = True,
) -> Judgment:
    """Judge results by their first difference from the wanted ones.

    Name the wanted axes only `again`, from the second failure on.
    """
    for place, (trial, want) in enumerate(zip(trials, wanted, strict=True)):
        outcome = got[min(place, len(got) - 1)]
        if isinstance(outcome, Ending):
            return _stopped(outcome, ending_sentence(outcome))
        if isinstance(outcome, Raised):
            return _raised(exercise, outcome, text, _case(exercise, trial))
        difference = _compare(exercise, trial, want, outcome, again=again)
        if difference is not None:
            return _differs(exercise, text, _case(exercise, trial), *difference)
    return Judgment(Correct(), _passed(_ORDER if wanted and wanted[0].gradients else _ORDER[:-1]))


def _differs(exercise: Rewrite, text: AnswerText, case: str, name: str, detail: str) -> Judgment:
    """Return the judgment on an answer that failed a check of its result."""
    from studykit.graders.rewrite.diagnosis import sources

    reason = explained_by(sources.naming_mistake, exercise, text)
    if text.unused:
        reason = f"`{text.unused[0]}` is never used, and the result depends on it."
    lines = detail.splitlines()
    if name in {"shape", "values"} and reason:
        lines = [*filter(_is_fact, lines), reason]
    diagnosis = "\n".join([case, *lines]) + _literal_note(text.literals, exercise)
    # The line that explains, where there is one: the last but for general advice.
    why = [line for line in lines if not line.startswith("The first name in parentheses")][-1]
    checks = (*_passed(_ORDER[: _ORDER.index(name)]), CheckResult(name, passed=False, detail=lines[0]))
    return Judgment(Incorrect(why=why), checks, diagnosis)


def _passed(names: Sequence[str]) -> tuple[CheckResult, ...]:
    return tuple(CheckResult(name, passed=True) for name in ("runs", *names))


def explained_by(explain: Callable[_Given, str], *given: _Given.args, **options: _Given.kwargs) -> str:
    """Call a function that explains a wrong answer. A bug in it loses the explanation, never the verdict."""
    try:
        return explain(*given, **options)
    except MissingError:
        raise  # the worker is gone: the answer is graded once more
    except Exception as error:  # noqa: BLE001 - whatever it is
        return f"The mistake cannot be explained: a bug in studykit ({type(error).__name__}). Please report it."


_OF_MEMORY = frozenset({"MemoryError", "OutOfMemoryError"})  # the second is torch's, of a GPU
BESIDES = "Besides, "  # how the line on the method of a wrong answer begins
_FACTS = ("Shape ", "With ", "First wrong element", "In the input's axes")
_CASE = "Case: "


def _is_fact(line: str) -> bool:
    """Return whether a line states a fact without explaining it."""
    return line.startswith(_FACTS) or line.endswith("elements are wrong.")


def cause_first(exercise: Rewrite, source: str, diagnosis: str) -> str:
    """Move the explanation above the case and its figures, because a low screen shows only the first lines.

    If the diagnosis names an axis that neither the question nor the answer `source` names, the case says which
    axis of the question contains it.
    """
    lines = diagnosis.splitlines()
    facts = [line for line in lines if line.startswith(_CASE) or _is_fact(line)]
    causes = [line for line in lines if line not in facts]
    if facts and facts[0].startswith(_CASE):
        facts[0] += "".join(_parts_of_axes(exercise, source, diagnosis))
    result = "\n".join([*causes, *facts])
    return re.sub(f"^{BESIDES}(.)", lambda first: first[1].upper(), result)  # where it is the first line


def _parts_of_axes(exercise: Rewrite, source: str, diagnosis: str) -> Iterator[str]:
    familiar = set(_WORD.findall(source)).union(exercise.size_names)
    new_names = set(_WORD.findall(diagnosis)) - familiar
    for argument in exercise.tensors:
        for shown, group in zip(argument.shown.split(), argument.groups or (), strict=True):
            if len(group) > 1 and not new_names.isdisjoint(map(str, group)):
                yield f"; {shown} is {' * '.join(map(str, group))}"


_WORD = re.compile(r"(?<![\w'])[A-Za-z_]\w*")
_ORDER = ("shape", "dtype", "values", "inputs", "gradient")


def agrees(exercise: Rewrite, want: Returned, got: Outcome) -> bool:
    """Return whether a call returned the right values, without explaining a difference."""
    return isinstance(got, Returned) and same(want.value, got.value, exercise.tolerance)


def _compare(
    exercise: Rewrite, trial: Trial, want: Returned, got: Returned, *, again: bool
) -> tuple[str, str] | None:
    """Return the name of the first check that fails and why, or None."""
    wrong = first_difference(exercise, trial, want.value, got.value, again=again)
    if wrong is not None:
        return wrong
    if got.inputs != trial.tensors:
        names = [argument.name for argument in exercise.tensors]
        changed = [n for n, was, now in zip(names, trial.tensors, got.inputs, strict=False) if was != now]
        return (
            "inputs",
            f"The answer changed its input {' and '.join(changed) or names[0]}; make a new tensor instead.",
        )
    for name, one, other in zip((a.name for a in exercise.arguments), want.gradients, got.gradients, strict=False):
        if not same(one, other, exercise.tolerance):
            return "gradient", f"The values are right, but the gradient of {name} is not: is it cut off somewhere?"
    if len(want.gradients) != len(got.gradients):
        return "gradient", "The values are right, but no gradient comes back."
    return None


def first_difference(
    exercise: Rewrite, trial: Trial, want: WireValue, got: WireValue, *, again: bool = True
) -> tuple[str, str] | None:
    """Return the name of the check that fails between two values and why, or None if they are equal.

    The axes of the right result are shown only `again`, from the second failure on.
    """
    match want, got:
        case Tensor(), Tensor():
            return _tensor(exercise, trial, want, got, again=again)
        case Items("dict"), Items("dict"):
            return None if want == got else ("values", _sizes(want, got))
        case Items(), Items() if _is_alike(want, got) and len(want.items) == len(got.items):
            differences = (
                first_difference(exercise, trial, a, b, again=again)
                for a, b in zip(want.items, got.items, strict=True)
            )
            return next((one for one in differences if one is not None), None)
        case Plain(), Plain() if type(want.value) is type(got.value):
            if want == got:
                return None
            return "values", f"The result holds {got.value!r}, wanted {want.value!r}."
        case _:
            return "shape", f"The result is {_kind(got)}, wanted {_kind(want)}.{_instead(exercise, want, got)}"


def _is_alike(one: Items, other: Items) -> bool:
    """Return whether both are a list or tuple (an unpacked result may be either), or of the same other kind."""
    sequences = {"list", "tuple"}
    return one.kind == other.kind or {one.kind, other.kind} == sequences


def _instead(exercise: Rewrite, want: WireValue, got: WireValue) -> str:
    """Say what to return instead, such as one element of a returned tuple, or return ""."""
    if isinstance(got, Items) and want in got.items:
        return f"\n{RETURN}its element [{got.items.index(want)}]."
    if isinstance(want, Items) and got in want.items:
        return f"\n{RETURN}the whole {want.kind}, not its element [{want.items.index(got)}]."
    if got == Plain(None):
        return f"\n{RETURN}the result: the last line of the function begins with `return`."
    if exercise.must == ("parse_shape",):
        return f"\n{RETURN}what parse_shape gives."
    return f"\n{RETURN}the tensor itself." if isinstance(want, Tensor) else ""


_MAX_SIZES, _SIZE_CHARACTERS = 16, 80  # that are shown: a result may hold 1 MiB of names


def _sizes(want: Items, got: Items) -> str:
    """Explain how two dictionaries of sizes differ."""
    actual, expected = _entries(got), _entries(want)
    entries = [*actual[:_MAX_SIZES], *(["..."] if actual[_MAX_SIZES:] else [])]
    sentence = f"{SIZES} {', '.join(entries) or 'none'}; wanted {', '.join(expected)}."
    if len(actual) > len(expected):
        sentence += "\nAn axis named _ in the pattern is passed over."
    return sentence if set(expected) < set(actual) else f"{sentence}\nThe names follow the order of the axes."


def _entries(sizes: Items) -> list[str]:
    pairs = [pair.items[:2] for pair in sizes.items if isinstance(pair, Items)]
    texts = ([str(one.value) if isinstance(one, Plain) else "?" for one in pair] for pair in pairs)
    return ["=".join(printable(text, _SIZE_CHARACTERS) for text in pair) for pair in texts]


def _tensor(exercise: Rewrite, trial: Trial, want: Tensor, got: Tensor, *, again: bool) -> tuple[str, str] | None:
    from studykit.graders.rewrite.diagnosis.wrong_axes import WrongTensor

    wrong = WrongTensor(exercise, trial, again)
    if want.shape != got.shape:
        return "shape", explained_by(wrong.shape, want, got)
    if want.dtype != got.dtype:
        return "dtype", f"The result is {got.dtype}, wanted {want.dtype}: the dtype of the input is kept."
    if not same(want, got, exercise.tolerance):
        return "values", explained_by(wrong.values, want, got)
    return None


def same(want: WireValue, got: WireValue, tolerance: float) -> bool:
    """Return whether two values are equal, numbers of a tensor within the tolerance."""
    if isinstance(want, Items) and isinstance(got, Items):
        return _is_alike(want, got) and want.items == got.items
    if want == got or not isinstance(want, Tensor) or not isinstance(got, Tensor):
        return want == got
    if want.shape != got.shape or want.dtype != got.dtype:
        return False
    numbers = want.numbers
    if not numbers:  # of a dtype that Python cannot read: only the same bytes are equal
        return False
    if tolerance == 0:
        return numbers == got.numbers  # 0 times -1 is -0, whose bytes are not those of 0
    return next(differing(numbers, got.numbers, tolerance), None) is None


def _kind(value: WireValue) -> str:
    match value:
        case Tensor():
            return f"a tensor of shape {value.shape}"
        case Items():
            return f"a {value.kind} of {len(value.items)}"
        case Plain():
            return "nothing" if value.value is None else f"{value.value!r}"
        case Other():
            return f"a {value.type}"


def _raised(exercise: Rewrite, error: Raised, text: AnswerText, case: str) -> Judgment:
    from studykit.graders.rewrite.diagnosis import exceptions, sources

    what = explained_by(exceptions.exception_text, exercise, error.type, error.message, error.line, text.patterns)
    first = what.splitlines()[0]
    is_about_sizes = any(words in error.message for words in ("Shape mismatch", "previously seen size"))
    is_from_einops = error.type == "EinopsError" or "einsum()" in error.message
    if is_from_einops and (mistake := explained_by(sources.naming_mistake, exercise, text, raised=is_about_sizes)):
        what = "\n".join([first, *(line for line in what.splitlines()[1:] if line.startswith("  ")), mistake])
    where = f" on line {error.line}" if error.line else ""
    note = _literal_note(text.literals, exercise)
    if "OSError" in error.family:  # files, network, processes: no answer has business there
        complaint = re.sub(r"^\[Errno \d+\] ", "", error.message)
        why = f"The sandbox refused what the answer tried{where}: {complaint}"
        return _stopped(Refused(why), why, note)
    if _OF_MEMORY.intersection(error.family) or "can't allocate memory" in error.message:
        why = f"The answer asked for more memory than it may have{where}."
        return _stopped(Crashed(why), why, note)
    if error.type == "NoFunctionError":
        arguments = listed([argument.name for argument in exercise.arguments])
        what = f"No function of the answer takes {arguments}. Write `def {exercise.signature}:`."
        return Judgment(Malformed(what), (), what)
    if exceptions.is_unreadable(error.type, error.family, error.message, error.line, text.patterns):
        return Judgment(Malformed(first), (), f"Cannot read the answer: {what}")
    verdict = Incorrect(why=first) if error.type == "EinopsError" else Crashed(first)
    return _stopped(verdict, first, note, f"{case}\n{what}")


def _stopped(verdict: Verdict, why: str, note: str = "", diagnosis: str = "") -> Judgment:
    """Return the judgment on an answer that did not finish."""
    check = CheckResult("runs", passed=False, detail=why)
    return Judgment(verdict, (check,), (diagnosis or why) + note)


def _literal_note(literals: Sequence[Literal], exercise: Rewrite) -> str:
    if not literals:
        return ""
    one = literals[0]
    if not one.name:
        return f"\nLine {one.line} fixes a size: {one.value} in the pattern. Name that axis instead."
    instead = f"; write {one.name}={one.name}" if one.name in exercise.size_names else ""
    return f"\nLine {one.line} fixes a size: {one.name}={one.value}. The judge draws other sizes{instead}."


def _case(exercise: Rewrite, trial: Trial) -> str:
    """Describe the trial: `Case: x of shape (2, 3, 10) (b s w), h = 5`."""
    parts = []
    for argument, given in zip(exercise.arguments, trial.arguments, strict=True):
        if isinstance(given, Tensor):
            parts.append(f"{argument.name} of shape {given.shape} ({argument.shown})")
        else:
            parts.append(f"{argument.name} = {given}")
    return _CASE + ", ".join(parts)


def ending_sentence(ending: Ending, who: str = "The answer") -> str:
    """Say in one sentence how an answer without a result ended."""
    match ending:
        case TimedOut(seconds, of_cpu):
            return f"{who} did not finish within {seconds:g} s{' of CPU time' if of_cpu else ''}."
        case Crashed(why) | Refused(why):
            return f"{who} was stopped: {why}."
