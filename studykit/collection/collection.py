"""The collection: all decks a learner has, shipped and own, and their cards in the store.

Own decks come first, and a card of theirs takes the place of a shipped one with the same id. Nothing is read that
did not change since last time.
"""

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cards.card import Card, CardId, Deck, DeckId
from studykit.cards.problem import Problem
from studykit.collection.deck_header import Header
from studykit.collection.files import DeckPath, Found, Origin, Source, discover, macro_files, read_text
from studykit.errors import NotFoundError, StudyError

if TYPE_CHECKING:
    from studykit.cards.relink import Relink
    from studykit.collection.refresh import Changes
    from studykit.store.store import Store

Macros = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A deck as a list shows it."""

    id: DeckId
    name: str
    paths: tuple[str, ...]
    cards: int
    header: Header

    @property
    def shipped(self) -> bool:
        """Whether it came with studykit and nobody edited it."""
        return self.header.origin == Origin.SHIPPED


class Collection:
    """Decks on disk and their cards in a store."""

    def __init__(
        self, store: "Store", sources: Sequence[Source], *, copies: Path, hidden: Iterable[str] = ()
    ) -> None:
        """`copies` is the learner's own folder; `hidden` are ids or names of shipped decks that are not wanted."""
        self._store = store
        self._sources = (*sources, Source(copies, Origin.COPIED))
        self._copies = copies
        self._hidden = frozenset(hidden)

    def refresh(self) -> "Changes":
        """Bring the store's cards up to the files; what could not be read stays as it was, and is told."""
        from studykit.collection.refresh import rescan

        return rescan(self._store, self.found())

    def found(self) -> Found:
        """The deck files as they are on disk now."""
        return _without(discover(self._sources), self._hidden) if self._hidden else discover(self._sources)

    def decks(self) -> tuple[Deck, ...]:
        """Every deck as its files now read, those of one name as one; what is broken is left out."""
        merged: dict[str, Deck] = {}
        for deck, problems in (read_file(file) for file in self.found().files):
            if problems:
                continue
            other = merged.get(deck.name)
            merged[deck.name] = deck if other is None else _joined(other, deck)
        return tuple(merged.values())

    def deck(self, named: str) -> Deck:
        """The deck of this id or name; refused with the nearest names when there is none."""
        decks = self.decks()
        for deck in decks:
            if named.casefold() in {deck.id.casefold(), deck.name.casefold()}:
                return deck
        names = [name for deck in decks for name in (deck.id, deck.name)]
        raise NotFoundError(f"there is no deck {named!r}.{nearest(named, names)} See: study deck list")

    def listed(self) -> tuple[Listed, ...]:
        """Every deck in the store, own ones first."""
        sizes = self._store.cards.deck_sizes()
        decks: dict[DeckId, Listed] = {}
        for path, file in self._store.cards.deck_files().items():
            header = Header.read(file.header)
            other = decks.get(file.deck)
            paths = (*other.paths, path) if other else (path,)
            decks[file.deck] = Listed(
                file.deck, file.name, paths, sizes.get(file.deck, 0), other.header if other else header
            )
        return tuple(sorted(decks.values(), key=lambda deck: (deck.header.origin, deck.paths)))

    def card(self, named: str) -> Card:
        """The card of this id, or the only one that starts so; refused with the nearest ids when there is none."""
        card = self._store.cards.card(CardId(named))
        if card is not None:
            return card
        starting = self._store.cards.ids_starting(named) if len(named) >= _SHORTEST else ()
        if len(starting) == 1 and (card := self._store.cards.card(starting[0])) is not None:
            return card
        if starting:
            raise NotFoundError(
                f"several cards start with {named!r}: {', '.join(starting[:_MENTIONED])}. Give a whole id."
            )
        ids = self._store.cards.ids()
        raise NotFoundError(f"there is no card {named!r}.{nearest(named, ids)} See: study show DECK")

    def likely(self) -> "tuple[Relink, ...]":
        """Cards that are gone and new ones that may be the same, if a person says so."""
        from studykit.cards.relink import relink

        orphans = self._store.cards.orphans()
        if not orphans:
            return ()
        known = self._store.schedule.memories()
        return relink(orphans, [card for card in self._store.cards.all() if card.id not in known]).likely

    def macros(self, card: Card) -> Macros:
        """The TeX macros of a card's deck."""
        row = self._store.cards.deck_files().get(card.path)
        header = Header.read(row.header if row else "")
        return (*beside(card.path, header.root), *header.macros)

    def root(self, card: Card) -> str:
        """The folder that `@/` means in a card's text."""
        row = self._store.cards.deck_files().get(card.path)
        return Header.read(row.header).root if row else os.path.dirname(card.path)  # noqa: PTH120

    def editable(self, card: Card) -> Path:
        """The file to edit a card in; a shipped deck is copied first, and the copy takes its place."""
        row = self._store.cards.deck_files().get(card.path)
        header = Header.read(row.header if row else "")
        path = Path(card.path)
        if header.origin != Origin.SHIPPED:
            return path
        try:
            self._copies.mkdir(parents=True, exist_ok=True)
            for other in path.parent.iterdir():
                if other.is_file() and (other == path or other.suffix not in {".md", ".py", ".pyc"}):
                    target = self._copies / other.name
                    if not target.exists():
                        target.write_bytes(other.read_bytes())
        except OSError as error:
            raise StudyError(
                f"{path} cannot be copied to {self._copies} ({error.strerror}): make room there."
            ) from None
        return self._copies / path.name

    def unedited(self, card: Card) -> None:
        """Take back the copy that `editable` made, where nobody changed it: updates of the deck are to arrive."""
        shipped, copy = Path(card.path), self._copies / Path(card.path).name
        with contextlib.suppress(OSError):
            if shipped != copy and shipped.read_bytes() == copy.read_bytes():
                copy.unlink()


