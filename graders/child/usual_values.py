"""Tells which values of an answer's steps no usual way to its result has; in the child of the exercise's own code.

A usual way is one of the exercise's solutions. A value is one of theirs where it is a multiple of it, in any order
and with any copies, or where all its numbers are some of theirs. The inputs are drawn anew: normal numbers of 64
bits, of which no sum or product is another by chance, nor 0 but for rounding.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from studykit.graders.child.flow_values import FlowValues
from studykit.graders.child.library import Library
from studykit.sandbox.channel import Message, pack

_NEAR = 1e-8  # of the largest: what sums in another order may leave


def unusual(library: Library, frame: Message) -> bytes:
    """The places of the steps whose values no way has."""
    header = frame.header
    given = _drawn(library, header["arguments"], header["draw"])
    ways = [value for steps in header["ways"] for value in FlowValues(library, steps, given).values]
    usual = UsualNumbers([array for array in (_numbers(library, value) for value in ways) if array is not None])
    mine = [_numbers(library, value) for value in FlowValues(library, header["steps"], given).values]
    places = [place for place, array in enumerate(mine) if array is not None and array not in usual]
    return pack({"unusual": places}, [])


def _drawn(library: Library, described: Sequence[Any], draw: Sequence[int]) -> list[Any]:
    """Arguments of the same shapes."""
    import numpy as np

    drawn = np.random.RandomState(draw[0])
    given = []
    for one in described:
        if isinstance(one, Mapping):
            wide = {"dtype": "float64", "shape": one["shape"]}
            given.append(library.tensor(wide, np.asarray(drawn.normal(size=one["shape"])).tobytes()))
        else:
            given.append(one)
    return given


def _numbers(library: Library, value: Any) -> Any | None:
    """The numbers of a tensor, in order; nothing of what is none."""
    import numpy as np

    if not library.is_tensor(value):
        return None
    return np.sort(library.array(value).astype("float64").ravel())


class UsualNumbers:
    """The numbers of the ways' values, each sorted."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        import numpy as np

        self.units = [_unit(array) for array in arrays if array.size]
        self.every = np.sort(np.concatenate([np.zeros(0), *arrays, *(-array for array in arrays)]))

    def __contains__(self, array: Any) -> bool:
        import numpy as np

        if not array.size or not np.isfinite(array).all():
            return False
        near = _NEAR * float(np.abs(array).max())
        if near and _are_among(array, self.every, near):
            return True
        mine = _unit(array)
        return any(_are_among(mine, one, _NEAR) and _are_among(one, mine, _NEAR) for one in self.units)


def _unit(array: Any) -> Any:
    """The numbers with 1 for the one that is largest without its sign."""
    import numpy as np

    most = array[int(np.abs(array).argmax())]
    return np.sort(array / most) if most else array


def _are_among(some: Any, every: Any, near: float) -> bool:
    """Whether each number is near one of the others, which are sorted."""
    import numpy as np

    if not every.size:
        return False
    above = np.searchsorted(every, some)
    low, high = every[np.maximum(above - 1, 0)], every[np.minimum(above, every.size - 1)]
    return bool((np.minimum(np.abs(some - low), np.abs(some - high)) <= near).all())
