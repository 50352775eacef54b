"""What a learner typed, as a list of numbers, words and signs; spelling variants are made one first."""

import re
import unicodedata
from typing import NamedTuple

from studykit.errors import BadDataError

LONGEST = 200


class BadAnswerError(BadDataError):
    """An answer that cannot be read, and why; it is asked again and no attempt is spent."""


class Token(NamedTuple):
    """A piece of the answer: kind `number`, `word` or `sign`, and whether a space stood before it."""

    kind: str
    text: str
    value: float
    spaced: bool


END = Token("end", "", 0.0, spaced=False)


class Cursor:
    """A place in the pieces of an answer."""

    __slots__ = ("pieces", "place")

    def __init__(self, pieces: list[Token]) -> None:
        self.pieces = pieces
        self.place = 0

    def peek(self, ahead: int = 0) -> Token:
        """The piece at this place or a few further on; `END` behind the last."""
        place = self.place + ahead
        return self.pieces[place] if place < len(self.pieces) else END


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
_TOKEN = re.compile(
    r"""(?P<space>\s*)(?:
    (?P<number>(?:(?:[1-9]\d{0,2}(?P<sep>[,_'\ ])\d{3}(?:(?P=sep)\d{3})*(?!\d)|\d+(?:_\d+)*)(?:\.\d*)?|\.\d+)
               (?:[eE][+-]?\d+)?)
   |(?P<word>[A-Za-z]+|[$%])
   |(?P<sign>\*\*|[-+*/^()])
   |(?P<comma>[,'])
   |(?P<other>.))""",
    re.VERBOSE | re.DOTALL,
)


def tokens(text: str) -> tuple[list[Token], bool]:
    """The pieces of an answer, and whether it was called approximate; refused when it is no single number."""
    if len(text) > LONGEST:
        raise BadAnswerError(f"that is longer than {LONGEST} characters; give one number or a short expression")
    text, approximate = _without_preface(_one_spelling(text))
    if not text:
        raise BadAnswerError("give a number, such as 8.4e22 or 6*7e9*2e12")
    _refuse_bounds(text)
    return _split(text), approximate


def _one_spelling(text: str) -> str:
    if text.isascii():
        return text
    text = _RAISED.sub(lambda raised: f"^({raised.group().translate(_SUPERSCRIPTS)})", text)
    # before NFKC, which would make 10²² the number 1022
    return unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)


def _without_preface(text: str) -> tuple[str, bool]:
    approximate = False
    text = _PASTED.sub("e", text.strip().rstrip("=?.,;!").rstrip())
    while (preface := _APPROXIMATELY.match(text)) is not None:
        approximate = approximate or "=" not in preface.group()
        text = text[preface.end() :]
    return text, approximate


def _refuse_bounds(text: str) -> None:
    if _BOUND.search(text):
        raise BadAnswerError("give a number, not a bound")
    if _RANGE.search(text):
        raise BadAnswerError("give one number, not a range")


def _split(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        spaced = match["space"] != ""
        piece = match[kind]
        match kind:
            case "number":
                found.append(_number(piece, spaced, found))
            case "word" | "sign":
                found.append(Token(kind, piece, 0.0, spaced))
            case "comma":
                raise BadAnswerError("is that comma a decimal point? write 1.5, or 1500 without it")
            case _:
                if piece.strip():
                    raise BadAnswerError(f"{piece!r} has no place in a number")
    return found


def _number(piece: str, spaced: bool, before: list[Token]) -> Token:  # noqa: FBT001 - passed on as it was seen
    if before and before[-1].kind == "number":
        last = before[-1].text
        if not spaced and (piece.startswith(".") or "." in last):
            raise BadAnswerError("two decimal points; write thousands without dots, such as 1234567")
        raise BadAnswerError(f"{last} {piece}: one number or two? put a * or a + between them")
    value = float(re.sub("[,_' ]", "", piece))
    if value == float("inf"):
        raise BadAnswerError("that number is too large")
    return Token("number", piece, value, spaced)
