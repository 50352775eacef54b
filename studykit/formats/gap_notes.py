"""A text with gaps as notes: a cloze of ours where it means the same, else a question for each number. Pure.

Elsewhere gaps of one number are hidden together, may lie inside each other, give hints and have an extra text that
is shown with the answer. A cloze of ours hides one gap at a time and nothing else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from studykit.cards.card import GAP
from studykit.cards.markdown import regions
from studykit.cards.parser import parse_deck
from studykit.formats.field_markdown import GAP_CLOSE, GAP_HINT, GAP_OPEN, gap_number
from studykit.formats.foreign_notes import ImportedNote, LossList, NoteForm

_ID = "x"
_BRACES = str.maketrans("", "", "{}")
_MARKS = re.compile(f"{GAP_OPEN}.|{GAP_CLOSE}|{GAP_HINT}")


@dataclass(slots=True)
class NumberedGap:
    """Hidden words: where they begin and end in the text without marks."""

    number: int
    start: int
    end: int
    hint: str = ""
    nested: bool = False


@dataclass(frozen=True, slots=True)
class GapText:
    """A text without its marks, and its gaps in the order of their beginnings."""

    text: str
    gaps: tuple[NumberedGap, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers that occur, in order."""
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
        # TeX gets braces of its own round a raised gap
        right = len(cards) == len(self.gaps) and all(
            card.named and _bare(card.full) == _bare(self.text) for card in cards
        )
        return cloze_text if right else None

    def question(self, number: int) -> tuple[str, str]:
        """Return the text without the gaps of a number, and with their words in bold."""
        hidden = [gap for gap in self.gaps if gap.number == number]
        outer = [
            gap
            for gap in hidden
            if not any(other.start <= gap.start and gap.end <= other.end for other in hidden if other is not gap)
        ]
        prompt, answer, at = list[str](), list[str](), 0
        maths = regions(self.text)
        for gap in outer:
            words = self.text[gap.start : gap.end]
            plain = any(area.start < gap.end and gap.start < area.end for area in maths) or "\n" in words
            between = self.text[at : gap.start]
            prompt += (between, rf"\[{gap.hint}\]" if gap.hint and not plain else GAP)
            answer += (between, words if plain or not words.strip() else f"**{words.strip()}**")
            at = gap.end
        return "".join((*prompt, self.text[at:])), "".join((*answer, self.text[at:]))


def _read_gaps(marked: str) -> GapText:
    """Parse the gaps of a Markdown text that `marked_gaps` marked as HTML."""
    pieces, gaps, waiting = list[str](), list[NumberedGap](), list[NumberedGap]()
    at = length = 0
    for mark in _MARKS.finditer(marked):
        words = marked[at : mark.start()]
        at = mark.end()
        if waiting and waiting[-1].end:  # a hint, which is not part of the text
            waiting[-1].hint += words.strip()
        else:
            pieces.append(words)
            length += len(words)
        if mark[0][0] == GAP_OPEN:
            gap = NumberedGap(gap_number(mark[0][1]), length, 0, nested=bool(waiting))
            waiting.append(gap)
            gaps.append(gap)
        elif waiting and mark[0] == GAP_HINT:
            waiting[-1].end = length
        elif waiting:
            gap = waiting.pop()
            gap.end = gap.end or length
            if gap.nested and waiting:
                waiting[-1].nested = True
    pieces.append(marked[at:])
    return GapText("".join(pieces), tuple(gap for gap in gaps if gap.end > gap.start))


def gap_notes(
    marked: ImportedNote, extra: str, losses: LossList, *, keep_hints: bool = False
) -> Iterator[tuple[ImportedNote, dict[int, str]]]:
    """Yield the notes of a marked text, each with its cards' ids by gap number.

    `extra` is shown with each answer, unless the text holds it already. A cloze has no place for hints: to keep
    them, each number is a question.
    """
    text = _read_gaps(marked.front)
    extra = "" if extra.strip() in text.text else extra.strip()
    several = len(text.numbers) > 1
    is_hinted = any(gap.hint for gap in text.gaps)
    cloze = None if extra or (is_hinted and keep_hints) else text.cloze()
    if cloze is not None:
        if is_hinted:
            losses.add("hints of gaps left out", marked.id)
        ids = [f"{marked.id}.{place}" if several else marked.id for place in range(1, len(text.gaps) + 1)]
        numbers = (gap.number for gap in text.gaps)
        yield replace(marked, form=NoteForm.CLOZE, front=cloze), dict(zip(numbers, ids, strict=True))
        return
    for number in text.numbers:
        prompt, answer = text.question(number)
        id_ = f"{marked.id}.{number}" if several else marked.id
        back = "\n\n".join(filter(None, (answer, extra)))
        yield replace(marked, id=id_, form=NoteForm.BASIC, front=prompt, back=back), {number: id_}


def _bare(text: str) -> str:
    return "".join(text.translate(_BRACES).split())
