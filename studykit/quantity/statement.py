"""Read one side of an author's check line, such as `6*7e9*2e12` or `8.4e22 FLOP in all`.

The grammar is that of learners' answers. In addition, numbers may be negative, words may follow the amount, whole
numbers stay exact, and the number of digits counts.
"""

import re
from contextlib import suppress
from dataclasses import dataclass

from studykit.quantity.comments import KNOWN
from studykit.quantity.expression import BadAnswerError, Expression, Token, known_word
from studykit.quantity.reading import APART, NOTHING, tokens
from studykit.quantity.spelling import plain
from studykit.quantity.units import NUMBER, Dimension

MAX_SIDE_CHARACTERS = 500
_WORD = re.compile(r"(?<!\w)[^\W\d_]+")
_DANGLING = re.compile(r"(?:(?<=[A-Za-z%])\s*[-/*])?[\s.,;:]*$")


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold the amount on one side of a check line, in SI base units."""

    value: float  # an int where all numbers are whole
    dimension: Dimension
    bare: bool  # without a unit: in the base unit of the other side
    base: float  # of its own unit without a prefix, in SI base units: 1 for GB, 86400 for days
    number: float | None  # the number as written, where there is a single one
    step: float  # what one unit in the last digit of that number is worth


def read_statement(text: str, *, prose: bool = False) -> Statement:
    """Read the amount on one side of a check line. With `prose`, other words may follow it: 3 GB [of weights]."""
    if len(text) > MAX_SIDE_CHARACTERS:
        raise BadAnswerError(f"it is longer than {MAX_SIDE_CHARACTERS} characters; split it")
    text = plain(text)
    try:
        return _statement(text)
    except BadAnswerError:
        words = [*_WORD.finditer(text)] if prose else []
        stop = next((place for place, word in enumerate(words) if known_word(word[0]) not in KNOWN), len(words))
        for word in words[stop::-1]:
            with suppress(BadAnswerError):
                return _statement(_DANGLING.sub("", text[: word.start()]))
        raise


def _statement(text: str) -> Statement:
    pieces = [_whole(token) for token in tokens(text)]
    if not pieces:
        raise BadAnswerError(NOTHING)
    side = Expression(pieces, None)
    value, dimension = side.whole()
    bare = dimension == NUMBER and not side.has_unit
    base = side.bases[0] if len(side.bases) == 1 else 1.0
    numbers = [place for place, token in enumerate(pieces) if token.kind == "number"]
    first = numbers[0]
    if len(numbers) > 1 or any(token.text not in {"+", "-", "$"} for token in pieces[:first]):
        return Statement(value, dimension, bare, base, None, 0.0)
    number = pieces[first]
    pieces[first] = number._replace(value=_last_digit(number.text))
    step, _ = Expression(pieces, None).whole()
    return Statement(value, dimension, bare, base, number.value, abs(step))


def _whole(token: Token) -> Token:
    """Return the token with an `int` where one is written: check lines compute those exactly."""
    digits = APART.sub("", token.text)
    return token._replace(value=int(digits)) if digits.isdecimal() else token


def _last_digit(number: str) -> float:
    """Return the value of one in the last digit of a written number: 0.1 for 143.9, 1e21 for 8.4e22."""
    mantissa, _, exponent = number.lower().partition("e")
    return float(f"1e{int(exponent or 0) - len(mantissa.partition('.')[2])}")
