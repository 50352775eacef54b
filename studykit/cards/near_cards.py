"""Find cards that ask nearly the same as a new one, so that a learner does not learn it twice."""

from collections.abc import Iterable
from itertools import takewhile

from studykit.cards.card import Card
from studykit.cards.query import Query, Words, folded
from studykit.cards.wording import plain, words

MIN_SHARED_WORDS = 0.75  # of all words of both questions
_MIN_CONFUSABLE_WORDS = 0.4  # of all words of both questions, for cards that a learner may confuse
_MAX_QUERY_WORDS = 3
_MIN_TYPO_LETTERS = 3  # in a shorter word, another letter makes another word


def query_of(text: str) -> Query:
    """Return a search for the longest words of a text, which finds near cards."""
    longest = sorted(dict.fromkeys(words(text)), key=len, reverse=True)[:_MAX_QUERY_WORDS]
    return Query(tuple((Words(folded(word)),) for word in longest if folded(word)))


def near_cards(card: Card, others: Iterable[Card]) -> list[Card]:
    """List cards of other notes whose question has nearly the same words, nearest first.

    A word that is one letter away counts if the answer is the same: `Hous` and `Haus` are both the house, while
    `Maus` is another word.
    """
    own = set(words(_question(card)))
    shares = [(_share(own, set(words(_question(other)))), other) for other in others if other.note != card.note]
    near = [(share, other) for share, other in shares if share >= MIN_SHARED_WORDS or _is_misspelt(card, other)]
    return [other for _, other in sorted(near, key=lambda each: (-each[0], each[1].id))]


def confused_with(card: Card, typed: str, others: Iterable[Card]) -> tuple[Card, str] | None:
    """Return a card that the learner may have confused with this one, and the reason, or None."""
    rest = [other for other in others if other.id != card.id]
    answer = plain(typed)
    if answer and (twin := next((other for other in rest if plain(other.answer) == answer), None)):
        return twin, "what you typed is its answer"
    if sibling := next((other for other in rest if other.note == card.note), None):
        return sibling, "its sibling"
    own = set(words(_question(card)))
    shares = [(_share(own, set(words(_question(other)))), other) for other in rest]
    share, nearest = max(shares, key=lambda each: (each[0], each[1].id), default=(0.0, card))
    return (nearest, "it asks nearly the same") if share >= _MIN_CONFUSABLE_WORDS else None


def _question(card: Card) -> str:
    return card.full or card.prompt


def _is_misspelt(one: Card, other: Card) -> bool:
    """Return whether two cards have the same answer, and questions that differ in one letter."""
    answer, question, other_question = plain(one.answer), words(_question(one)), words(_question(other))
    if not answer or answer != plain(other.answer) or len(question) != len(other_question):
        return False
    apart = [pair for pair in zip(question, other_question, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and _one_letter_apart(*apart[0])


def _one_letter_apart(one: str, other: str) -> bool:
    """Return whether one letter was changed, added, left out or swapped with its neighbor."""
    if min(len(one), len(other)) < _MIN_TYPO_LETTERS or not (one + other).isalpha():
        return False
    start = _same_start(one, other)
    end = _same_start(one[start:][::-1], other[start:][::-1])
    rest, rest_of_other = (word[start : len(word) - end] for word in (one, other))
    swapped = len(rest) == len("ab") and rest == rest_of_other[::-1]
    return swapped or max(len(rest), len(rest_of_other)) == 1


def _same_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _share(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
