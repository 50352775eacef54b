"""Repair a deck's text where the repair is certain: line ends, invisible characters, brackets, answers, ids.

No repair changes a readable card: all cards that could be read before are read afterwards, with the same words.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from studykit.cards.card import Card, CardId
from studykit.cards.cloze import gaps
from studykit.cards.note_lines import fresh_id, with_id
from studykit.cards.oversights import lines_of_misread_attributes
from studykit.cards.parser import CONTROL, parse_deck, with_plain_ends

_INTERVAL = re.compile(r"(?<!\\)\[(?=[^\[\]()\n]{1,40},[^\[\]()\n]{1,40}\))")
_SMALL_ANSWER = re.compile(r"a:(?=\s|$)")
_MARKER = re.compile(r"\s*[QCAE]:")


@dataclass(frozen=True, slots=True)
class Repair:
    """Report one repair: the line, and what was done."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class MendedDeck:
    """Hold a repaired text, its repairs, and the new ids of cards by their old ones."""

    text: str
    repairs: tuple[Repair, ...] = ()
    renamed: Mapping[CardId, CardId] = field(default_factory=dict)


def mended(text: str, path: str, taken: Collection[str], elsewhere: Collection[str] = ()) -> MendedDeck:
    """Make all certain repairs in a text.

    `taken` are ids of other notes. `elsewhere` are content hashes of cards without ids in other files. A card with
    the same words is the same card there, so it must not get an id here.
    """
    cleaned, repairs = _cleaned(text)
    for marker, mend, message in _REPAIRS_OF_NOTES:
        cleaned, more = _mended_notes(cleaned, path, marker, mend, message)
        repairs += more
    before = _by_line(cleaned, path)
    new_ids = _ids(before, taken, elsewhere)
    for number in _meant_otherwise(cleaned, before):
        new_ids.pop(number, None)
    lines = cleaned.split("\n")
    while True:
        renamed = lines.copy()
        for number, name in new_ids.items():
            renamed[number - 1] = with_id(lines[number - 1], name)
        after = _by_line("\n".join(renamed), path)
        loose = {card.content_hash for cards in after.values() for card in cards if not card.named}
        bad_rows = {row for row, name in new_ids.items() if not _stays(before[row], after.get(row), name, loose)}
        if not bad_rows:
            break
        new_ids = {number: name for number, name in new_ids.items() if number not in bad_rows}
    repairs += [Repair(number, f"added the id #{name}") for number, name in new_ids.items()]
    moves = {old.id: new.id for number in new_ids for old, new in zip(before[number], after[number], strict=True)}
    return MendedDeck("\n".join(renamed), tuple(sorted(repairs, key=lambda repair: repair.line)), moves)


def _cleaned(text: str) -> tuple[str, list[Repair]]:
    plain = with_plain_ends(text)
    repairs = []
    if text.startswith("\ufeff"):
        repairs.append(Repair(1, "removed the byte order mark"))
    if "\r" in text:
        repairs.append(Repair(1, "converted line ends to newlines"))
    cleaned = CONTROL.sub("", plain)
    if cleaned != plain:
        lines = zip(plain.split("\n"), cleaned.split("\n"), strict=True)
        repairs += [
            Repair(number, "removed control characters")
            for number, (old, new) in enumerate(lines, start=1)
            if old != new
        ]
    return cleaned, repairs


def _mended_notes(
    text: str, path: str, marker: str, mend: Callable[[list[str]], list[str]], message: str
) -> tuple[str, list[Repair]]:
    """Repair the unreadable notes that start with a marker by `mend`, and list the repairs."""
    lines = text.split("\n")
    repairs: list[Repair] = []
    for start in _unreadable_notes(text, path):
        if lines[start - 1].startswith(marker):
            note = lines[start - 1 : _end(lines, start)]
            changed = mend(note)
            rows = enumerate(zip(note, changed, strict=True), start)
            repairs += [Repair(row, message) for row, (old, new) in rows if old != new]
            lines[start - 1 : start - 1 + len(note)] = changed
    return "\n".join(lines), repairs


def _with_answer(note: list[str]) -> list[str]:
    """Capitalize the `a:` of a question's answer, if exactly one line begins so."""
    small = [row for row in range(1, len(note)) if _SMALL_ANSWER.match(note[row])]
    if len(small) != 1 or any("```" in line or "~~~" in line for line in note[1:]):
        return note
    return [f"A{line[1:]}" if row == small[0] else line for row, line in enumerate(note)]


def _with_intervals(note: list[str]) -> list[str]:
    """Escape half-open intervals such as `[0, 1)` in a cloze, whose brackets never close."""
    escaped = _INTERVAL.sub(r"\\[", "\n".join(note))
    hiding, unclosed = gaps(escaped.removeprefix("C:"))
    return escaped.split("\n") if hiding and unclosed is None else note


_REPAIRS_OF_NOTES = (
    ("Q:", _with_answer, 'changed "a:" to "A:"'),
    ("C:", _with_intervals, r"escaped a bracket that is not a gap as \["),
)


def _unreadable_notes(text: str, path: str) -> Iterator[int]:
    """Yield the first lines of notes that cannot be read."""
    lines = text.split("\n")
    for problem in parse_deck(text, path)[1]:
        if problem.lost:
            first = problem.line
            while first > 1 and not _MARKER.match(lines[first - 1]):
                first -= 1
            yield first


def _end(lines: list[str], start: int) -> int:
    """Return the place behind the last line of a note that starts at line `start`."""
    end = start
    while end < len(lines) and not _MARKER.match(lines[end]) and lines[end].strip() != "---":
        end += 1
    return end


def _by_line(text: str, path: str) -> dict[int, list[Card]]:
    cards: dict[int, list[Card]] = {}
    for card in parse_deck(text, path)[0].cards:
        cards.setdefault(card.line, []).append(card)
    return cards


def _meant_otherwise(text: str, notes: Iterable[int]) -> set[int]:
    """Return the first lines of notes whose braces were meant as an id that only their author knows."""
    starts = sorted(notes)
    misread = lines_of_misread_attributes(text)
    return {max(start for start in starts if start <= row) for row in misread if starts and row >= starts[0]}


def _ids(notes: Mapping[int, list[Card]], taken: Collection[str], elsewhere: Collection[str]) -> dict[int, str]:
    """Choose an id for each note that has none, by its line."""
    named_notes = (card.note for cards in notes.values() for card in cards if card.named)
    used_ids = {
        id_.partition(".")[0] for id_ in (*taken, *named_notes)
    }  # without the number of a sibling, as in x.1
    ids: dict[int, str] = {}
    for number, cards in notes.items():
        if cards[0].named or any(card.content_hash in elsewhere for card in cards):
            continue
        words = cards[0].task.name if cards[0].task else cards[0].full or cards[0].prompt
        ids[number] = fresh_id(words, used_ids.__contains__)
        used_ids.add(ids[number])
    return ids


def _stays(before: list[Card], after: list[Card] | None, name: str, loose: Collection[str]) -> bool:
    """Return whether the cards of a note are otherwise the same under its new id.

    `loose` are content hashes of cards without an id. Two notes with the same words are one card, which would
    become two if only one of them got an id.
    """
    if after is None or len(before) != len(after) or any(card.content_hash in loose for card in before):
        return False
    return all(
        old.content_hash == new.content_hash and old.tags == new.tags and new.named and new.note == name
        for old, new in zip(before, after, strict=True)
    )
