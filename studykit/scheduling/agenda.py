"""Arrange the due cards and the new cards of a study day, each in the order in which to ask them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, cast
from zlib import crc32

from studykit.cards.card import CardId
from studykit.scheduling.today import Today, whole_note

if TYPE_CHECKING:
    from studykit.scheduling.memory import Memory

NEW_A_DAY = 10

DueRow = tuple[str, str, str, int]
"""Card, note, deck, due day."""
NewRow = tuple[str, str, str]
"""Card, note, deck."""


@dataclass(slots=True)
class DeckLimit:
    """Count how many new cards a deck may still introduce today, including the decks below it."""

    decks: frozenset[str]
    left: int


@dataclass(frozen=True, slots=True)
class Agenda:
    """Hold the cards of one study day, each list in the order in which to ask them."""

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
        """Append cards to the due ones, except those waiting for drill."""
        return replace(self, due=(*self.due, *(card for card in cards if card not in self.drill)))

    def hardest_first(self, memories: Mapping[CardId, "Memory"]) -> "Agenda":
        """Order the due cards by lapses, most first, then by ease, lowest first."""

        def hardness(card: CardId) -> tuple[int, int]:
            memory = memories.get(card)
            return (-memory.lapses, memory.ease) if memory else (0, 0)

        return replace(self, due=tuple(sorted(self.due, key=hardness)))


def arrange(
    day: date,
    due: Sequence[DueRow],
    new: Iterable[NewRow],
    so_far: Today,
    *,
    limit: int,
    cards: Collection[str] | None = None,
    limits: Iterable[DeckLimit] = (),
) -> Agenda:
    """Return a day's agenda: longest overdue first, then new cards in deck order, one card of each note.

    `limit` is how many new cards are still allowed, `limits` how many of some decks. `cards` are those to choose
    from, None for all. Buried cards are left out, and a card whose sibling is asked today waits for another day.
    """
    notes = so_far.notes
    due_cards: list[CardId] = []
    per_deck: dict[str, int] = {}
    for card, note, deck, _ in _shuffle_within_days(due, day.toordinal()):
        whole_id = whole_note(note)
        if card not in so_far.buried and whole_id not in notes and (cards is None or card in cards):
            notes.add(whole_id)
            due_cards.append(CardId(card))
            per_deck[deck] = per_deck.get(deck, 0) + 1
    candidates = new if cards is None else (row for row in new if row[0] in cards)
    fresh = _take_new(candidates, notes, so_far.buried, limit, list(limits))
    drill = cast("tuple[CardId, ...]", so_far.drilled(cards))
    return Agenda(day, tuple(due_cards), fresh, drill, dict(sorted(per_deck.items())))


def _take_new(
    rows: Iterable[NewRow], notes: set[str], buried: Collection[str], limit: int, limits: Sequence[DeckLimit]
) -> tuple[CardId, ...]:
    new_cards: list[CardId] = []
    for card, note, deck in rows:
        if len(new_cards) >= limit:
            break
        whole_id = whole_note(note)
        deck_limits = [deck_limit for deck_limit in limits if deck in deck_limit.decks]
        if whole_id not in notes and card not in buried and all(deck_limit.left > 0 for deck_limit in deck_limits):
            notes.add(whole_id)
            new_cards.append(CardId(card))
            for deck_limit in deck_limits:
                deck_limit.left -= 1
    return tuple(new_cards)


def _shuffle_within_days(rows: Sequence[DueRow], day: int) -> list[DueRow]:
    """Sort by due day, then by a checksum: a cheap shuffle that stays until tomorrow. The id settles a tie."""
    salt = crc32(str(day).encode())
    # Python's hash() is salted anew in each process, so it would shuffle each run of a day differently.
    keyed = sorted((row[3], crc32(row[0].encode(), salt), row) for row in rows)
    return [row for _, _, row in keyed]
