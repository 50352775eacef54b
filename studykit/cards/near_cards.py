"""Find cards that ask nearly the same as a new one, so that a learner does not learn it twice."""

from collections.abc import Iterable

from studykit.cards.card import Card
from studykit.cards.query import Query, Words, folded
from studykit.cards.wording import plain, words

MIN_SHARED_WORDS = 0.75  # of all words of both questions
_MIN_CONFUSABLE_WORDS = 0.4  # of all words of both questions, for cards that a learner may confuse
_MAX_QUERY_WORDS = 3


def query_of(text: str) -> Query:
    """Return a search for the longest words of a text, which finds near cards."""
    longest = sorted(dict.fromkeys(words(folded(text))), key=len, reverse=True)[:_MAX_QUERY_WORDS]
    return Query(tuple((Words(word),) for word in longest))


def near_cards(card: Card, others: Iterable[Card]) -> list[Card]:
    """List cards of other notes whose question has nearly the same words, nearest first."""
    shares = [(_shared_words(card, other), other) for other in others if other.note != card.note]
    near = [(share, other) for share, other in shares if share >= MIN_SHARED_WORDS]
    return [other for _, other in sorted(near, key=lambda each: (-each[0], each[1].id))]


def confused_with(card: Card, typed: str, others: Iterable[Card]) -> tuple[Card, str] | None:
    """Return a card that the learner may have confused with this one, and why, or None."""
    rest = [other for other in others if other.id != card.id]
    answer = plain(typed)
    if answer and (twin := next((other for other in rest if plain(other.answer) == answer), None)):
        return twin, "what you typed is its answer"
    if sibling := next((other for other in rest if other.note == card.note), None):
        return sibling, "its sibling"
    shares = [(_shared_words(card, other), other) for other in rest]
    share, nearest = max(shares, key=lambda each: (each[0], each[1].id), default=(0.0, card))
    return (nearest, "it asks nearly the same") if share >= _MIN_CONFUSABLE_WORDS else None


def _shared_words(*cards: Card) -> float:
    """Return which fraction of the words of two questions is in both."""
    own, others = (set(words(card.full or card.prompt)) for card in cards)
    return len(own & others) / len(own | others) if own or others else 0.0
