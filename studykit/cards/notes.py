"""Parse lines into notes, and report lines that are part of none.

`parser` makes the cards of a note. Nothing here depends on ids, hashes or decks. A note that cannot be read is
skipped without harm to others, and text around notes is prose.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from studykit.cards import choice
from studykit.cards.attributes import NO_ATTRIBUTES, Attributes, combined, split
from studykit.cards.lines import DeckLine, LineKind
from studykit.cards.problem import Problem, Severity
from studykit.cards.tex_delimiters import dollars

_STARTS = frozenset((LineKind.QUESTION, LineKind.CLOZE, LineKind.EXERCISE))
_ENDS = _STARTS | {LineKind.SEPARATOR}
_STRAY = frozenset((LineKind.TEXT, LineKind.CODE, LineKind.CHECK))  # a heading between notes is not
_NOT_IN_EXERCISES = frozenset((LineKind.TEXT, LineKind.CODE, LineKind.HEADING))
_NO_ANSWER = 'question without an answer. Give it one on a line that starts with "A:".'
_NO_QUESTION = 'answer without a question. Start the note with "Q:".'
_ANSWERS_REFUSED = {
    LineKind.QUESTION: 'second answer to one question. Start a new note with "Q:", or write one answer.',
    LineKind.CLOZE: 'answer to a cloze, which has its answers in [brackets]. Start the note with "Q:" instead.',
    LineKind.EXERCISE: "answer to an exercise, which computes its own. Delete the line.",
}
_STRAY_TEXT = 'text outside a note. Start a note with "Q:" or "C:", or make it a comment: <!-- ... -->.'
_AFTER_EXERCISE = "text after an exercise. An exercise is one line; start a note or end it with ---."
_NEAR_MARKER = re.compile(r"\s*(?:[-*+>]\s+)?[*_]{0,2}[QqCc][*_]{0,2}\s*[:\uff1a]")
_BOX = re.compile(r"\[[ xX]\]")
_MISSPELLED = 'this looks like a note but is read as prose. Start the line with "Q:" or "C:".'
_EMPTY_ANSWER = "the answer is empty, so the card shows none. Write it, or delete the note."


class Note(NamedTuple):
    """Hold a note as written. `front` is the question, the text with gaps, or the exercise."""

    kind: LineKind  # QUESTION, CLOZE or EXERCISE
    line: int
    front: str
    back: str
    attributes: Attributes
    checks: tuple[tuple[int, str], ...]  # line and text of each check line
    options: tuple[choice.Option, ...] = ()  # of a question that is a choice; `back` is then its explanation


def read_notes(lines: Iterable[DeckLine], path: str) -> tuple[list[Note], list[Problem]]:
    """Parse the lines into notes, and list the problems in all lines."""
    reader = _NoteReader(path)
    for line in lines:
        reader.take(line)
    reader.close()
    return reader.notes, reader.problems


@dataclass(slots=True)
class _Draft:
    """Hold a note while it is being read."""

    start: DeckLine
    front: list[str] = field(default_factory=list)
    back: list[str] | None = None
    numbers: list[int] = field(default_factory=list)  # of the lines of the part being read
    attributes: Attributes = NO_ATTRIBUTES

    def part(self) -> list[str]:
        return self.front if self.back is None else self.back

    def lacks_answer(self) -> bool:
        """Return whether this is a question with neither an answer nor options."""
        if self.start.kind is not LineKind.QUESTION or self.back is not None:
            return False
        return not (_BOX.search("\n".join(self.front)) and choice.split_options(self._words())[1])

    def _words(self) -> list[str]:
        """Return the question without check lines and attributes on lines of their own at its end."""
        last = len(self.front)
        while last > 1 and (not self.front[last - 1].strip() or self.front[last - 1].startswith(("check:", "{"))):
            last -= 1
        return self.front[:last]


class _NoteReader:
    """Build one note at a time from its lines, and collect all notes and problems."""

    def __init__(self, path: str) -> None:
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self._path = path
        self._draft: _Draft | None = None
        self._in_prose = False  # after text or a mistake, until the next note, so that each is reported only once

    def take(self, line: DeckLine) -> None:
        """Add a line to the open note, or end that note and begin the next one or prose."""
        draft = self._draft
        if line.kind in _ENDS:
            self.close()
            self._in_prose = False
            if line.kind in _STARTS:
                self._draft = _Draft(line)
                self._begin_part(self._draft, line)
        elif line.kind is LineKind.ANSWER:
            self._take_answer(line)
        elif draft is None or (draft.start.kind is LineKind.EXERCISE and line.kind in _NOT_IN_EXERCISES):
            self._take_prose(line)
        elif line.kind is not LineKind.COMMENT:
            draft.part().append(line.text)
            draft.numbers.append(line.number)

    def _take_answer(self, line: DeckLine) -> None:
        draft = self._draft
        if draft is None:
            if not self._in_prose:
                self._complain(line.number, _NO_QUESTION, lost=True)
        elif draft.start.kind is LineKind.QUESTION and draft.back is None:
            draft.back, draft.numbers = [], []
            self._begin_part(draft, line)
            return
        else:
            self._complain(line.number, _ANSWERS_REFUSED[draft.start.kind], lost=draft.back is not None)
            self.close()
        self._in_prose = True

    def _take_prose(self, line: DeckLine) -> None:
        """Report text outside of notes where it begins, and each line of it that looks like a note."""
        if self._draft is not None:
            self._complain(line.number, _AFTER_EXERCISE, Severity.STYLE)
            self.close()
            self._in_prose = True
        elif not self._in_prose and line.kind in _STRAY:
            self._complain(line.number, _STRAY_TEXT, Severity.STYLE)
            self._in_prose = True
        if self._in_prose and line.kind is LineKind.TEXT and _NEAR_MARKER.match(line.text):
            self._complain(line.number, _MISSPELLED, Severity.WARNING)

    def _begin_part(self, draft: _Draft, line: DeckLine) -> None:
        """Begin a part with the text after its marker."""
        text, block = split(line.text)
        if block is not NO_ATTRIBUTES:
            self._describe(draft, block, line.number)
        draft.part().append(text)
        draft.numbers.append(line.number)

    def close(self) -> None:
        """End the open note, if any. Report and skip it if it has no question or answer, or bad options."""
        draft, self._draft = self._draft, None
        if draft is None:
            return
        line = draft.start.number
        if draft.lacks_answer():
            self._complain(line, _NO_ANSWER, lost=True)
            return
        checks = self._take_tail(draft)
        front, back = "\n".join(draft.front), "\n".join(draft.back or ())
        options: list[choice.Option] = []
        if draft.start.kind is LineKind.QUESTION and "[" in front and _BOX.search(front):
            front, options = _options(draft, front)
        if "\\" in front or "\\" in back:
            front, back = dollars(front), dollars(back)
        front, back = front.strip(), back.strip()
        if not front:
            what = "cloze" if draft.start.kind is LineKind.CLOZE else "question"
            self._complain(line, f"the {what} is empty. Write it, or delete the note.", lost=True)
            return
        if options and (wrong := choice.fault(options)) is not None:
            self._complain(line, wrong, lost=True)
            return
        if draft.back is not None and not back and not options:
            self._complain(line, _EMPTY_ANSWER, Severity.WARNING)
        self.notes.append(Note(draft.start.kind, line, front, back, draft.attributes, checks, tuple(options)))

    def _take_tail(self, draft: _Draft) -> tuple[tuple[int, str], ...]:
        """Remove check lines and attributes from the note's end, and return the check lines."""
        part, numbers = draft.part(), draft.numbers
        checks: list[tuple[int, str]] = []
        while len(part) > 1:
            last = part[-1]
            if last.startswith("check:"):
                checks.append((numbers[-1], last.removeprefix("check:").strip()))
            elif last.startswith("{"):
                rest, block = split(last)
                if block is NO_ATTRIBUTES or rest:
                    break
                self._describe(draft, block, numbers[-1])
            elif last.strip():
                break
            part.pop()
            numbers.pop()
        return tuple(reversed(checks))

    def _describe(self, draft: _Draft, block: Attributes, number: int) -> None:
        draft.attributes = combined(draft.attributes, block)
        for wrong in draft.attributes.wrong:
            self._complain(number, wrong)
        if draft.attributes.wrong:
            merged = draft.attributes
            draft.attributes = Attributes(merged.id, merged.tags, merged.values)

    def _complain(
        self, number: int, message: str, severity: Severity = Severity.ERROR, *, lost: bool = False
    ) -> None:
        self.problems.append(Problem(self._path, number, message, severity, lost))


def _options(draft: _Draft, front: str) -> tuple[str, list[choice.Option]]:
    """Split a question from its options. In a note with an answer, options count only if one is marked right."""
    question, options = choice.split_options(draft.front)
    if not options or (draft.back is not None and not any(option.right for option in options)):
        return front, []
    return "\n".join(question), options