def sources(environ: Mapping[str, str], config: Mapping[str, object], config_file: Path) -> tuple[Source, ...]:
    """Where a learner's decks are, this shell's first; a relative path in the configuration starts at its file."""
    named = [Path(text) for text in environ.get("STUDYKIT_DECKS", "").split(os.pathsep) if text]
    decks = config.get("decks", [])
    configured = (
        [config_file.parent / Path(text).expanduser() for text in decks] if isinstance(decks, list) else []
    )
    own = [Source(path, Origin.OWN) for path in (*named, *configured)]
    return (*own, Source(paths.decks(), Origin.SHIPPED))


_SHORTEST = 6  # characters of an id that may stand for the whole
_MENTIONED = 3


def read_file(file: DeckPath) -> tuple[Deck, list[Problem]]:
    """The deck in a file, with the macros beside it, and what is wrong with it."""
    from studykit.cards.parser import parse_deck

    text, _, wrong = read_text(file.path)
    deck, problems = parse_deck(text, file.path, beside(file.path, file.root))
    return replace(deck, root=file.root), [wrong] if wrong else problems


def beside(path: str, root: str) -> Macros:
    """The macros of every `macros.tex` that a deck sees, the nearest last."""
    from studykit.cards.front_matter import merged, read_macros

    return merged(read_macros(read_text(file)[0], file)[0] for file in macro_files(path, root))


def nearest(named: str, names: Iterable[str]) -> str:
    """A sentence that offers the nearest of some names, to follow another; empty where none is near."""
    from difflib import get_close_matches

    close = get_close_matches(named, list(dict.fromkeys(names)), n=_MENTIONED)
    return f" Did you mean {' or '.join(close)}?" if close else ""


def _without(found: Found, hidden: frozenset[str]) -> Found:
    kept = [file for file in found.files if file.origin is Origin.OWN or not hidden & _called(file)]
    return replace(found, files=tuple(kept))


def _called(file: DeckPath) -> set[str]:
    """Id and name of the deck in a file, from its first lines."""
    from studykit.cards.front_matter import read_front_matter
    from studykit.cards.parser import slug

    front = read_front_matter(read_text(file.path)[0].split("\n"), file.path)
    name = front.name or Path(file.path).stem
    return {name, front.id or slug(name)}


def _joined(one: Deck, other: Deck) -> Deck:
    """Two files of one name as one deck."""
    start = len(one.cards)
    ids = {card.id for card in one.cards}
    more = [card for card in other.cards if card.id not in ids]
    cards = [replace(card, deck=one.id, position=start + place) for place, card in enumerate(more)]
    macros = dict((*other.macros, *one.macros))
    return replace(one, cards=(*one.cards, *cards), macros=tuple(macros.items()))
