"""What an exercise has put before the learner so far, and how each part of it is laid out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from studykit.cards.card import GAP
from studykit.terminal.input.line_editor import place_of
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import render
from studykit.terminal.spans import ACCENT, CHROME, Span, StyledLine, clean, line, with_verdicts
from studykit.ui import RunPosition, Seeded

if TYPE_CHECKING:
    from studykit.picture import Picture


@dataclass(frozen=True, slots=True)
class MarkdownPart:
    """Markdown on the page."""

    markdown: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Lay out the words."""
        markdown = re.sub("([✓✗≈]) ", "\\1\u00a0", self.markdown)  # a sign stays with its word
        return [with_verdicts(row) for row in render(markdown, columns, notation)]


@dataclass(frozen=True, slots=True)
class PicturePart:
    """A picture of text lines; its description where it is wider than the page."""

    rows: tuple[str, ...]
    described: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Return the picture as it is, or its description."""
        if self.rows and all(len(row) <= columns for row in self.rows):
            return [line(clean(row)) for row in self.rows]
        return render(self.described, columns, notation)


@dataclass(frozen=True, slots=True)
class TypedPart:
    """What the learner typed behind a prompt, kept on the page."""

    label: str
    text: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Return the prompt and what was typed, as it was typed."""
        if "\n" in self.text:
            return render(f"{_escaped(self.label)}\\>\n\n````python\n{self.text}\n````", columns, notation)
        if "`" in self.text:
            return render(_escaped(self.text), columns, notation)
        return render(f"{_escaped(self.label)}\\> `{self.text}`", columns, notation)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The answer of a card that its learner marks, under a rule."""

    markdown: str
    rule: str

    def lines(self, columns: int, notation: Notation) -> Sequence[StyledLine]:
        """Return a rule and the words below it."""
        rule = line((self.rule * columns)[:columns].rstrip(), CHROME)
        return [rule, (), *render(self.markdown, columns, notation)]


Part = MarkdownPart | AnswerPart | PicturePart | TypedPart


def drawn(picture: "Picture", width: int, *, is_ascii: bool) -> PicturePart:
    """Draw a picture in so many columns."""
    from studykit.terminal.pictures import painted

    return PicturePart(tuple(painted.lines(picture, width=width, ascii=is_ascii)), painted.sentence(picture))


@dataclass(slots=True)
class ExercisePage:
    """What an exercise has put before the learner so far."""

    title: str = ""
    place: RunPosition | None = None
    parts: list[Part] = field(default_factory=list)
    fresh: int = 0  # the first part that came after the last thing that was typed
    is_begun: bool = False  # something was done on it
    seeded: Seeded | None = None
    typed: list[str] = field(default_factory=list)  # lines that were ended, readable or not

    def walked(self, history: Sequence[str]) -> Sequence[str]:
        """Return what the up key brings back: earlier answers, and every line of this page, each once."""
        return tuple(dict.fromkeys((*reversed(self.typed), *reversed(history))))[::-1]

    def line(self, label: str) -> str:
        """Return the name of a line of this page, bound to the very question that is shown.

        What was typed for other numbers would be a wrong answer.
        """
        question = self.parts[0].markdown if self.parts and isinstance(self.parts[0], MarkdownPart) else ""
        if self.seeded is not None and self.seeded.seed is None:
            return self.seeded.name  # a card has one line
        return "\n".join((place_of(self.seeded), label, question))

    def question(self, columns: int, notation: Notation) -> list[StyledLine]:
        """Return the first part, which stays on the screen."""
        return [_with_gap(row) for row in self.parts[0].lines(columns, notation)] if self.parts else []

    def dialogue(self, columns: int, notation: Notation, *, until: int | None = None) -> list[StyledLine]:
        """Return what came after the question, or its parts before one, with a blank line between parts."""
        laid: list[StyledLine] = []
        for part in self.parts[1:until]:
            laid += [(), *part.lines(columns, notation)] if laid else part.lines(columns, notation)
        return laid


def _with_gap(row: StyledLine) -> StyledLine:
    """Return the row with the gap of a cloze in the accent."""
    if not any(GAP in span.text for span in row):
        return row
    parts = [(part, span.style) for span in row for part in span.text.partition(GAP) if part]
    return tuple(Span(part, ACCENT if part == GAP else style) for part, style in parts)


def _escaped(text: str) -> str:
    return "".join("\\" + sign if sign in "\\`*_$[]<>#|~!" else sign for sign in text)
