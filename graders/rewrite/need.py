"""Whether a result needs the calls that an exercise asks for, or has them only beside what does the work.

A call counts only where its result reaches what is returned. These show that it does not:

- No step of the result takes it, as of a call in a line that nobody reads.
- It does nothing of its own: a reduce that leaves as many numbers as it took or as the argument had that it comes
  from, a reduce that takes copies away again, a repeat that adds none, an einsum that only multiplies
  numbers of one argument with each other, or copies them.
- What it gives is equal to something that was there without it, or does not depend on the inputs' numbers, such as
  `r - r`, `0 * r`, a sum over its own mean, or axes that are turned and turned back. Numbers in another shape or
  order are equal where that is no work of the function, multiples and shifted numbers always: signs make those.
  Steps that are made of such values alone count as made without it, and so on.
- The result stays right when what is left of the calls is replaced, all at once or one by one, by zeros, by ones,
  by numbers of no meaning, by numbers that are a little off, or by what they give for other inputs.

Each of these proves that the result can be had without the call, so no honest answer is refused. What escapes has
to make of the call a sum or a product that another takes away again: `arithmetic.py` leaves no room for these.

Besides, the call has to do its work whole:

- Nothing but rearrange may give the same numbers another order or shape where rearrange is asked for.
- Nothing but repeat may copy them where repeat answers the exercise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.flow import Flow
from studykit.graders.rewrite.whitelist import Offence

REPLACEMENTS = ("near", "ones", "zeros", "noise", "others")
_IDLE = {"rearrange": "moves", "reduce": "reduces", "repeat": "repeats", "einsum": "multiplies and sums"}
MOVES = {"rearrange": "measured bags", "repeat": "measured sets"}
"""What stays alike when a function does its work: rearrange moves the same numbers, repeat makes more of them."""
MULTIPLES = "measured sets"
"""What stays alike for multiples of the same numbers, in any order, and for copies of them."""
_WORK = {"rearrange": "moves numbers", "repeat": "copies numbers"}
_PARTS = {"part", "item", "list", "tuple"}
_NUMBERS = {"constant", "shape"}
_COMPUTES = {"call", "sign", "item", "part"}
_SHAPE = "Only its shape is read: take lengths from the arguments, x.shape[0]."

Way = tuple[str, list[int]]  # by what some steps are replaced
Right = Callable[[Sequence[Sequence[Way]]], list[bool]]  # of several replacements, which leave the result right


@dataclass(frozen=True, slots=True)
class Equalities:
    """What one computation of a flow showed of its steps."""

    classes: Mapping[str, tuple[int, ...]]  # for each the first with its value, by what is alike
    counts: tuple[int, ...]  # how many numbers are in each
    fixed: frozenset[int]  # those that the inputs' numbers do not change
    numbers: Mapping[int, float] = field(default_factory=dict)  # the steps that are single numbers
    spreads: tuple[float, ...] = ()  # from the smallest to the largest number of each

    @classmethod
    def read(cls, header: Mapping[str, object], count: int) -> "Equalities":
        """As a child tells it of so many steps; ValueError where it tells something else."""
        classes, fixed = header.get("classes"), header.get("fixed")
        told = classes if isinstance(classes, Mapping) else {}
        read = {name: _whole(told.get(name), count) for name in ("values", *told)}
        if not all(n <= place for each in read.values() for place, n in enumerate(each)):
            raise ValueError("no classes")
        free = [n for n in fixed if type(n) is int and 0 <= n < count] if isinstance(fixed, list) else []
        numbers, spreads = dict(_numbers(header, count)), _spreads(header.get("spreads"), count)
        return cls(read, _whole(header.get("counts"), count), frozenset(free), numbers, spreads)


def _spreads(told: object, count: int) -> tuple[float, ...]:
    if not isinstance(told, list) or len(told) != count:
        return ()
    return tuple(one if isinstance(one, float) and isfinite(one) else 0.0 for one in told)


def _numbers(header: Mapping[str, object], count: int) -> Iterator[tuple[int, float]]:
    told = header.get("numbers")
    for pair in told if isinstance(told, list) else []:
        match pair:
            case [int(place), float(number)] if 0 <= place < count and isfinite(number):
                yield place, number


def _whole(told: object, count: int) -> tuple[int, ...]:
    if not isinstance(told, list) or len(told) != count or not all(type(n) is int and n >= 0 for n in told):
        raise ValueError("no whole numbers")
    return tuple(told)


def _joined(classes: Sequence[Sequence[int]]) -> list[int]:
    """For each step the first that is equal to it in every computation."""
    first: dict[tuple[int, ...], int] = {}
    return [first.setdefault(mark, place) for place, mark in enumerate(zip(*classes, strict=True))]


class Need:
    """The need of a result for one function, over computations with several inputs.

    By `rows`, giving a value another shape is no work; by `bags`, nor is moving its numbers.
    """

    def __init__(self, flow: Flow, name: str, seen: Sequence[Equalities], alike: str) -> None:
        self.flow = flow
        self.origins = _origins(flow)
        self.last = len(flow.steps) - 1
        self.counts = seen[0].counts
        self.alike = {each: _joined([one.classes[each] for one in seen]) for each in seen[0].classes}
        self.shaped = self.alike.get("measured values", self.alike["values"])
        self.same = _joined([one.classes["values"] for one in seen])
        self.multiples = self.alike.get(MULTIPLES, self.same)
        self.spreads = [one.spreads for one in seen]
        self.number = _joined([one.classes[alike] for one in seen])
        self.numbers = [one.numbers for one in seen]
        self.every_count = [one.counts for one in seen]
        self.fixed = frozenset.intersection(*(one.fixed for one in seen))
        every = flow.calls(name)
        self.calls = frozenset(place for place in every if self._works(place, seen[0].counts))
        self.is_idle = not self.calls
        self.carries = self._carried()

    def _works(self, place: int, counts: Sequence[int]) -> bool:
        """Whether a call does what its name says: fewer numbers by reduce, more by repeat, a product by einsum.

        What takes copies away again that repeat made does nothing, nor a product with what sums to 1.
        """
        step = self.flow.steps[place]
        if step.detail in {"reduce", "einsum"} and any(self._is_multiple(place, one) for one in step.inputs):
            return False
        given = [counts[one] for one in step.inputs if self.flow.steps[one].kind != "constant"]
        match step.detail:
            case "reduce":
                origins = [counts[one] for one in self.origins[place]]
                return counts[place] < min(max(given, default=0), max(origins, default=0))
            case "repeat":
                return counts[place] > max(given, default=0)
            case "einsum":
                alone = len(given) == 1 or (len(self.origins[place]) == 1 and counts[place] == max(given))
                return not alone or counts[place] < max(given, default=0)
            case _:
                return True

    def _is_multiple(self, place: int, other: int) -> bool:
        """Whether one has the numbers of the other, all the same multiple; of a reduce fewer of them."""
        alike = self.alike.get(MULTIPLES, self.shaped)
        fewer = self.counts[place] < self.counts[other] or self.flow.steps[place].detail == "einsum"
        return alike[place] == alike[other] and fewer

    def _carried(self) -> dict[int, frozenset[int]]:
        """The steps that can be had without the calls, each with the arguments that it carries numbers of."""
        carries: dict[int, frozenset[int]] = {}
        while True:
            before = len(carries)
            equal = {self.number[place]: carried for place, carried in reversed(carries.items())}
            for place, step in enumerate(self.flow.steps):
                if place in carries:
                    continue
                if place in self.fixed or step.kind in _NUMBERS:
                    carries[place] = frozenset()
                elif step.kind == "argument":
                    carries[place] = frozenset([place])
                elif self.number[place] in equal:
                    carries[place] = equal[self.number[place]]
                elif place not in self.calls and all(one in carries for one in step.inputs):
                    carries[place] = frozenset().union(*(carries[one] for one in step.inputs))
            if len(carries) == before:
                return carries

    @property
    def changes_nothing(self) -> bool:
        """Whether the result can be had without the calls."""
        return self.last in self.carries

    def moved_otherwise(self) -> int | None:
        """The first step whose numbers stood in no such order or shape before, and that is no rearrange."""
        alike, calls = self.alike[MOVES["rearrange"]], self.flow.calls("rearrange")
        for place, step in enumerate(self.flow.steps):
            if place in calls or place in self.fixed or step.kind not in _COMPUTES or self._is_part(place, calls):
                continue
            equal = [
                one
                for one in self._above({place})
                if alike[one] == alike[place] and self.counts[one] == self.counts[place]
            ]
            if equal and all(self.shaped[one] != self.shaped[place] for one in equal):
                return place
        return None

    def copied_otherwise(self) -> int | None:
        """The first step that makes more of the same numbers on a way without repeat."""
        alike, calls = self.alike[MOVES["repeat"]], self.flow.calls("repeat")
        for place, step in enumerate(self.flow.steps):
            if place not in calls | self.fixed and step.kind in _COMPUTES:
                above = self._above({place}, calls) - self.fixed
                if any(alike[one] == alike[place] and self.counts[one] < self.counts[place] for one in above):
                    return place
        return None

    def _is_part(self, place: int, calls: frozenset[int]) -> bool:
        """Whether it is a part of what rearrange gave, or all that a tensor holds, read as its one part."""
        step = self.flow.steps[place]
        if step.kind not in {"item", "part"}:
            return False
        whole = step.takes[0]
        same = self.counts[place] == self.counts[whole]
        return whole in calls or (same and self.flow.steps[whole].detail not in {"pack", "unpack"})

    def _above(self, places: Iterable[int], ends: frozenset[int] = frozenset()) -> set[int]:
        """The steps whose numbers these are made from, on ways that end at some; a shape holds no numbers."""
        seen: set[int] = set()
        waiting = [one for place in places for one in self.flow.steps[place].inputs]
        while waiting:
            place = waiting.pop()
            if place not in seen:
                seen.add(place)
                step = self.flow.steps[place]
                waiting += () if place in ends or step.kind == "shape" else step.inputs
        return seen

    def left(self, without: frozenset[int] = frozenset()) -> list[list[int]]:
        """The calls that the result still takes, where some steps are there without them; equal ones together."""
        gone = without | set(self.carries)
        reached = self._reached(gone)
        mine = {self.same[place] for place in self.calls & reached}
        places = (n for n in range(self.last + 1) if n not in gone and self.same[n] in mine)
        groups: dict[int, list[int]] = {}
        for place in places:
            groups.setdefault(self.same[place], []).append(place)
        return list(groups.values())

    def _reached(self, gone: frozenset[int] | set[int]) -> set[int]:
        """The steps that the result takes, on ways without those that are gone."""
        seen, waiting = {self.last} - gone, [self.last]
        while waiting:
            place = waiting.pop()
            if place not in gone:
                new = set(self.flow.steps[place].inputs) - seen - gone
                seen |= new
                waiting += new
        return seen

    def is_needless(self, right: Right) -> bool:
        """Whether the result stays right when the calls are replaced, in groups, each by its own way."""
        taken: tuple[Way, ...] = ()
        while groups := self.left(frozenset(n for _, places in taken for n in places)):
            ways = [*_ways(groups)]
            found = [
                way for way, is_right in zip(ways, right([(*taken, way) for way in ways]), strict=True) if is_right
            ]
            if not found:
                return False
            first: dict[tuple[int, ...], Way] = {}
            for by, places in found:
                first.setdefault(tuple(places), (by, places))
            together = (*taken, *first.values())  # else a long answer has as many rounds as calls
            taken = together if len(first) > 1 and right([together])[0] else (*taken, found[0])
        return True


def _ways(groups: Sequence[Sequence[int]]) -> Iterator[Way]:
    """What to replace next: all calls that are left, or one of them."""
    for by in REPLACEMENTS:
        yield by, sorted(place for group in groups for place in group)
    if len(groups) > 1:
        yield from ((by, list(group)) for group in groups for by in REPLACEMENTS)


def _origins(flow: Flow) -> list[frozenset[int]]:
    """For each step the arguments that it takes numbers of."""
    found: list[frozenset[int]] = []
    for place, step in enumerate(flow.steps):
        if step.kind == "argument":
            found.append(frozenset([place]))
        elif step.kind in _NUMBERS:
            found.append(frozenset())
        else:
            found.append(frozenset().union(*(found[one] for one in step.inputs)))
    return found


def is_plain(flow: Flow, exercise: Rewrite) -> bool:
    """Whether tensors pass through the one function that is asked for, and nothing else can do its work."""
    if len(exercise.must) != 1:
        return False
    numbers: set[int] = set()
    for place, step in enumerate(flow.steps):
        inputs = set(step.inputs)
        given = step.kind == "argument" and exercise.arguments[_argument(step.detail)].groups is None
        size = step.kind == "shape" and flow.steps[step.takes[0]].kind == "argument"
        if step.kind == "constant" or given or size or (inputs and inputs <= numbers and step.kind != "call"):
            numbers.add(place)
        elif not (
            step.kind in {"argument", *_PARTS}
            or (step.kind == "call" and step.detail in exercise.must)
            or (step.kind == "sign" and place == len(flow.steps) - 1 and step.takes[1] in numbers)
        ):
            return False
    return True


def _argument(detail: object) -> int:
    return detail if isinstance(detail, int) else 0


def unused(flow: Flow, exercise: Rewrite) -> Iterator[Offence]:
    """Calls that no step of the result takes."""
    for name in exercise.must:
        if not flow.calls(name):
            advice = f"What {name} gives has to become the result, or a part of it."
            yield Offence(flow.lines.get(name, 0), f"the unused result of `{name}`", advice)


def untaken(whole: Flow, tensors: frozenset[int]) -> Iterator[Offence]:
    """Calls and tensors that the last step does not take: they could raise, or fill all memory, for some sizes.

    A tensor of which the shape alone is taken is one of them: what the shape is made of is known without it.
    """
    reached, waiting = {len(whole.steps) - 1}, [len(whole.steps) - 1]
    while waiting:
        step = whole.steps[waiting.pop()]
        new = set() if step.kind == "shape" else set(step.inputs) - reached
        reached |= new
        waiting += new
    shown = {one for step in whole.steps if step.kind == "shape" for one in step.takes}
    for place, step in enumerate(whole.steps):
        is_tensor = place in tensors and step.kind != "part"  # parts that are unpacked come together
        if place not in reached and (step.kind == "call" or is_tensor):
            what = (
                "an unused part of a tensor"
                if step.kind == "item"
                else f"the unused result of `{step.detail or '-'}`"
            )
            why = _SHAPE if place in shown else "Take it out: nothing takes what it gives."
            yield Offence(whole.at.get(place, 0), what, why)


def needless(flow: Flow, name: str, found: Need) -> Offence:
    """Calls that change nothing."""
    why = f"It {_IDLE[name]} nothing" if found.is_idle else f"The result is the same without what {name} gives"
    return Offence(flow.lines[name], f"a needless `{name}`", f"{why}: let it do the work.")


def unchanged(need: Need, tensors: frozenset[int]) -> Iterator[Offence]:
    """Tensors that no number of the inputs changes: they could hold sizes, and tell them apart."""
    advice = "Make every tensor of the inputs' numbers; a size may divide or multiply it."
    for place in sorted(tensors & need.fixed):
        yield Offence(need.flow.at.get(place, 0), "a tensor whose numbers the inputs do not change", advice)


def partly(flow: Flow, name: str, place: int) -> Offence:
    """A step that does the work of a function that is asked for."""
    step = flow.steps[place]
    named = step if step.kind in {"call", "sign"} else flow.steps[step.takes[0]]  # a part of what unpack gives
    what = f"`{named.detail}` that {_WORK[name]}"
    return Offence(flow.at.get(place, 0), what, f"Let {name} do that: it is the work that is asked for.")


def alike(exercise: Rewrite, name: str, result: Sequence[float], inputs: Sequence[Sequence[float]]) -> str:
    """What is no work of this function: nothing but to give the same value, another shape, or another order.

    Where the result is an input in another shape or order, that is the work; among several lines a shape can be.
    """
    if any(len(result) == len(one) and sorted(result) == sorted(one) for one in inputs):
        return "rows" if name == "rearrange" and exercise.call and result not in inputs else "values"
    if name == "rearrange":
        return "rows" if exercise.call else "values"
    return "bags"


def asked(exercise: Rewrite) -> Iterator[str]:
    """The functions whose need is looked at: what parse_shape gives are sizes, which no numbers change."""
    return (name for name in exercise.must if name != "parse_shape")
