"""One text and many sets of numbers: what stays the same is kept once, what changes is kept by set."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase, digits

_PIECE = re.compile(r"\d+(?:[.,]\d+)*(?:e-?\d+)?\w*|\w+|\s+|.", re.DOTALL)
_DIGITS = digits + ascii_lowercase  # as many as a page has sets, at least

Parts = list[str | int]
"""Text, and places in a set's values."""


class Columns:
    """The values that differ between sets, each column once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str | None, ...], int] = {}

    def place(self, values: Sequence[str | None]) -> int:
        """Where these values stand."""
        return self._places.setdefault(tuple(values), len(self._places))

    def packed(self, written: Mapping[tuple[str | None, ...], tuple[int, int]]) -> list[list[str | int | None]]:
        """Each column: a digit for each set and the values that the digits mean, or what it is written from."""
        amounts = {place for place, _ in written.values()}
        return [
            _packed(values) if place in amounts or values not in written else list(written[values])
            for values, place in self._places.items()
        ]


def _packed(values: Sequence[str | None]) -> list[str | int | None]:
    different = list(dict.fromkeys(values))
    return ["".join(_DIGITS[different.index(value)] for value in values), *different]


def skeleton(texts: Sequence[str], columns: Columns) -> Parts:
    """The parts from which each of the texts can be put together again."""
    parts: Parts = []
    for part in _aligned([_PIECE.findall(text) for text in texts], columns):
        _add(parts, part)
    return parts


def _aligned(split: Sequence[Sequence[str]], columns: Columns) -> Iterator[str | int]:
    if len({len(pieces) for pieces in split}) == 1:
        for pieces in zip(*split, strict=True):
            yield pieces[0] if len(set(pieces)) == 1 else columns.place(pieces)
        return
    starts = [0] * len(split)
    anchors = _anchors(split)
    for places in anchors:
        yield from _aligned(_between(split, starts, places), columns)
        yield split[0][places[0]]
        starts = [place + 1 for place in places]
    rest = _between(split, starts, [len(pieces) for pieces in split])
    if anchors:
        yield from _aligned(rest, columns)
    else:
        yield columns.place(["".join(pieces) for pieces in rest])


def _between(split: Sequence[Sequence[str]], starts: Sequence[int], ends: Sequence[int]) -> list[Sequence[str]]:
    return [pieces[start:end] for pieces, start, end in zip(split, starts, ends, strict=True)]


def _anchors(split: Sequence[Sequence[str]]) -> list[list[int]]:
    """Where the pieces stand that every text has exactly once, as far as their order is the same in all."""
    counts = [Counter(pieces) for pieces in split]
    found: list[list[int]] = []
    for piece in split[0]:
        if all(count[piece] == 1 for count in counts):
            places = [pieces.index(piece) for pieces in split]
            if not found or all(place > last for place, last in zip(places, found[-1], strict=True)):
                found.append(places)
    return found


def _add(parts: Parts, part: str | int) -> None:
    if parts and isinstance(part, str) and isinstance(parts[-1], str):
        parts[-1] += part
    else:
        parts.append(part)
