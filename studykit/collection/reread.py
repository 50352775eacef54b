"""Read the deck files that changed, and update the cards in the store."""

import gc
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from studykit.cards.card import Card, CardId, Deck
from studykit.cards.parser import parse_deck, slug
from studykit.cards.problem import Problem, Severity
from studykit.cards.relink import Relink, Relinks, relink, renumbered
from studykit.collection.deck_header import DeckHeader
from studykit.collection.files import DeckPath, DeckPaths, Origin, read_text
from studykit.collection.refresh_report import DeckChanges
from studykit.store.card_table import DeckUpdate
from studykit.store.rows import DeckFile
from studykit.store.store import Store
from studykit.text import natural_order

_PLACES_PER_FILE = 100_000  # places between the cards of two files of one deck
_PLACES_PER_ORIGIN = 10_000  # places between learners' decks and those that ship
_READ_AGAIN = -1  # a time that no file has, so that the file is read at the next refresh


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause garbage collection, which would scan all cards repeatedly although they have no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(slots=True)
class _ParsedFile:
    """Hold a file that was read: its deck, and the digest of its bytes."""

    file: DeckPath
    digest: str
    deck: Deck
    yielded: bool = False  # a card of it gave way to one elsewhere
    clashed: bool = False
    unread: int = 0  # notes that could not be read


