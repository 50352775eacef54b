"""Convert a text with gaps to our cloze if that means the same, else to a question for each number.

In other programs gaps with one number are hidden together, can be nested, and have hints and an extra text that is
shown with the answer. A cloze of ours hides one gap at a time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from studykit.cards.card import GAP
from studykit.cards.markdown import regions
from studykit.cards.parser import parse_deck
from studykit.formats.field_markdown import GAP_CLOSE, GAP_HINT, GAP_OPEN, gap_number
from studykit.formats.foreign_notes import ImportedNote, LossList, NoteForm
from studykit.formats.note_text import accepting

_ID = "x"
_BRACES = str.maketrans("", "", "{}")
_MARKS = re.compile(f"{GAP_OPEN}.|{GAP_CLOSE}|{GAP_HINT}")


@dataclass(slots=True)
class NumberedGap:
    """Hold the start and end of hidden words in the text without marks."""

    number: int
    start: int
    end: int
    hint: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class GapText:
    """Hold a text without its marks, and its gaps in the order of their starts."""

    text: str
    gaps: tuple[NumberedGap, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the gaps, in order."""
        return tuple(sorted({gap.number for gap in self.gaps}))

    def cloze(self) -> str | None:
        """Return the text as a studykit cloze, or None if that would ask something else."""
        if not self.gaps or len(self.numbers) != len(self.gaps) or any(gap.nested for gap in self.gaps):
            return None
        edges = {gap.start: "[" for gap in self.gaps} | {gap.end: "]" for gap in self.gaps}
        if len(edges) != 2 * len(self.gaps):
            return None
        cloze_text = self.text
        for place in sorted(edges, reverse=True):
            cloze_text = cloze_text[:place] + edges[place] + cloze_text[place:]
        cards = parse_deck(f"C: {cloze_text}\n\n{{#{_ID}}}", "")[0].cards
        # `_bare` ignores braces, because the parser puts braces around a gap in an exponent.
        is_right = len(cards) == len(self.gaps) and all(
            card.named and _bare(card.full) == _bare(self.text) for card in cards
        )
        return cloze_text if is_right else None

    def outer(self, number: int) -> list[NumberedGap]:
        """Return the gaps of a number that are in no other gap of that number."""
        gaps = [gap for gap in self.gaps if gap.number == number]
        return [
            gap
            for gap in gaps
            if not any(other.start <= gap.start and gap.end <= other.end for other in gaps if other is not gap)
        ]

    def words(self, number: int) -> str:
        """Return what Anki asks to type for the gaps of a number."""
        return ", ".join(dict.fromkeys(self.text[gap.start : gap.end].strip() for gap in self.outer(number)))

    def question(self, number: int) -> tuple[str, str]:
        """Return a question, the text without the gaps of a number, and its answer, with their words in bold."""
        prompt, answer, at = list[str](), list[str](), 0
        maths = regions(self.text)
        for gap in self.outer(number):
            words = self.text[gap.start : gap.end]
            is_plain = any(area.start < gap.end and gap.start < area.end for area in maths) or "\n" in words
            text_before = self.text[at : gap.start]
            prompt += (text_before, rf"\[{gap.hint}\]" if gap.hint and not is_plain else GAP)
            answer += (text_before, words if is_plain or not words.strip() else f"**{words.strip()}**")
            at = gap.end
        return "".join((*prompt, self.text[at:])), "".join((*answer, self.text[at:]))


def _read_gaps(markdown: str) -> GapText:
    """Parse a Markdown text whose gaps have the signs of `marked_gaps`."""
    pieces, gaps, open_gaps = list[str](), list[NumberedGap](), list[NumberedGap]()
    at = length = 0
    for mark in _MARKS.finditer(markdown):
        words = markdown[at : mark.start()]
        at = mark.end()
        if open_gaps and open_gaps[-1].end:  # a hint, which is not part of the text
            open_gaps[-1].hint += words.strip()
        else:
            pieces.append(words)
            length += len(words)
        if mark[0][0] == GAP_OPEN:
            gap = NumberedGap(gap_number(mark[0][1]), length, 0, nested=bool(open_gaps))
            open_gaps.append(gap)
            gaps.append(gap)
        elif open_gaps and mark[0] == GAP_HINT:
            open_gaps[-1].end = length
        elif open_gaps:
            gap = open_gaps.pop()
            gap.end = gap.end or length
            if gap.nested and open_gaps:
                open_gaps[-1].nested = True
    pieces.append(markdown[at:])
    return GapText("".join(pieces), tuple(gap for gap in gaps if gap.end > gap.start))


def gap_notes(
    note: ImportedNote, extra: str, losses: LossList, *, keep_hints: bool = False
) -> Iterator[tuple[ImportedNote, dict[int, str]]]:
    """Yield the notes of a marked text, each with its cards' ids by gap number.

    `extra` is shown with each answer, unless the text has it already. A cloze has no place for hints, so with
    `keep_hints` each number becomes a question.
    """
    text = _read_gaps(note.front)
    extra = "" if extra.strip() in text.text else extra.strip()
    several = len(text.numbers) > 1
    has_hints = any(gap.hint for gap in text.gaps)
    # In a typed cloze a bar would stand between two right answers.
    has_bar = note.typed and any("|" in text.words(number) for number in text.numbers)
    cloze = None if extra or has_bar or (has_hints and keep_hints) else text.cloze()
    if cloze is not None:
        if has_hints:
            losses.add("hints of gaps left out", note.id)
        ids = [f"{note.id}.{place}" if several else note.id for place in range(1, len(text.gaps) + 1)]
        numbers = (gap.number for gap in text.gaps)
        yield replace(note, form=NoteForm.CLOZE, front=cloze), dict(zip(numbers, ids, strict=True))
        return
    for number in text.numbers:
        prompt, answer = text.question(number)
        id_ = f"{note.id}.{number}" if several else note.id
        back = "\n\n".join(filter(None, (answer, extra)))
        question = replace(note, id=id_, form=NoteForm.BASIC, front=prompt, back=back)
        yield accepting(question, [text.words(number)], losses) if note.typed else question, {number: id_}


def _bare(text: str) -> str:
    return "".join(text.translate(_BRACES).split())
