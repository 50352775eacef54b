"""Reading an amount as people write it: 8.4e22, 70B*16, 140 GB / 3.35 TB/s, 1h30m.

From text to tokens, and what the grammar makes of a learner's answer. Spelling belongs here; which words there are
is `units`, how they combine `expression`, what authors may write besides `statement`.
"""

import re
import unicodedata
from dataclasses import dataclass, replace

from studykit.quantity.expression import DECIMAL_COMMA, BadAnswerError, Expression, Token
from studykit.quantity.units import NUMBER, Dimension, Want

__all__ = ["BadAnswerError", "Reading", "plain", "read", "tokens"]

LONGEST = 200  # characters
NOTHING = "give a number, such as 8.4e22 or 6*7e9*2e12"


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
    others: tuple[float, ...] = ()
    expression: bool = False  # more than one number was written


def read(text: str, wanted: Want) -> Reading:
    """The amount that an answer names; refused with a reason when it names none, or more than one."""
    if len(text) > LONGEST:
        raise BadAnswerError(f"that is longer than {LONGEST} characters; give one number or a short expression")
    text, approximate = _without_preface(plain(text))
    if not text:
        raise BadAnswerError(NOTHING)
    _refuse_bounds(text)
    pieces = tokens(text)
    reading, flops_word = _read(pieces, wanted, rate=False)
    if reading.dimension != wanted.dimension and flops_word:
        again, _ = _read(pieces, wanted, rate=True)
        if again.dimension == wanted.dimension:
            note = "FLOPs is an amount, FLOP/s a rate; read as the one that is asked"
            reading = replace(again, notes=(*again.notes, note))
    return replace(reading, approximate=True) if approximate else reading


def _read(pieces: list[Token], wanted: Want, *, rate: bool) -> tuple[Reading, bool]:
    """What the tokens say, and whether they say FLOPs, which may be meant as FLOP/s."""
    answer = Expression(pieces, wanted, rate=rate)
    value, dimension = answer.whole()
    others: tuple[float, ...] = ()
    if dimension == NUMBER and not answer.given:
        others = (value,) if wanted.factor != 1 else ()
        value, dimension = value * wanted.factor, wanted.dimension
    elif dimension == NUMBER != wanted.dimension:
        dimension = wanted.dimension
    expression = sum(token.kind == "number" for token in pieces) > 1
    notes = tuple(answer.notes)
    reading = Reading(value, dimension, answer.given, notes=notes, others=others, expression=expression)
    return reading, answer.flops_word


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_SIGNS = str.maketrans(
    {
        "\u00d7": "*",
        "·": "*",
        "⋅": "*",
        "∙": "*",
        "•": "*",
        "÷": "/",
        "\u2044": "/",
        "\u2212": "-",
        "µ": "u",
        "μ": "u",
    }
)
_APPROXIMATELY = re.compile(
    r"\s*(?:~|≈|≃|=|about\b|approximately\b|approx\b\.?|roughly\b|around\b|ca\b\.?)\s*", re.IGNORECASE
)
_PASTED = re.compile(r"(?<=\d)\s+[eE](?=[+-]?\d)")  # 8.4 E+22, as some calculators show it
_BOUND = re.compile(r"[<>≤≥]|\b(?:at least|at most|less than|more than|over|under|up to)\b", re.IGNORECASE)
_RANGE = re.compile(r"±|\+/-|\.\.|[\u2013\u2014]|\d\s*\bto\b\s*\d|\b(?:between|or)\b", re.IGNORECASE)
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


def plain(text: str) -> str:
    """The text in one spelling of signs and powers, without what stands around an amount."""
    return _PASTED.sub("e", _one_spelling(text).strip().rstrip("=?.,;!").rstrip())


def _one_spelling(text: str) -> str:
    if text.isascii():
        return text
    text = _RAISED.sub(lambda raised: f"^({raised.group().translate(_SUPERSCRIPTS)})", text)
    # before NFKC, which would make 10²² the number 1022
    return unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)


def _without_preface(text: str) -> tuple[str, bool]:
    approximate = False
    while (preface := _APPROXIMATELY.match(text)) is not None:
        approximate = approximate or "=" not in preface.group()
        text = text[preface.end() :]
    return text, approximate


def _refuse_bounds(text: str) -> None:
    if _BOUND.search(text):
        raise BadAnswerError("give a number, not a bound")
    if _RANGE.search(text):
        raise BadAnswerError("give one number, not a range")


def tokens(text: str) -> list[Token]:
    """The numbers, words and signs of a text in plain spelling; refused where anything else stands in it."""
    pieces: list[Token] = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        spaced = match["space"] != ""
        piece = match[kind]
        match kind:
            case "number":
                pieces.append(_number(piece, pieces, spaced=spaced))
            case "word" | "sign":
                pieces.append(Token(kind, piece, 0.0, spaced))
            case _:
                if piece == "'":
                    raise BadAnswerError(DECIMAL_COMMA)
                if piece.strip():
                    raise BadAnswerError(f"{piece!r} has no place in a number")
    return pieces


def _number(piece: str, before: list[Token], *, spaced: bool) -> Token:
    if before and before[-1].kind == "number":
        last = before[-1].text
        if not spaced:
            raise BadAnswerError("two decimal points; write thousands without dots, such as 1234567")
        raise BadAnswerError(f"{last} {piece}: one number or two? put a * or a + between them")
    value = float(APART.sub("", piece))
    if value == float("inf"):
        raise BadAnswerError("that number is too large")
    return Token("number", piece, value, spaced)
