"""Find the cards and decks that a learner names, and report on a leech."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studykit.cards.attributes import tag_path
from studykit.cards.card import OBJECTIVES, Card, CardId
from studykit.cli.context import Context
from studykit.collection.lookup import MAX_SUGGESTIONS, card_named, cards_meant, decks_named, listed_deck
from studykit.errors import NotFoundError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import WRONG
from studykit.text import did_you_mean

if TYPE_CHECKING:
    from studykit.collection.deck_header import DeckSummary
    from studykit.review.leech import LeechReport
    from studykit.store.card_search import FoundCard
    from studykit.store.store import Store

_MAX_MATCHES = 300  # cards that share words with a text
_MAX_CANDIDATES = 8  # candidates in a sentence
_NO_LIMIT = 10**6


def chosen_card(context: Context, store: "Store", name: str, *, ask: bool = True) -> Card:
    """Return the card that a name means, asking on a terminal if several fit, or raise NotFoundError."""
    cards = cards_meant(store, name, context.today())
    if len(cards) == 1:
        return cards[0]
    if not cards:
        return card_named(store, name)  # which raises an error with suggestions
    if len(cards) == MAX_SUGGESTIONS:
        raise NotFoundError(
            f"{name!r} may mean {MAX_SUGGESTIONS} cards or more. Give more words.", f"study find {name}"
        )
    if not ask or not context.interactive:
        ids = ", ".join(card.id for card in cards[:_MAX_CANDIDATES])
        more = f" and {len(cards) - _MAX_CANDIDATES} more" if len(cards) > _MAX_CANDIDATES else ""
        raise NotFoundError(f"{name!r} may mean {len(cards)} cards: {ids}{more}. Name one by its id.")
    from studykit.cards.wording import excerpt, question

    return cards[chosen_number(context, [f"{excerpt(question(card), 60)}  ({card.id})" for card in cards])]


def chosen_number(context: Context, options: Sequence[str]) -> int:
    """Ask for one of these options by its number, and return its index, or raise UsageError."""
    width = len(str(len(options)))
    for number, option in enumerate(options, 1):
        context.tell(f"{number:>{width}}  {option}")
    context.stderr.write(f"Which one (1-{len(options)})? ")
    context.stderr.flush()
    line = context.stdin.readline().strip()
    if not line.isdecimal() or not 1 <= int(line[:9]) <= len(options):
        raise UsageError("No choice was made, so nothing was changed. Type one of the numbers.")
    return int(line) - 1


def chosen_cards(
    context: Context, store: "Store", names: Sequence[str], query: str | None, *, ask: bool = True
) -> list[Card]:
    """Return the cards that names and a query choose, or raise NotFoundError if one of these matches no card."""
    if query is None and not names:
        raise UsageError("Name a card, or say which with --query.")
    if query is not None and not query.strip():
        raise UsageError(
            "--query is empty, which would mean every card. If you mean that, give 'is:new OR -is:new'."
        )
    cards = [chosen_card(context, store, name, ask=ask) for name in dict.fromkeys(names)]
    if query is not None:
        cards += [each.card for each in found_cards(context, store, query)]
    cards_by_id: dict[CardId, Card] = {card.id: card for card in cards}
    return list(cards_by_id.values())


def found_cards(context: Context, store: "Store", query: str) -> "tuple[FoundCard, ...]":
    """Return every card that matches a query, or raise NotFoundError."""
    from studykit.cards.query import parse_query

    cards = store.search.find(parse_query(query), context.today(), leech=context.leech_from, limit=_NO_LIMIT).cards
    if not cards:
        raise NotFoundError(f"No card matches {query!r}.", "study help find")
    return cards


def chosen_ids(
    context: Context, store: "Store", words: Sequence[str] | None, tag: str | None = None
) -> frozenset[CardId] | None:
    """Return the ids of the cards that words name, as decks or as in `study find`, or None for all cards.

    Raise NotFoundError for a tag, a deck or words that no card has.
    """
    if not words and tag is None:
        return None
    from studykit.cards.query import DeckTerm, Query, TagTerm, Words, folded, parse_query

    names = store.cards.deck_names()
    decks = [word for word in words or () if "OR" not in (words or ()) and decks_named(names, word)]
    text = " ".join(word for word in words or () if word not in decks)
    alternatives = parse_query(text).alternatives or ((),)
    deck_terms: list[tuple[DeckTerm, ...]] = [(DeckTerm(folded(deck)),) for deck in decks] or [()]
    tags = () if tag is None else (TagTerm(folded(tag_path(tag))),)
    query = Query(tuple((*deck, *terms, *tags) for deck in deck_terms for terms in alternatives))
    ids = store.search.ids(query, context.today(), leech=context.leech_from)
    if not ids and any(isinstance(term, Words) for terms in alternatives for term in terms):
        names_and_ids = [word for pair in names.items() for word in pair]
        raise NotFoundError(f"No card matches {text!r}.{did_you_mean(text, names_and_ids)}", "study help find")
    return ids


def tagged_exercises(context: Context, store: "Store", tag: str) -> frozenset[str]:
    """Return the ids of exercises with this objective or tag. Raise NotFoundError if it is unknown."""
    from studykit.exercise import registry

    try:
        ids = chosen_ids(context, store, None, tag)
    except NotFoundError:
        if tag not in OBJECTIVES:
            raise
        ids = frozenset()
    return registry.of_tag(tag, store.cards.tasks(), ids or ())


def present_card(store: "Store", card: Card) -> Card:
    """Return the card with its present text, or raise NotFoundError if no deck file has it any more."""
    if (now := store.cards.present(card.id)) is None:
        raise NotFoundError(
            f"{card.id} is no longer in a deck. It was in {card.path}: put it back, or name another card."
        )
    return now


def own_deck(context: Context, name: str, advice: str = "To make it") -> "DeckSummary":
    """Return a deck of the learner's own by id, name or path, or raise UsageError for one of the course.

    `advice` ends the error for an unknown deck, before the command that makes the deck.
    """
    try:
        deck = listed_deck(context.collection, name)
    except NotFoundError as error:
        raise NotFoundError(f"{error.message} {advice}", f"study deck new {name!r}") from None
    if deck.id not in {each.id for each in context.collection.own()}:
        raise UsageError(
            f"{deck.name} is a deck of the course. Name one of yours, or make one", "study deck new NAME"
        )
    return deck


def leech_report(context: Context, store: "Store", card: Card, lapses: int, typed: str = "") -> "LeechReport":
    """Return the report of a leech. Without `typed`, the last wrong answer comes from the card's log."""
    from studykit.cards.near_cards import confused_with
    from studykit.cards.wording import question
    from studykit.review.leech import LeechReport

    typed = typed or _last_wrong_answer(store, card)
    siblings = [each for each in store.cards.all(path=card.path) if each.note == card.note]
    similar_cards = [*siblings, *cards_sharing_words(context, store, typed, question(card))]
    return LeechReport(card, lapses, typed, *(confused_with(card, typed, similar_cards) or (None, "")))


def cards_sharing_words(context: Context, store: "Store", *texts: str) -> list[Card]:
    """Return the cards that share long words with one of these texts."""
    from studykit.cards.near_cards import query_of

    queries = [query for text in texts if (query := query_of(text)).alternatives]
    day, limit = context.today(), _MAX_MATCHES
    cards = [each.card for query in queries for each in store.search.find(query, day, leech=1, limit=limit).cards]
    return list({card.id: card for card in cards}.values())


def _last_wrong_answer(store: "Store", card: Card) -> str:
    """Return the last wrong answer that the learner typed for a card, or "" if there is none."""
    history = store.log.history(card.id)
    undone_ids = {event.target for event in history if event.kind is EventKind.UNDO}
    for event in reversed(history):
        showing = event.showing
        answer = event.typed if showing is None else showing.answer if showing.verdict in WRONG else ""
        if answer and str(event.id) not in undone_ids:
            return answer
    return ""
