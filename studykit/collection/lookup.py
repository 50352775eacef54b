"""Find decks and cards by the names that a learner types, and suggest the nearest for an unknown name."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId, Deck, DeckId
from studykit.cards.problem import Problem, refuse
from studykit.collection.collection import Collection, read_file
from studykit.collection.files import DeckPath, Origin, Source, discover
from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.paths import DECK_ENDINGS
from studykit.scheduling.event_kinds import EventKind
from studykit.store.store import Store
from studykit.text import did_you_mean

if TYPE_CHECKING:
    from studykit.collection.deck_header import DeckSummary

_MIN_ID_CHARACTERS = 6  # characters of an id that may stand for the whole
_NO_LEECH = 10**9  # lapses
MAX_SUGGESTIONS = 30
"""Cards that words may mean before they are too many to choose from."""


def deck_ids(names: Mapping[DeckId, str], wanted_names: Iterable[str] | None) -> tuple[str, ...]:
    """Return the ids of decks by id or name, each followed by the decks `NAME::...` below it.

    `names` has the name of every deck by its id. NotFoundError for an unknown name suggests the nearest one.
    """
    ids = dict[str, None]()
    for name in wanted_names or ():
        if not (decks := decks_named(names, name)):
            near = did_you_mean(name, [*names, *names.values()])
            raise NotFoundError(f"No deck is named {name!r}.{near}", "study deck list")
        ids.update(dict.fromkeys(decks))
    return tuple(ids)


def decks_named(names: Mapping[DeckId, str], name: str) -> tuple[str, ...]:
    """Return the deck of that id or name and the decks `NAME::...` below it, or an empty tuple."""
    by_name = {deck.casefold(): deck for deck in names} | {text.casefold(): deck for deck, text in names.items()}
    deck = name if name in names else by_name.get(name.casefold())
    start = f"{names.get(DeckId(deck or ''), name)}::".casefold()
    return (*([deck] if deck else []), *(below for text, below in by_name.items() if text.startswith(start)))


def card_named(store: Store, name: str) -> Card:
    """Return the card of that id or start of an id, or raise NotFoundError with similar ids."""
    if (card := _by_id(store, name)) is not None:
        return card
    if siblings := store.cards.ids_starting(f"{name}."):
        raise NotFoundError(f"{name!r} is a note of several cards. Name one: {', '.join(siblings)}.")
    raise NotFoundError(f"No card has the id {name!r}.{did_you_mean(name, store.cards.ids())}", "study deck list")


def _by_id(store: Store, name: str) -> Card | None:
    """Return the card of that id, or the only card whose id starts with it, at least 6 characters long."""
    if (card := store.cards.card(CardId(name))) is not None or len(name) < _MIN_ID_CHARACTERS:
        return card
    starting = store.cards.ids_starting(name)
    return store.cards.card(starting[0]) if len(starting) == 1 else None


def cards_meant(store: Store, name: str, day: date) -> tuple[Card, ...]:
    """Return the cards that a learner may mean by the start of an id or by words. A whole id gives one card."""
    if not name.strip():
        return ()
    if (card := _by_id(store, name)) is not None:
        return (card,)
    from studykit.cards.query import parse_query

    words = parse_query(name)  # empty if nothing in the name can be read, such as bytes that are not UTF-8
    matches = (
        store.search.find(words, day, leech=_NO_LEECH, limit=MAX_SUGGESTIONS).cards if words.alternatives else ()
    )
    starting = filter(None, map(store.cards.card, store.cards.ids_starting(name)))
    cards = {card.id: card for card in (*starting, *(each.card for each in matches))}
    return tuple(cards.values())[:MAX_SUGGESTIONS]


def relink_card(store: Store, old: str, new: str) -> tuple[Card, Card]:
    """Give a card the progress of another, and return both. NotFoundError if the old card has no progress."""
    old_card, card = card_named(store, old), card_named(store, new)
    if old_card.id == card.id:
        raise UsageError(f"{old!r} and {new!r} are the same card. Name two cards.")
    if store.schedule.memory(old_card.id) is None:
        raise NotFoundError(f"{old_card.id} has no progress to move. Name the card that has it.")
    store.log.record(EventKind.RELINK, card.id, target=old_card.id)
    return old_card, card


def listed_deck(collection: Collection, name: str) -> "DeckSummary":
    """Return the deck of that id, name or path, or raise NotFoundError with the nearest one."""
    decks = collection.summaries()
    for deck in (*(deck for deck in decks if deck.id == name), *decks):
        if name.casefold() in {deck.id.casefold(), deck.name.casefold()} or name in deck.paths:
            return deck
    names = [text for deck in decks for text in (deck.id, deck.name)]
    raise NotFoundError(f"No deck is named {name!r}.{did_you_mean(name, names)}", "study deck list")


def card_count(place: Path) -> tuple[int, int, tuple[Problem, ...]]:
    """Count the cards and the unreadable notes of the decks at a path, and return warnings about other files.

    BadDataError lists the problems if a file cannot be read or no card can. StudyError if there are no decks.
    """
    paths = discover([Source(place, Origin.OWN)])
    decks = [read_file(file) for file in paths.files]
    cards = sum(len(deck.cards) for deck, _ in decks)
    problems = [problem for _, wrong in decks for problem in wrong]
    refuse([*paths.problems, *([] if cards else problems)])
    if not decks:
        raise StudyError(f"{place} holds no decks. Name a folder with files that end in .md.")
    return cards, sum(problem.lost for problem in problems), paths.warnings


def named_decks(collection: Collection, arguments: Sequence[str]) -> list[tuple[DeckPath, Deck]]:
    """Return the decks of files, folders, ids or names, with the decks below them, or all decks without arguments.

    A shipped deck comes without cards that own decks have.
    """
    paths = [Path(name) for name in arguments if _is_path(name)]
    for path in paths:
        if not path.exists():
            raise NotFoundError(f"{path} does not exist. Name a deck file or a folder of them.")
    deck_names = [name for name in arguments if not _is_path(name)]
    files = [*discover([Source(path, Origin.OWN) for path in paths]).files]
    if deck_names or not arguments:
        files += collection.files().files
    loaded = [(file, *read_file(file)) for file in {file.path: file for file in files}.values()]
    ids = deck_ids({deck.id: deck.name for _, deck, _ in loaded}, deck_names)
    decks = [
        (file, deck, wrong)
        for file, deck, wrong in loaded
        if not ids or deck.id in ids or any(Path(file.path).is_relative_to(path.absolute()) for path in paths)
    ]
    refuse([problem for _, _, wrong in decks for problem in wrong])
    return _without_repeated_cards([(file, deck) for file, deck, _ in decks])


def _without_repeated_cards(decks: Iterable[tuple[DeckPath, Deck]]) -> list[tuple[DeckPath, Deck]]:
    ids: set[CardId] = set()
    result = []
    for file, deck in decks:
        own = tuple(card for card in deck.cards if file.origin is not Origin.SHIPPED or card.id not in ids)
        ids.update(card.id for card in own)
        result.append((file, deck._replace(cards=own)))
    return result


def _is_path(name: str) -> bool:
    return "/" in name or Path(name).suffix.lower() in DECK_ENDINGS or Path(name).is_dir()
