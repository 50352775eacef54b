"""How deep TeX nests: its converter recurses in native code, which ends the process where Python would raise."""

from collections.abc import Iterable

DEEPEST = 2000  # groups in groups, macros filled in; the converter bears twice as many


def too_deep(tex: str, macros: Iterable[str] = ()) -> bool:
    """Whether a formula, its macros filled in at the worst place, may nest deeper than a converter can bear."""
    inside = 1 + sum(map(_depth, macros))
    return inside * (1 + _depth(tex)) > DEEPEST


def _depth(tex: str) -> int:
    depth = deepest = 0
    for character in tex:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]":
            depth = max(0, depth - 1)
    return deepest
