"""One text and many sets of numbers: what stays the same is kept once, what changes is kept by set."""

import re
from collections.abc import Sequence

_PIECE = re.compile(r"<[^<>]*>|\d+(?:[.,]\d+)*(?:e-?\d+)?\w*|\w+|\s+|.", re.DOTALL)

Parts = list[str | int]
"""Text, and places in a set's values."""


class Columns:
    """The values that differ between sets, each column once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], int] = {}

    def place(self, values: Sequence[str]) -> int:
        """Where these values stand in every set."""
        return self._places.setdefault(tuple(values), len(self._places))

    def rows(self, sets: int) -> list[list[str]]:
        """The values of each set, in the order of their places."""
        return [[column[number] for column in self._places] for number in range(sets)]


def skeleton(texts: Sequence[str], columns: Columns) -> Parts:
    """The parts from which each of the texts can be put together again."""
    split = [_PIECE.findall(text) for text in texts]
    if len({len(pieces) for pieces in split}) > 1:
        return _ends(split, columns)
    parts: Parts = []
    for pieces in zip(*split, strict=True):
        _add(parts, pieces[0] if len(set(pieces)) == 1 else columns.place(pieces))
    return parts


def _ends(split: list[list[str]], columns: Columns) -> Parts:
    """The common start and end of texts that differ in length, and one place between."""
    shortest = min(map(len, split))
    start = next((n for n in range(shortest) if len({pieces[n] for pieces in split}) > 1), shortest)
    room = shortest - start
    end = next((n for n in range(room) if len({pieces[-1 - n] for pieces in split}) > 1), room)
    middles = ["".join(pieces[start : len(pieces) - end]) for pieces in split]
    parts: Parts = []
    for part in ("".join(split[0][:start]), columns.place(middles), "".join(split[0][len(split[0]) - end :])):
        if part != "":
            _add(parts, part)
    return parts


def _add(parts: Parts, part: str | int) -> None:
    if parts and isinstance(part, str) and isinstance(parts[-1], str):
        parts[-1] += part
    else:
        parts.append(part)
