"""Check lines: `6*7e9*2e12 = 8.4e22 FLOP` is recomputed, so that a card's number cannot be quietly wrong.

The left side is arithmetic in base units (bytes, seconds, FLOP). The right side is what the card says: a number
with its rounding and a unit. `=` holds when the left side rounds to the number as written; `~` allows one whole
unit in its last digit. `GB` is 1e9 bytes, `GiB` 2**30, `%` a hundredth, `billion` and `B parameters` 1e9;
words that are no unit of computing (days, GPUs) change nothing.
"""

import re
from collections.abc import Iterable
from decimal import Decimal

from studykit.cards.arithmetic import Number, UnreadableError, evaluate, spell
from studykit.cards.card import Card
from studykit.cards.problem import Problem

_RELATION = re.compile(r"(?<![<>!=~])([=~≈])(?!=)")
_BASES = r"FLOPs?|flops?|B|[bB]ytes?|bits?|b|s|Hz|W|J|OPs?|tokens?|params?|parameters?"
_UNIT = re.compile(rf"(?P<prefix>Ki|Mi|Gi|Ti|Pi|[kKMGTPEmuµμnp])?(?P<base>{_BASES})(?:/\w+)*")
_COUNT = re.compile(r"(?P<many>k|K|M|G|B|T|thousand|million|billion|trillion|quadrillion)(?:\s+\S.*)?")
_SCALES: dict[str, Number] = {
    "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9, "p": 1e-12,  # both signs are typed
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50,
}  # fmt: skip
_COUNTS: dict[str, Number] = {
    "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15,
}  # fmt: skip
_EXACT = 1e-9  # relative: floats that are equal on paper


def judge(text: str) -> str | None:
    """What is wrong with a check line, in a sentence with what to do; None when it holds."""
    sides = _RELATION.split(text)
    if len(sides) != 3:  # noqa: PLR2004 - left, sign, right
        return f"the check {text!r} has no single '=' or '~'. Write arithmetic, a sign and what the card says."
    try:
        return _compared(*sides)
    except UnreadableError as error:
        return f"the check {text!r} cannot be read: {error}."
    except OverflowError:
        return f"the check {text!r} cannot be read: a number in it is too large."


def check_lines(cards: Iterable[Card]) -> list[Problem]:
    """The check lines of these cards that do not hold, each once."""
    lines = {(card.path, line): text for card in cards for line, text in card.checks}
    return [
        Problem(path, line, wrong) for (path, line), text in lines.items() if (wrong := judge(text)) is not None
    ]


def _compared(left: str, sign: str, right: str) -> str | None:
    computed, stated = evaluate(left), evaluate(right)
    if computed.rest:
        raise UnreadableError(f"{computed.rest.split()[0]!r} on its left side is no arithmetic")
    scale = _scale(stated.rest)
    value, wanted = float(computed.value), float(stated.value) * scale
    margin = _margin(stated.literal, sign) * scale if stated.literal else 0.0
    if abs(value - wanted) <= max(margin * (1 + _EXACT), abs(wanted) * _EXACT):
        return None
    said = right.strip() + (f" = {spell(wanted)}" if scale != 1 else "")
    found = f"{left.strip()} is {spell(computed.value)}, not {said}"
    return f"the check does not hold: {found}. Correct the card or its check."


def _margin(literal: str, sign: str) -> float:
    """How far off the value may be: half a unit in the last digit given, a whole one for `~`."""
    exponent = Decimal(literal.replace("_", "")).as_tuple().exponent
    last_digit = 10.0 ** int(exponent)
    return last_digit / 2 if sign == "=" else last_digit


def _scale(unit: str) -> float:
    if not unit:
        return 1.0
    if unit == "%":
        return 0.01
    if unit[0].isdigit() or unit[0] in "+-*/^().,":
        raise UnreadableError(f"{unit!r} follows the number on its right side; a unit or nothing may")
    if found := _COUNT.fullmatch(unit):
        return 1.0 if unit == "B" else float(_COUNTS[found.group("many")])
    if found := _UNIT.match(unit):
        following = unit[found.end() :]
        if not following[:1].isalnum():
            return float(_SCALES.get(found.group("prefix") or "", 1.0))
    return 1.0
