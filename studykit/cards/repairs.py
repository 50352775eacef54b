"""Repair a deck's text where the repair is certain: line ends, invisible characters and ids.

No repair changes a readable card: all cards that could be read before are read afterwards, with the same words.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from studykit.cards.card import Card, CardId
from studykit.cards.note_lines import fresh_id, with_id
from studykit.cards.oversights import lines_of_misread_attributes
from studykit.cards.parser import CONTROL, parse_deck, with_plain_ends
from studykit.cards.problem import Problem


@dataclass(frozen=True, slots=True)
class MendedDeck:
    """Hold a repaired text, the problems that were repaired, and the new ids of cards by their old ones."""

    text: str
    repairs: tuple[Problem, ...] = ()  # each says what was done
    renamed: Mapping[CardId, CardId] = field(default_factory=dict)


def mended(text: str, path: str, taken: Collection[str], elsewhere: Collection[str] = ()) -> MendedDeck:
    """Make all certain repairs in a deck's text.

    `taken` are ids of other notes. `elsewhere` are content hashes of cards without ids in other files. A card with
    the same words is the same card there, so it must not get an id here.
    """
    cleaned, repairs = _cleaned(text, path)
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
    repairs += [Problem(path, number, f"added the id #{name}") for number, name in new_ids.items()]
    moves = {old.id: new.id for number in new_ids for old, new in zip(before[number], after[number], strict=True)}
    return MendedDeck("\n".join(renamed), tuple(sorted(repairs, key=lambda repair: repair.line)), moves)


def _cleaned(text: str, path: str) -> tuple[str, list[Problem]]:
    plain = with_plain_ends(text)
    repairs = []
    if text.startswith("\ufeff"):
        repairs.append(Problem(path, 1, "removed the byte order mark"))
    if "\r" in text:
        repairs.append(Problem(path, 1, "converted line ends to newlines"))
    cleaned = CONTROL.sub("", plain)
    if cleaned != plain:
        lines = zip(plain.split("\n"), cleaned.split("\n"), strict=True)
        repairs += [
            Problem(path, number, "removed control characters")
            for number, (old, new) in enumerate(lines, start=1)
            if old != new
        ]
    return cleaned, repairs


def _by_line(text: str, path: str) -> dict[int, list[Card]]:
    cards: dict[int, list[Card]] = {}
    for card in parse_deck(text, path)[0].cards:
        cards.setdefault(card.line, []).append(card)
    return cards


def _meant_otherwise(text: str, notes: Iterable[int]) -> set[int]:
    """Return the first lines of notes whose misread braces may be an id that only the author can correct."""
    starts = sorted(notes)
    misread = lines_of_misread_attributes(text)
    return {max(start for start in starts if start <= row) for row in misread if starts and row >= starts[0]}


def _ids(notes: Mapping[int, list[Card]], taken: Collection[str], elsewhere: Collection[str]) -> dict[int, str]:
    """Map the lines of notes without an id to new ids, except notes whose words other files have too."""
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
