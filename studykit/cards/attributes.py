"""Parse the `{#id .tag key=value}` block that an author writes at the end of a note's line."""

import re
from functools import reduce
from typing import NamedTuple

KEYS = frozenset({"url", "source"})
"""Keys that a note may have. Any other key in a block is a mistake."""

_ITEM = r"""(?:#[^\s{}#"=]+|\.[\w-]+(?:\.[\w-]+)*|[\w-]+=(?:"[^"]*"|[^\s"{}]+))"""
_BLOCK = re.compile(rf"(?:^|\s)\{{\s*({_ITEM}(?:\s+{_ITEM})*)\s*\}}\s*$")
_ITEMS = re.compile(_ITEM)
_ID = re.compile(r"[A-Za-z0-9][\w.:-]*")
_PAIR = re.compile(r"""([\w-]+)=(?:"([^"]*)"|([^\s"{}]+))""")
# Not possessive: Python before 3.11.5 would match text that has no pair at all.
_PAIRS = re.compile(rf"(?:{_PAIR.pattern}(?:\s+|\Z))*")


class Attributes(NamedTuple):
    """Hold the content of a block. `wrong` lists its mistakes as messages without a place."""

    id: str | None = None
    tags: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    wrong: tuple[str, ...] = ()


NO_ATTRIBUTES = Attributes()


def split(line: str) -> tuple[str, Attributes]:
    """Split a line into its text and the attribute block at its end. Other braces stay text."""
    if not line.rstrip().endswith("}"):
        return line, NO_ATTRIBUTES
    # Inside a block braces occur only in quotes. So without quotes, only the last opening brace can begin it.
    start = 0 if '"' in line else max(0, line.rfind("{") - 1)
    block = _BLOCK.search(line, start)
    if block is None:
        return line, NO_ATTRIBUTES
    items = _ITEMS.findall(block.group(1))
    if not any(item[0] in "#." or item.partition("=")[0] in KEYS for item in items):
        return line, NO_ATTRIBUTES
    return line[: block.start()], reduce(combined, map(_item, items))


def tag_path(text: str) -> str:
    """Return a tag's path from any of its spellings: `.a.b`, `#a/b` and Anki's `a::b` are `a.b`."""
    return re.sub(r"::|/", ".", text.strip().lstrip(".#")).strip(".")


def combined(first: Attributes, second: Attributes) -> Attributes:
    """Merge two attribute blocks of one note. Two ids are a mistake."""
    if first is NO_ATTRIBUTES:
        return second
    wrong = first.wrong + second.wrong
    if first.id and second.id:
        wrong += (f"a note has one id, this one has #{first.id} and #{second.id}. Keep one.",)
    return Attributes(
        id=first.id or second.id,
        tags=tuple(dict.fromkeys(first.tags + second.tags)),
        values=first.values + second.values,
        wrong=wrong,
    )


def pairs(text: str) -> tuple[tuple[str, str], ...] | None:
    """Parse the `key=value key="two words"` of an exercise, or return None for other text."""
    if _PAIRS.fullmatch(text.strip()) is None:
        return None
    return tuple((key, quoted or bare) for key, quoted, bare in _PAIR.findall(text))


def _item(item: str) -> Attributes:
    match item[0]:
        case "#" if _ID.fullmatch(item[1:]):
            return Attributes(id=item[1:])
        case "#":
            rule = "Use letters, digits, '-', '_' and '.', starting with one of the first two."
            return Attributes(wrong=(f"{item} is not an id. {rule}",))
        case ".":
            return Attributes(tags=(item[1:],))
        case _:
            key, _, value = item.partition("=")
            if key in KEYS:
                return Attributes(values=((key, value.strip('"')),))
            return Attributes(wrong=(f"unknown attribute {key}. Write #id, .tag or url=ADDRESS.",))
