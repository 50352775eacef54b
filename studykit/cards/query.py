"""What a learner asks of `study find`: words, fields and comparisons, read into a small tree.

The only syntax error is a field's unknown value: anything that is not a field is a word.
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

MAX_QUERY_CHARACTERS = 1_000  # characters of a query
MAX_TERMS = 40
EDGE = "\x1e"
"""Stands before and behind each tag in a card's searchable text; no deck holds it."""

_TERM = re.compile(r'(?P<no>-?)(?:(?P<field>deck|tag|is):)?(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S+))', re.IGNORECASE)
_COMPARISON = re.compile(r"(lapses|ease|interval)(<=|>=|<|>|=)(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,4})?")
_OR = "OR"


class QueryState(StrEnum):
    """What `is:` can ask for."""

    DUE = "due"
    NEW = "new"
    LEECH = "leech"
    SUSPENDED = "suspended"
    FLAGGED = "flagged"
    BURIED = "buried"


@dataclass(frozen=True, slots=True)
class Words:
    """Text that a card has somewhere, folded."""

    text: str


@dataclass(frozen=True, slots=True)
class DeckTerm:
    """Part of the id or the name of a card's deck."""

    name: str


@dataclass(frozen=True, slots=True)
class TagTerm:
    """A tag, folded; one of several parts is found by its first ones too."""

    tag: str


@dataclass(frozen=True, slots=True)
class StateTerm:
    """A state of the card."""

    state: QueryState


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """A number of the card's memory beside another; ease in hundredths, an interval in days."""

    field: str
    sign: str
    value: float


@dataclass(frozen=True, slots=True)
class Negation:
    """Cards that the term is not true of."""

    term: "Term"


Term = Words | DeckTerm | TagTerm | StateTerm | NumberTerm | Negation


@dataclass(frozen=True, slots=True)
class Query:
    """Alternatives, each of terms that must all be true; none at all is every card."""

    alternatives: tuple[tuple[Term, ...], ...] = ()


def parse_query(text: str) -> Query:
    """Parse a query, or raise UsageError for a field's value that means nothing."""
    if len(text) > MAX_QUERY_CHARACTERS:
        raise UsageError(
            f"a query of {len(text):,} characters is longer than {MAX_QUERY_CHARACTERS:,}. Give fewer words."
        )
    alternatives: list[tuple[Term, ...]] = []
    terms: list[Term] = []
    for number, match in enumerate(_TERM.finditer(text), 1):
        if number > MAX_TERMS:
            raise UsageError(f"a query has at most {MAX_TERMS} terms. Give fewer words.")
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
        return StateTerm(QueryState(value.lower()))
    except ValueError:
        states = ", ".join(f"is:{state}" for state in QueryState)
        raise UsageError(f"is:{value[:40]} is not a state of a card. Use {states}.") from None


def _word(value: str, *, quoted: bool) -> Term | None:
    if not quoted and (match := _COMPARISON.fullmatch(value)):
        return _comparison(match[1].lower(), match[2], match[3])
    words = folded(plain_text(folded(value)) or value)
    return Words(words) if words else None


def _comparison(field: str, sign: str, number: str) -> NumberTerm:
    if not _NUMBER.fullmatch(number):
        raise UsageError(f"{field}{sign} needs a number, such as lapses>3, ease<2 or interval>=30.")
    return NumberTerm(field, sign, float(number) * (100 if field == "ease" else 1))


def folded(text: str) -> str:
    """Return the text in small letters without accents and control characters, with single spaces."""
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        signs = (sign for sign in apart if not unicodedata.combining(sign) and not "\ud800" <= sign <= "\udfff")
        text = unicodedata.normalize("NFC", "".join(signs))
    return " ".join(text.lower().replace("\0", " ").replace(EDGE, " ").split())


def searchable(card: Card) -> str:
    """Return all text that words can find a card by: its text as shown, its exercise, and its tags.

    Its id too where its author chose it: a hash would be found by many a number.
    """
    texts = map(_folded_text, (card.full,) if card.full else (card.prompt, card.answer))
    task = (card.task.name, *(f"{name}={value}" for name, value in card.task.pinned)) if card.task else ()
    names = map(folded, (*task, card.id) if card.named else task)
    return f"{' '.join(filter(None, (*texts, *names)))}{_tags_in_edges(card.tags)}{EDGE}"


@lru_cache(maxsize=64)  # siblings share their text
def _folded_text(text: str) -> str:
    return folded(searched_text(text))


@lru_cache(maxsize=1024)
def _tags_in_edges(tags: tuple[str, ...]) -> str:
    """Return tags and their parents (of `a.b` also `a`), each behind an edge sign."""
    split = (folded(tag).split(".") for tag in dict.fromkeys(tags))
    return "".join(f"{EDGE}#{'.'.join(parts[:count])}" for parts in split for count in range(1, len(parts) + 1))
