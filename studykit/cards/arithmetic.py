"""The arithmetic of check lines: a recursive-descent reader over numbers, never `eval`."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Number = int | float

LONGEST = 500  # characters of a check line
DEEPEST = 40  # nested parentheses, signs and powers
_MOST_BITS = 4096  # of a whole number; beyond, a float overflows and says so

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|[-+*/^(),]))"
)
_SPELLED = str.maketrans({"×": "*", "·": "*", "−": "-", "÷": "/"})  # noqa: RUF001 - the signs authors type


class UnreadableError(ValueError):
    """The text is no arithmetic; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Token:
    """A number, a name or a sign, and where it stands."""

    kind: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Expression:
    """A value, what follows it in the text, and the number it is when it is a single one."""

    value: Number
    rest: str
    literal: str = ""


def evaluate(text: str) -> Expression:
    """The value at the start of a text; what cannot belong to it (a unit) is left as `rest`."""
    if len(text) > LONGEST:
        raise UnreadableError(f"it is longer than {LONGEST} characters; split it")
    text = text.translate(_SPELLED)
    reader = _Reader(text)
    value = reader.sum()
    token = reader.peek()
    rest = text[token.start :].strip() if token else text[reader.end :].strip()
    literal = reader.tokens[0].text if reader.at == 1 else ""
    return Expression(value, rest, literal)


class _Reader:
    """Reads tokens one by one; each method is a rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.tokens, self.end = _tokens(text)
        self.at = 0
        self._depth = 0

    def peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def sum(self) -> Number:
        value = self._product()
        while (sign := self._sign("+", "-")) is not None:
            other = self._product()
            value = _finite(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Number:
        value = self._signed()
        while (sign := self._sign("*", "/")) is not None:
            other = self._signed()
            if sign == "/" and other == 0:
                raise UnreadableError("it divides by zero")
            value = _finite(_times(value, other) if sign == "*" else _over(value, other))
        return value

    def _signed(self) -> Number:
        if (sign := self._sign("+", "-")) is None:
            return self._power()
        value = self._deeper(self._signed)
        return -value if sign == "-" else value

    def _power(self) -> Number:
        base = self._atom()
        if self._sign("**", "^") is None:
            return base
        return _power(base, self._deeper(self._signed))

    def _atom(self) -> Number:
        token = self.peek()
        if token is None:
            raise UnreadableError("a number is missing at its end")
        self.at += 1
        match token.kind:
            case "number":
                return _number(token.text)
            case "name":
                return self._call(token.text)
            case _ if token.text == "(":
                value = self._deeper(self.sum)
                self._expect(")")
                return value
            case _:
                raise UnreadableError(f"a number is missing before {token.text!r}")

    def _call(self, name: str) -> Number:
        function = FUNCTIONS.get(name)
        if function is None:
            raise UnreadableError(f"{name!r} is neither a number nor one of {', '.join(FUNCTIONS)}")
        self._expect("(")
        arguments = [self._deeper(self.sum)]
        while self._sign(",") is not None:
            arguments.append(self._deeper(self.sum))
        self._expect(")")
        try:
            return _finite(function(arguments))
        except (ValueError, OverflowError):
            raise UnreadableError(f"{name} has no value for {', '.join(map(spell, arguments))}") from None

    def _sign(self, *wanted: str) -> str | None:
        token = self.peek()
        if token is None or token.kind != "sign" or token.text not in wanted:
            return None
        self.at += 1
        return token.text

    def _expect(self, sign: str) -> None:
        if self._sign(sign) is None:
            raise UnreadableError(f"a {sign!r} is missing")

    def _deeper(self, rule: Callable[[], Number]) -> Number:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnreadableError(f"it is nested more than {DEEPEST} deep")
        value = rule()
        self._depth -= 1
        return value


def spell(value: Number) -> str:
    """A number for a message: at most six significant digits."""
    return f"{value:.6g}" if isinstance(value, float) or abs(value) >= 10**12 else str(value)


def _tokens(text: str) -> tuple[list[Token], int]:
    tokens: list[Token] = []
    at = 0
    while found := _TOKEN.match(text, at):
        kind = found.lastgroup or ""
        tokens.append(Token(kind, found.group(kind), found.start(kind)))
        at = found.end()
    return tokens, at


def _number(text: str) -> Number:
    plain = text.replace("_", "")
    return int(plain) if plain.isdecimal() else _finite(float(plain))


def _finite(value: Number) -> Number:
    if isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise UnreadableError("a number in it is too large")
    elif not math.isfinite(value):
        raise UnreadableError("a number in it is too large")
    return value


def _times(one: Number, other: Number) -> Number:
    try:
        return one * other
    except OverflowError:
        raise UnreadableError("a number in it is too large") from None


def _over(one: Number, other: Number) -> Number:
    try:
        return one / other
    except OverflowError:
        raise UnreadableError("a number in it is too large") from None


def _power(base: Number, exponent: Number) -> Number:
    if base == 0 and exponent < 0:
        raise UnreadableError("it divides by zero")
    try:
        if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
            if base.bit_length() * exponent > _MOST_BITS:
                raise UnreadableError("a power in it is too large")
            return int(base**exponent)
        value = float(base) ** float(exponent)
    except OverflowError:
        raise UnreadableError("a power in it is too large") from None
    if isinstance(value, complex):
        raise UnreadableError("it takes a root of a negative number")
    return _finite(value)


def _one(function: Callable[[Number], Number]) -> Callable[[Sequence[Number]], Number]:
    def call(arguments: Sequence[Number]) -> Number:
        (argument,) = arguments
        return function(argument)

    return call


FUNCTIONS: dict[str, Callable[[Sequence[Number]], Number]] = {
    "sqrt": _one(math.sqrt),
    "log2": _one(math.log2),
    "ceil": _one(math.ceil),
    "floor": _one(math.floor),
    "min": min,
    "max": max,
}
