"""Check that the cards of a course use each letter with one meaning.

The course's table is a `symbols.toml` in the decks' folder. It says what each letter `means`, and lists `words`. A
card that uses the letter must contain one of these, so that its reader need not remember the letter.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from studykit.cards.card import Card
from studykit.cards.markdown import Markup, pieces
from studykit.cards.problem import Problem

FILE = "symbols.toml"

_WORDS_IN_TEX = re.compile(r"\\(?:text|mathrm|operatorname)\{[^{}]*\}|\\[A-Za-z]+")
_LETTER = re.compile(r"[A-Za-z]")
_NAME = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class Symbol:
    """Hold the meaning of a letter, and words. A card with the letter must have one of the words."""

    means: str
    words: tuple[str, ...]


Symbols = Mapping[str, Symbol]  # by letter


def read_symbols(text: str, path: str) -> tuple[Symbols, list[Problem]]:
    """Parse a `symbols.toml`, and list what is wrong with it."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        wrong = 'this is not TOML. Write [N], means = "parameters" and words = ["parameter"].'
        return {}, [Problem(path, 1, wrong)]
    symbols, problems = dict[str, Symbol](), []
    for letter, row in table.items():
        symbol = _symbol(letter, row)
        if symbol is None:
            wrong = f'[{letter}] must be a letter with means = "..." and words = ["..."].'
            problems.append(Problem(path, 1, wrong))
        else:
            symbols[letter] = symbol
    return symbols, problems


def misused(cards: Iterable[Card], symbols: Symbols) -> Iterator[Problem]:
    """Yield a problem for each letter in a formula that is not in the table, or whose card lacks its words."""
    reported: set[tuple[int, str]] = set()
    for card in cards:
        for letter in sorted(letters(card)):
            wrong = _wrong(card, letter, symbols)
            if wrong is not None and (card.line, letter) not in reported:
                reported.add((card.line, letter))
                yield Problem(card.path, card.line, wrong)


def letters(card: Card) -> set[str]:
    """Return the letters in a card's formulas, without those of TeX commands and words."""
    result: set[str] = set()
    for text in (card.prompt, card.answer, card.full):
        for formula in _areas(text, Markup.MATH):
            result.update(_LETTER.findall(_WORDS_IN_TEX.sub(" ", formula)))
    return result


def _wrong(card: Card, letter: str, symbols: Symbols) -> str | None:
    symbol = symbols.get(letter)
    if symbol is None:
        return f"${letter}$ is not in the table of symbols ({FILE}). Use one of its letters, or add it there."
    text = f"{card.prompt}\n{card.answer}\n{card.full}"
    named_in_code = {name for code in _areas(text, Markup.CODE) for name in _NAME.findall(code)}
    if any(word.lower() in text.lower() for word in symbol.words) or letter in named_in_code:
        return None
    return f"${letter}$ stands for {symbol.means}, which the card does not say. Say so, or use another letter."


def _areas(text: str, markup: Markup) -> Iterator[str]:
    return (piece for piece, written_in in pieces(text) if written_in is markup)


def _symbol(letter: str, row: object) -> Symbol | None:
    match row:
        case {"means": str(means), "words": [_, *_] as words} if _LETTER.fullmatch(letter):
            if all(isinstance(word, str) and word for word in words):
                return Symbol(means, tuple(words))
    return None
