"""What an answer of several lines would be with one composite in another order, to find which one is wrong."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

_MOST = 12
_COMPOSITE = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Variant:
    """The whole answer with one composite changed."""

    line: int
    composite: str
    source: str

    def __str__(self) -> str:
        return f"On line {self.line} the composite {self.composite} is in the wrong order; all else is right."


def variants(source: str, patterns: Sequence[tuple[int, str]]) -> tuple[Variant, ...]:
    """At most twelve answers, each with one composite of one pattern in another order."""
    return tuple(found for found, _ in zip(_all(source, patterns), range(_MOST), strict=False))


def _all(source: str, patterns: Sequence[tuple[int, str]]) -> Iterator[Variant]:
    lines = source.split("\n")
    for line, text in dict.fromkeys(patterns):
        if not 0 < line <= len(lines) or lines[line - 1].count(text) != 1:
            continue  # a pattern over several lines, or twice on one
        for composite in _COMPOSITE.finditer(text):
            for other in list(permutations(composite.group(1).split()))[1:]:
                changed = f"{text[: composite.start()]}({' '.join(other)}){text[composite.end() :]}"
                edited = [*lines[: line - 1], lines[line - 1].replace(text, changed), *lines[line:]]
                yield Variant(line, composite.group(), "\n".join(edited))
