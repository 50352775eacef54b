"""Arithmetic over amounts, by recursive descent: sums, products, powers, a few functions."""

import math

from studykit.quantity.tokens import BadAnswerError, Cursor
from studykit.quantity.unit_reader import FUNCTIONS, Amount, UnitReader, times, unknown
from studykit.quantity.units import DOLLAR, NUMBER, SCALES, SECOND, named

LARGEST = 1e200
"""Far beyond any cost, and far from where ratios of two numbers leave the floats."""

DEEPEST = 40
"""Parentheses and powers within each other."""


class Expression:
    """One pass over the pieces of an answer."""

    def __init__(self, cursor: Cursor, units: UnitReader) -> None:
        self.cursor = cursor
        self.units = units
        self.depth = 0

    def whole(self) -> Amount:
        """The amount of all pieces; refused when some are left over or a number grows too large."""
        tail = self.units.tail()
        try:
            value, dimension = self._sum()
        except OverflowError:
            raise BadAnswerError("that number is too large") from None
        if self.cursor.peek().kind != "end":
            raise BadAnswerError(self._why())
        if tail is not None:
            value, dimension = value * tail[0], times(dimension, tail[1])
        if not -LARGEST < value < LARGEST:
            raise BadAnswerError("that number is too large")
        if 0 < value < 1 / LARGEST:
            raise BadAnswerError("that number is too small")
        if value < 0:
            raise BadAnswerError("that is below zero; a range is not a number, and no answer here is negative")
        return value, dimension

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadAnswerError("too many parentheses or powers")

    def _sum(self) -> Amount:
        value, dimension = self._product()
        while True:
            piece = self.cursor.peek()
            if piece.kind == "sign" and piece.text in {"+", "-"}:
                self.cursor.place += 1
                more, other = self._product()
                more = -more if piece.text == "-" else more
            elif piece.kind == "number" and dimension == SECOND:
                more, other = self._product(after_hours=True)  # 1 h 30 min
                if other == NUMBER:
                    raise BadAnswerError("the last part of that time has no unit")
            else:
                return value, dimension
            if other != dimension:
                raise BadAnswerError(f"{named(dimension)} and {named(other)} cannot be added")
            value += more

    def _product(self, *, after_hours: bool = False) -> Amount:
        value, dimension = self._signed(after_hours=after_hours)
        while True:
            piece = self.cursor.peek()
            if piece.text in {"*", "x", "X"} or piece.text == "times":
                self.cursor.place += 1
                more, other = self._signed()
                value, dimension = value * more, times(dimension, other)
            elif piece.text in {"/", "per"}:
                self.cursor.place += 1
                more, other = self._signed()
                if more == 0:
                    raise BadAnswerError("that divides by zero")
                value, dimension = value / more, times(dimension, other, -1)
            else:
                return value, dimension

    def _signed(self, *, after_hours: bool = False) -> Amount:
        negative = False
        while self.cursor.peek().text in {"+", "-"}:
            negative ^= self.cursor.peek().text == "-"
            self.cursor.place += 1
        value, dimension = self._measured(after_hours=after_hours)
        return (-value if negative else value), dimension

    def _measured(self, *, after_hours: bool) -> Amount:
        amount = self._power()
        piece = self.cursor.peek()
        if after_hours and piece.text == "m":
            self.cursor.place += 1
            return amount[0] * 60, SECOND
        return self.units.behind(amount) if piece.kind == "word" or piece.text == "/" else amount

    def _power(self) -> Amount:
        value, dimension = self._atom()
        if self.cursor.peek().text not in {"^", "**"}:
            return value, dimension
        self.cursor.place += 1
        self._deeper()
        negative = False
        while self.cursor.peek().text in {"+", "-"}:
            negative ^= self.cursor.peek().text == "-"
            self.cursor.place += 1
        exponent, other = self._power()
        self.depth -= 1
        if other != NUMBER or dimension != NUMBER:
            raise BadAnswerError("only plain numbers can be raised to a power")
        return _raised(value, -exponent if negative else exponent), NUMBER

    def _atom(self) -> Amount:
        piece = self.cursor.peek()
        self.cursor.place += 1
        if piece.kind == "number":
            return piece.value, NUMBER
        if piece.text == "(":
            return self._inside()
        if piece.text in FUNCTIONS and self.cursor.peek().text == "(":
            self.cursor.place += 1
            return _applied(piece.text, self._inside()), NUMBER
        if piece.text == "$" and self.cursor.peek().kind == "number":
            self.units.given = True
            if self.units.wanted.dimension != DOLLAR:
                raise BadAnswerError("the question does not ask for money")
            return self._scaled(self._atom()[0]), DOLLAR
        self.cursor.place -= 1
        raise BadAnswerError(self._why())

    def _scaled(self, value: float) -> float:
        piece = self.cursor.peek()
        if piece.kind == "word" and piece.text in SCALES:
            self.cursor.place += 1
            return value * SCALES[piece.text]
        return value

    def _inside(self) -> Amount:
        self._deeper()
        amount = self._sum()
        if self.cursor.peek().text != ")":
            raise BadAnswerError(
                "a parenthesis is not closed" if self.cursor.peek().kind == "end" else self._why()
            )
        self.cursor.place += 1
        self.depth -= 1
        return amount

    def _why(self) -> str:
        piece = self.cursor.peek()
        if piece.kind == "end":
            return "that stops in the middle; finish the expression"
        if piece.kind == "word":
            return unknown(piece.text)
        if piece.text == "(":
            return "put a * before the parenthesis"
        return f"{piece.text} is not expected there"


def _raised(base: float, exponent: float) -> float:
    if not (math.isfinite(base) and math.isfinite(exponent)):
        raise BadAnswerError("that number is too large")
    if base == 0 and exponent < 0:
        raise BadAnswerError("that divides by zero")
    if base < 0 and exponent != int(exponent):
        raise BadAnswerError("that power has no real value")
    return math.pow(base, exponent)


def _applied(function: str, amount: Amount) -> float:
    value, dimension = amount
    if dimension != NUMBER:
        raise BadAnswerError(f"{function} takes a plain number")
    if not math.isfinite(value):
        raise BadAnswerError("that number is too large")
    if value < 0 or (function == "log2" and value == 0):
        raise BadAnswerError(f"{function} of that has no value")
    match function:
        case "sqrt":
            return math.sqrt(value)
        case "log2":
            return math.log2(value)
        case "ceil":
            return float(math.ceil(value))
        case _:
            return float(math.floor(value))
