"""Right answers to exercises of one call, as chains of calls over layouts at random; or with two axes swapped."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis, Side
from studykit.exercise.rewrite.rewrite import Argument, Rewrite

FUNCTIONS = ("rearrange", "repeat", "reduce")
_MOST_CALLS = 3


@dataclass(slots=True)
class Chain:
    """A chain as it is written."""

    exercise: Rewrite
    random: Random
    lines: list[str] = field(default_factory=list)

    @property
    def given(self) -> Argument:
        """The argument that is a tensor."""
        return next(argument for argument in self.exercise.arguments if argument.groups is not None)

    def source(self, *, swapped: bool = False) -> str:
        """The answer, with two axes of one pattern swapped where that is asked for; sizes may be wanting."""
        asked, function = pattern.parse(self.exercise.canonical), self.exercise.must[0]
        count = self.random.randint(1, _MOST_CALLS)
        working = self.random.randrange(count)  # the call that repeats or reduces
        now = asked.inputs[0]
        for place in range(count):
            made = asked.output
            if place < count - 1:
                made = self._layout(asked.output if place >= working else asked.inputs[0])
            self._call(now, made, function if place == working else "rearrange")
            now = made
        if swapped:
            place = self.random.randrange(count)
            self.lines[place] = self._swapped(self.lines[place])
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def {self.exercise.signature}:\n{body}    return y\n"

    def _layout(self, side: Side) -> Side:
        """The same axes in any order, in any groups, sometimes with an axis of size 1."""
        axes = pattern.axes(side)
        groups: list[tuple[Axis, ...]] = [()] if self.random.random() < 1 / 5 else []
        for axis in self.random.sample(axes, len(axes)):
            joined = groups and self.random.random() < 1 / 2
            groups.append((*groups.pop(), axis) if joined else (axis,))
        return tuple(groups)

    def _call(self, left: Side, right: Side, function: str) -> None:
        new = [axis for axis in pattern.axes(right) if axis not in pattern.axes(left)]
        sizes = "".join(f", {axis}={size}" for axis, size in self._sizes(left, new))
        operation = f", {self.exercise.operation!r}" if function == "reduce" else ""
        text = f"{pattern.written(left)} -> {pattern.written(right)}"
        self.lines.append(f"y = {function}({'y' if self.lines else self.given.name}, {text!r}{operation}{sizes})")

    def _sizes(self, left: Side, new: Sequence[Axis]) -> Iterator[tuple[Axis, str]]:
        """The sizes that a call needs: of each group all but one."""
        known = dict(self._known())
        for group in left:
            untold = [axis for axis in group if axis not in known] or [self.random.choice(group)] if group else []
            yield from ((axis, known[axis]) for axis in group if axis not in untold)
        yield from ((axis, known[axis]) for axis in new)

    def _known(self) -> Iterator[tuple[Axis, str]]:
        """How the size of each axis can be had from the arguments."""
        told = {a.name: a.name for a in self.exercise.arguments if a.groups is None}
        told |= {axis: str(length) for axis, length in self.exercise.fixed.items()}
        yield from told.items()
        for place, group in enumerate(self.given.groups or ()):
            others = [axis for axis in group if axis in told]
            left = [axis for axis in group if axis not in told]
            if len(left) == 1:
                yield left[0], "".join([f"{self.given.name}.shape[{place}]", *(f" // {told[a]}" for a in others)])

    def _swapped(self, line: str) -> str:
        """Two axes in each other's place on one side of the arrow."""
        whole = re.search(r"'(.*?) -> (.*?)'", line)
        assert whole
        side = self.random.choice([whole.group(1), whole.group(2)])
        names = re.findall(r"[A-Za-z]\w*", side)
        if len(names) < 2:
            return line
        one, other = self.random.sample(names, 2)
        turned = re.sub(rf"\b({one}|{other})\b", lambda word: other if word.group() == one else one, side)
        at = whole.start(1) if side == whole.group(1) else whole.start(2)
        return line[:at] + turned + line[at + len(side) :]


def chain(exercise: Rewrite, random: Random, *, swapped: bool = False) -> str:
    """An answer of one to three calls."""
    return Chain(exercise, random).source(swapped=swapped)
