"""Cards that ask nearly the same as a new one: what a learner wants to see before it is learnt twice."""

from collections.abc import Iterable

from studykit.cards.card import Card
from studykit.cards.query import Query, Words, folded
from studykit.cards.wording import plain, words

NEAR = 0.75  # of all words of both questions
_ALIKE = 0.4  # the same, for two cards that may be taken for each other
_LOOKED_FOR = 3  # words


def query_of(text: str) -> Query:
    """A search for the longest words of a text, which finds what may be near it."""
    told = sorted(dict.fromkeys(words(text)), key=len, reverse=True)[:_LOOKED_FOR]
    return Query(tuple((Words(folded(word)),) for word in told if folded(word)))


def near_cards(card: Card, others: Iterable[Card]) -> list[Card]:
    """Those of other notes whose question has nearly the same words, the nearest first."""
    own = set(words(_asked(card)))
    shares = [(_share(own, set(words(_asked(other)))), other) for other in others if other.note != card.note]
    near = [(share, other) for share, other in shares if share >= NEAR]
    return [other for _, other in sorted(near, key=lambda each: (-each[0], each[1].id))]


def confused_with(card: Card, typed: str, others: Iterable[Card]) -> tuple[Card, str] | None:
    """The card that a learner seems to take this one for, and why: what was typed, a sibling, or one alike."""
    rest = [other for other in others if other.id != card.id]
    given = plain(typed)
    if given and (named := next((other for other in rest if plain(other.answer) == given), None)):
        return named, "what you typed is its answer"
    if sibling := next((other for other in rest if other.note == card.note), None):
        return sibling, "its sibling"
    own = set(words(_asked(card)))
    shares = [(_share(own, set(words(_asked(other)))), other) for other in rest]
    share, nearest = max(shares, key=lambda each: (each[0], each[1].id), default=(0.0, card))
    return (nearest, "it asks nearly the same") if share >= _ALIKE else None


def _asked(card: Card) -> str:
    return card.full or card.prompt


def _share(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
