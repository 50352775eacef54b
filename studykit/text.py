"""Prepare text for people: drop unsafe characters, wrap lines, and build parts of sentences.

A shell prompt imports this module, so its top level imports only what Python has loaded already.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

MAX_TEXT_CHARACTERS = 2000  # of one text from code that ran
_OFF = frozenset(("", "0", "false", "no", "off"))
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86_400
_MIN_COLUMNS = 20  # columns; lines for a narrower terminal are not wrapped
_MAX_TEX_DEPTH = 2000  # nested groups with macros expanded; the converter recurses and stands twice as many

_SECRETS = ("password", "passwd", "passphrase", "pwd", "secret")

_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
# Without U+200E and U+200F, which Hebrew and Arabic text needs and which reverse no other text.
_DIRECTIONS = {0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_LINE_ENDS = {0x2028, 0x2029}
NEVER_WRITTEN = frozenset(_CONTROLS | _DIRECTIONS | _LINE_ENDS)
"""Characters of untrusted text that are never written as they are."""
_REMOVED = dict.fromkeys(NEVER_WRITTEN)
REPLACED = dict.fromkeys((*NEVER_WRITTEN, *range(0xD800, 0xE000)), "\ufffd")
"""Table for `str.translate` that marks each of them, and each half of a surrogate pair, by U+FFFD."""


def printable(text: str, most: int | None = None) -> str:
    """Return the first `most` characters of a text, without those that control a terminal or reverse text."""
    text = text[:most]
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_REMOVED).encode(errors="ignore").decode()  # without halves of surrogate pairs


def json_text(document: object) -> str:
    """Format a JSON document for people and programs, with control and direction characters escaped."""
    import json

    return escaped(json.dumps(document, ensure_ascii=False, indent=2))


def escaped(json_document: str) -> str:
    """Return the JSON document with an escape for every character that `printable` leaves out."""
    if json_document.isascii() and "\x7f" not in json_document:  # JSON itself escapes the controls below space
        return json_document
    document = json_document.translate({sign: f"\\u{sign:04x}" for sign in NEVER_WRITTEN})
    return document.encode(errors="backslashreplace").decode()


def hide_passwords(text: str) -> str:
    """Replace each password in a text by three stars, in a URL or after a word such as `password=`."""
    if "://" not in text and "=" not in text:
        return text
    import re
    from urllib.parse import unquote

    def replacement(match: "re.Match[str]") -> str:
        is_secret = any(word in unquote(match[1]).lower() for word in _SECRETS)
        return f"{match[1]}=***" if is_secret else match[0]

    text = re.sub(r"(://[^\s:/?#'\"]*):[^\s'\"]*@", r"\1:***@", text)
    return re.sub(r"([\w%-]+)=[^\s&'\"]+", replacement, text)


def shown_name(name: str) -> str:
    r"""Return a file's name for people and documents, with unprintable characters escaped.

    A backslash becomes two, and `\xe9` is a byte that is not text, so that different names look different.
    """
    text = os.fsencode(name.replace("\\", "\\\\")).decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped_sign(sign) for sign in text)


def _escaped_sign(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if "\x80" <= sign <= "\xff" else sign.encode("unicode_escape").decode()


def sentence(text: str) -> str:
    """End the text with a full stop, unless it ends in a question mark."""
    return text if text.endswith("?") else f"{text}."


def duration(seconds: float) -> str:
    """Format seconds in one unit: `12 s`, `3 min`, `2.2 h`, `5 days`."""
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    if seconds < 2 * _DAY_S:
        return f"{seconds / _HOUR_S:.2g} h"
    return f"{seconds / _DAY_S:.0f} days"


def counted(number: int, word: str) -> str:
    """Format a count: `1 card`, `1,024 cards`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def listed(names: "Sequence[str]") -> str:
    """Join names: `p`, `p and q`, `p, q and h`."""
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), *names[-1:]])


def nearest(name: str, names: "Iterable[str]", min_similarity: float = 0.6) -> str:
    """Return the name that a misspelt one probably means, or "" if none is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(names), n=1, cutoff=min_similarity)), "")


def did_you_mean(name: str, names: "Iterable[str]") -> str:
    """Return a question that suggests the nearest name, or ""."""
    return f" {meant(name, names, '')}".rstrip()


def meant(name: str, names: "Iterable[str]", otherwise: str) -> str:
    """Return a question that suggests the nearest name, or `otherwise` if none is near."""
    suggestion = nearest(name, names)
    return f"Did you mean {suggestion}?" if suggestion else otherwise


def natural_order(text: str) -> "list[tuple[int, int, str]]":
    """Return a sort key that compares the numbers in texts by value, so that `a2` comes before `a10`."""
    from itertools import groupby

    runs = ((digits, "".join(run)) for digits, run in groupby(text, str.isdecimal))
    return [(0, int(run), "") if digits else (1, 0, run) for digits, run in runs]


def too_deep(tex: str, macros: "Iterable[str]" = ()) -> bool:
    """Return whether a formula, with its macros expanded, may be nested too deep for a converter."""
    inside = 1 + sum(map(_depth, macros))
    return inside * (1 + _depth(tex)) > _MAX_TEX_DEPTH


def _depth(tex: str) -> int:
    depth = deepest = 0
    for character in tex:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]":
            depth = max(0, depth - 1)
    return deepest


def fitted(text: str, columns: int | None) -> str:
    """Wrap the text at `columns`, if that is given and not very narrow."""
    if columns is None or columns < _MIN_COLUMNS:
        return text
    return "\n".join(broken(line, columns) for line in text.split("\n"))


def broken(line: str, room: int) -> str:
    """Wrap a line without colors at `room` columns. A longer word stays whole, so that a path can be copied."""
    if len(line) <= room or "\x1b" in line:
        return line
    from textwrap import TextWrapper

    wrapper = TextWrapper(
        width=room,
        subsequent_indent=" " * _hanging(line, room),
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )
    return wrapper.fill(line.replace(" %", "\u00a0%")).replace("\u00a0%", " %")  # `40 %` stays on one line


def _hanging(line: str, room: int) -> int:
    """Return the indent of continuation rows.

    It is where the line's second column begins, if that leaves half the room. Otherwise it is two more than the
    line's own indent, or 0 for a line without one.
    """
    import re

    column = re.match(r"\s*\S.*?\s{2,}(?=\S)", line)
    if column is not None and column.end() <= room // 2:
        return column.end()
    spaces = len(line) - len(line.lstrip())
    return spaces + 2 if spaces else 0


def terminal_columns(stream: "TextIO") -> int | None:
    """Return the width of the stream's terminal, or None if it is not one."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else None
    except (OSError, ValueError, AttributeError):
        return None


def is_on(value: str | None) -> bool:
    """Return whether an environment variable switches something on: not empty, 0, false, no or off."""
    return (value or "").strip().lower() not in _OFF


def texts(config: "Mapping[str, object]", name: str) -> list[str]:
    """Return a setting that is a list, as texts, or an empty list for any other value."""
    setting = config.get(name, [])
    return [*map(str, setting)] if isinstance(setting, list) else []
