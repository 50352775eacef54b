"""Today's agenda: which cards, in which order. Made only from rows, so that every caller gets one answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast
from zlib import crc32

from studykit.cards.card import CardId
from studykit.scheduling.today import Today, whole_note

NEW_A_DAY = 10

_NO_LIMITS: Mapping[str, int] = {}

DueRow = tuple[str, str, str, int]
"""Card, note, deck, due day."""
NewRow = tuple[str, str, str]
"""Card, note, deck."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Cards of one study day, each list in the order in which it should be asked."""

    day: date
    due: tuple[CardId, ...]
    new: tuple[CardId, ...]
    drill: tuple[CardId, ...]  # answered below 4 today and not yet again with 4 or more
    decks: Mapping[str, int]  # due cards of each deck that has some

    @property
    def left(self) -> int:
        """Count the cards still to be asked."""
        return len(self.due) + len(self.new) + len(self.drill)

    def with_more(self, cards: Iterable[CardId]) -> "Agenda":
        """Add cards that are asked after those due, though their day has not come."""
        return replace(self, due=(*self.due, *(card for card in cards if card not in self.drill)))

    def only(self, cards: Collection[CardId]) -> "Agenda":
        """Keep only these cards."""
        due, new, drill = (
            tuple(card for card in each if card in cards) for each in (self.due, self.new, self.drill)
        )
        return replace(self, due=due, new=new, drill=drill)


def arrange(
    day: date,
    due: Sequence[DueRow],
    new: Iterable[NewRow],
    so_far: Today,
    *,
    limit: int,
    decks: Collection[str] = (),
    limits: Mapping[str, int] = _NO_LIMITS,
) -> Agenda:
    """Return the agenda of a day: longest overdue first, then new cards in deck order, one card of each note.

    `limit` is how many new cards may still come, `limits` how many of single decks; `decks` keeps to some decks. A
    card whose sibling is asked today waits for another day.
    """
    notes = so_far.notes
    asked: list[CardId] = []
    per_deck: dict[str, int] = {}
    for card, note, deck, _ in _shuffled(due, day.toordinal()):
        whole = whole_note(note)
        if card not in so_far.buried and whole not in notes and _among(deck, decks):
            notes.add(whole)
            asked.append(CardId(card))
            per_deck[deck] = per_deck.get(deck, 0) + 1
    fresh = _first((row for row in new if _among(row[2], decks)), notes, so_far.buried, limit, dict(limits))
    drill = cast("tuple[CardId, ...]", so_far.drilled(decks))
    return Agenda(day, tuple(asked), fresh, drill, dict(sorted(per_deck.items())))


def _first(
    rows: Iterable[NewRow], notes: set[str], buried: Collection[str], limit: int, left: dict[str, int]
) -> tuple[CardId, ...]:
    found: list[CardId] = []
    for card, note, deck in rows:
        if len(found) >= limit:
            break
        whole = whole_note(note)
        if whole not in notes and card not in buried and left.get(deck, limit) > 0:
            notes.add(whole)
            found.append(CardId(card))
            left[deck] = left.get(deck, limit) - 1
    return tuple(found)


def _shuffled(rows: Sequence[DueRow], day: int) -> list[DueRow]:
    """Sort by due day, and within one by a shuffle that is the same all day and another tomorrow.

    The checksum is only a cheap, portable shuffle; the id settles the rare tie.
    """
    salt = crc32(str(day).encode())
    keyed = sorted((row[3], crc32(row[0].encode(), salt), row) for row in rows)
    return [row for _, _, row in keyed]


def _among(deck: str, decks: Collection[str]) -> bool:
    return not decks or deck in decks
