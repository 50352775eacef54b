"""Hold an exercise's output so far, and lay out each part of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from studykit.cards.card import GAP
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import render
from studykit.terminal.spans import ACCENT, CHROME, Span, StyledLine, clean, line, with_verdicts
from studykit.ui import RunPosition, Seeded


@dataclass(frozen=True, slots=True)
class MarkdownPart:
    """Hold Markdown to show, such as a question or a message."""

    markdown: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Lay out the text."""
        markdown = re.sub("([✓✗≈]) ", "\\1\u00a0", self.markdown)  # a sign stays with its word
        return [with_verdicts(row) for row in render(markdown, columns, notation)]


@dataclass(frozen=True, slots=True)
class PicturePart:
    """Hold a picture of text lines, and the description that replaces it on a narrower page."""

    rows: tuple[str, ...]
    description: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Return the picture as it is, or its description."""
        if self.rows and all(len(row) <= columns for row in self.rows):
            return [line(clean(row)) for row in self.rows]
        return render(self.description, columns, notation)


@dataclass(frozen=True, slots=True)
class TypedPart:
    """Hold what the learner typed at a prompt."""

    label: str
    text: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Lay out the prompt and the typed text as written. Text with a backtick stands without its prompt."""
        if "\n" in self.text:
            return render(f"{_escaped(self.label)}\\>\n\n````python\n{self.text}\n````", columns, notation)
        if "`" in self.text:
            return render(_escaped(self.text), columns, notation)
        return render(f"{_escaped(self.label)}\\> `{self.text}`", columns, notation)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """Hold the answer of a card that the learner grades."""

    markdown: str
    rule: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Return the answer below a dotted rule."""
        rule = line((self.rule * columns)[:columns].rstrip(), CHROME)
        return [rule, (), *render(self.markdown, columns, notation)]


Part = MarkdownPart | AnswerPart | PicturePart | TypedPart


@dataclass(slots=True)
class ExercisePage:
    """Hold what an exercise has shown so far."""

    title: str = ""
    place: RunPosition | None = None
    parts: list[Part] = field(default_factory=list)
    fresh: int = 0  # the first part after the last input
    is_begun: bool = False  # the learner did something on it
    seeded: Seeded | None = None
    typed_lines: list[str] = field(default_factory=list)  # with Enter, also those that could not be read

    def recallable_lines(self, history: Sequence[str]) -> Sequence[str]:
        """Return the lines that the up key brings back: earlier answers and the lines of this page, each once."""
        return tuple(dict.fromkeys((*reversed(self.typed_lines), *reversed(history))))[::-1]

    def line(self, label: str) -> str:
        """Return the name under which a line of this page is saved.

        A card has only one line, named after the card. Other names contain the question, because a line typed for
        other numbers would be a wrong answer.
        """
        if self.seeded is not None and self.seeded.seed is None:
            return self.seeded.name
        question = self.parts[0].markdown if self.parts and isinstance(self.parts[0], MarkdownPart) else ""
        place = "" if self.seeded is None else f"{self.seeded.name} {self.seeded.seed}"
        return f"{place}\n{label}\n{question}"

    def question(self, columns: int, notation: Notation) -> list[StyledLine]:
        """Lay out the first part, which stays on the screen."""
        return [_with_gap(row) for row in self.parts[0].lines(columns, notation)] if self.parts else []

    def dialogue(self, columns: int, notation: Notation, *, until: int | None = None) -> list[StyledLine]:
        """Lay out the parts after the question, up to part `until`, with a blank line between them."""
        rows: list[StyledLine] = []
        for part in self.parts[1:until]:
            rows += [(), *part.lines(columns, notation)] if rows else part.lines(columns, notation)
        return rows


def _with_gap(row: StyledLine) -> StyledLine:
    """Color the gap of a cloze."""
    if not any(GAP in span.text for span in row):
        return row
    parts = [(part, span.style) for span in row for part in span.text.partition(GAP) if part]
    return tuple(Span(part, ACCENT if part == GAP else style) for part, style in parts)


def _escaped(text: str) -> str:
    return "".join("\\" + sign if sign in "\\`*_$[]<>#|~!" else sign for sign in text)
