"""Reading the deck files that changed, and what that means for the cards in the store."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from studykit.cards.card import Card, CardId, Deck
from studykit.cards.parser import parse_deck, slug
from studykit.cards.problem import Problem
from studykit.cards.relink import Relink, relink, renumbered
from studykit.collection.deck_header import Header
from studykit.collection.files import DeckPath, Found, Origin, read_text
from studykit.collection.refresh import Changes
from studykit.store.card_table import DeckUpdate
from studykit.store.rows import DeckFile
from studykit.store.store import Store

_APART = 100_000  # places between the cards of two files of one deck
_ORIGINS_APART = 10_000  # places between learners' decks and those that ship
_READ_AGAIN = -1  # a stamp that no file has


@dataclass(slots=True)
class _Reading:
    """A file that is read again: its text as a deck, and the digest of its bytes."""

    file: DeckPath
    digest: str
    deck: Deck
    yielded: bool = False  # a card of it gave way to one elsewhere
    clashed: bool = False


@dataclass(slots=True)
class Rereading:
    """One pass over what changed."""

    store: Store
    found: Found
    known: dict[str, DeckFile]
    gone: list[str]
    problems: list[Problem] = field(default_factory=list)
    readings: list[_Reading] = field(default_factory=list)

    def run(self, stale: Sequence[DeckPath]) -> Changes | None:
        """What changed; None where another process changed the cards meanwhile, so that all must be seen again."""
        self.problems += self.found.problems
        same = [self._read(file) for file in stale]
        self._keep_what_a_broken_copy_hides(stale)
        if self.readings or self.gone:
            for file in self._others(stale):
                self._read(file, again=True)
        self.store.cards.touch_files(row for row in same if row is not None)
        if not self.readings and not self.gone:
            return Changes(problems=tuple(self.problems))
        order = {file.path: place for place, file in enumerate(self.found.files)}
        self.readings.sort(key=lambda reading: order[reading.file.path])
        self._merge_names()
        before = {card.id: card for path in self._touched() for card in self.store.cards.all(path=path)}
        cards = self._settle(before)
        moves, changes = self._follow(before, cards)
        return changes if self._put(cards, moves) else None

    def _read(self, file: DeckPath, *, again: bool = False) -> DeckFile | None:
        """Add a reading of a file; its row with a new stamp where the text did not change."""
        text, digest, wrong = read_text(file.path)
        row = self.known.get(file.path)
        if wrong is None and not again and row and row.digest == digest and row.mtime_ns != _READ_AGAIN:
            return replace(row, mtime_ns=file.mtime_ns, size=file.size)
        if wrong is not None:
            self.problems.append(wrong)
            return None
        deck, problems = parse_deck(text, file.path)
        if problems:
            self.problems += problems
            return None
        self.readings.append(_Reading(file, digest, deck))
        return None

    def _keep_what_a_broken_copy_hides(self, stale: Sequence[DeckPath]) -> None:
        """A copy of a shipped deck that cannot be read leaves the shipped one's cards as they were."""
        read = {reading.file.path for reading in self.readings} | self.known.keys()
        broken = {_name(file.path) for file in stale if file.origin is Origin.COPIED and file.path not in read}
        self.gone = [path for path in self.gone if not (self._has_shipped(path) and _name(path) in broken)]

    def _has_shipped(self, path: str) -> bool:
        return Header.read(self.known[path].header).origin == Origin.SHIPPED

    def _others(self, stale: Sequence[DeckPath]) -> list[DeckPath]:
        """Unchanged files that gave way, or may have to, to cards in the changed ones."""
        paths = {file.path for file in stale}
        own = any(reading.file.origin is not Origin.SHIPPED for reading in self.readings) or self.gone
        return [
            file
            for file in self.found.files
            if file.path not in paths and ((own and file.origin is not Origin.OWN) or self._has_yielded(file.path))
        ]

    def _has_yielded(self, path: str) -> bool:
        return Header.read(self.known[path].header).yielded

    def _touched(self) -> set[str]:
        return {*self.gone, *(reading.file.path for reading in self.readings)}

    def _merge_names(self) -> None:
        """Decks that share a name are one deck, under the id that one of them gives."""
        named = {row.name: row.deck for row in self.known.values() if row.deck != slug(row.name)}
        named |= {one.deck.name: one.deck.id for one in self.readings if one.deck.id != slug(one.deck.name)}
        for reading in self.readings:
            id_ = named.get(reading.deck.name, reading.deck.id)
            if id_ != reading.deck.id and reading.deck.id == slug(reading.deck.name):
                cards = tuple(replace(card, deck=id_) for card in reading.deck.cards)
                reading.deck = replace(reading.deck, id=id_, cards=cards)

    def _settle(self, before: dict[CardId, Card]) -> list[Card]:
        """The cards of all readings, each id once."""
        touched = self._touched()
        untouched = {file.path: file for file in self.found.files if file.path not in touched}
        taken: dict[CardId, tuple[str, int, Origin]] = {}
        cards: list[Card] = []
        nth: Counter[str] = Counter(row.deck for path, row in self.known.items() if path in untouched)
        for reading in self.readings:
            offset = nth[reading.deck.id] * _APART
            nth[reading.deck.id] += 1
            for card in reading.deck.cards:
                if card.id not in taken and untouched and card.id not in before:
                    self._find_home(card.id, untouched, taken)
                if card.id in taken:
                    self._give_way(reading, card, taken[card.id])
                    continue
                taken[card.id] = (card.path, card.line, reading.file.origin)
                cards.append(replace(card, position=card.position + offset) if offset else card)
        return cards

    def _find_home(
        self, card: CardId, untouched: dict[str, DeckPath], taken: dict[CardId, tuple[str, int, Origin]]
    ) -> None:
        home = self.store.cards.path(card)
        if home in untouched and (there := self.store.cards.card(card)) is not None:
            taken[card] = (home, there.line, untouched[home].origin)

    def _give_way(self, reading: _Reading, card: Card, other: tuple[str, int, Origin]) -> None:
        """Leave out a card whose id is taken; by an equal's explicit id that is a mistake."""
        path, line, origin = other
        reading.yielded = True
        if card.named and origin is reading.file.origin:
            reading.clashed = True
            wrong = f"#{card.id} is already the id of the note at {path}:{line}. Choose another in one of them."
            self.problems.append(Problem(card.path, card.line, wrong))

    def _follow(self, before: dict[CardId, Card], cards: list[Card]) -> tuple[Sequence[Relink], Changes]:
        """Which cards went on under another id, and how many changed, came and went."""
        after = {card.id: card for card in cards}
        vanished = [card for card in before.values() if card.id not in after]
        orphans = {card.id: card for card in self.store.cards.orphans()}
        returned = orphans.keys() & after.keys()
        fresh = [card for card in cards if card.id not in before and card.id not in returned]
        shifted = renumbered(list(before.values()), cards)
        settled = {move.new.id for move in shifted} | {move.old.id for move in shifted}
        matched = relink(
            [card for card in (*vanished, *orphans.values()) if card.id not in settled | returned],
            [card for card in fresh if card.id not in settled],
        )
        went_on = (*shifted, *self._unremembered(matched.certain))
        changed = sum(
            1 for card in cards if card.id in before and card.content_hash != before[card.id].content_hash
        )
        moved_to = {move.new.id for move in went_on}
        moved_from = {move.old.id for move in went_on}
        reworded = sum(1 for move in matched.certain if move.old.content_hash != move.new.content_hash)
        changes = Changes(
            reworded=reworded + (0 if shifted else changed),
            new=sum(1 for card in fresh if card.id not in moved_to),
            removed=sum(1 for card in vanished if card.id not in moved_from),
            problems=tuple(self.problems),
            likely=matched.likely,
        )
        return went_on, changes

    def _unremembered(self, moves: Sequence[Relink]) -> list[Relink]:
        """Those whose new card has no memory of its own."""
        known = self.store.schedule.memories([move.new.id for move in moves])
        return [move for move in moves if move.new.id not in known]

    def _remembered(self, moves: Sequence[Relink]) -> list[tuple[CardId, CardId]]:
        """The moves of cards that the learner knows or has marked; others have nothing to take along."""
        if not moves:
            return []
        known = (
            self.store.schedule.memories([move.old.id for move in moves]).keys()
            | self.store.schedule.marks().keys()
        )
        return [(move.old.id, move.new.id) for move in moves if move.old.id in known]

    def _put(self, cards: Sequence[Card], moves: Sequence[Relink]) -> bool:
        rows = [
            DeckFile(
                path=reading.file.path,
                mtime_ns=_READ_AGAIN if reading.clashed else reading.file.mtime_ns,
                size=reading.file.size,
                digest=reading.digest,
                deck=reading.deck.id,
                name=reading.deck.name,
                header=Header.of(reading.deck, reading.file, yielded=reading.yielded).write(),
            )
            for reading in self.readings
        ]
        places: dict[str, int] = {}
        for nth, file in enumerate(self.found.files):
            deck = next((row.deck for row in rows if row.path == file.path), None)
            if deck is not None:
                places.setdefault(deck, int(file.origin is Origin.SHIPPED) * _ORIGINS_APART + nth)
        seen = {path: self.known[path].digest if path in self.known else None for path in self._touched()}
        return self.store.update_decks(DeckUpdate(rows, cards, self.gone, places, self._remembered(moves), seen))


def _name(path: str) -> str:
    return path.rpartition("/")[2]
