"""Escape plain text so that Markdown and decks show it as it is."""

import re

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd]")
"""Signs that texts do not need. The readers of this room mark places with them."""

_SIGNS = re.compile(r"[\\`*\[\]$]|~~|<(?=!--|[A-Za-z/!?][^<>]*>)|&(?=#?\w+;)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
MARKER = re.compile(r"^([QACE]|check)(?=:)", re.MULTILINE)
"""The start of a line that begins a part of a note in a deck."""
_STARTS = (
    (MARKER, r"\1\\"),
    (re.compile(r"^(\d{1,9})(?=[.)](?:\s|$))"), r"\1\\"),
    (re.compile(r"^(?=#{1,6}(?:\s|$)|[-+>](?:\s|$)|-{2,}\s*$|={1,}\s*$|~~~|\||>)"), r"\\"),
)
_BLOCK = re.compile(r"(^|\s)\{(?=[^{}]*\}\s*$)")


def escaped_words(text: str) -> str:
    """Escape words of one line so that Markdown shows them as they are, anywhere in the line."""
    return _SIGNS.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), text)


def escaped_start(line: str) -> str:
    """Escape a line so that it begins only a paragraph and does not end in attributes."""
    for start, replacement in _STARTS:
        line, count = start.subn(replacement, line, count=1)
        if count:
            break
    return _BLOCK.sub(r"\1\\{", line)


def escaped_text(text: str) -> str:
    """Escape a plain text of several lines. Line breaks and the indent of code stay."""
    words = ((line, escaped_start(escaped_words(" ".join(line.split())))) for line in text.strip().splitlines())
    return hard_breaks("\n".join(_indent(line) + plain for line, plain in words).strip())


def _indent(line: str) -> str:
    """Return the indent of a line in spaces that do not break. A single space is dropped as a typo."""
    start = line[: len(line) - len(line.lstrip())].expandtabs(4)
    return "\xa0" * len(start) if len(start) > 1 and line.strip() else ""


def hard_breaks(text: str) -> str:
    """Keep line breaks, which Markdown would join to a paragraph, and at most one blank line in a row."""
    return re.sub(r"\n{2,}", "\n\n", re.sub(r"(?<=\S)\n(?=[\S\xa0])", r"\\\n", text))
