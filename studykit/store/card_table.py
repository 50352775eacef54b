"""Store the cards' text as last read from the decks, and the deck files it came from. Never reads the log."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import NamedTuple

from studykit.cards.card import Card, CardId, DeckId
from studykit.store import sql
from studykit.store.rows import DeckFile, card_of, card_row, clean
from studykit.store.sqlite import LearnerRows


@dataclass(frozen=True, slots=True)
class DeckUpdate:
    """Describe the changes that a reading of the decks found, to be applied in one transaction.

    A card that moves between files keeps its history. A card whose text is gone stays as an orphan if the learner
    has a history with it.
    """

    files: Sequence[DeckFile]
    cards: Sequence[Card]  # of these files
    unchanged: Collection[CardId] = frozenset()  # those of the cards whose stored rows are already the same
    gone: Sequence[str] = ()  # files
    places: Mapping[str, int] = field(default_factory=dict)
    """Rank of each deck in the order of new cards. A deck that is missing comes first."""
    moves: Sequence[tuple[CardId, CardId]] = ()  # (old, new) ids: the new card takes over the old one's history
    seen: Mapping[str, str | None] = field(default_factory=dict)
    """Digest of the stored row of each of these files when the update was computed, None for a missing row."""


class CardTask(NamedTuple):
    """Hold a card that asks an exercise."""

    card: str
    deck: str
    exercise: str
    objective: str  # the first of several


class CardTable(LearnerRows):
    """Read and change the stored cards of one learner."""

    def card(self, card: CardId) -> Card | None:
        """Return the card, even if its text is gone and only its history is left."""
        return self._one(sql.CARD, card)

    def present(self, card: CardId) -> Card | None:
        """Return the card, or None if its text is no longer in a deck."""
        return self._one(sql.PRESENT_CARD, card)

    def all(self, *, deck: str | None = None, path: str | None = None) -> Iterator[Card]:
        """Yield cards in deck order: all, those of a deck, or those of a deck file."""
        query = sql.CARDS if deck is None else sql.CARDS_OF_DECK
        if path is not None:
            query = sql.CARDS_OF_PATH
        yield from map(card_of, self._rows(query, deck=deck, path=path))

    def ids(self) -> tuple[CardId, ...]:
        """Return the ids of all cards in the collection."""
        return tuple(CardId(row[0]) for row in self._rows(sql.CARD_IDS))

    def ids_starting(self, text: str) -> tuple[CardId, ...]:
        """Return up to 20 ids that start with a text, to complete or suggest one."""
        rows = self._rows(sql.IDS_STARTING, **sql.starting(clean(text)))
        return tuple(CardId(row[0]) for row in rows)

    def tasks(self) -> list[CardTask]:
        """List the cards that ask an exercise."""
        rows = self._rows(sql.CARD_TASKS)
        return [CardTask(card, deck, exercise, names.partition("\n")[0]) for card, deck, exercise, names in rows]

    def orphans(self) -> tuple[Card, ...]:
        """Return cards that have a history but whose text is gone, with their last text."""
        return tuple(map(card_of, self._rows(sql.ORPHANS)))

    def deck_sizes(self) -> dict[DeckId, int]:
        """Count the cards of each deck. Decks come in the order in which new cards are asked."""
        return {DeckId(row[0]): row[1] for row in self._rows(sql.DECK_SIZES)}

    def deck_names(self) -> dict[DeckId, str]:
        """Return the name of each deck in the collection."""
        return {DeckId(row[0]): row[1] for row in self._rows(sql.DECK_NAMES)}

    def deck_files(self) -> dict[str, DeckFile]:
        """Return every stored deck file, by path."""
        return {row[0]: DeckFile(*row) for row in self._rows(sql.FILES)}

    def touch_files(self, files: Iterable[DeckFile]) -> None:
        """Store new sizes and times of files whose text did not change."""
        with self._database.writing() as connection:
            _put_files(connection, self._learner, files)

    def place_decks(self, places: Mapping[str, int]) -> None:
        """Set the rank of decks in the order of new cards."""
        with self._database.writing() as connection:
            for deck, rank in places.items():
                connection.execute(sql.PLACE_DECK, {"learner": self._learner, "deck": deck, "rank": rank})

    def _one(self, query: str, card: CardId) -> Card | None:
        row = self._first(query, card=clean(card))
        return card_of(row) if row else None


def is_current(connection: Connection, learner: str, seen: Mapping[str, str | None]) -> bool:
    """Return whether the stored rows of deck files still have these digests. None stands for a missing row."""
    digests = {row[0]: row[3] for row in connection.execute(sql.FILES, {"learner": learner})}
    return all(digests.get(path) == digest for path, digest in seen.items())


def replace_cards(connection: Connection, learner: str, update: DeckUpdate) -> None:
    """Store the cards of the files that changed, and remove cards and files that are gone."""
    old = {
        row[0]
        for path in {*update.gone, *(file.path for file in update.files)}
        for row in connection.execute(sql.IDS_OF_PATH, {"learner": learner, "path": path})
    }
    new = _put_cards(connection, learner, update)
    _remove(connection, learner, old - new)
    touched = _with_memory(connection, learner, (old | new).difference(update.unchanged))
    # A memory stores its card's place, so that due cards are found without a join.
    connection.executemany(sql.PLACE_MEMORY, [{"learner": learner, "card": card} for card in touched])
    for path in update.gone:
        connection.execute(sql.DROP_FILE, {"learner": learner, "path": path})
    _put_files(connection, learner, update.files)


def _put_files(connection: Connection, learner: str, files: Iterable[DeckFile]) -> None:
    connection.executemany(sql.PUT_FILE, [(learner, *file) for file in files])


def _put_cards(connection: Connection, learner: str, update: DeckUpdate) -> set[str]:
    """Write changed cards, update the ranks of unchanged ones, and return all ids."""
    cards = [card for card in update.cards if card.id not in update.unchanged]
    with_memory = _with_memory(connection, learner, [card.id for card in cards])
    places = update.places
    rows = (
        (learner, *card_row(card), places.get(card.deck, 0), 1, int(card.id not in with_memory)) for card in cards
    )
    if cards:
        connection.executemany(sql.PUT_CARD, rows)
        from studykit.cards.query import searchable

        connection.executemany(sql.PUT_TEXT, ((learner, card.id, searchable(card)) for card in cards))
    if update.unchanged:
        for deck in {card.deck for card in update.cards}:
            connection.execute(sql.PLACE_DECK, {"learner": learner, "deck": deck, "rank": places.get(deck, 0)})
    return {card.id for card in update.cards}


def _remove(connection: Connection, learner: str, cards: Iterable[str]) -> None:
    ids = list(cards)
    with_memory = _with_memory(connection, learner, ids)
    for card in ids:
        which = {"learner": learner, "card": card}
        connection.execute(sql.DROP_TEXT, which)
        connection.execute(sql.HIDE_CARD if card in with_memory else sql.DROP_CARD, which)


def _with_memory(connection: Connection, learner: str, cards: Iterable[str]) -> set[str]:
    """Return the cards among these that have a memory."""
    values = {"learner": learner, "cards": json.dumps(list(cards))}
    return {row[0] for row in connection.execute(sql.KNOWN_AMONG, values)}
