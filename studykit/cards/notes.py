"""Parse lines into notes, with a table of what each kind of line does in each state.

What a note's cards are is `parser`; here nothing is known of ids, hashes or decks. A note that cannot be read
costs itself only, and text around notes is prose.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import NamedTuple

from studykit.cards import choice
from studykit.cards.attributes import NO_ATTRIBUTES, Attributes, combined, split
from studykit.cards.lines import DeckLine, LineKind
from studykit.cards.problem import Problem, Severity
from studykit.cards.tex_delimiters import dollars


class NoteState(IntEnum):
    """Name what the reader is inside of."""

    BETWEEN = auto()  # notes
    QUESTION = auto()
    ANSWER = auto()
    CLOZE = auto()
    EXERCISE = auto()
    PROSE = auto()  # text around notes, and everything between a mistake and the next note, to report it only once


class Note(NamedTuple):
    """Hold a note as written. `front` is the question, the text with gaps, or the exercise."""

    kind: LineKind  # QUESTION, CLOZE or EXERCISE
    line: int
    front: str
    back: str
    attributes: Attributes
    checks: tuple[tuple[int, str], ...]  # line and text of each check line
    options: tuple[choice.Option, ...] = ()  # of a question that is a choice; `back` is then its explanation


@dataclass(frozen=True, slots=True)
class Transition:
    """Describe what a line does, in this order: report a problem, end the open note, change the state."""

    to: NoteState
    ends: bool = False
    keeps: bool = False  # the line belongs to the open note
    complaint: str = ""
    severity: Severity = Severity.ERROR
    lost: bool = False  # the problem costs a note


_STARTS = {
    LineKind.QUESTION: NoteState.QUESTION,
    LineKind.CLOZE: NoteState.CLOZE,
    LineKind.EXERCISE: NoteState.EXERCISE,
}
_WORDS = (LineKind.TEXT, LineKind.CODE, LineKind.HEADING, LineKind.CHECK)
_NO_ANSWER = 'question without an answer. Give it one on a line that starts with "A:".'
_STRAY_TEXT = 'text outside a note. Start a note with "Q:" or "C:", or make it a comment: <!-- ... -->.'
_NEAR_MARKER = re.compile(r"\s*(?:[-*+>]\s+)?[*_]{0,2}[QqCc][*_]{0,2}\s*[:\uff1a]")
_BOX = re.compile(r"\[[ xX]\]")
_MISSPELLED = 'this looks like a note but is read as prose. Start the line with "Q:" or "C:".'
_EMPTY_ANSWER = "the answer is empty, so the card shows none. Write it, or delete the note."

_ANSWERS_REFUSED = {
    NoteState.BETWEEN: 'answer without a question. Start the note with "Q:".',
    NoteState.ANSWER: 'second answer to one question. Start a new note with "Q:", or write one answer.',
    NoteState.CLOZE: 'answer to a cloze, which has its answers in [brackets]. Start the note with "Q:" instead.',
    NoteState.EXERCISE: "answer to an exercise, which computes its own. Delete the line.",
}


def _table() -> dict[tuple[NoteState, LineKind], Transition]:
    table: dict[tuple[NoteState, LineKind], Transition] = {}
    for state in NoteState:
        open_note = state not in {NoteState.BETWEEN, NoteState.PROSE}
        loses_note = state is NoteState.QUESTION
        complaint = _NO_ANSWER if loses_note else ""
        for kind, to in _STARTS.items():
            table[state, kind] = Transition(to, ends=open_note, complaint=complaint, lost=loses_note)
        table[state, LineKind.SEPARATOR] = Transition(
            NoteState.BETWEEN, ends=open_note, complaint=complaint, lost=loses_note
        )
        for kind in (*_WORDS, LineKind.BLANK, LineKind.COMMENT):
            table[state, kind] = Transition(state, keeps=open_note and kind is not LineKind.COMMENT)
    table[NoteState.QUESTION, LineKind.ANSWER] = Transition(NoteState.ANSWER)
    for state, complaint in _ANSWERS_REFUSED.items():
        ends = state is not NoteState.BETWEEN
        loses_note = state in {NoteState.BETWEEN, NoteState.ANSWER}
        table[state, LineKind.ANSWER] = Transition(
            NoteState.PROSE, ends=ends, complaint=complaint, lost=loses_note
        )
    table[NoteState.PROSE, LineKind.ANSWER] = Transition(NoteState.PROSE)
    for kind in (LineKind.TEXT, LineKind.CODE, LineKind.CHECK):
        table[NoteState.BETWEEN, kind] = Transition(
            NoteState.PROSE, complaint=_STRAY_TEXT, severity=Severity.STYLE
        )
    for kind in (LineKind.TEXT, LineKind.CODE, LineKind.HEADING):
        table[NoteState.EXERCISE, kind] = Transition(
            NoteState.PROSE,
            ends=True,
            complaint="text after an exercise. An exercise is one line; start a note or end it with ---.",
            severity=Severity.STYLE,
        )
    return table


TRANSITIONS = _table()


def read_notes(lines: Iterable[DeckLine], path: str) -> tuple[list[Note], list[Problem]]:
    """Parse the lines into notes, and list what is wrong with the rest."""
    reader = _NoteReader(path)
    for line in lines:
        reader.take(line)
    reader.end()
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

    def has_options(self) -> bool:
        """Return whether the question ends with options instead of an answer."""
        return _BOX.search("\n".join(self.front)) is not None and bool(choice.split_options(self._words())[1])

    def _words(self) -> list[str]:
        """Return the question without check lines and attributes on lines of their own at its end."""
        last = len(self.front)
        while last > 1 and (not self.front[last - 1].strip() or self.front[last - 1].startswith(("check:", "{"))):
            last -= 1
        return self.front[:last]


class _NoteReader:
    """Follow the table line by line, and build one note at a time."""

    def __init__(self, path: str) -> None:
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self._path = path
        self._state = NoteState.BETWEEN
        self._draft: _Draft | None = None

    def take(self, line: DeckLine) -> None:
        transition = TRANSITIONS[self._state, line.kind]
        draft = self._draft
        if transition.keeps and draft is not None:
            draft.part().append(line.text)
            draft.numbers.append(line.number)
            return
        if transition.complaint and not (transition.complaint == _NO_ANSWER and self._is_choice()):
            at = draft.start.number if transition.complaint == _NO_ANSWER and draft else line.number
            self._complain(at, transition.complaint, transition.severity, lost=transition.lost)
        if transition.to is NoteState.PROSE and line.kind is LineKind.TEXT and _NEAR_MARKER.match(line.text):
            self._complain(line.number, _MISSPELLED, Severity.WARNING)
        if transition.ends:
            self._close()
        self._state = transition.to
        if line.kind in _STARTS:
            self._draft = _Draft(line)
            self._begin_part(self._draft, line)
        elif line.kind is LineKind.ANSWER and self._draft is not None:
            self._draft.back, self._draft.numbers = [], []
            self._begin_part(self._draft, line)

    def end(self) -> None:
        """Finish the text, and report a question that has no answer yet."""
        if self._state is NoteState.QUESTION and self._draft is not None and not self._is_choice():
            self._complain(self._draft.start.number, _NO_ANSWER, lost=True)
        self._close()

    def _is_choice(self) -> bool:
        return self._draft is not None and self._draft.has_options()

    def _begin_part(self, draft: _Draft, line: DeckLine) -> None:
        """Begin a part with the text after its marker."""
        text, block = split(line.text)
        if block is not NO_ATTRIBUTES:
            self._describe(draft, block, line.number)
        draft.part().append(text)
        draft.numbers.append(line.number)

    def _close(self) -> None:
        draft, self._draft = self._draft, None
        if draft is None or (self._state is NoteState.QUESTION and not draft.has_options()):
            return
        checks = self._take_tail(draft)
        front, back = "\n".join(draft.front), "\n".join(draft.back or ())
        options: list[choice.Option] = []
        if draft.start.kind is LineKind.QUESTION and "[" in front and _BOX.search(front):
            front, options = _options(draft, front)
        if "\\" in front or "\\" in back:
            front, back = dollars(front), dollars(back)
        front, back = front.strip(), back.strip()
        line = draft.start.number
        if not front:
            what = "cloze" if self._state is NoteState.CLOZE else "question"
            self._complain(line, f"the {what} is empty. Write it, or delete the note.", lost=True)
            return
        if options and (wrong := choice.fault(options)) is not None:
            self._complain(line, wrong, lost=True)
            return
        if self._state is NoteState.ANSWER and not back and not options:
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
    """Split a question from its options. If the note has an answer too, they count only if one is marked right."""
    question, options = choice.split_options(draft.front)
    if not options or (draft.back is not None and not any(option.right for option in options)):
        return front, []
    return "\n".join(question), options
