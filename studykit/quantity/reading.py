"""Read a learner's amount: 8.4e22, 70B*16, 140 GB / 3.35 TB/s, 1h30m.

`spelling` cleans pasted text, `comments` removes words, `expression` evaluates tokens, `units` lists units.
`statement` reads authors' check lines.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from studykit.quantity.comments import KNOWN, without_comments
from studykit.quantity.expression import (
    BadAnswerError,
    DoubtError,
    Expression,
    Token,
    UnknownWordError,
    known_word,
)
from studykit.quantity.spelling import plain
from studykit.quantity.units import BYTE, FLOP, NUMBER, SECOND, UNITS, Dimension, TargetUnit, dimension_name, times

__all__ = ["BadAnswerError", "Reading", "read", "tokens"]

MAX_CHARACTERS = 200
NOTHING = "give a number, such as 8.4e22 or 6*7e9*2e12"
RANGE = "give one number, not a range"
MIDDLE = "a range: its middle is read"
RATE = "FLOPs is an amount, FLOP/s a rate; read as the one that is asked"
MAX_EQUATION_GAP = 0.02  # relative difference of the sides of an equation, which people round
_FLOP_TIMES_S = times(FLOP, SECOND)


class Reading(NamedTuple):
    """Hold the value of an answer, in SI base units.

    A bare number is in the unit of the question. If that is percent, `others` has it as a share.
    """

    value: float
    dimension: Dimension
    unit_given: bool
    notes: tuple[str, ...] = ()
    others: tuple[float, ...] = ()
    expression: bool = False  # more than one number was written
    billions: bool = False  # a B was read as a billion
    device_time: bool = False  # the time of all devices together, such as GPU-days
    ends: tuple[float, ...] = ()  # of a range
    in_bytes: bool = False  # numbers without a unit were read as bytes
    has_comment: bool = False  # words around the amount were passed over


def read(text: str, target: TargetUnit) -> Reading:
    """Read the amount in an answer, or raise BadAnswerError with what is wrong."""
    if len(text) > MAX_CHARACTERS:
        raise BadAnswerError(
            f"that is longer than {MAX_CHARACTERS} characters; give one number or a short expression"
        )
    text = _INVERSE.sub(r"/\1", _without_preface(plain(text)))
    text = _UNIT_BEFORE.sub(_unit_behind, _UNIT_APART.sub(_joined_unit, text))
    if not text:
        raise BadAnswerError(NOTHING)
    if "=" in text and _ASSIGNMENTS.search(text):
        raise DoubtError("put the numbers into the formula, such as 6*7e9*2e12")
    try:
        return _amount(text, target)
    except BadAnswerError as error:
        if restated := _RESTATED.fullmatch(text):
            return _restated(restated[1], restated[2], target)
        bare, comment, replaces_unit = without_comments(text)
        if bare in {"", text}:
            raise
        try:
            reading = _amount(_without_preface(bare), target)
        except BadAnswerError as bare_error:
            raise (bare_error if isinstance(error, UnknownWordError) else error) from None
        if replaces_unit and target.dimension != NUMBER and not reading.unit_given:
            raise
        notes = (*reading.notes, f"comment: {comment}") if comment else reading.notes
        return reading._replace(notes=notes, has_comment=bool(comment))


def _restated(amount: str, other: str, target: TargetUnit) -> Reading:
    """Read an amount with the same one in parentheses: 8388608 (2^23), but not 7 (2+2+12)."""
    try:
        _amount(other, target)
        return _equation([other, amount], target)
    except BadAnswerError:
        raise BadAnswerError(f"is ({other}) a factor? put a * before the parenthesis") from None


def _joined_unit(match: re.Match[str]) -> str:
    is_unit = all(known_word(word) in KNOWN for word in match[1].split("/"))
    return f" {match[1]}" if is_unit else match[0]


def _unit_behind(match: re.Match[str]) -> str:
    is_measure = any(word in UNITS and not UNITS[word].noun for word in map(known_word, match[1].split("/")))
    return f"{match[2]} {match[1]}" if is_measure else match[0]


def _amount(text: str, target: TargetUnit) -> Reading:
    """Read the amount of a text without words around it."""
    if match := _LOST_CARET.match(text):
        raise DoubtError(f"is that a power of ten? write 10^-{match[1]}")
    if (ratio := _RATIO.fullmatch(text)) and target.unit in {"", "%"}:
        text = f"{ratio[1]}/{ratio[2] or 1}"
    sides = [side.strip() for side in _EQUALS.split(text) if re.search("[0-9]", side)]
    if len(sides) > 1:
        return _equation(sides, target)
    text = sides[0] if sides else text  # C = 6.3e24
    if (middle := _middle(text, target)) is not None:
        return middle
    for pattern, why in _REFUSED:
        if match := pattern.search(text):
            raise BadAnswerError(why.format(match[0]))
    pieces = tokens(text)
    expression = Expression(pieces, target)
    reading = _reading_of(expression, target)
    if reading.dimension != target.dimension:
        readings = (_reading_of(other, target) for other in expression.others())
        reading = next((other for other in readings if other.dimension == target.dimension), reading)
    if reading.dimension == _FLOP_TIMES_S and target.dimension == FLOP:  # PF-days: the PF are PFLOP/s
        reading = reading._replace(dimension=FLOP)
    _refuse_share(reading, target)
    return reading


def _equation(sides: Sequence[str], target: TargetUnit) -> Reading:
    """Read the last side of an equation, or raise BadAnswerError if its sides differ."""
    last = read(sides[-1], target)
    text = _without_preface(plain(sides[-1]))
    number = next((token.value for token in tokens(text) if token.kind == "number"), 0.0)
    for side in sides[:-1]:
        try:
            reading = _amount(_without_preface(plain(side)), target)
        except BadAnswerError:
            continue
        value = reading.value
        equals: tuple[float, ...] = (last.value,) if reading.dimension == last.dimension else ()
        if not reading.unit_given:
            value, equals = value / target.factor, (last.value, last.value / target.factor, number)
        if not any(math.isclose(value, other, rel_tol=MAX_EQUATION_GAP) for other in equals):
            raise BadAnswerError(f"{side} is not {sides[-1]}; correct one of them")
    return last


def _middle(text: str, target: TargetUnit) -> Reading | None:
    """Return the middle of a range such as 44-45 days, or None for anything else, such as a difference."""
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    first, unit, second, rest = match.groups()
    low, high = (read(side, target) for side in (first + (unit or rest), second + rest))
    if low.dimension != high.dimension or low.value >= high.value:
        return None
    value, ends = (low.value + high.value) / 2, (low.value, high.value)
    others = (value / target.factor,) if high.others else ()
    return high._replace(value=value, others=others, notes=(*high.notes, MIDDLE), ends=ends)


def _refuse_share(reading: Reading, target: TargetUnit) -> None:
    is_alone = reading.unit_given and not reading.expression
    if reading.dimension == NUMBER != target.dimension:
        raise BadAnswerError(f"that is a share, but the question asks for {dimension_name(target.dimension)}")
    if reading.dimension == NUMBER and is_alone and target.unit not in {"", "%"}:
        raise BadAnswerError("that is a share, but the question asks how many")


def _reading_of(answer: Expression, target: TargetUnit) -> Reading:
    """Evaluate an expression, with a bare number in the unit of the question."""
    value, dimension = answer.whole()
    others: tuple[float, ...] = ()
    if dimension == NUMBER and not answer.has_unit:
        others = (value,) if target.unit == "%" else ()
        value, dimension = value * target.factor, target.dimension
    reading = Reading(
        value,
        dimension,
        answer.has_unit,
        notes=(*answer.notes, *[RATE] * answer.rate),
        others=others,
        expression=sum(token.kind == "number" for token in answer.all_tokens) > 1,
        billions=answer.has_billions,
        device_time=answer.device_time and dimension == SECOND,
    )
    return _add_missing_unit(reading, target)


def _add_missing_unit(reading: Reading, target: TargetUnit) -> Reading:
    """Add the one unit that bare numbers lack, as in 6*7e9*2e12 / (400 TFLOP/s)."""
    for dimension, name in ((FLOP, "FLOP"), (BYTE, "bytes")):
        if reading.expression and times(reading.dimension, dimension) == target.dimension != dimension:
            notes = (*reading.notes, f"the numbers without a unit are read as {name}")
            return reading._replace(dimension=target.dimension, notes=notes, in_bytes=dimension == BYTE)
    return reading


_APPROXIMATELY = re.compile(
    r"\s*(?:[~\u223c≈≃≅=]|[x*] ?(?=\d)|(?:about|approximately|approx|roughly|around|ca|circa|nearly"
    r"|almost)\b\.?)\s*",
    re.IGNORECASE,
)
_UNIT_APART = re.compile(r"(?<=\d)\s*\((?:in )?([A-Za-z%$]+(?:/[A-Za-z]+)?)\)$")  # 96 (MiB)
_UNIT_BEFORE = re.compile(r"^(?:[A-Za-z ]+ in )?([A-Za-z]{2,}(?:/[A-Za-z]+)?) ?[:=] ?([\d.,_]+(?:e[+-]?\d+)?)$")
"""A unit as a label: hours: 2065, or memory in GB = 14."""
_RESTATED = re.compile(
    r"(.*[\w%$)])\s+\((?![-+*/^x±])((?:[\d\s.,+*/^()-]|[eE](?=[\d+-])|[xX](?![A-Za-z])|times\b)+)\)"
)
_INVERSE = re.compile(r"[ *]+([A-Za-z]+)\^\(?-1\)?(?!\d)")  # 25 MB s^-1
_LOST_CARET = re.compile(r"[\d.]+ ?[*xX] ?10 ?[-\u2013] ?(\d{1,2})(?![\d.])")  # 1.19x10-7
_ASSIGNMENTS = re.compile(
    r"\b(?:with|where|for|if|using)\b.*=|=.*[,;]\s*[A-Za-z]\w*\s*="
)  # 6ND with N=7e9, D=2e12
_RATIO = re.compile(r"([\d.]+) ?(?:: ?([\d.]+)|to 1|-fold)")  # 4:1, 4 to 1; 4 to 5 is a range
_EQUALS = re.compile("[=≈≃]")
_SPAN = re.compile(
    r"(\$?[0-9.,]+(?:[eE][+-]?[0-9]+)?)(\s*(?![eE][+-]?[0-9])[A-Za-z%][A-Za-z%/]*|)\s*(?:[-\u2013\u2014]|\bto\b)\s*"
    r"(\$?[0-9.,]+(?:[eE][+-]?[0-9]+)?)((?:[\s/-]*[A-Za-z%])*)"
)
_REFUSED = (
    (
        re.compile(r"[<>≤≥]|\b(?:at least|at most|less than|more than|over|under|up to)\b", re.IGNORECASE),
        "give a number, not a bound",
    ),
    (re.compile(r"±|\+/?-|\.\.|[\u2013\u2014]|\d.*\bto\b.*\d|\b(?:between|or)\b", re.IGNORECASE), RANGE),
    (re.compile(r"\b0[xX][0-9a-fA-F]"), "that is hexadecimal; write it in decimal digits"),
    (re.compile("[€£¥]"), "amounts of money are in dollars here; give them without {}"),
)
TOKEN = re.compile(
    r"""(?P<space>\s*)(?:
    (?P<number>(?:(?:[1-9]\d{0,2}(?P<sep>[,_'\ ])\d{3}(?:(?P=sep)\d{3})*(?!\d)|\d+(?:_\d+)*)(?:\.\d*)?|\.\d+)
               (?:[eE][+-]?\d+)?)
   |(?P<word>log2(?![A-Za-z0-9])|[A-Za-z]+|[$%])
   |(?P<sign>\*\*|[-+*/^(),])
   |(?P<other>.))""",
    re.VERBOSE | re.DOTALL,
)
APART = re.compile("[,_' ]")
_COMMA_AND_EXPONENT = re.compile(r"\d+,\d{3}[eE][+-]?\d+")


def _without_preface(text: str) -> str:
    while (preface := _APPROXIMATELY.match(text)) is not None:
        text = text[preface.end() :]
    return text


def tokens(text: str) -> list[Token]:
    """Split a text in plain spelling into numbers, words and signs, or raise BadAnswerError for anything else."""
    pieces: list[Token] = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        spaced = match["space"] != ""
        piece = match[kind]
        match kind:
            case "number":
                pieces.append(_number(piece, pieces, spaced=spaced))
            case "word" | "sign":
                pieces.append(Token(kind, known_word(piece), 0.0, spaced))
            case _:
                if piece.strip():
                    raise BadAnswerError(f"{piece!r} has no place in a number")
    return pieces


def _number(piece: str, before: list[Token], *, spaced: bool) -> Token:
    if before and before[-1].kind == "number":
        if not spaced:
            raise BadAnswerError("two decimal points; write thousands without dots, such as 1234567")
        raise BadAnswerError(f"{before[-1].text} {piece}: one number or two? put a * or a + between them")
    if _COMMA_AND_EXPONENT.fullmatch(piece):
        raise BadAnswerError(f"is that comma a decimal point? write {piece.replace(',', '.')}")
    value = float(APART.sub("", piece))
    if value == float("inf"):
        raise BadAnswerError("that number is too large")
    if value == 0 and re.search("^[^eE]*[1-9]", piece):  # a number below the smallest float
        raise BadAnswerError("that number is too small")
    return Token("number", piece, value, spaced)
