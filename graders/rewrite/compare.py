"""Compares what an answer returned with what was wanted: the first thing that differs, and why."""

import math

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.tensors import Items, Other, Plain, Tensor, Value
from studykit.exercise.rewrite.trial import Trial
from studykit.graders.rewrite.diagnosis import wrong_result
from studykit.text import printable


def fault(exercise: Rewrite, trial: Trial, want: Value, got: Value) -> tuple[str, str] | None:
    """The name of the check that fails between two values, and why; None where they are equal."""
    match want, got:
        case Tensor(), Tensor():
            return _tensor(exercise, trial, want, got)
        case Items("dict"), Items("dict"):
            return None if want == got else ("values", _sizes(want, got))
        case Items(), Items() if want.kind == got.kind and len(want.items) == len(got.items):
            found = (fault(exercise, trial, a, b) for a, b in zip(want.items, got.items, strict=True))
            return next((one for one in found if one is not None), None)
        case Plain(), Plain() if type(want.value) is type(got.value):
            if want == got:
                return None
            return "values", f"The result holds {got.value!r}, wanted {want.value!r}."
        case _:
            return "shape", f"The result is {_kind(got)}, wanted {_kind(want)}.{_instead(exercise, want, got)}"


def _instead(exercise: Rewrite, want: Value, got: Value) -> str:
    """What to return instead; where in a tuple the wanted tensor is: pack gives the shapes it packed as well."""
    if isinstance(got, Items) and want in got.items:
        return f"\nIts element [{got.items.index(want)}] is what is wanted."
    if got == Plain(None):
        return "\nDoes f return its result? It ends with `return ...`."
    return "\nReturn what parse_shape gives." if exercise.must == ("parse_shape",) else ""


def _sizes(want: Items, got: Items) -> str:
    """Two dictionaries of sizes."""
    mine, right = _entries(got), _entries(want)
    told = f"Your sizes are {', '.join(mine) or 'none'}; wanted {', '.join(right)}."
    if len(mine) > len(right):
        told += "\nAn axis named _ in the pattern is passed over."
    return told if set(right) < set(mine) else f"{told}\nThe names follow the order of the axes."


def _entries(sizes: Items) -> list[str]:
    pairs = [pair.items for pair in sizes.items if isinstance(pair, Items)]
    return [
        "=".join(printable(str(one.value)) if isinstance(one, Plain) else "?" for one in pair) for pair in pairs
    ]


def _tensor(exercise: Rewrite, trial: Trial, want: Tensor, got: Tensor) -> tuple[str, str] | None:
    if want.shape != got.shape:
        return "shape", wrong_result.shape(exercise, trial, want, got)
    if want.dtype != got.dtype:
        return "dtype", f"The result is {got.dtype}, wanted {want.dtype}: the dtype of the input is kept."
    if not same(want, got, exercise.tolerance):
        return "values", wrong_result.values(exercise, trial, want, got)
    return None


def same(want: Value, got: Value, tolerance: float) -> bool:
    """Whether two values are equal, numbers within the tolerance."""
    if want == got or not isinstance(want, Tensor) or not isinstance(got, Tensor):
        return want == got
    if want.shape != got.shape or want.dtype != got.dtype:
        return False
    numbers = want.numbers
    if tolerance == 0:
        return bool(numbers) and numbers == got.numbers  # 0 times -1 is -0, whose bytes are not those of 0
    scale = max((abs(number) for number in numbers), default=0.0)
    near = tolerance * max(scale, 1.0)
    return all(math.isfinite(b) and abs(a - b) <= near for a, b in zip(numbers, got.numbers, strict=True))


def _kind(value: Value) -> str:
    match value:
        case Tensor():
            return f"a tensor of shape {value.shape}"
        case Items():
            return f"a {value.kind} of {len(value.items)}"
        case Plain():
            return "nothing" if value.value is None else f"{value.value!r}"
        case Other():
            return f"a {value.type}"
