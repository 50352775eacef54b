"""The words behind a number: scales such as B, and units joined as in FLOP/s or GPU-hours."""

from dataclasses import dataclass, replace

from studykit.quantity.tokens import BadAnswerError, Cursor, Token
from studykit.quantity.units import BYTE, FLOP, FLOP_PER_S, NUMBER, SCALES, UNITS, Dimension, Unit

FUNCTIONS = ("sqrt", "ceil", "floor", "log2")

SIGNS = frozenset("+ - * / ^ ** (".split())  # noqa: SIM905 - shorter so

Amount = tuple[float, Dimension]


@dataclass(frozen=True, slots=True)
class Want:
    """What a question asks for: a dimension, and the unit that a bare number is in."""

    dimension: Dimension
    unit: str = ""  # on the screen
    factor: float = 1.0  # of that unit in SI base units
    bits: bool = False  # bits are what is counted, not eighths of a byte


def times(left: Dimension, right: Dimension, sign: int = 1) -> Dimension:
    """The dimension of a product; of a quotient where the sign is -1."""
    if right == NUMBER:
        return left
    if left == NUMBER and sign == 1:
        return right
    a, b, c, d = left
    e, f, g, h = right
    return (a + sign * e, b + sign * f, c + sign * g, d + sign * h)


class UnitReader:
    """Reads the units of one answer and remembers what there is to say of them."""

    def __init__(self, cursor: Cursor, wanted: Want, *, rate: bool) -> None:
        self.cursor = cursor
        self.wanted = wanted
        self.rate = rate  # read FLOPs as FLOP/s and the other way round
        self.notes: list[str] = []
        self.flops_word = False
        self.given = False
        self.lone = not any(piece.kind == "sign" and piece.text in "**/^" for piece in cursor.pieces)

    def tail(self) -> Amount | None:
        """The unit at the end of an expression that has no other: it is the whole's, as in 7e9*2/1e3 days."""
        start = len(self.cursor.pieces)
        while start > 0 and (self.cursor.pieces[start - 1].kind == "word" or self._joins(start - 1)):
            start -= 1
        if self.lone or start in {0, len(self.cursor.pieces)} or self.cursor.pieces[start - 1].text in SIGNS:
            return None
        if any(self._is_unit(piece) for piece in self.cursor.pieces[:start]):
            return None
        if self.cursor.pieces[start - 1].kind == "number" and self._is_scale(start):
            start += 1  # 2*3B tokens: the scale stays with its number
        if start == len(self.cursor.pieces):
            return None
        per = self.cursor.pieces[start].text == "per"
        if not any(self._is_unit(piece) for piece in self.cursor.pieces[start : start + 1 + per]):
            return None
        self.cursor.place = start
        amount = self.behind((1.0, NUMBER))
        if self.cursor.place != len(self.cursor.pieces):
            self.cursor.place = 0
            return None
        self.cursor.pieces = self.cursor.pieces[:start]
        self.cursor.place = 0
        return amount

    def _joins(self, place: int) -> bool:
        """Whether a sign between two words joins two units, as in FLOP/s or GPU-hours."""
        if (
            place <= 0
            or place + 1 >= len(self.cursor.pieces)
            or self.cursor.pieces[place].text not in {"/", "-", "*"}
        ):
            return False
        return self.cursor.pieces[place - 1].kind == "word" == self.cursor.pieces[place + 1].kind

    def _is_unit(self, piece: Token) -> bool:
        return piece.kind == "word" and piece.text in UNITS

    def _is_scale(self, place: int) -> bool:
        text = self.cursor.pieces[place].text
        return text in SCALES and text not in UNITS

    def behind(self, amount: Amount) -> Amount:
        """The amount with the words behind it: a scale, then units joined by a space, /, per, * or a hyphen."""
        value, dimension = amount
        sign = self._per()
        first = sign == 1
        while (piece := self.cursor.peek()).kind == "word" and piece.text not in {"per", "x", "X", "times"}:
            unit = self._unit(piece, first=first)
            if unit is None:
                value *= SCALES[piece.text]
            else:
                value, dimension = value * unit.factor**sign, times(dimension, unit.dimension, sign)
            self.cursor.place += 1
            first, sign = False, self._joint()
        return value, dimension

    def _per(self) -> int:
        """-1 where the units begin with per or a slash, as in 300 per second, which it steps over; else 1."""
        following = self.cursor.peek(1)
        if self.cursor.peek().text not in {"/", "per"} or not self._is_unit(following):
            return 1
        self.cursor.place += 1
        return -1

    def _joint(self) -> int:
        """How the next word joins the unit: 1 times, -1 per; steps over the sign between them."""
        piece = self.cursor.peek()
        following = self.cursor.peek(1)
        if following.kind != "word" or following.text in FUNCTIONS:
            return 1
        if piece.text in {"/", "per"}:
            self.cursor.place += 1
            return -1
        if piece.text == "*" or (piece.text == "-" and not piece.spaced and not following.spaced):
            self.cursor.place += 1
        return 1

    def _unit(self, piece: Token, *, first: bool) -> Unit | None:
        """The unit of a word; None when it scales the number."""
        text = piece.text
        if text in {"B", "b"}:
            return self._letter_b(text, first=first)
        if self.wanted.bits and text in {"bit", "bits"}:
            return Unit(1.0, NUMBER, noun=True)
        unit = UNITS.get(text)
        if unit is None:
            if first and text in SCALES:
                return None
            raise BadAnswerError(unknown(text))
        if unit.flops_word:
            self.flops_word = True
            if self.rate:
                unit = replace(unit, dimension=FLOP if unit.dimension == FLOP_PER_S else FLOP_PER_S)
        if unit.note and unit.note not in self.notes:
            self.notes.append(unit.note)
        self.given = self.given or not unit.noun
        return unit

    def _letter_b(self, text: str, *, first: bool) -> Unit | None:
        """B is bytes where bytes are asked and the number stands alone, and beside other units; else a billion."""
        following = self.cursor.peek(1)
        asked = self.wanted.dimension[1] != 0
        chained = following.text in {"/", "per"} and self._joins(self.cursor.place + 1)
        if not first or chained or (asked and self.lone and following.kind == "end"):
            if text == "b":
                raise BadAnswerError("b is bits to some and billions to others; write bits, B for bytes, or 1e9")
            self.given = True
            return Unit(1.0, BYTE)
        return None


def unknown(word: str) -> str:
    """What to say of a word that cannot stand where it does: that, or the nearest spelling of a unit."""
    if word == "m":
        return "m alone may be minutes or milli; write min or ms"
    if word in UNITS or word in SCALES or word in FUNCTIONS:
        return f"{word} is not expected there; give a number, then its unit"
    from difflib import get_close_matches

    near = get_close_matches(word, [*UNITS, "million", "billion", "trillion", *FUNCTIONS], n=1, cutoff=0.7)
    return f"{word} is no unit known here; " + (
        f"did you mean {near[0]}?" if near else "units are such as FLOP, GB, ms"
    )
