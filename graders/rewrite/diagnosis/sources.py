"""Find mistakes in an answer's text: names in another order than the input's axes, a misplaced size."""

import re
from collections.abc import Sequence

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.answer_text import AnswerText
from studykit.graders.rewrite.diagnosis.syntax_tree import tokens


def naming_mistake(exercise: Rewrite, text: AnswerText, *, raised: bool = False) -> str:
    """Explain a wrong name of an axis or size, or return "" if the names are right."""
    if not exercise.canonical:
        return ""
    return _astray(exercise, text.sizes, text.patterns) or _in_another_order(
        exercise, text.patterns, raised=raised
    )


def _in_another_order(exercise: Rewrite, patterns: Sequence[tuple[int, str]], *, raised: bool) -> str:
    """Explain one input whose axes are named in another order, or return "".

    Unless the answer `raised` an exception, its right side must be the expected one.
    """
    if len(patterns) != 1:
        return ""
    (left, _, right), (known, _, wanted) = (text.partition("->") for text in (patterns[0][1], exercise.canonical))
    actual, expected = ([tokens(side) for side in sides.split(",")] for sides in (left, known))
    if len(actual) != len(expected) or not (raised or tokens(right) == tokens(wanted)):
        return ""
    wrong = [n for n, names in enumerate(actual) if names != expected[n]]
    if len(wrong) != 1 or sorted(actual[wrong[0]]) != sorted(expected[wrong[0]]):
        return ""
    name, axes = exercise.tensors[wrong[0]].name, exercise.tensors[wrong[0]].shown
    return f"The left side names the axes of {name} in another order than they come: {name} is {axes}."


def _astray(exercise: Rewrite, sizes: Sequence[tuple[str, str]], patterns: Sequence[tuple[int, str]]) -> str:
    """Explain a size given to the wrong axis (`s=k` instead of `k=k`) or two swapped sizes, or return ""."""
    sizes_of_f = {*exercise.size_names}
    names = {name for _, text in patterns for name in re.findall(r"[A-Za-z]\w*", text)}
    sized = {axis for axis, _ in sizes}
    for axis, name in sizes:
        if axis != name and (name, axis) in sizes and {axis, name} <= sizes_of_f:
            return f"{axis}={name} and {name}={axis} are swapped: write {axis}={axis}, {name}={name}."
        if axis != name and axis in names and name in (sizes_of_f & names) - sized:
            return (
                f"{axis}={name} gives the size {name} to the axis {axis}; the axis {name} has none: {name}={name}."
            )
    return ""
