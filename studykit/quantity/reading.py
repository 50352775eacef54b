"""Reading an amount as people write it: 8.4e22, 70B*16, 140 GB / 3.35 TB/s, 1h30m.

A recursive descent over floats, with a closed list of units and no `eval`: a power overflows instead of growing.
"""

from dataclasses import dataclass, replace

from studykit.quantity.expression import Expression
from studykit.quantity.tokens import BadAnswerError, Cursor, Token, tokens
from studykit.quantity.unit_reader import UnitReader, Want, times
from studykit.quantity.units import HOUR, NUMBER, PER_SECOND, SECOND, UNITS, Dimension

__all__ = ["BadAnswerError", "Reading", "Want", "read", "want"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says, in SI base units.

    A bare number is in the unit of the question; `others` are the other values that it may stand for.
    """

    value: float
    dimension: Dimension
    unit_given: bool
    approximate: bool = False
    notes: tuple[str, ...] = ()
    significant: int = 0  # digits written
    others: tuple[float, ...] = ()
    expression: bool = False  # more than one number was written


COUNTED = frozenset("param token gpu step count number layer head sequence element position".split())  # noqa: SIM905


def want(unit: str) -> Want:
    """What a question in this unit asks for, such as FLOP, GB, day, FLOP/byte, param, %, bit or $."""
    if unit == "bit":
        return Want(NUMBER, unit, bits=True)
    if unit in COUNTED:
        return Want(NUMBER, "" if unit == "number" else unit)
    if unit == "per second":
        return Want(PER_SECOND, unit)
    if unit == "GPU-hour":
        return Want(SECOND, unit, HOUR)
    factor, dimension = 1.0, NUMBER
    for place, word in enumerate(unit.split("/")):
        found = UNITS["byte" if word == "bytes" else word]
        sign = -1 if place else 1
        factor *= found.factor**sign
        dimension = times(dimension, found.dimension, sign)
    return Want(dimension, unit, factor)


def read(text: str, wanted: Want) -> Reading:
    """The amount that an answer names; refused with a reason when it names none, or more than one."""
    pieces, approximate = tokens(text)
    reading, flops_word = _read(pieces, wanted, approximate, rate=False)
    if reading.dimension != wanted.dimension and flops_word:
        again, _ = _read(pieces, wanted, approximate, rate=True)
        if again.dimension == wanted.dimension:
            note = "FLOPs is an amount, FLOP/s a rate; read as the one that is asked"
            return replace(again, notes=(*again.notes, note))
    return reading


def _read(pieces: list[Token], wanted: Want, approximate: bool, *, rate: bool) -> tuple[Reading, bool]:  # noqa: FBT001
    units = UnitReader(Cursor(pieces), wanted, rate=rate)
    value, dimension = Expression(units.cursor, units).whole()
    others: tuple[float, ...] = ()
    if dimension == NUMBER and not units.given and wanted.factor * value < float("inf"):
        others = (value,) if wanted.factor != 1 else ()
        value, dimension = value * wanted.factor, wanted.dimension
    elif dimension == NUMBER != wanted.dimension:
        dimension = wanted.dimension
    expression = sum(piece.kind == "number" for piece in pieces) > 1
    significant = 0 if expression else _significant(pieces[0].text)
    notes = tuple(units.notes)
    return Reading(
        value, dimension, units.given, approximate, notes, significant, others, expression
    ), units.flops_word


def _significant(text: str) -> int:
    digits = [sign for sign in text.lower().partition("e")[0] if sign.isdigit()]
    return len("".join(digits).lstrip("0"))
