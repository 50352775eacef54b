"""Edit notes in the text of a deck: append one, find one by its line, take one out.

Lines keep their line ends. Added lines get the most frequent line end of the text.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from studykit.cards.attributes import NO_ATTRIBUTES, split
from studykit.cards.front_matter import read_front_matter
from studykit.cards.lines import LineKind, LineReader
from studykit.cards.parser import numbered
from studykit.cards.query import folded
from studykit.cards.wording import words

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_STARTS = {LineKind.QUESTION, LineKind.CLOZE, LineKind.EXERCISE}
_EMPTY_KINDS = {LineKind.BLANK, LineKind.COMMENT}
_BLOCK = re.compile(r"\{\s*(?=[.\w])")
_ID_WORDS, _ID_LONGEST = 6, 40
_PLAIN_WORDS = """
a an and are at be by do does for from how in is it of on or that the to was what which with
"""
_STOP_WORDS = frozenset(_PLAIN_WORDS.split())
_SPELT = str.maketrans(
    dict(zip("ßæœøđðþłħ\u0131ŋ", ["ss", "ae", "oe", "o", "d", "d", "th", "l", "h", "i", "ng"], strict=True))
)
"""Letters that Unicode does not decompose into a plain letter and a mark."""


@dataclass(frozen=True, slots=True)
class NewNote:
    """Hold a note to be written. Without `back` it is a cloze."""

    front: str
    back: str = ""
    id: str = ""
    tags: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the note as lines of a deck."""
        block = " ".join([*([f"#{self.id}"] if self.id else []), *(f".{tag}" for tag in self.tags)])
        front = _unended(self.front)
        front[0] = f"{'Q' if self.back else 'C'}: {front[0]}" + (f" {{{block}}}" if block else "")
        if not self.back:
            return front
        back = _unended(self.back)
        return [*front, f"A: {back[0]}", *back[1:]]


class DeckText:
    """Edit the text of a deck, note by note."""

    def __init__(self, text: str) -> None:
        self._mark = "\ufeff" if text.startswith("\ufeff") else ""
        self._lines: list[str] = _LINE.findall(text.removeprefix("\ufeff"))  # with their ends
        self._bare_lines = [line.rstrip("\r\n") for line in self._lines]
        ends = [line[len(bare) :] for line, bare in zip(self._lines, self._bare_lines, strict=True)]
        self._newline = max({"\n", *filter(None, ends)}, key=ends.count)
        self._front = read_front_matter(self._bare_lines, "").lines
        reader = LineReader(first=self._front + 1)
        self._kinds = list(reader.read(self._bare_lines[self._front :]))
        self.open_line = unclosed[0] if (unclosed := reader.unclosed()) else None
        """Line of a comment or fence that is never closed. Nothing can be written after it."""
        self._notes = self._spans()

    def with_note(self, lines: Sequence[str]) -> str:
        """Return the text with a note appended after a blank line."""
        text_lines = list(self._lines)
        while len(text_lines) > self._front and not text_lines[-1].strip():
            text_lines.pop()
        if text_lines and not text_lines[-1].endswith(("\r", "\n")):
            text_lines[-1] += self._newline
        added = ["", *lines] if text_lines else lines
        return "".join((self._mark, *text_lines, *(line + self._newline for line in added)))

    def note_at(self, line: int) -> list[str]:
        """Return the lines of the note that begins at a line (from 1), or an empty list."""
        span = self._span(line)
        return self._bare_lines[span.start : span.stop] if span else []

    def without_note(self, line: int) -> str:
        """Return the text without the note that begins at a line, and without the blank lines and --- after it."""
        span = self._span(line)
        if span is None:
            return "".join((self._mark, *self._lines))
        following = min((note.start for note in self._notes if note.start > span.start), default=None)
        end = span.stop if following is None else self._gap_end(span.stop, following)
        text_lines = [*self._lines[: span.start], *self._lines[end:]]
        if following is None:
            while len(text_lines) > self._front and text_lines[-1].strip() in {"", "---"}:
                text_lines.pop()
        return "".join((self._mark, *text_lines))

    def with_ids(self, nameless: Collection[int], fresh: Callable[[str], str]) -> str:
        """Return the text with ids for the notes on `nameless` lines. `fresh` makes an id from a note's words."""
        lines = list(self._lines)
        for span in self._notes:
            if span.start + 1 in nameless:
                first = self._bare_lines[span.start]
                end = lines[span.start][len(first) :]
                lines[span.start] = with_id(first, fresh(split(first)[0][2:])) + end
        return "".join((self._mark, *lines))

    def notes(self) -> list[list[str]]:
        """Return the lines of each note."""
        return [self._bare_lines[span.start : span.stop] for span in self._notes]

    def _spans(self) -> list[range]:
        """Return the range of each note's lines, from 0."""
        spans: list[range] = []
        start = -1
        for place, line in enumerate(self._kinds):
            if line.kind in _STARTS or line.kind is LineKind.SEPARATOR:
                if start >= 0:
                    spans.append(self._trimmed(start, place))
                start = place if line.kind in _STARTS else -1
        return [*spans, self._trimmed(start, len(self._kinds))] if start >= 0 else spans

    def _trimmed(self, start: int, end: int) -> range:
        """Return a note's range without blank lines and comments after it, which may belong to the next note."""
        while end > start + 1 and self._kinds[end - 1].kind in _EMPTY_KINDS:
            end -= 1
        return range(self._front + start, self._front + end)

    def _span(self, line: int) -> range | None:
        return next((span for span in self._notes if span.start == line - 1), None)

    def _gap_end(self, end: int, following: int) -> int:
        """Return where the blank lines after a note, with at most one separator, end."""
        has_separator = False
        while end < following and (line := self._lines[end].strip()) in {"", "---"}:
            if line and has_separator:
                break
            has_separator = has_separator or bool(line)
            end += 1
        return end


def fresh_id(text: str, is_taken: Callable[[str], bool]) -> str:
    """Make an id from the first meaningful words of a note, in plain Latin letters."""
    ascii_words = [word for word in words(folded(text.lower().translate(_SPELT))) if word.isascii()]
    id_words = [word for word in ascii_words if word not in _STOP_WORDS] or ascii_words
    name = ""
    for word in id_words[:_ID_WORDS]:
        longer = f"{name}-{word}" if name else word
        name = longer if len(longer) <= _ID_LONGEST else name
    name = re.sub(r"[^a-z0-9-]+", "-", name).strip("-") or "card"
    return next(id_ for id_ in numbered(name) if not is_taken(id_))


def with_id(line: str, id_: str) -> str:
    """Add an id to a marker line, inside its attribute block if it has one."""
    text, block = split(line)
    if block is NO_ATTRIBUTES:
        return f"{line.rstrip()} {{#{id_}}}"
    return text + _BLOCK.sub(f"{{#{id_} ", line[len(text) :], count=1)


def _unended(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()] or [""]
