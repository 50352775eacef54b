"""Explain why a result is wrong: axes swapped, lost, grouped or ordered differently, or a factor.

The explanation that fits is found by trying what people confuse.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis, Side
from studykit.exercise.rewrite.rewrite import REDUCTIONS, Fill, Rewrite
from studykit.exercise.rewrite.trial import Tensor, Trial, axes, differing, side_of
from studykit.text import listed

_TOLERANCE = 1e-9
_HARDLY = 1e-3  # relative: a factor so near to 1 explains nothing
_ROUNDED = 1e-6  # relative: what is left of a number in a narrower dtype, or of a factor worked out in one
_MAX_TRIED = 400
_PAIR = 2
NEARLY = "The elements are nearly right"
NOT_FINITE = "Some elements are not finite."
_ONE_TOO_MANY = "There is one size-1 axis too many: leave the 1 out."
_REDUCED: Mapping[str, Callable[[Sequence[float]], float]] = {
    "": lambda read: read[0],
    "mean": lambda read: math.fsum(read) / len(read),
    "sum": math.fsum,
    "max": max,
    "min": min,
    "prod": math.prod,
}
"""Function from the numbers of one reduction to its result, by the name of the operation."""


def shape(exercise: Rewrite, trial: Trial, want: Tensor, got: Tensor, *, again: bool = True) -> str:
    """Say what the axes of the result are and what to change.

    The wanted axes are named only if `again`, from the second failure on.
    """
    actual, right = pattern.names_of_shape(got.shape, trial.sizes), _right(exercise, trial, want)
    sizes = ", ".join(f"{axis}={trial.sizes[axis]}" for axis in axes(exercise))
    right_axes = f", wanted {_text(right)}" if again else ""
    facts = f"Shape {got.shape}, wanted {want.shape}.\nWith {sizes} your axes are {_text(actual)}{right_axes}."
    return f"{facts}\n{_shape_reason(exercise, trial.sizes, actual, right, again=again)}".rstrip()


def _right(exercise: Rewrite, trial: Trial, want: Tensor) -> tuple[str, ...]:
    if exercise.result is not None and len(exercise.result) == len(want.shape):
        return tuple(pattern.side_text((group,)) for group in exercise.result)
    return pattern.names_of_shape(want.shape, trial.sizes)


def _text(names: Sequence[str]) -> str:
    return " ".join(names) or "none"


def _shape_reason(
    exercise: Rewrite, sizes: Mapping[Axis, int], actual: Sequence[str], right: Sequence[str], *, again: bool
) -> str:
    packs = exercise.family == "pack"
    if "?" in actual:
        if packs:
            return "The star takes in every axis that the pattern does not name: name the others where they stand."
        return "A dimension is not a product of the axes: is a size hard-coded, or are parts of two axes mixed?"
    visible = [_seen(name, sizes) for name in right]  # an axis of size 1 has no name in a shape
    if sorted(map(_sorted, actual)) == sorted(map(_sorted, visible)):
        wrong = [name for a, b, name in zip(actual, visible, right, strict=True) if _sorted(a) != _sorted(b)]
        return _turned(wrong)
    ones = [name for name, one in zip(right, visible, strict=True) if one == "1" != name]
    if ones and len(actual) < len(right) and sorted(_without_ones(actual)) == sorted(_without_ones(visible)):
        return _missing_one(ones)
    if _without_ones(actual) == _without_ones(visible):
        few = len(actual) < len(right)
        return "An axis of size 1 is missing: write a 1 for it." if few else _ONE_TOO_MANY
    parts = "The axes are grouped differently: each inner list is the shape of one part."
    twice = _twice(actual, visible) if "einsum" in exercise.must else ""
    grouping = parts if packs else _grouped(actual, visible, again=again)
    return twice or _lost(exercise, actual, visible) or grouping


def _turned(wrong: Sequence[str]) -> str:
    """Explain axes that are swapped."""
    if len(wrong) == _PAIR:
        return f"The axes {' and '.join(wrong)} are swapped."
    return f"The axes {listed(wrong)} are in the wrong order." if wrong else ""


def _twice(actual: Sequence[str], right: Sequence[str]) -> str:
    """Explain an axis that the result has twice because the inputs name it differently."""
    axis = next((name for name in actual if actual.count(name) > max(1, right.count(name))), "")
    where = "in your result: give it one name wherever it occurs in the inputs."
    return f"{axis} stands twice {where}" if axis else ""


def _exchanged(actual: Sequence[str], right: Sequence[str]) -> str:
    """Explain two axes that are swapped between composites, if all else is right."""
    text, wanted = " ".join(actual), " ".join(right)
    merged = sorted(set(re.findall(r"[A-Za-z]\w*", " ".join(name for name in actual if "(" in name))))
    for one, other in combinations(merged, _PAIR):
        if _with_exchanged(text, one, other) == wanted:
            return f"The axes {one} and {other} are swapped."
    return ""


def _with_exchanged(text: str, one: str, other: str) -> str:
    other_way = {one: other, other: one}
    return re.sub(r"[A-Za-z]\w*", lambda word: other_way.get(word[0], word[0]), text)


def _grouped(actual: Sequence[str], right: Sequence[str], *, again: bool) -> str:
    """Explain which axes are merged that should not be, and the other way round."""
    if exchanged := _exchanged(actual, right):
        return exchanged
    merged, wanted = ([set(re.findall(r"\w+", name)) for name in each if "(" in name] for each in (actual, right))
    too_many = [axes for axes in merged if not any(axes <= other for other in wanted)]
    missing = [axes for axes in wanted if not any(axes <= other for other in merged)]
    sentences = [_merged_too_far(axes, wanted, actual) for axes in too_many]
    sentences += [_apart(axes, merged, right, again=again) for axes in missing]
    return " ".join(sentences) or "The axes are grouped differently: look at the parentheses."


def _regrouped(axes: set[str], others: Sequence[set[str]], names: Sequence[str]) -> tuple[str, str]:
    """Split a composite into the axes that another composite also merges, and the rest ("" for no rest)."""
    together = next((axes & other for other in others if len(axes & other) > 1), set())
    return (_and(together, names), _and(axes - together, names)) if together else (_and(axes, names), "")


def _merged_too_far(axes: set[str], wanted: Sequence[set[str]], names: Sequence[str]) -> str:
    """Explain axes that the result merges and the exercise does not."""
    group, rest = _regrouped(axes, wanted, names)
    if not rest:
        return f"Your result merges {group}; the exercise wants them as separate axes."
    return f"Your result merges {group} with {rest}; the exercise keeps {group} apart from {rest}."


def _apart(axes: set[str], merged: Sequence[set[str]], names: Sequence[str], *, again: bool) -> str:
    """Explain axes that the exercise merges and the result does not."""
    group, rest = _regrouped(axes, merged, names)
    target = next(name for name in names if set(re.findall(r"\w+", name)) == axes)
    wants = f"merged into {target}" if again else "merged into one"
    if not rest:
        return f"Your result keeps {group} as separate axes; the exercise wants them {wants}."
    return f"Your result keeps {group} apart from {rest}; the exercise wants them {wants}."


def _and(axes: Collection[str], names: Sequence[str]) -> str:
    """List axes in the order in which `names` has them."""
    every = re.findall(r"\w+", " ".join(names))
    return listed([axis for axis in dict.fromkeys(every) if axis in axes])


def _seen(name: str, sizes: Mapping[Axis, int]) -> str:
    """Return a dimension as a shape shows it: without its axes of size 1."""
    axes_of = [axis for axis in re.findall(r"[A-Za-z]\w*", name) if sizes.get(axis) != 1]
    return f"({' '.join(axes_of)})" if len(axes_of) > 1 else (axes_of or ["1"])[0]


def _missing_one(ones: Sequence[str]) -> str:
    """Explain a missing axis of size 1."""
    which = f"The axis {ones[0]} is missing" if len(ones) == 1 else f"One of the axes {', '.join(ones)} is missing"
    return f"{which}: it has size 1 here, and stays on the right of the arrow all the same."


def _without_ones(names: Sequence[str]) -> list[str]:
    return [name for name in names if name != "1"]


def _lost(exercise: Rewrite, actual: Sequence[str], right: Sequence[str]) -> str:
    """Explain axes that the result lacks, and axes that it should not have."""
    actual_axes = set(re.findall(r"\w+", " ".join(actual))) - {"1"}
    right_axes = set(re.findall(r"\w+", " ".join(right))) - {"1"}
    missing, extra = sorted(right_axes - actual_axes), sorted(actual_axes - right_axes)
    if missing and extra:
        missing_text, extra_text = " and ".join(missing), " and ".join(extra)
        if not {"reduce", "einsum"} & set(exercise.must):
            return f"{extra_text} stands where {missing_text} should be."
        one = len(missing) == len(extra) == 1
        template = "{} is gone and {} is still there" if one else "{} are gone and {} are still there"
        return f"{template.format(missing_text, extra_text)}: the wrong axis was reduced."
    if extra:
        return f"Drop {listed(extra)} from the right-hand side."
    return f"Keep {listed(missing)} on the right-hand side." if missing else ""


def _sorted(name: str) -> str:
    return " ".join(sorted(re.findall(r"\w+", name)))


def values(exercise: Rewrite, trial: Trial, want: Tensor, got: Tensor, *, again: bool = True) -> str:
    """Name the first wrong element with its source, and explain what fits all of them.

    The right order of a composite is shown only if `again`.
    """
    expected, result = want.numbers, got.numbers
    if not expected:
        return f"Values of {want.dtype} differ."
    wrong = list(differing(expected, result, exercise.tolerance)) or [0]
    place = wrong[0]
    index = _index(place, want.shape)
    text = f"{len(wrong)} of {len(expected)} elements are wrong.\nFirst wrong element {list(index)}: "
    input_side, by_position = side_of(exercise), exercise.fill is trial.fill is Fill.POSITIONS
    if by_position and input_side is not None:
        text += f"got input element {result[place]:g}, expected {expected[place]:g}."
        text += _coordinates(input_side, trial.sizes, result[place], expected[place])
    elif by_position:
        actual, right = (_origin(exercise, trial, numbers[place]) for numbers in (result, expected))
        text += f"got {actual}, expected {right}."
    else:
        actual, right = _digits(result[place], expected[place])
        text += f"got {actual}, expected {right}."
    return f"{text}\n{_value_reason(exercise, trial, expected, result, again=again)}".rstrip()


def _digits(one: float, other: float) -> tuple[str, str]:
    """Format two numbers with six digits, or with all digits if six would look the same."""
    digits = f"{one:.6g}", f"{other:.6g}"
    return digits if digits[0] != digits[1] else (f"{one:.17g}", f"{other:.17g}")


def _index(place: int, sizes: Sequence[int]) -> tuple[int, ...]:
    index = []
    for length in reversed(sizes):
        place, at = divmod(place, length)
        index.append(at)
    return tuple(reversed(index))


def _origin(exercise: Rewrite, trial: Trial, number: float) -> str:
    """Name the input element with this number, such as `y[0, 2]`, or format a number that no input has once."""
    for argument, given in zip(exercise.arguments, trial.arguments, strict=True):
        if isinstance(given, Tensor) and given.numbers.count(number) == 1:
            return f"{argument.name}{list(_index(given.numbers.index(number), given.shape))}"
    return f"{number:.6g}"


def _coordinates(left: Side, sizes: Mapping[Axis, int], got: float, want: float) -> str:
    names = pattern.axes(left)
    lengths = [sizes[axis] for axis in names]
    if not (math.isfinite(got) and got == int(got) and 0 <= got < math.prod(lengths)):
        return ""
    actual, right = _index(int(got), lengths), _index(int(want), lengths)
    differences = [f"{axis}={a} instead of {b}" for axis, a, b in zip(names, actual, right, strict=True) if a != b]
    return f"\nIn the input's axes that is {', '.join(differences)}."


def _value_reason(
    exercise: Rewrite, trial: Trial, wanted: Sequence[float], found: Sequence[float], *, again: bool
) -> str:
    if not all(math.isfinite(number) for number in found):
        return NOT_FINITE
    input_side, output_side = side_of(exercise), exercise.result
    if input_side is not None and output_side is not None:
        reason = _pattern_reason(exercise, trial, input_side, output_side, found, again=again)
        if reason:
            return reason
    return _ratio_reason(trial, wanted, found)


def _pattern_reason(
    exercise: Rewrite, trial: Trial, left: Side, right: Side, found: Sequence[float], *, again: bool
) -> str:
    numbers = next(argument for argument in trial.arguments if isinstance(argument, Tensor)).numbers
    for operation, input_side, output_side in _candidates(exercise, left, right):
        starts, steps = pattern.sources(input_side, output_side, trial.sizes)
        if _reduces_to(operation, numbers, starts, steps, found):
            return _confusion(exercise, (left, right), (input_side, output_side), operation, again=again)
    if (
        exercise.fill is trial.fill is Fill.POSITIONS
        and list(found) == sorted(found)
        and len(found) == len(numbers)
    ):
        return "The elements still lie in the input's order: it was reshaped, and no axis has moved."
    return ""


def _candidates(exercise: Rewrite, left: Side, right: Side) -> Iterator[tuple[str, Side, Side]]:
    operations = dict.fromkeys((exercise.operation, *(REDUCTIONS if exercise.operation else ())))
    return islice(product(operations, pattern.reorderings(left), pattern.reorderings(right)), _MAX_TRIED)


def _reduces_to(
    operation: str, numbers: Sequence[float], starts: Sequence[int], steps: Sequence[int], found: Sequence[float]
) -> bool:
    reduced = (_REDUCED[operation]([numbers[start + step] for step in steps]) for start in starts)
    near = (
        math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
        for one, other in zip(reduced, found, strict=True)
    )
    return len(starts) == len(found) and all(near)


def _confusion(
    exercise: Rewrite, right: tuple[Side, Side], actual: tuple[Side, Side], operation: str, *, again: bool
) -> str:
    sentences = []
    if operation != exercise.operation:
        sentences.append(f"These are the values of {operation!r}, wanted {exercise.operation!r}.")
    for actual_side, right_side in zip(actual, right, strict=True):
        for one, other in zip(actual_side, right_side, strict=True):
            if one != other:
                right_order = f", not ({' '.join(other)})" if again else ""
                order = f"yours acts as ({' '.join(one)}){right_order}"
                sentences.append(f"The composite is in the wrong order: {order}.")
    if sentences and sentences[-1].startswith("The composite"):
        sentences.append("The first name in parentheses is the slow axis, the last one the fast.")
    return "\n".join(sentences)


def _ratio_reason(trial: Trial, wanted: Sequence[float], found: Sequence[float]) -> str:
    """Explain wrong values by one factor or offset, or by lost precision."""
    pairs = [*zip(wanted, found, strict=True)]
    if all(math.isclose(b, a, rel_tol=_ROUNDED, abs_tol=_TOLERANCE) for a, b in pairs):
        return f"{NEARLY}: was precision lost in a narrower dtype?"
    ratio = next((b / a for a, b in pairs if a), 0.0)
    is_factor = not math.isclose(ratio, 1, rel_tol=_HARDLY)
    if ratio and is_factor and all(math.isclose(b, a * ratio, rel_tol=_ROUNDED, abs_tol=1e-12) for a, b in pairs):
        return (
            f"Every element is {_factor(trial.sizes, ratio)} times what is wanted: a factor too many, or too few."
        )
    shift = found[0] - wanted[0]
    if all(math.isclose(b - a, shift, rel_tol=_ROUNDED, abs_tol=_TOLERANCE) for a, b in pairs):
        return f"Every element is {shift:.6g} more than what is wanted."
    if all(math.isclose(b, a, rel_tol=2e-2, abs_tol=2e-2) for a, b in pairs):
        return f"{NEARLY}: was precision lost in a narrower dtype?"
    return ""


def _factor(sizes: Mapping[Axis, int], ratio: float) -> str:
    for axis, length in sizes.items():
        powers = {1: axis, -1: f"1/{axis}", 0.5: f"sqrt({axis})", -0.5: f"1/sqrt({axis})"}
        for power, word in powers.items():
            if math.isclose(ratio, length**power, rel_tol=_ROUNDED):
                return word
    for (axis, length), (other, its) in permutations(sizes.items(), 2):
        if math.isclose(ratio, length / its, rel_tol=_ROUNDED):
            return f"{axis}/{other}"
    return f"{ratio:.6g}"
