"""Lines become notes: a transition table of what each kind of line means where it stands."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, auto

from studykit.cards.attributes import NOTHING, Attributes, both, split
from studykit.cards.lines import Kind, Line
from studykit.cards.problem import Problem


class Where(IntEnum):
    """What the reader is in the middle of."""

    BETWEEN = auto()  # notes
    QUESTION = auto()
    ANSWER = auto()
    CLOZE = auto()
    EXERCISE = auto()
    REFUSED = auto()  # what follows a mistake, up to the next note: one complaint is enough


@dataclass(frozen=True, slots=True)
class Note:
    """What an author wrote once: `front` is the question, the text with its gaps, or the exercise."""

    kind: Kind  # QUESTION, CLOZE or EXERCISE
    line: int
    front: str
    back: str
    attributes: Attributes
    checks: tuple[tuple[int, str], ...]  # line and text of each check line


@dataclass(frozen=True, slots=True)
class Move:
    """What a line does: complain, end the open note, and lead somewhere else, in this order."""

    to: Where
    ends: bool = False
    keeps: bool = False  # the line belongs to the open note
    complaint: str = ""


_STARTS = {Kind.QUESTION: Where.QUESTION, Kind.CLOZE: Where.CLOZE, Kind.EXERCISE: Where.EXERCISE}
_PROSE = (Kind.TEXT, Kind.HEADING, Kind.CHECK)
_UNANSWERED = 'question without an answer. Give it one on a line that starts with "A:".'
_STRAY_TEXT = 'text outside a note. Start a note with "Q:" or "C:", or make it a comment: <!-- ... -->.'


_ANSWERS_REFUSED = {
    Where.BETWEEN: 'answer without a question. Start the note with "Q:".',
    Where.ANSWER: 'second answer to one question. Start a new note with "Q:", or write one answer.',
    Where.CLOZE: 'answer to a cloze, which has its answers in [brackets]. Start the note with "Q:" instead.',
    Where.EXERCISE: "answer to an exercise, which works out its own. Delete the line.",
}


def _table() -> dict[tuple[Where, Kind], Move]:
    moves: dict[tuple[Where, Kind], Move] = {}
    for where in Where:
        open_note = where not in {Where.BETWEEN, Where.REFUSED}
        complaint = _UNANSWERED if where is Where.QUESTION else ""
        for kind, to in _STARTS.items():
            moves[where, kind] = Move(to, ends=open_note, complaint=complaint)
        moves[where, Kind.SEPARATOR] = Move(Where.BETWEEN, ends=open_note, complaint=complaint)
        for kind in (*_PROSE, Kind.BLANK, Kind.COMMENT):
            moves[where, kind] = Move(where, keeps=open_note and kind is not Kind.COMMENT)
    moves[Where.QUESTION, Kind.ANSWER] = Move(Where.ANSWER)
    for where, complaint in _ANSWERS_REFUSED.items():
        moves[where, Kind.ANSWER] = Move(Where.REFUSED, ends=where is not Where.BETWEEN, complaint=complaint)
    moves[Where.REFUSED, Kind.ANSWER] = Move(Where.REFUSED)
    for kind in (Kind.TEXT, Kind.CHECK):
        moves[Where.BETWEEN, kind] = Move(Where.REFUSED, complaint=_STRAY_TEXT)
    for kind in (Kind.TEXT, Kind.HEADING):
        moves[Where.EXERCISE, kind] = Move(
            Where.REFUSED,
            ends=True,
            complaint="text after an exercise. An exercise is one line; start a note or end it with ---.",
        )
    return moves


MOVES = _table()


def read_notes(lines: Iterable[Line], path: str) -> tuple[list[Note], list[Problem]]:
    """The notes that the lines make, and what is wrong with the rest."""
    refreshed_store = _Desk(path)
    for line in lines:
        refreshed_store.take(line)
    refreshed_store.end()
    return refreshed_store.notes, refreshed_store.problems


@dataclass(slots=True)
class _Draft:
    """A note that is still being read."""

    start: Line
    front: list[str] = field(default_factory=list)
    back: list[str] | None = None
    numbers: list[int] = field(default_factory=list)  # of the lines of the part being read
    attributes: Attributes = NOTHING

    def part(self) -> list[str]:
        return self.front if self.back is None else self.back


class _Desk:
    """Where drafts are written, one at a time."""

    def __init__(self, path: str) -> None:
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self._path = path
        self._where = Where.BETWEEN
        self._draft: _Draft | None = None

    def take(self, line: Line) -> None:
        move = MOVES[self._where, line.kind]
        if move.keeps and self._draft is not None:
            self._draft.part().append(line.text)
            self._draft.numbers.append(line.number)
            return
        if move.complaint:
            at = self._draft.start.number if move.complaint == _UNANSWERED and self._draft else line.number
            self._complain(at, move.complaint)
        if move.ends:
            self._close()
        self._where = move.to
        if line.kind in _STARTS:
            self._draft = _Draft(line)
            self._mark(line)
        elif line.kind is Kind.ANSWER and self._draft is not None:
            self._draft.back, self._draft.numbers = [], []
            self._mark(line)

    def end(self) -> None:
        """The text is over; a question still without an answer is a mistake."""
        if self._where is Where.QUESTION and self._draft is not None:
            self._complain(self._draft.start.number, _UNANSWERED)
        self._close()

    def _mark(self, line: Line) -> None:
        """Begin a part with what stands behind its marker."""
        draft = self._draft
        if draft is None:
            return
        text, block = split(line.text)
        if block is not NOTHING:
            self._describe(draft, block, line.number)
        draft.part().append(text)
        draft.numbers.append(line.number)

    def _close(self) -> None:
        draft, self._draft = self._draft, None
        if draft is None or self._where is Where.QUESTION:
            return
        checks = self._take_tail(draft)
        front = "\n".join(draft.front).strip()
        back = "\n".join(draft.back or ()).strip()
        if not front or (self._where is Where.ANSWER and not back):
            what = "question" if self._where is Where.ANSWER else "cloze"
            self._complain(draft.start.number, f"{what} or its answer is empty. Write it, or delete the note.")
            return
        self.notes.append(Note(draft.start.kind, draft.start.number, front, back, draft.attributes, checks))

    def _take_tail(self, draft: _Draft) -> tuple[tuple[int, str], ...]:
        """Check lines, and attributes that stand alone, taken off the note's end."""
        part, numbers = draft.part(), draft.numbers
        checks: list[tuple[int, str]] = []
        while part and len(part) > 1:
            last = part[-1]
            if last.startswith("check:"):
                checks.append((numbers[-1], last.removeprefix("check:").strip()))
            elif last.startswith("{"):
                rest, block = split(last)
                if block is NOTHING or rest:
                    break
                self._describe(draft, block, numbers[-1])
            elif last.strip():
                break
            part.pop()
            numbers.pop()
        return tuple(reversed(checks))

    def _describe(self, draft: _Draft, block: Attributes, number: int) -> None:
        draft.attributes = both(draft.attributes, block)
        for wrong in draft.attributes.wrong:
            self._complain(number, wrong)
        if draft.attributes.wrong:
            one = draft.attributes
            draft.attributes = Attributes(one.id, one.tags, one.values)

    def _complain(self, number: int, message: str) -> None:
        self.problems.append(Problem(self._path, number, message))
