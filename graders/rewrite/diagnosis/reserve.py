"""What gives a pattern away, told from the second failure on: marked, and left out where it comes too soon."""

import re

_BEGIN, _MIDDLE, _END = "\x01", "\x02", "\x03"
_MARKS = f"{_BEGIN}{_MIDDLE}{_END}"
_MARKED = re.compile(f"{_BEGIN}([^{_MARKS}]*){_MIDDLE}([^{_MARKS}]*){_END}")
_NONE = str.maketrans("", "", _MARKS)  # an answer may hold them too


def at_second(told: str, at_first: str = "") -> str:
    """A text for the second failure and later ones, and one for the first."""
    return f"{_BEGIN}{told.translate(_NONE)}{_MIDDLE}{at_first.translate(_NONE)}{_END}"


def unmarked(text: str, *, again: bool) -> str:
    """The text as it is told."""
    return _MARKED.sub(r"\1" if again else r"\2", text)
