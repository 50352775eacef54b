"""Parse the queries of `study find`, with words, fields and comparisons, into a small tree.

Only `is:` and comparisons can have invalid values: anything that is not a field or a comparison is a word.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from studykit.cards.attributes import tag_path
from studykit.cards.card import Card
from studykit.cards.markdown import plain_text, searched_text
from studykit.errors import UsageError

MAX_QUERY_CHARACTERS = 1_000
MAX_TERMS = 40
EDGE = "\x1e"
"""Separates tags in a card's searchable text. No deck contains it, because it is a control character."""

_TERM = re.compile(r'(?P<no>-?)(?:(?P<field>deck|tag|is):)?(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S+))', re.IGNORECASE)
_COMPARISON = re.compile(r"(lapses|ease|interval)(<=|>=|<|>|=)(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,4})?")
_OR = "OR"


class QueryState(StrEnum):
    """Match cards in a state that `is:` names."""

    DUE = "due"
    NEW = "new"
    LEECH = "leech"
    SUSPENDED = "suspended"
    FLAGGED = "flagged"
    BURIED = "buried"


@dataclass(frozen=True, slots=True)
class Words:
    """Match cards that contain a text, ignoring case and accents."""

    text: str


@dataclass(frozen=True, slots=True)
class DeckTerm:
    """Match cards whose deck's id or name contains a text."""

    name: str


@dataclass(frozen=True, slots=True)
class TagTerm:
    """Match cards with a tag, ignoring case, or with a tag below it such as `a.b` for `a`."""

    tag: str


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """Compare a number of the card's memory: ease in hundredths, interval in days, lapses."""

    field: str
    sign: str
    value: float


@dataclass(frozen=True, slots=True)
class Negation:
    """Match cards that do not match a term."""

    term: "Term"


Term = Words | DeckTerm | TagTerm | QueryState | NumberTerm | Negation


@dataclass(frozen=True, slots=True)
class Query:
    """Hold alternatives, each a list of terms that must all match. Without alternatives every card matches."""

    alternatives: tuple[tuple[Term, ...], ...] = ()


def parse_query(text: str) -> Query:
    """Parse a query. Raise UsageError if it is too long or a field has an invalid value."""
    if len(text) > MAX_QUERY_CHARACTERS:
        raise UsageError(
            f"A query can have at most {MAX_QUERY_CHARACTERS:,} characters, not {len(text):,}. Give fewer words."
        )
    alternatives: list[tuple[Term, ...]] = []
    terms: list[Term] = []
    for number, match in enumerate(_TERM.finditer(text), 1):
        if number > MAX_TERMS:
            raise UsageError(f"A query can have at most {MAX_TERMS} terms. Give fewer words.")
        if match.group() == _OR:
            alternatives += [tuple(terms)] if terms else []
            terms = []
        else:
            terms += _terms(match)
    return Query((*alternatives, tuple(terms)) if terms else tuple(alternatives))


def _terms(match: re.Match[str]) -> Iterator[Term]:
    field = (match["field"] or "").lower()
    quoted = match["quoted"] is not None
    value = match["quoted"] if quoted else match["bare"]
    if value == "-" and not field:
        return
    term = _field(field, value) if field else _word(value, quoted=quoted)
    if term is not None:
        yield Negation(term) if match["no"] else term


def _field(field: str, value: str) -> Term | None:
    if not folded(value):
        return None
    match field:
        case "deck":
            return DeckTerm(folded(value))
        case "tag":
            return TagTerm(folded(tag_path(value)))
    try:
        return QueryState(value.lower())
    except ValueError:
        states = ", ".join(f"is:{state}" for state in QueryState)
        raise UsageError(f"'is:{value[:40]}' is not a state of a card. Use {states}.") from None


def _word(value: str, *, quoted: bool) -> Term | None:
    if not quoted and (match := _COMPARISON.fullmatch(value)):
        return _comparison(match[1].lower(), match[2], match[3])
    words = folded(plain_text(folded(value)) or value)
    return Words(words) if words else None


def _comparison(field: str, sign: str, number: str) -> NumberTerm:
    if not _NUMBER.fullmatch(number):
        raise UsageError(f"'{field}{sign}{number}' needs a number, as in lapses>3, ease<2 and interval>=30.")
    return NumberTerm(field, sign, float(number) * (100 if field == "ease" else 1))


def folded(text: str) -> str:
    """Return the text in lower case, without accents and control characters, with single spaces."""
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        signs = (sign for sign in apart if not unicodedata.combining(sign) and not "\ud800" <= sign <= "\udfff")
        text = unicodedata.normalize("NFC", "".join(signs))
    return " ".join(text.lower().replace("\0", " ").replace(EDGE, " ").split())


def searchable(card: Card) -> str:
    """Return all searchable text of a card: its text as shown, its exercise, and its tags.

    An id that the author chose is included. An id that is a hash is not, because many numbers would match it.
    """
    texts = map(_folded_text, (card.full,) if card.full else (card.prompt, card.answer))
    task = (card.task.name, *(f"{name}={value}" for name, value in card.task.pinned)) if card.task else ()
    names = map(folded, (*task, card.id) if card.named else task)
    return f"{' '.join(filter(None, (*texts, *names)))}{_tags_in_edges(card.tags)}{EDGE}"


@lru_cache(maxsize=64)  # siblings come one after another and share their text
def _folded_text(text: str) -> str:
    return folded(searched_text(text))


@lru_cache(maxsize=1024)
def _tags_in_edges(tags: tuple[str, ...]) -> str:
    """Return tags and their parents (`a.b` and `a`), each after an edge sign."""
    split = (folded(tag).split(".") for tag in dict.fromkeys(tags))
    return "".join(f"{EDGE}#{'.'.join(parts[:count])}" for parts in split for count in range(1, len(parts) + 1))
