"""Compare texts by the words and marks that a learner reads."""

import re
from collections import Counter

from studykit.cards.card import Card
from studykit.cards.markdown import Markup, pieces

_WORD = re.compile(r"[^\W_]+(?:[-_./'][^\W_]+)*")
_HAS_CAPITALS = re.compile(r"[A-Z].*[A-Z]|[a-z][A-Z]")
_DECISIVE = """
not no never none without nor cannot less more fewer most least below above before after smaller larger lower
higher minimum maximum half twice double two three four five six seven eight nine ten
"""
_POLARITY = frozenset(_DECISIVE.split())


def plain(text: str) -> str:
    """Return lower-case words joined by single spaces, without punctuation and Markdown."""
    return " ".join(words(text))


def question(card: Card) -> str:
    """Return a card's question as Markdown, or an exercise's name and pins as its deck writes them."""
    if card.task is None:
        return card.prompt
    return " ".join([f"E: {card.task.name}", *(f"{name}={value}" for name, value in card.task.pinned)])


def excerpt(text: str, max_characters: int) -> str:
    """Return the beginning of a text on one line of at most `max_characters`."""
    short = " ".join(text[: 8 * max_characters].split())
    return short if len(short) <= max_characters else short[: max(0, max_characters - 1)] + "…"


def words(text: str) -> list[str]:
    """Return lower-case words in order. Numbers keep their point, and identifiers their underscores."""
    return [word.lower() for word in _WORD.findall(text)]


def marks(text: str) -> Counter[str]:
    """Count what must not change in a reworded card: numbers, identifiers, math, code, words such as `not`."""
    counts: Counter[str] = Counter()
    for piece, markup in pieces(text):
        if markup is Markup.TEXT:
            counts.update(word.casefold() for word in _WORD.findall(piece) if _is_mark(word))
        else:
            counts["".join(piece.split()).casefold()] += 1
    return counts


def same_marks(first: str, second: str) -> bool:
    """Return whether two texts have the same marks, in upper or lower case."""
    if first == second:
        return True
    own_marks, other_marks = marks(first), marks(second)
    return _covers(second, other_marks, own_marks) and _covers(first, own_marks, other_marks)


def _covers(text: str, own: Counter[str], needed: Counter[str]) -> bool:
    """Return whether a text has each of the needed marks, as a mark or as a plain word."""
    if all(own[mark] >= count for mark, count in needed.items()):
        return True
    available = own + Counter(words(text))
    return all(available[mark] >= count for mark, count in needed.items())


def _is_mark(word: str) -> bool:
    if not word.isalpha() and ("_" in word or any(letter.isdigit() for letter in word)):
        return True
    return word.lower() in _POLARITY or _HAS_CAPITALS.search(word) is not None


def count_words(text: str) -> int:
    """Count the words that a learner reads. A formula or code span counts as one, a code block as none."""
    count = 0
    for piece, markup in pieces(text):
        is_block = markup is Markup.CODE and "\n" in piece
        count += len(piece.split()) if markup is Markup.TEXT else not is_block
    return count