@dataclass(slots=True)
class RefreshPass:
    """Update the store for the files that changed, in one pass."""

    store: Store
    paths: DeckPaths
    rows: dict[str, DeckFile]
    removed_paths: list[str]
    order: tuple[str, ...] = ()  # of decks, as the learner wants their new cards
    advance: Callable[[int], object] = lambda _: None  # called for each file that was read
    problems: list[Problem] = field(default_factory=list)
    parsed: list[_ParsedFile] = field(default_factory=list)
    refused: bool = False  # of some file nothing could be read

    @_without_garbage_collection()
    def run(self, stale: Sequence[DeckPath]) -> DeckChanges | None:
        """Return what changed, or None if another process changed the cards and the pass must be repeated."""
        self.problems += self.paths.problems
        self.refused = bool(self.paths.problems)
        unchanged_rows = []
        for file in stale:
            unchanged_rows.append(self._read(file))
            self.advance(1)
        if self.parsed or self.removed_paths:
            for file in self._others(stale):
                self._read(file, force=True)
        self.store.cards.touch_files(row for row in unchanged_rows if row is not None)
        if not self.parsed and not self.removed_paths:
            return DeckChanges(problems=tuple(self.problems), refused=self.refused)
        order = {file.path: place for place, file in enumerate(self.paths.files)}
        self.parsed.sort(key=lambda each: order[each.file.path])
        self._merge_names()
        self._take_present_ids()
        before = {card.id: card for path in self._changed_paths() for card in self.store.cards.all(path=path)}
        cards = self._unique_cards(before)
        moves, changes = self._match_moves(before, cards)
        unchanged = {card.id for card in cards if card._replace(checks=()) == before.get(card.id)}
        return changes if self._write(cards, moves, unchanged) else None

    def _read(self, file: DeckPath, *, force: bool = False) -> DeckFile | None:
        """Parse a file and return None, or return its row with the new time if its text did not change.

        If nothing of a file can be read, its cards stay as they were.
        """
        text, digest, problem = read_text(file.path)
        row = self.rows.get(file.path)
        if not force and row and row.digest == digest and row.mtime_ns != _READ_AGAIN:
            return row._replace(mtime_ns=file.mtime_ns, size=file.size)
        if problem is not None:
            self.problems.append(problem)
            self.refused = True
            return None
        deck, problems = parse_deck(text, file.path)
        mistakes = [problem for problem in problems if problem.severity is Severity.ERROR]
        self.problems += mistakes
        if mistakes and not deck.cards:
            self.refused = True
            return None
        self.parsed.append(_ParsedFile(file, digest, deck, unread=sum(problem.lost for problem in mistakes)))
        return None

    def _others(self, stale: Sequence[DeckPath]) -> list[DeckPath]:
        """Return unchanged files whose cards lost, or may lose, their ids to cards of changed files."""
        paths = {file.path for file in stale}
        own = any(each.file.origin is not Origin.SHIPPED for each in self.parsed) or self.removed_paths
        return [
            file
            for file in self.paths.files
            if file.path not in paths
            and (
                (own and file.origin is not Origin.OWN)
                or DeckHeader.from_json(self.rows[file.path].header).yielded
            )
        ]

    def _changed_paths(self) -> set[str]:
        return {*self.removed_paths, *(each.file.path for each in self.parsed)}

    def _merge_names(self) -> None:
        """Give decks of one origin with the same name one id: the explicit id of one of them."""
        ids_by_name = {
            (row.name, DeckHeader.from_json(row.header).origin == Origin.OWN): row.deck
            for row in self.rows.values()
            if row.deck != slug(row.name)
        }
        for each in self.parsed:
            if each.deck.id != slug(each.deck.name):
                ids_by_name[each.deck.name, each.file.origin is Origin.OWN] = each.deck.id
        for each in self.parsed:
            id_ = ids_by_name.get((each.deck.name, each.file.origin is Origin.OWN), each.deck.id)
            if id_ != each.deck.id and each.deck.id == slug(each.deck.name):
                cards = tuple(card._replace(deck=id_) for card in each.deck.cards)
                each.deck = each.deck._replace(id=id_, cards=cards)

    def _take_present_ids(self) -> None:
        """Give cards the id that has their progress now, unless another text has that id."""
        parsed_cards = [card for each in self.parsed for card in each.deck.cards]
        ids = _present_ids(self.store, parsed_cards, self._changed_paths())
        for each in self.parsed if ids else ():
            cards = (
                card if card.named else card._replace(id=ids.get(card.id, card.id)) for card in each.deck.cards
            )
            each.deck = each.deck._replace(cards=tuple(cards))

    def _unique_cards(self, before: dict[CardId, Card]) -> list[Card]:
        """Return the cards of the files that were read, each id once."""
        changed_paths = self._changed_paths()
        unchanged_files = {file.path: file for file in self.paths.files if file.path not in changed_paths}
        taken: dict[CardId, tuple[Card, Origin]] = {}
        cards: list[Card] = []
        nth: Counter[str] = Counter(row.deck for path, row in self.rows.items() if path in unchanged_files)
        for each in self.parsed:
            offset = nth[each.deck.id] * _PLACES_PER_FILE
            nth[each.deck.id] += 1
            for card in each.deck.cards:
                if card.id not in taken and unchanged_files and card.id not in before:
                    present = self.store.cards.present(card.id)
                    if present is not None and present.path in unchanged_files:
                        taken[card.id] = present, unchanged_files[present.path].origin
                if card.id in taken:
                    self._give_way(each, card, *taken[card.id])
                    continue
                taken[card.id] = card, each.file.origin
                cards.append(card._replace(position=card.position + offset) if offset else card)
        return cards

    def _give_way(self, file: _ParsedFile, card: Card, other: Card, origin: Origin) -> None:
        """Skip a card whose id is taken. Report it if its author wrote the id and the decks are of one origin."""
        file.yielded = True
        if card.named and origin is file.file.origin:
            file.clashed = True
            place = f"{other.path}:{other.line}"
            message = f"#{card.id} is already the id of the note at {place}. Choose another in one of them."
            self.problems.append(Problem(card.path, card.line, message, lost=True))
            file.unread += 1

    def _match_moves(self, before: dict[CardId, Card], cards: list[Card]) -> tuple[Sequence[Relink], DeckChanges]:
        """Return which cards moved to another id, and how many changed, are new or were removed."""
        after = {card.id: card for card in cards}
        vanished = [card for card in before.values() if card.id not in after]
        orphans = {card.id: card for card in self.store.cards.orphans()}
        returned_ids = orphans.keys() & after.keys()
        fresh = [card for card in cards if card.id not in before and card.id not in returned_ids]
        renumberings = renumbered(list(before.values()), cards)
        settled_ids = {move.new.id for move in renumberings} | {move.old.id for move in renumberings}
        matches = relink(
            [card for card in (*vanished, *orphans.values()) if card.id not in settled_ids | returned_ids],
            [card for card in fresh if card.id not in settled_ids],
        )
        if matches.certain:
            matches = unconfirm_undone(matches, self.store.schedule.moved())
        known = self.store.schedule.memories([move.new.id for move in matches.certain])
        moves = (*renumberings, *(move for move in matches.certain if move.new.id not in known))
        changed_count = sum(
            1 for card in cards if card.id in before and card.content_hash != before[card.id].content_hash
        )
        moved_to = {move.new.id for move in moves}
        moved_from = {move.old.id for move in moves}
        reworded_count = sum(1 for move in matches.certain if move.old.content_hash != move.new.content_hash)
        changes = DeckChanges(
            reworded=reworded_count + (0 if renumberings else changed_count),
            new=sum(1 for card in fresh if card.id not in moved_to),
            removed=sum(1 for card in vanished if card.id not in moved_from),
            problems=tuple(self.problems),
            refused=self.refused,
            likely=matches.likely,
        )
        return moves, changes

    def _with_progress(self, moves: Sequence[Relink]) -> list[tuple[CardId, CardId]]:
        """Return the old and new ids of the moved cards that the learner knows or has marked."""
        if not moves:
            return []
        ids_with_progress = (
            self.store.schedule.memories([move.old.id for move in moves]).keys()
            | self.store.schedule.marks().keys()
        )
        return [(move.old.id, move.new.id) for move in moves if move.old.id in ids_with_progress]

    def _write(self, cards: Sequence[Card], moves: Sequence[Relink], unchanged: set[CardId]) -> bool:
        rows = [
            DeckFile(
                path=each.file.path,
                mtime_ns=_READ_AGAIN if each.clashed else each.file.mtime_ns,
                size=each.file.size,
                digest=each.digest,
                deck=each.deck.id,
                name=each.deck.name,
                header=DeckHeader.of(each.deck, each.file, yielded=each.yielded, unread=each.unread).to_json(),
            )
            for each in self.parsed
        ]
        decks_by_path = {row.path: (row.deck, row.name) for row in rows}
        digests = {path: self.rows[path].digest if path in self.rows else None for path in self._changed_paths()}
        return self.store.update_decks(
            DeckUpdate(
                rows,
                cards,
                unchanged,
                self.removed_paths,
                places(self.paths.files, decks_by_path, self.order),
                self._with_progress(moves),
                digests,
            )
        )


