"""Recompute check lines such as `6*7e9*2e12 = 8.4e22 FLOP`, so that no number on a card is silently wrong.

Both sides are amounts as learners type them (`studykit.quantity` reads them). A side without a unit has the other
side's unit without its prefix: bytes for `GB`, seconds for `ms`, days for `days`. The right side is what the card
says: a rounded number with a unit, after which other words may follow. `=` holds if the left side rounds to the
number as written, and `~` if it differs by at most one in the last digit.
"""

import math
import re
from collections.abc import Iterable

from studykit.cards.card import Card
from studykit.cards.problem import Problem
from studykit.quantity.expression import BadAnswerError
from studykit.quantity.statement import Statement, read_statement
from studykit.quantity.units import dimension_name
from studykit.text import sentence

_RELATION = re.compile(r"(?<![<>!=~])([=~≈])(?!=)")
_EQUAL_WITHIN = 1e-9  # relative, for rounding errors of floats


def check_lines(cards: Iterable[Card]) -> list[Problem]:
    """List the check lines that do not hold, each once even if several cards of a note share it."""
    lines = {(card.path, line): text for card in cards for line, text in card.checks}
    return [
        Problem(path, line, wrong) for (path, line), text in lines.items() if (wrong := judge(text)) is not None
    ]


def judge(text: str) -> str | None:
    """Explain what is wrong with a check line and what to do, or return None if it holds."""
    pieces = _RELATION.split(text)
    if len(pieces) != 1 + 2:  # left, sign, right
        return (
            f"the check {text!r} needs exactly one '=' or '~'. Write arithmetic, the sign and the card's figure."
        )
    left, sign, right = pieces
    try:
        stated = read_statement(right, prose=True)
        value, right_value, last_digit = both_sides(read_statement(left), stated)
    except BadAnswerError as refused:
        return f"the check {text!r} cannot be read: {sentence(str(refused))}"
    margin = last_digit / 2 if sign == "=" else last_digit
    if abs(value - right_value) <= max(margin * (1 + _EQUAL_WITHIN), abs(right_value) * _EQUAL_WITHIN):
        return None
    as_written = stated.number is not None and math.isclose(stated.number, abs(right_value))
    right_words = right.strip() + ("" if as_written else f" = {_amount_text(right_value)}")
    comparison = f"{left.strip()} is {_amount_text(value)}, not {right_words}"
    return f"the check does not hold: {comparison}. Correct the card or its check."


def both_sides(left: Statement, right: Statement) -> tuple[float, float, float]:
    """Return both sides' values in one unit, and what the last digit of the right side counts."""
    if left.dimension == right.dimension:
        return left.value, right.value, right.step
    if left.bare:
        return left.value, right.value / right.base, right.step / right.base
    if right.bare:
        return left.value / left.base, right.value, right.step
    names = dimension_name(left.dimension), dimension_name(right.dimension)
    raise BadAnswerError(f"its left side is {names[0]}, its right side {names[1]}")


def _amount_text(value: float) -> str:
    """Format a number for a message: at most six significant digits, but whole numbers below 10^12 in full."""
    return str(value) if isinstance(value, int) and abs(value) < 10**12 else f"{value:.6g}"
