"""What the database keeps besides the log: the cards' text, settings, and what devices reached."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from studykit.cards.card import Card, CardId, DeckId
from studykit.store import sql
from studykit.store.connection import Handle, Link, one, rows, run
from studykit.store.rows import DeckFile, card_of, card_values, clean, rank

_MANY = 300  # cards that are asked about one by one; for more, one question is quicker


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a compute device reached, in SI units, and when it was measured (microseconds UTC)."""

    value: float
    measured: int


class Shelf:
    """The part of a store that has nothing to do with the log."""

    def __init__(self, link: Link, learner: str) -> None:
        self._link = link
        self._learner = learner

    @property
    def named(self) -> str:
        """The database as messages call it."""
        return self._link.named

    @property
    def learner(self) -> str:
        """Whose log this is."""
        return self._learner

    def close(self) -> None:
        """Let the database go."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Cards

    def card(self, card: CardId) -> Card | None:
        """The card, also when its text has left the collection but its history has not."""
        with self._link.reading() as connection:
            row = one(connection, sql.CARD, card=card)
        return card_of(row) if row else None

    def present_card(self, card: CardId) -> Card | None:
        """The card as its deck has it now; None where its text has left the collection."""
        with self._link.reading() as connection:
            row = one(connection, sql.PRESENT_CARD, card=card)
        return card_of(row) if row else None

    def cards(self, *, deck: str | None = None, path: str | None = None) -> Iterator[Card]:
        """Cards in deck order, one at a time: all, those of a deck, or those of a deck file."""
        text = sql.CARDS if deck is None else sql.CARDS_OF_DECK
        if path is not None:
            text = sql.CARDS_OF_PATH
        with self._link.reading() as connection:
            found = list(rows(connection, text, deck=deck, path=path))
        yield from map(card_of, found)

    def card_ids(self) -> tuple[CardId, ...]:
        """The ids of all cards in the collection."""
        with self._link.reading() as connection:
            return tuple(CardId(row[0]) for row in rows(connection, sql.CARD_IDS))

    def tagged(self, tag: str) -> frozenset[CardId]:
        """Cards with this tag or objective."""
        with self._link.reading() as connection:
            found = rows(connection, sql.CARD_TAGS)
            return frozenset(CardId(card) for card, *lists in found if tag and tag in "\n".join(lists).split("\n"))

    def cards_like(self, start: str) -> tuple[CardId, ...]:
        """Up to 20 ids that begin so, for a suggestion or a short form."""
        with self._link.reading() as connection:
            found = rows(connection, sql.IDS_LIKE, low=start, high=start + "\U0010ffff")
            return tuple(CardId(row[0]) for row in found)

    def orphans(self) -> tuple[Card, ...]:
        """Cards that have a history and whose text is gone, as they last read."""
        with self._link.reading() as connection:
            return tuple(map(card_of, rows(connection, sql.ORPHANS)))

    def home(self, card: CardId) -> str | None:
        """The deck file that the card is in now."""
        with self._link.reading() as connection:
            row = one(connection, sql.HOME, card=card)
        return str(row[0]) if row else None

    def deck_sizes(self) -> dict[DeckId, int]:
        """Number of cards of each deck in the collection."""
        with self._link.reading() as connection:
            return {DeckId(row[0]): row[1] for row in rows(connection, sql.DECK_SIZES)}

    def deck_names(self) -> dict[DeckId, str]:
        """Name of each deck in the collection."""
        with self._link.reading() as connection:
            return {DeckId(row[0]): row[1] for row in rows(connection, sql.DECK_NAMES)}

    def deck_files(self) -> dict[str, DeckFile]:
        """Every deck file that is in the database, by path."""
        with self._link.reading() as connection:
            return {row[0]: DeckFile(*row) for row in rows(connection, sql.FILES)}

    def touch_files(self, files: Iterable[DeckFile]) -> None:
        """Keep new stamps of files whose text did not change."""
        with self._link.writing(self._learner) as connection:
            for file in files:
                run(connection, sql.PUT_FILE, _file_values(file))

    def replace_cards(
        self,
        files: Sequence[DeckFile],
        cards: Iterable[Card],
        *,
        gone: Iterable[str] = (),
        places: Mapping[str, int] | None = None,
    ) -> None:
        """Make `cards` the cards of `files`, and drop the files that are gone; all or nothing.

        A card that moves between the files keeps everything. One that leaves stays as an orphan while anybody
        has a history with it. `places` says where each deck stands when new cards come; a deck that is not in it
        stands where its cards' objectives do in the lesson.
        """
        with self._link.writing(self._learner) as connection:
            self._replace_cards(connection, files, cards, tuple(gone), places or {})

    @staticmethod
    def _replace_cards(
        connection: Handle,
        files: Sequence[DeckFile],
        cards: Iterable[Card],
        gone: Sequence[str],
        places: Mapping[str, int],
    ) -> None:
        old: dict[str, tuple[object, ...]] = {}
        for path in {*gone, *(file.path for file in files)}:
            for row in rows(connection, sql.IDS_OF_PATH, path=path):
                old[row[0]] = tuple(row[1:])
        fresh = _put_cards(connection, cards, places)
        _leave(connection, old.keys() - fresh)
        _place(connection, old, fresh)
        for path in gone:
            run(connection, sql.DROP_FILE, {"path": path})
        for file in files:
            run(connection, sql.PUT_FILE, _file_values(file))

    # Settings and ceilings

    def setting(self, name: str) -> str | None:
        """A setting of this learner."""
        with self._link.reading() as connection:
            row = one(connection, sql.SETTING, learner=self._learner, name=name)
        return str(row[0]) if row else None

    def settings(self) -> dict[str, str]:
        """Every setting of this learner."""
        with self._link.reading() as connection:
            return {row[0]: row[1] for row in rows(connection, sql.SETTINGS, learner=self._learner)}

    def set(self, name: str, value: str | None) -> None:
        """Keep a setting, or drop it."""
        with self._link.writing(self._learner) as connection:
            which = {"learner": self._learner, "name": name}
            if value is None:
                run(connection, sql.DROP_SETTING, which)
            else:
                run(connection, sql.PUT_SETTING, {**which, "value": clean(value)})

    def ceilings(self, device: str) -> dict[str, Ceiling]:
        """What a device reached, by the name of what was measured."""
        with self._link.reading() as connection:
            return {row[0]: Ceiling(row[1], row[2]) for row in rows(connection, sql.CEILINGS, device=device)}

    def keep_ceilings(self, device: str, ceilings: Mapping[str, Ceiling]) -> None:
        """Keep what a device reached, in place of what it reached before."""
        with self._link.writing(self._learner) as connection:
            for name, ceiling in ceilings.items():
                values = {"device": device, "name": name, "value": ceiling.value, "measured": ceiling.measured}
                run(connection, sql.PUT_CEILING, values)


def _put_cards(connection: Handle, cards: Iterable[Card], by_deck: Mapping[str, int]) -> set[str]:
    listed = list(cards)
    known = _known(connection, [card.id for card in listed])
    values = []
    for card in listed:
        place = by_deck.get(card.deck)
        row = card_values(card)
        row["rank"] = rank(card.objectives) if place is None else place
        row["fresh"] = int(card.id not in known)
        values.append(row)
    if values:
        run(connection, sql.PUT_CARD, values)
    return {str(row["id"]) for row in values}


def _leave(connection: Handle, cards: Iterable[str]) -> None:
    listed = list(cards)
    known = _known(connection, listed)
    for text, some in ((sql.HIDE_CARD, True), (sql.DROP_CARD, False)):
        if chosen := [{"card": card} for card in listed if (card in known) is some]:
            run(connection, text, chosen)


def _known(connection: Handle, cards: Sequence[str]) -> set[str]:
    """Those of the cards that somebody has a memory of."""
    if len(cards) > _MANY:
        return {row[0] for row in rows(connection, sql.ALL_KNOWN)}
    return {card for card in cards if one(connection, sql.IS_KNOWN, card=card) is not None}


def _place(connection: Handle, old: Iterable[str], fresh: set[str]) -> None:
    """Let the memories know where their cards are now."""
    touched = [{"card": card} for card in {*old, *fresh}]
    if touched:
        run(connection, sql.PLACE_ONE_MEMORY, touched)


def _file_values(file: DeckFile) -> dict[str, object]:
    return {
        "path": clean(file.path),
        "mtime_ns": file.mtime_ns,
        "size": file.size,
        "digest": file.digest,
        "deck": clean(file.deck),
        "name": clean(file.name),
        "header": clean(file.header),
    }
