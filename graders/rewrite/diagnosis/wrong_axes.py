"""Explain why a result is wrong: axes swapped, lost, grouped or ordered differently, or a factor.

The explanation that fits is found by trying what people confuse.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, permutations, product

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis, Group, Side
from studykit.exercise.rewrite.rewrite import REDUCTIONS, Fill, Rewrite
from studykit.exercise.rewrite.trial import Tensor, Trial, axes, differing, side_of
from studykit.text import listed

_TOLERANCE = 1e-9
_HARDLY = 1e-3  # relative: a factor so near to 1 explains nothing
_ROUNDED = 1e-6  # relative: what is left of a number in a narrower dtype, or of a factor worked out in one
_MAX_TRIED = 400
_PAIR = 2
_UNKNOWN = ("?",)  # the axes of a dimension whose size no product of axes gives
_is_near = partial(math.isclose, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
NEARLY = "The elements are nearly right"
NOT_FINITE = "Some elements are not finite."
_REDUCED: Mapping[str, Callable[[Sequence[float]], float]] = {
    "": lambda read: read[0],
    "mean": lambda read: math.fsum(read) / len(read),
    "sum": math.fsum,
    "max": max,
    "min": min,
    "prod": math.prod,
}
"""Function from the numbers of one reduction to its result, by the name of the operation."""


@dataclass(frozen=True, slots=True)
class WrongTensor:
    """Explain a wrong tensor of one trial. The axes of the right one are named only `again`, not at first."""

    exercise: Rewrite
    trial: Trial
    again: bool = True

    def shape(self, want: Tensor, got: Tensor) -> str:
        """Say what the axes of the result are and what to change."""
        sizes = self.trial.sizes
        actual, right = _groups(got.shape, sizes), self.exercise.result
        if right is None or len(right) != len(want.shape):
            right = _groups(want.shape, sizes)
        right_axes = f", wanted {_text(right)}" if self.again else ""
        drawn = ", ".join(f"{axis}={sizes[axis]}" for axis in axes(self.exercise))
        facts = f"Shape {got.shape}, wanted {want.shape}.\nWith {drawn} your axes are {_text(actual)}{right_axes}."
        return f"{facts}\n{self._shape_reason(actual, right)}".rstrip()

    def _shape_reason(self, actual: Side, right: Side) -> str:
        packs = self.exercise.family == "pack"
        if _UNKNOWN in actual and packs:
            return "The star takes in every axis that the pattern does not name: name the others where they stand."
        if _UNKNOWN in actual:
            return (
                "A dimension is not a product of the axes: is a size hard-coded, or are parts of two axes mixed?"
            )
        # As a shape shows it: without the axes of size 1.
        visible = tuple(tuple(axis for axis in group if self.trial.sizes.get(axis) != 1) for group in right)
        if sorted(map(sorted, actual)) == sorted(map(sorted, visible)):
            pairs = zip(actual, visible, right, strict=True)
            wrong = [_text((group,)) for one, other, group in pairs if sorted(one) != sorted(other)]
            how = "swapped" if len(wrong) == _PAIR else "in the wrong order"
            return f"The axes {listed(wrong)} are {how}." if wrong else ""
        reason = _about_ones(actual, visible, right) or self._twice(actual, visible) or self._lost(actual, visible)
        parts = "The axes are grouped differently: each inner list is the shape of one part."
        return reason or (parts if packs else self._grouped(actual, visible))

    def _twice(self, actual: Side, right: Side) -> str:
        """Explain an axis that the result has twice because the inputs of einsum name it differently."""
        twice = [group for group in actual if actual.count(group) > max(1, right.count(group))]
        where = "in your result: give it one name wherever it occurs in the inputs."
        return f"{_text(twice[:1])} stands twice {where}" if twice and "einsum" in self.exercise.must else ""

    def _lost(self, actual: Side, right: Side) -> str:
        """Explain axes that the result lacks, and axes that it should not have."""
        missing = sorted({*pattern.axes(right)}.difference(pattern.axes(actual)))
        extra = sorted({*pattern.axes(actual)}.difference(pattern.axes(right)))
        if missing and extra:
            missing_text, extra_text = " and ".join(missing), " and ".join(extra)
            if not {"reduce", "einsum"} & set(self.exercise.must):
                return f"{extra_text} stands where {missing_text} should be."
            one = len(missing) == len(extra) == 1
            template = "{} is gone and {} is still there" if one else "{} are gone and {} are still there"
            return f"{template.format(missing_text, extra_text)}: the wrong axis was reduced."
        if extra:
            return f"Drop {listed(extra)} from the right-hand side."
        return f"Keep {listed(missing)} on the right-hand side." if missing else ""

    def _grouped(self, actual: Side, right: Side) -> str:
        """Explain which axes are merged that should not be, and the other way round."""
        merged, wanted = ([set(group) for group in side if len(group) > 1] for side in (actual, right))
        for pair in combinations(sorted(set().union(*merged)), _PAIR):
            other_way = {pair[0]: pair[1], pair[1]: pair[0]}
            if tuple(tuple(other_way.get(axis, axis) for axis in group) for group in actual) == right:
                return f"The axes {' and '.join(pair)} are swapped."
        sentences = []
        for composite in merged:
            if not any(composite <= other for other in wanted):
                group, rest = _regrouped(composite, wanted, actual)
                verb = f"merges {group} with {rest}" if rest else f"merges {group}"
                wants = f"keeps {group} apart from {rest}" if rest else "wants them as separate axes"
                sentences.append(f"Your result {verb}; the exercise {wants}.")
        for composite in wanted:
            if not any(composite <= other for other in merged):
                group, rest = _regrouped(composite, merged, right)
                keeps = f"{group} apart from {rest}" if rest else f"{group} as separate axes"
                target = next(group for group in right if {*group} == composite)
                wants = _text((target,)) if self.again else "one"
                sentences.append(f"Your result keeps {keeps}; the exercise wants them merged into {wants}.")
        return " ".join(sentences) or "The axes are grouped differently: look at the parentheses."

    def values(self, want: Tensor, got: Tensor) -> str:
        """Name the first wrong element with its source, and explain what fits all of them."""
        expected, result = want.numbers, got.numbers
        if not expected:
            return f"Values of {want.dtype} differ."
        wrong = list(differing(expected, result, self.exercise.tolerance)) or [0]
        place = wrong[0]
        text = f"{len(wrong)} of {len(expected)} elements are wrong.\n"
        text += f"First wrong element {_index(place, want.shape)}: "
        actual, right = f"{result[place]:.6g}", f"{expected[place]:.6g}"
        if self._is_by_position and side_of(self.exercise) is not None:
            text += f"got input element {result[place]:g}, expected {expected[place]:g}."
            text += self._coordinates(result[place], expected[place])
        elif self._is_by_position:
            text += f"got {self._origin(result[place])}, expected {self._origin(expected[place])}."
        elif actual != right:
            text += f"got {actual}, expected {right}."
        else:
            text += f"got {result[place]:.17g}, expected {expected[place]:.17g}."
        return f"{text}\n{self._value_reason(expected, result)}".rstrip()

    @property
    def _is_by_position(self) -> bool:
        return self.exercise.fill is self.trial.fill is Fill.POSITIONS

    def _origin(self, number: float) -> str:
        """Name the input element with this number, such as `y[0, 2]`, or format one that no input has once."""
        for argument, given in zip(self.exercise.arguments, self.trial.arguments, strict=True):
            if isinstance(given, Tensor) and given.numbers.count(number) == 1:
                return f"{argument.name}{_index(given.numbers.index(number), given.shape)}"
        return f"{number:.6g}"

    def _coordinates(self, got: float, want: float) -> str:
        names = pattern.axes(side_of(self.exercise) or ())
        lengths = [self.trial.sizes[axis] for axis in names]
        if not (math.isfinite(got) and got == int(got) and 0 <= got < math.prod(lengths)):
            return ""
        places = zip(names, _index(int(got), lengths), _index(int(want), lengths), strict=True)
        differences = [f"{axis}={actual} instead of {right}" for axis, actual, right in places if actual != right]
        return f"\nIn the input's axes that is {', '.join(differences)}."

    def _value_reason(self, wanted: Sequence[float], found: Sequence[float]) -> str:
        if not all(map(math.isfinite, found)):
            return NOT_FINITE
        left, right = side_of(self.exercise), self.exercise.result
        reason = "" if left is None or right is None else self._pattern_reason(left, right, found)
        return reason or _ratio_reason(self.trial, wanted, found)

    def _pattern_reason(self, left: Side, right: Side, found: Sequence[float]) -> str:
        """Explain values that another operation or another order of a composite gives."""
        numbers = self.trial.tensors[0].numbers
        operation = self.exercise.operation
        operations = dict.fromkeys((operation, *(REDUCTIONS if operation else ())))
        tried = product(operations, pattern.reorderings(left), pattern.reorderings(right))
        for other, input_side, output_side in islice(tried, _MAX_TRIED):
            starts, steps = pattern.sources(input_side, output_side, self.trial.sizes)
            reduced = (_REDUCED[other]([numbers[start + step] for step in steps]) for start in starts)
            if len(starts) == len(found) and all(map(_is_near, reduced, found)):
                return self._confusion((*left, *right), (*input_side, *output_side), other)
        if self._is_by_position and list(found) == sorted(found) and len(found) == len(numbers):
            return "The elements still lie in the input's order: it was reshaped, and no axis has moved."
        return ""

    def _confusion(self, right: Side, actual: Side, operation: str) -> str:
        sentences = []
        if operation != self.exercise.operation:
            sentences.append(f"These are the values of {operation!r}, wanted {self.exercise.operation!r}.")
        confused = [(one, other) for one, other in zip(actual, right, strict=True) if one != other]
        for one, other in confused:
            right_order = f", not ({' '.join(other)})" if self.again else ""
            sentences.append(f"The composite is in the wrong order: yours acts as ({' '.join(one)}){right_order}.")
        if confused:
            sentences.append("The first name in parentheses is the slow axis, the last one the fast.")
        return "\n".join(sentences)


def _groups(shape: Sequence[int], sizes: Mapping[Axis, int]) -> Side:
    """Return the axes whose product is each dimension: none for 1, and `_UNKNOWN` if no product is."""
    return tuple(_group_of(length, sizes) for length in shape)


def _group_of(length: int, sizes: Mapping[Axis, int]) -> Group:
    known = [axis for axis, size in sizes.items() if size > 1]
    for count in range(1 << len(known)):
        group = tuple(axis for place, axis in enumerate(known) if count >> place & 1)
        if math.prod(sizes[axis] for axis in group) == length:
            return group
    return _UNKNOWN


def _text(side: Sequence[Group]) -> str:
    return pattern.side_text(tuple(side)) or "none"


def _about_ones(actual: Side, visible: Side, right: Side) -> str:
    """Explain axes of size 1 that are missing or too many, or return ""."""
    ones = [_text((group,)) for group, seen in zip(right, visible, strict=True) if group and not seen]
    large, right_large = ([group for group in side if group] for side in (actual, visible))
    if ones and len(actual) < len(right) and sorted(large) == sorted(right_large):
        which = f"The axis {ones[0]}" if len(ones) == 1 else f"One of the axes {', '.join(ones)}"
        return f"{which} is missing: it has size 1 here, and stays on the right of the arrow all the same."
    if large != right_large:
        return ""
    if len(actual) < len(right):
        return "An axis of size 1 is missing: write a 1 for it."
    return "There is one size-1 axis too many: leave the 1 out."


def _regrouped(composite: set[Axis], others: Sequence[set[Axis]], side: Side) -> tuple[str, str]:
    """Split a composite into the axes that another composite also merges, and the rest ("" for no rest)."""
    together = next((both for other in others if len(both := composite & other) > 1), composite)
    every = dict.fromkeys(pattern.axes(side))
    return (
        listed([axis for axis in every if axis in together]),
        listed([axis for axis in every if axis in composite - together]),
    )


def _index(place: int, sizes: Sequence[int]) -> list[int]:
    index = []
    for length in reversed(sizes):
        place, at = divmod(place, length)
        index.append(at)
    return index[::-1]


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
