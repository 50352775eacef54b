"""How the numbers of tensors grow with the sizes, as calls and signs say it: `n * x` with n, a mean not at all.

Of a tensor and its own multiple by a size a sum makes what is 0 for some sizes alone: `n * x - 5 * x`. So what is
added or compared has to grow alike. Two means do, a sum over n numbers and n times one of them too, and a number
that is written is as large as ever. A product of different tensors is summed to something new, which grows with
nothing else: scores and a mask may be added. So no such product may sum copies that repeat
made: it would be n times another.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isclose, log

from studykit.graders.rewrite.flow import FlowStep
from studykit.graders.rewrite.need import Need
from studykit.graders.rewrite.whitelist import Offence

_NEAR = 1e-9
_POWERS = {"sqrt": 0.5, "rsqrt": -0.5}
_MOVED = {"rearrange", "repeat", "pack", "unpack", "relu"}
_ADVICE = "What is added or compared has to grow alike with the sizes, as x and its mean do."

_COPIES = "Name the axes without the copies: einsum brings them together by their names."

Base = frozenset[tuple[tuple[str, int], float]]  # sums of products with their powers; of nothing for arguments


@dataclass(frozen=True, slots=True)
class Scale:
    """What a tensor's numbers are a multiple of, and the logarithm of how large a multiple, for each trial."""

    base: Base
    logs: tuple[float, ...]
    copied: bool = False  # repeat made it, and nothing of the same size has changed it since

    def times(self, other: "Scale", power: float = 1) -> "Scale":
        """The scale of a product, or of a quotient."""
        powers = dict(self.base)
        for one, times in other.base:
            powers[one] = powers.get(one, 0) + times * power
        base = frozenset((one, times) for one, times in powers.items() if times)
        return Scale(base, tuple(a + b * power for a, b in zip(self.logs, other.logs, strict=True)))

    def grows_like(self, other: "Scale") -> bool:
        """Whether the one is always as many times the other; of different products nothing is known."""
        ratios = [a - b for a, b in zip(self.logs, other.logs, strict=True)]
        return self.base != other.base or all(isclose(one, ratios[0], abs_tol=_NEAR) for one in ratios)


def _multiple(times: Iterable[float]) -> Scale:
    return Scale(frozenset(), tuple(log(abs(one) or 1.0) for one in times))


def unlike(need: Need) -> Iterator[Offence]:
    """The sums of what grows differently with the sizes."""
    reader = ScaleReader(need)
    for place in range(len(need.flow.steps)):
        reader.add(place)
    at = need.flow.at
    for place in reader.found:
        yield Offence(at.get(place, 0), "a sum of what sizes make differently large", _ADVICE)
    for place in reader.sums_copies:
        yield Offence(at.get(place, 0), "an `einsum` of copies that repeat made", _COPIES)


class ScaleReader:
    """Reads one step after another."""

    def __init__(self, need: Need) -> None:
        self.need = need
        self.scales: list[Scale | None] = []
        self.found: list[int] = []
        self.sums_copies: list[int] = []
        self.one = Scale(frozenset(), (0.0,) * len(need.numbers))

    def add(self, place: int) -> None:
        """The next step."""
        step = self.need.flow.steps[place]
        self.scales.append(self._scale(place, step, [self.scales[one] for one in step.takes]))

    def _scale(self, place: int, step: FlowStep, taken: Sequence[Scale | None]) -> Scale | None:
        if self._is_number(place):
            return _multiple(numbers[place] for numbers in self.need.numbers)
        given = [self.scales[one] for one in step.takes if not self._is_number(one)]
        tensors = [one for one in given if one is not None]
        match step.kind:
            case "argument" | "rest":
                return self.one
            case "call":
                return self._called(place, step, tensors)
            case "sign":
                return self._sign(place, step, taken)
            case "list" | "tuple":
                return self._alike(place, tensors)
        return tensors[0] if tensors and step.kind != "shape" else None

    def _is_number(self, place: int) -> bool:
        return all(place in numbers for numbers in self.need.numbers)

    def _called(self, place: int, step: FlowStep, given: Sequence[Scale]) -> Scale:
        name = str(step.detail).removeprefix("torch.")
        first = given[0] if given else self.one
        if name in _MOVED:
            return replace(first, copied=name == "repeat" or any(one.copied for one in given))
        if name in _POWERS:
            return self.one.times(first, _POWERS[name])
        if name not in {"reduce", "einsum"}:
            return self.one  # softmax and others that make small numbers of all
        return self._summed(place, step, given) if given else self.one

    def _summed(self, place: int, step: FlowStep, given: Sequence[Scale]) -> Scale:
        """What einsum and reduce give."""
        if step.detail == "einsum" and len(given) > 1:
            self.sums_copies += [place] if any(one.copied for one in given) else []
            made = Scale(frozenset([(("product", self.need.same[place]), 1.0)]), self.one.logs)
            for one in given:
                made = made.times(one)
            return made
        if step.detail == "reduce" and self._operation(step) != "sum":
            return given[0]
        each = self.need.every_count
        return given[0].times(_multiple(counts[step.takes[0]] / max(1, counts[place]) for counts in each))

    def _operation(self, step: FlowStep) -> object:
        steps, named = self.need.flow.steps, dict(step.named)
        at = named.get("reduction", step.takes[-1])
        return steps[at].detail

    def _sign(self, place: int, step: FlowStep, taken: Sequence[Scale | None]) -> Scale | None:
        one, other = taken
        if one is None or other is None:
            return one or other
        match step.detail:
            case "*":
                made: Scale | None = one.times(other)
            case "/" | "//":
                made = one.times(other, -1)
            case "**":
                power = self.need.numbers[0].get(step.takes[1], 1.0) if self.need.numbers else 1.0
                made = self.one.times(one, power)
            case _:
                made = self._alike(place, [one, other])
        return made and replace(made, copied=self._is_copied(place, step))

    def _is_copied(self, place: int, step: FlowStep) -> bool:
        """Whether all that is as large as what a sign makes are copies."""
        counts = self.need.counts
        large = [self.scales[one] for one in step.takes if counts[one] == counts[place]]
        return any(one is not None and one.copied for one in large) and all(
            one is None or one.copied for one in large
        )

    def _alike(self, place: int, given: Sequence[Scale]) -> Scale | None:
        """The scale of what is added or compared; a new one where it is of different products."""
        if not given:
            return None
        if not all(one.grows_like(given[0]) for one in given):
            self.found.append(place)
        if all(one.base == given[0].base for one in given):
            return given[0]
        return Scale(frozenset([(("sum", self.need.same[place]), 1.0)]), self.one.logs)