def places(
    files: Sequence[DeckPath], decks_by_path: Mapping[str, tuple[str, str]], order: Sequence[str]
) -> dict[str, int]:
    """Number decks in the order of their new cards: the learner's order, then the names of files.

    `decks_by_path` has the id and name of each file's deck.
    """
    first = {name.casefold(): place - len(order) for place, name in enumerate(order)}
    order_by_deck: dict[str, int] = {}
    roots = {root: nth for nth, root in enumerate(dict.fromkeys(file.root for file in files))}
    in_order = sorted(files, key=lambda file: (roots[file.root], natural_order(file.path)))
    for nth, file in enumerate(in_order):
        if file.path in decks_by_path:
            deck, name = decks_by_path[file.path]
            usual = int(file.origin is Origin.SHIPPED) * _PLACES_PER_ORIGIN + nth
            order_by_deck.setdefault(deck, first.get(deck.casefold(), first.get(name.casefold(), usual)))
    return order_by_deck


def _present_ids(store: Store, cards: Iterable[Card], touched: Collection[str]) -> Mapping[CardId, CardId]:
    """Map the id of a card's text that comes back to the id that now has its progress, if no card uses that id.

    A text comes back if two decks with the same card are used in turn, or if an edit is undone. No event is
    logged, because a log must not grow when decks are only read. `touched` are the files that the cards are read
    from. Cards of other files keep their ids.
    """
    every_move = store.schedule.moved()
    texts = {card.id for card in cards} if every_move else set[CardId]()
    moves = {card: CardId(every_move[card]) for card in texts & every_move.keys()}
    if not moves:
        return {}
    with_progress = store.schedule.memories([*moves, *moves.values()]).keys() | store.schedule.marks().keys()
    free = {
        old: new
        for old, new in moves.items()
        if old not in with_progress and new in with_progress and new not in texts
    }
    cards_now = {new: store.cards.present(new) for new in free.values()}
    used_elsewhere = {new for new, card in cards_now.items() if card is not None and card.path not in touched}
    return {old: new for old, new in free.items() if new not in used_elsewhere}


def unconfirm_undone(matches: Relinks, moves: Mapping[CardId, CardId]) -> Relinks:
    """Make a certain move only likely if it would undo an earlier move, so that a person decides."""
    back = tuple(move for move in matches.certain if moves.get(move.new.id) == move.old.id)
    return Relinks(tuple(move for move in matches.certain if move not in back), (*matches.likely, *back))
