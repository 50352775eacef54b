"""Replies to the frames that ask about the steps of an answer, in the child that runs the exercise's own code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studykit.graders.child.flow_values import ALIKE, FlowValues, Numbers, Step, arguments, classes_of, instead
from studykit.graders.child.library import Library
from studykit.graders.child.usual_values import unusual
from studykit.sandbox.channel import Message, pack

_MOST_COMPUTED = 4


@dataclass(slots=True)
class FlowReplies:
    """Replies to frames with `steps`, about one answer; what was computed last is kept for the next."""

    library: Library
    computed: dict[Any, tuple[list[Any], list[Any]]] = field(default_factory=dict)

    def reply(self, frame: Message) -> bytes:
        """A comparison of the values of steps, results with some of them replaced, or the result alone.

        Or which values are not those of the exercise's solutions.
        """
        if "ways" in frame.header:
            return unusual(self.library, frame)
        if "result" in frame.header:
            return _returned(self.library, frame)
        values, others = self._values(frame)
        if "replaced" not in frame.header:
            return _compared(self.library, values, others, frame.header["alike"])
        return _replaced(self.library, frame, values, others)

    def _values(self, frame: Message) -> tuple[list[Any], list[Any]]:
        """The value of each step, with the inputs and with others."""
        asked = frame.header
        key = repr([asked[name] for name in ("steps", "arguments", "draw")]), frame.blobs
        if key not in self.computed:
            if len(self.computed) == _MOST_COMPUTED:
                self.computed.clear()
            self.computed[key] = self._computed(frame)
        return self.computed[key]

    def _computed(self, frame: Message) -> tuple[list[Any], list[Any]]:
        header = frame.header
        given, drawn = (arguments(self.library, frame, draw) for draw in ((), header["draw"]))
        values, others = (FlowValues(self.library, header["steps"], each).values for each in (given, drawn))
        return values, others


def _replaced(library: Library, frame: Message, values: Sequence[Any], others: Sequence[Any]) -> bytes:
    """Results with some values replaced."""
    header, given = frame.header, arguments(library, frame)
    kept = {place: values[place] for place in header["kept"]}
    ways = [kept | instead(library, values, others, each) for each in header["replaced"]]
    results = [_result(library, header["steps"], given, known, header["same"]) for known in ways]
    sent = list[bytes]()
    return pack({"values": [None if one is None else library.encoded(one, sent) for one in results]}, sent)


def _compared(library: Library, values: Sequence[Any], others: Sequence[Any], alike: Sequence[str]) -> bytes:
    """Which values are equal, which do not depend on the numbers of the inputs, and how many are in each."""
    sent: list[bytes] = []
    mine, theirs = ([Numbers.of(library, value) for value in each] for each in (values, others))
    fixed = [n for n, other in enumerate(theirs) if mine[n].equal(other)]
    counts = [sum(array.size for array in numbers.arrays) for numbers in mine]
    pairs = list(zip(mine, theirs, strict=True))
    classes = {name: classes_of([ALIKE[name](*pair) for pair in pairs]) for name in alike}
    numbers = [[n, float(value)] for n, value in enumerate(values) if type(value) in {int, float}]
    told = {"classes": classes, "fixed": fixed, "counts": counts, "numbers": numbers}
    told["spreads"] = [one.spread for one in mine]
    return pack({"value": library.encoded(values[-1], sent), **told}, sent)


def _returned(library: Library, frame: Message) -> bytes:
    """The result."""
    values = FlowValues(library, frame.header["steps"], arguments(library, frame)).values
    sent = list[bytes]()
    return pack({"value": library.encoded(values[-1], sent)}, sent)


def _result(
    library: Library, steps: Sequence[Step], given: list[Any], known: Mapping[int, Any], same: Sequence[int]
) -> Any:
    """The result with these values; None where it then raises."""
    try:
        return FlowValues(library, steps, given, known, same).values[-1]
    except Exception:  # shapes that fitted need not fit any more
        return None
