"""An answer without the calls that are asked for, and without some uses of what is there without them.

What a call gives may cancel out inside a sum: `einsum` over `x * x`, the call's `sum of x`, and `-x`. No two steps
hang together then, and no replacement of the calls alone leaves the result right. But it is right as soon as both
the call and its counterpart are gone, and that proves that the result can be had without the call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from studykit.graders.rewrite.flow import FlowStep
from studykit.graders.rewrite.need import Need, Way

_SUMS = {"einsum", "reduce"}
_INSTEAD = ("zeros", "ones")
_MOST_WAYS = 256  # all of which are tried
_FEW = 2


@dataclass(frozen=True, slots=True)
class Removal:
    """The steps with each use that may go as a step of its own, their places, and what is tried."""

    steps: tuple[FlowStep, ...]
    kept: tuple[int, ...]
    ways: tuple[tuple[Way, ...], ...]


def removal(need: Need) -> Removal | None:
    """What to try; None where nothing that the calls give enters a sum of another function."""
    gone = {place for group in need.left() for place in group}
    beyond = {place for place in range(need.last + 1) if place not in need.carries and place not in gone}
    if not gone or need.last in gone or not any(_sums(need, place) for place in beyond):
        return None
    parted = PartedSteps(need, gone, beyond)
    for place in range(need.last + 1):
        parted.add(place)
    kept = tuple(parted.places[one] for one in sorted(need.carries))
    return Removal(tuple(parted.steps), kept, tuple(parted.ways())) if parted.of_calls else None


class PartedSteps:
    """The steps of a flow, in which each use of what may go is a copy."""

    def __init__(self, need: Need, gone: set[int], beyond: set[int]) -> None:
        self.need, self.gone, self.beyond = need, gone, beyond
        self.steps: list[FlowStep] = []
        self.places: list[int] = []  # of the flow's own steps
        self.of_calls: list[int] = []
        self.beside: list[int] = []  # copies of what is there without the calls

    def add(self, old: int) -> None:
        """The next step of the flow."""
        step = self.need.flow.steps[old]
        taken = [self._copy(one) if old in self.beyond else self.places[one] for one in step.inputs]
        self.places.append(len(self.steps))
        names, count = [name for name, _ in step.named], len(step.takes)
        named = tuple(zip(names, taken[count:], strict=True))
        self.steps.append(replace(step, takes=tuple(taken[:count]), named=named))

    def ways(self) -> Iterator[tuple[Way, ...]]:
        """Zeros or ones for each use of the calls, and for some of the others; of many the simplest."""
        if len(_INSTEAD) ** len(self.of_calls) * 3 ** len(self.beside) <= _MOST_WAYS:
            for calls in product(_INSTEAD, repeat=len(self.of_calls)):
                for others in product(("", *_INSTEAD), repeat=len(self.beside)):
                    pairs = zip((*calls, *others), (*self.of_calls, *self.beside), strict=True)
                    yield tuple((by, [place]) for by, place in pairs if by)
            return
        for some in _small_and_large(self.beside):
            yield from (((by, self.of_calls), (by, list(some))) for by in _INSTEAD)

    def _copy(self, old: int) -> int:
        """The place of a copy of a step; the step's own where it is no number that inputs change."""
        of_call = old in self.gone
        if not of_call and (old in self.beyond or old in self.need.fixed or not self.need.counts[old]):
            return self.places[old]
        (self.of_calls if of_call else self.beside).append(len(self.steps))
        self.steps.append(FlowStep("copy", None, (self.places[old],)))
        return len(self.steps) - 1


def _sums(need: Need, place: int) -> bool:
    """Whether a step that is no call in question makes fewer numbers of more."""
    step = need.flow.steps[place]
    most = max((need.counts[one] for one in step.inputs), default=0)
    return step.kind == "call" and step.detail in _SUMS and need.counts[place] < most


def _small_and_large(uses: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(uses) + 1):
        if size <= _FEW or size >= len(uses) - 1:
            yield from combinations(uses, size)
