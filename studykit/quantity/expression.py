"""Evaluate amounts (numbers, functions, units) by recursive descent, without `eval`.

Learners' answers are read with a `TargetUnit`. Some of what authors may write in check lines is refused in them.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from studykit.errors import BadDataError
from studykit.quantity import units
from studykit.quantity.units import NUMBER, SCALES, UNITS, Dimension, TargetUnit, Unit, dimension_name, times

MAX_VALUE = 1e200  # far beyond any cost, and far from where ratios of two numbers leave the floats
MAX_DEPTH = 40  # parentheses and powers within each other

MAX_POWER_BITS = 4096  # of a power of whole numbers; beyond, floats overflow anyway

WHICH_B = "is that B billions or bytes? write bytes, or 1e9"

OF_SEVERAL = frozenset(("min", "max"))
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "ceil": math.ceil,
    "floor": math.floor,
    "log2": math.log2,
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
}

TIMES = frozenset(("*", "x", "X", "times"))
_MAX_SYMBOL_LETTERS = 3
_NUMERALS = ("million", "billion", "trillion")
_JOINING = frozenset(("+", "-", "*", "/", "^", "**", "(", ","))
_ARITHMETIC_SIGNS = frozenset(("*", "**", "/", "^"))

Amount = tuple[float, Dimension]
"""A value in SI base units. Whole numbers in a check line stay `int`, so that they are exact."""


class BadAnswerError(BadDataError):
    """Raised if an amount cannot be read. A learner is asked again without using up a try."""


class DoubtError(BadAnswerError):
    """Raised for an ambiguous amount. Read as a formula, it counts only if it is right."""


class UnknownWordError(BadAnswerError):
    """Raised for an unknown or misplaced word."""

    def __init__(self, word: str, target: TargetUnit | None) -> None:
        super().__init__(word)
        self.target = target

    def __str__(self) -> str:
        """Return the nearest name or what to write. Finding a near name is slow, so it is done on demand."""
        word, target = self.args[0], self.target
        if word == "m":
            return "m may be minutes or milli; write min or ms"
        if word in {"mn", "Mn"}:
            return f"{word} may be minutes or millions; write min or million"
        if word in FUNCTIONS:
            return f"write {word}(...) with parentheses"
        if word in UNITS or word in SCALES:
            return f"{word!r} is not expected there; give a number, then its unit"
        counts = target is not None and target.dimension == NUMBER
        near = near_names(word)
        fitting = [name for name in near if target and name in UNITS and UNITS[name].dimension == target.dimension]
        others = [name for name in near if not counts or name not in UNITS]
        such = "the number alone will do" if counts else "use one such as FLOP, GB or ms"
        nearest = next(iter(fitting + others), None)
        return f"unknown unit '{word}'; " + (f"did you mean {nearest}?" if nearest else such)


class Token(NamedTuple):
    """Hold a number, word or sign of an amount, and whether a space came before it."""

    kind: str  # number, word, sign or end
    text: str
    value: float = 0.0
    spaced: bool = False


END = Token("end", "")


class Expression:
    """Evaluate the tokens of an amount once, and record its units and notes about them.

    Each method is a rule of the grammar: first the rules of units, then from the whole down to a number.
    """

    def __init__(
        self, tokens: list[Token], target: TargetUnit | None, *, rate: bool = False, whole_unit: bool = True
    ) -> None:
        self.all_tokens = self.tokens = tokens
        self.place = 0
        self.target = target
        self.dimension = NUMBER if target is None else target.dimension
        self.rate = rate  # read FLOPs as FLOP/s and the other way round
        self.whole_unit = whole_unit  # a unit at the very end belongs to all, not to the last number
        self.notes: list[str] = []
        self.bases: list[float] = []  # sizes of the units so far without their prefixes, in SI base units
        self.has_unit = False
        self.has_billions = False  # a B was read as a billion
        self.device_time = False  # a time of all devices together was named, such as GPU-days
        self.size = 1.0  # of the last unit after a number, in SI base units
        self.depth = 0  # of parentheses and powers
        self.listing = 0  # open calls of functions with several arguments, where a comma is not in a number
        self.is_single = not any(token.kind == "sign" and token.text in _ARITHMETIC_SIGNS for token in tokens)

    def peek(self, ahead: int = 0) -> Token:
        """Return the token at this place or `ahead` places further on, or `END`."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else END

    def tail(self) -> Amount | None:
        """Cut off and return the one unit at the end of an expression, as in 7e9*2/1e3 days, or return None."""
        tokens = self.tokens
        start = len(tokens)
        while start > 0 and (tokens[start - 1].kind == "word" or self._joins(start - 1)):
            start -= 1
        others = (token for token in tokens[:start] if _is_unit(token) and token.text not in units.PERCENT)
        if self.is_single or start in {0, len(tokens)} or tokens[start - 1].text in _JOINING or any(others):
            return None
        if tokens[start - 1].kind == "number" and tokens[start].text in SCALES and not _is_unit(tokens[start]):
            start += 1  # 2*3B tokens: the scale stays with its number
        names = [token for token in tokens[start:] if token.text != "per"]
        if not names or not _is_unit(names[0]):
            return None
        self.place = start
        amount = self.behind((1.0, NUMBER))
        if self.peek().kind != "end":
            raise self._refusal()
        self.place, self.tokens = 0, tokens[:start]  # reading starts again at the first token
        return amount

    def _joins(self, place: int) -> bool:
        """Return whether a sign between two words joins two units, as in FLOP/s or GPU-hours."""
        tokens = self.tokens
        if place <= 0 or place + 1 >= len(tokens) or tokens[place].text not in {"/", "-", "*"}:
            return False
        return tokens[place - 1].kind == "word" == tokens[place + 1].kind

    def behind(self, amount: Amount) -> Amount:
        """Multiply an amount by the scale and units after it, which a space, /, per, * or a hyphen joins."""
        value, dimension = amount
        sign, base, size, devices = self._per(), 1.0, 1.0, False
        first = sign == 1
        while (token := self.peek()).kind == "word" and token.text not in {"per", "x", "X", "times"}:
            unit = self._unit(token, first=first)
            if unit is None:
                value *= self._scale(token.text)
            else:
                value, dimension = value * unit.factor**sign, times(dimension, unit.dimension, sign)
                base, size = base * unit.base**sign, size * unit.factor**sign
            devices = devices or (sign == 1 and token.text in units.DEVICES)
            self.place += 1
            first, joint = False, self._joint()
            sign = sign if joint == 1 and token.text in units.DEVICES else joint  # both words of $4/GPU-hour
        if dimension != amount[1]:
            self.bases.append(base)
        self.size = size
        self.device_time = self.device_time or (devices and dimension == units.SECOND)
        return value, dimension

    def _per(self) -> int:
        """Skip a slash or `per` before the units, as in 300 per second. Return -1 after it, else 1."""
        if self.peek().text not in {"/", "per"} or not _is_unit(self.peek(1)):
            return 1
        self.place += 1
        return -1

    def _joint(self) -> int:
        """Skip the sign before the next word. Return 1 if it multiplies the unit, -1 if it divides."""
        token = self.peek()
        following = self.peek(1)
        is_call = following.text in FUNCTIONS and self.peek(2).text == "("
        if following.kind != "word" or is_call or (following.text == "$" and self.peek(2).kind == "number"):
            return 1
        if token.text in {"/", "per"}:
            self.place += 1
            return -1
        if token.text == "*" or (token.text == "-" and not token.spaced and not following.spaced):
            self.place += 1
        return 1

    def _unit(self, token: Token, *, first: bool) -> Unit | None:
        """Return the unit of a word, or None if it scales the number, or raise UnknownWordError."""
        text = token.text
        if self.target is not None and self.target.bits and text in {"b", "bit", "bits", "Bit", "Bits"}:
            return Unit(1.0, NUMBER)
        if text in {"B", "b"}:
            return self._letter_b(token, first=first)
        unit = self._unit_by_question(text) or UNITS.get(text)
        if unit is None:
            if first and self._scale(text):
                return None
            raise UnknownWordError(text, self.target)
        if unit.flops_word and self.rate:
            is_rate = unit.dimension == units.FLOP_PER_S
            unit = unit._replace(dimension=units.FLOP if is_rate else units.FLOP_PER_S)
        if unit.note and unit.note not in self.notes:
            self.notes.append(unit.note)
        is_factor = text in units.PERCENT and not self.is_single and self.dimension != NUMBER
        self.has_unit = self.has_unit or not (unit.noun or is_factor)
        return unit

    def _scale(self, text: str) -> float:
        """Return the factor of a word such as million, or 0. The m in $2m is a million."""
        if text == "m" and self.dimension == units.DOLLAR:
            return SCALES["M"]
        return 0.0 if text in {"mn", "Mn"} and self.dimension == units.SECOND else SCALES.get(text, 0.0)

    def _unit_by_question(self, text: str) -> Unit | None:
        """Return the unit of a word that depends on the question (F, t/s, operations), else None."""
        if text == "t" and self.dimension == units.PER_SECOND and self.peek(1).text in {"/", "per"}:
            return Unit(1.0, NUMBER, noun=True)
        if self.dimension[0] and (text == "F" or text in units.OPERATIONS):
            return Unit(1.0, units.FLOP)
        return None

    def _letter_b(self, token: Token, *, first: bool) -> Unit | None:
        """Return the unit of a B, or None if it means a billion, as in 70B. Raise BadAnswerError in doubt."""
        text, following = token.text, self.peek(1)
        may_be_bytes = self.target is None or self.dimension[1] != 0
        is_chained = following.text == "/" and self._joins(self.place + 1)
        is_chained = is_chained or (may_be_bytes and following.text == "per" and self.peek(2).kind == "word")
        if not first or is_chained or (may_be_bytes and self.is_single and following.kind == "end"):
            if text == "b":
                raise BadAnswerError("b is bits to some and billions to others; write bits, B for bytes, or 1e9")
            self.has_unit = True
            return Unit(1.0, units.BYTE)
        doubtful = token.spaced or self.has_billions  # 12*7 B, or the second B of 30B*8B
        has_units = any(map(_is_unit, self.tokens[: self.place]))
        if self.target and may_be_bytes and doubtful and following.kind == "end" and not has_units:
            raise BadAnswerError(WHICH_B)
        self.has_billions = True
        return None

    def others(self) -> Iterator["Expression"]:
        """Yield the other ways to read the tokens: FLOPs as a rate, the last unit on the last number only."""
        if any(_is_unit(token) and UNITS[token.text].flops_word for token in self.all_tokens):
            yield Expression(self.all_tokens, self.target, rate=True)
        if self.tokens is not self.all_tokens:
            yield Expression(self.all_tokens, self.target, whole_unit=False)

    def whole(self) -> Amount:
        """Return the amount of all tokens. Raise BadAnswerError for leftover tokens or a number out of range."""
        tail = self.tail() if self.whole_unit else None
        try:
            value, dimension = self._sum()
            if tail is not None:
                value, dimension = value * tail[0], times(dimension, tail[1])
        except OverflowError:
            raise BadAnswerError("that number is too large") from None
        if self.peek().kind != "end":
            raise self._refusal()
        if not -MAX_VALUE < value < MAX_VALUE:
            raise BadAnswerError("that number is too large")
        if 0 < value < 1 / MAX_VALUE:
            raise BadAnswerError("that number is too small")
        if value < 0 and self.target is not None:
            raise BadAnswerError("that is below zero; give zero or more")
        return value, dimension

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BadAnswerError("too many parentheses or powers")

    def _sum(self) -> Amount:
        value, dimension = self._product()
        while True:
            token = self.peek()
            if token.kind == "sign" and token.text in {"+", "-"}:
                self.place += 1
                more, other = self._product()
                more = -more if token.text == "-" else more
            elif token.kind == "number" and dimension == units.SECOND:
                before = self.size
                more, other = self._product(after_hours=True)  # 1 h 30 min
                if other == NUMBER:
                    raise BadAnswerError("the last part of that time has no unit; add it or leave that part out")
                if self.size >= before:  # 0.1 ms 0.4 ms
                    raise BadAnswerError("one time or two? give one, or put a + between them")
            else:
                return value, dimension
            if other != dimension:
                advice = "; write the unit on each part" if NUMBER in {dimension, other} else ""
                raise BadAnswerError(
                    f"{dimension_name(dimension)} and {dimension_name(other)} cannot be added{advice}"
                )
            value += more

    def _product(self, *, after_hours: bool = False) -> Amount:
        value, dimension = self._factor(after_hours=after_hours)
        while True:
            text = self.peek().text
            if text in TIMES:
                self.place += 1
                if text != "*" and self.peek().kind == "end":
                    return value, dimension  # 4x, 10 times
                more, other = self._factor()
                value, dimension = value * more, times(dimension, other)
            elif text in {"/", "per"}:
                self.place += 1
                more, other = self._factor()
                if more == 0:
                    raise BadAnswerError("that divides by zero")
                value, dimension = value / more, times(dimension, other, -1)
            else:
                return value, dimension

    def _minus(self) -> bool:
        """Skip the signs at this place and return whether they negate the number."""
        negative = False
        while (text := self.peek().text) in {"+", "-"}:
            negative ^= text == "-"
            self.place += 1
        return negative

    def _factor(self, *, after_hours: bool = False) -> Amount:
        negative = self._minus()
        value, dimension = self._power()
        token = self.peek()
        if after_hours and token.text == "m":
            self.place += 1
            self.size, value, dimension = units.MINUTE, value * units.MINUTE, units.SECOND
        elif token.kind == "word" or token.text == "/":
            value, dimension = self.behind((value, dimension))
        return (-value if negative else value), dimension

    def _power(self) -> Amount:
        value, dimension = self._atom()
        if self.peek().text not in {"^", "**"}:
            return value, dimension
        self.place += 1
        self._deeper()
        negative = self._minus()
        exponent, other = self._power()  # of 2^3^2 the right one comes first
        self.depth -= 1
        if other != NUMBER or dimension != NUMBER:
            raise BadAnswerError("only plain numbers can be raised to a power")
        return _raise_power(value, -exponent if negative else exponent), NUMBER

    def _atom(self) -> Amount:
        token = self.peek()
        self.place += 1
        if token.kind == "number":
            if self.listing and "," in token.text:
                advice = "write 1000 for a thousand, or 1, 0 for two"
                raise BadAnswerError(f"{token.text}: one number or two? {advice}")
            return token.value, NUMBER
        if token.text == "zero":
            return 0.0, NUMBER
        if token.text == "(":
            self._deeper()
            return self._close(self._sum())
        if token.text in FUNCTIONS and self.peek().text == "(":
            self.place += 1
            return self._call(token.text)
        if token.text == "$" and self.peek().kind == "number":
            self.has_unit = True
            if self.target is not None and self.dimension != units.DOLLAR:
                raise BadAnswerError("the question does not ask for money")
            value, _ = self._atom()
            if scale := self._scale(self.peek().text):
                value, self.place = value * scale, self.place + 1
            return value, units.DOLLAR
        self.place -= 1
        raise self._refusal()

    def _call(self, name: str) -> Amount:
        several = name in OF_SEVERAL
        self._deeper()
        self.listing += several
        arguments = [self._sum()]
        while several and self.peek().text == ",":
            self.place += 1
            arguments.append(self._sum())
        self.listing -= several
        dimension = arguments[0][1]
        for _, other in arguments[1:]:
            if other != dimension:
                raise BadAnswerError(f"{dimension_name(dimension)} and {dimension_name(other)} cannot be compared")
        if dimension != NUMBER and not several:
            raise BadAnswerError(f"{name} takes a plain number")
        try:
            value = FUNCTIONS[name](*(argument for argument, _ in arguments))
        except ValueError:
            raise BadAnswerError(f"{name} is not defined for that number") from None
        return self._close((value if self.target is None else float(value), dimension))

    def _close(self, amount: Amount) -> Amount:
        """Skip the closing parenthesis and return the amount."""
        token = self.peek()
        if token.text != ")":
            raise BadAnswerError("a parenthesis is not closed") if token.kind == "end" else self._refusal()
        self.place += 1
        self.depth -= 1
        return amount

    def _refusal(self) -> BadAnswerError:
        token = self.peek()
        if token.kind == "word":
            return UnknownWordError(token.text, self.target)
        whole, part = self.peek(-1) if self.place else END, self.peek(1)
        if token.kind == "end":
            why = "that stops in the middle; finish the expression"
        elif token.text == "(":
            why = "put a * before the parenthesis"
        elif token.text == "," and whole.kind == part.kind == "number" and not part.spaced:
            why = f"is that comma a decimal point? write {whole.text}.{part.text}"
        else:
            why = f"{token.text!r} is not expected there"
        return BadAnswerError(why)


def known_word(word: str) -> str:
    """Return the word in lower case if only that is known, as for Days and Min, which phones capitalize."""
    lower = word.lower()
    is_long = len(word) >= _MAX_SYMBOL_LETTERS
    return lower if is_long and word not in UNITS and (lower in UNITS or lower in SCALES) else word


def near_names(word: str) -> list[str]:
    """Return up to three units, scales and functions that a word resembles and shares its first letter with."""
    from difflib import get_close_matches

    names = [name for name in (*UNITS, *_NUMERALS, *FUNCTIONS) if name[0].lower() == word[0].lower()]
    return get_close_matches(word, names, cutoff=0.75 if len(word) > _MAX_SYMBOL_LETTERS else 0.8)


def _is_unit(token: Token) -> bool:
    return token.text in UNITS


def _raise_power(base: float, exponent: float) -> float:
    if isinstance(base, int) and isinstance(exponent, int) and 0 <= base.bit_length() * exponent <= MAX_POWER_BITS:
        return int(base**exponent)
    try:
        return math.pow(base, exponent)
    except ValueError:
        raise BadAnswerError("that power has no real value") from None
