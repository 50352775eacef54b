"""Split deck text into lines and classify each one, regardless of the note around it."""

import re
from collections.abc import Iterator
from enum import IntEnum, auto
from typing import NamedTuple


class LineKind(IntEnum):  # IntEnum, because its hash is faster, and every line is looked up in sets
    """Name the kinds of lines in a deck."""

    QUESTION = auto()
    ANSWER = auto()
    CLOZE = auto()
    EXERCISE = auto()
    SEPARATOR = auto()
    HEADING = auto()  # counts only between notes; inside one it is text
    CHECK = auto()
    BLANK = auto()
    COMMENT = auto()  # the whole line is a comment
    CODE = auto()  # inside a fence, or the line that ends it
    TEXT = auto()


class DeckLine(NamedTuple):
    """Hold one line. `text` is what follows a marker, or the whole line."""

    kind: LineKind
    number: int
    text: str


_MARKERS = {"Q:": LineKind.QUESTION, "A:": LineKind.ANSWER, "C:": LineKind.CLOZE}
_EXERCISE = re.compile(r"E:[ \t]+[a-z][a-z0-9_]*(?:\.[A-Za-z0-9][\w-]*)+(?=[ \t{]|$)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_OPEN, _CLOSE = "<!--", "-->"


class LineReader:
    """Classify lines, remembering open fences and comments, and whether a note may start."""

    def __init__(self, first: int = 1) -> None:
        """Start counting at line number `first`."""
        self._number = first - 1
        self._fence = ""  # what opened it
        self._opened = 0  # line of the open fence or comment
        self._in_comment = False
        self._fresh = True  # the line before was blank, a separator or an exercise, so a note may start

    def read(self, lines: list[str]) -> Iterator[DeckLine]:
        """Yield each line with its kind."""
        for raw in lines:
            self._number += 1
            if self._fence:
                line = self._fenced(raw)
            elif self._in_comment or _OPEN in raw:
                line = self._commented(raw)
            else:
                line = self._bare(raw)
            self._fresh = line.kind in _NOTE_ENDS or (line.kind is LineKind.COMMENT and self._fresh)
            yield line

    @property
    def fence(self) -> int:
        """Return the line of the open code fence, or 0."""
        return self._opened if self._fence else 0

    def unclosed(self) -> tuple[int, str] | None:
        """Return the line of a fence or comment that is never closed, and a sentence about it, or None."""
        if self._in_comment:
            return self._opened, "this comment is never closed. End it with -->."
        if self._fence:
            return self._opened, f"this code fence is never closed. End it with a line of {self._fence}."
        return None

    def _bare(self, raw: str) -> DeckLine:
        kind = _MARKERS.get(raw[:2])
        if kind is not None:
            self._open_fence(raw[2:])
            return DeckLine(kind, self._number, raw[2:].strip())
        kind = self._unmarked(raw)
        return DeckLine(kind, self._number, raw[2:].strip() if kind is LineKind.EXERCISE else raw)

    def _unmarked(self, raw: str) -> LineKind:
        match raw.lstrip()[:1]:
            case "":
                return LineKind.BLANK
            case "-" if raw.rstrip() == "---":
                return LineKind.SEPARATOR
            case "E" if self._fresh and _EXERCISE.match(raw):
                return LineKind.EXERCISE
            case "#" if raw[0] == "#":
                return LineKind.HEADING
            case "c" if raw.startswith("check:"):
                return LineKind.CHECK
            case "`" | "~":
                self._open_fence(raw)
        return LineKind.TEXT

    def _open_fence(self, text: str) -> None:
        if "```" not in text and "~~~" not in text:
            return
        match = _FENCE.match(text)
        # Backticks that are closed on the same line are a code span, not a fence.
        if match and not (match.group(1)[0] == "`" and "`" in match.group(2)):
            self._fence = match.group(1)
            self._opened = self._number

    def _fenced(self, raw: str) -> DeckLine:
        stripped = raw.strip()
        if stripped.startswith(self._fence) and not stripped.strip(self._fence[0]):
            self._fence = ""
        return DeckLine(LineKind.CODE, self._number, raw)

    def _commented(self, raw: str) -> DeckLine:
        """Classify a line without its comments. A line that was only a comment becomes a COMMENT without text."""
        bare_text, rest = "", raw
        if self._in_comment:
            _, closed, rest = raw.partition(_CLOSE)
            self._in_comment = not closed
        while not self._in_comment and rest:
            start = _comment_start(rest)
            if start < 0:
                return self._left(bare_text + rest)
            bare_text += rest[:start]
            _, closed, rest = rest[start:].partition(_CLOSE)
            if not closed:
                self._in_comment, self._opened = True, self._number
        return self._left(bare_text)

    def _left(self, bare_text: str) -> DeckLine:
        return self._bare(bare_text) if bare_text.strip() else DeckLine(LineKind.COMMENT, self._number, "")


_NOTE_ENDS = frozenset({LineKind.BLANK, LineKind.SEPARATOR, LineKind.EXERCISE, LineKind.HEADING, LineKind.CHECK})


def _comment_start(text: str) -> int:
    """Return where a comment starts outside code spans, or -1."""
    start = text.find(_OPEN)
    while start >= 0 and text.count("`", 0, start) % 2:
        start = text.find(_OPEN, start + 1)
    return start
