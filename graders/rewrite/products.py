"""Sizes as products of axes with a factor, and what signs make of them; a string says what is no such product."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

LARGE, UNEVEN = "a number that grows too large", "a `//` that leaves a remainder"
MOVING = "an exponent that a size changes"
_SUM, _ODD = "a power of a sum of sizes", "a power that is no number"
_MOST_POWER = 2  # of one axis: the square of a length still fits where torch keeps whole numbers
_MOST_TOGETHER = 16  # of all axes: what is made of it stays a float
_MOST_WHOLE = 4  # of all axes of a whole number that meets a tensor: 2**14 each are below 2**63 together
_MOST_BITS = 256  # of a factor
MOST_TERMS = 16  # of a sum: a product of two has as many as one times the other, and so on
_MOST_ROUNDED = 64  # Python's own roundings of a number: each more would make their error larger

_SIGNS: Mapping[str, Callable[..., complex]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": operator.pow,
}

Powers = tuple[tuple[str, Fraction], ...]  # of axes, by their names


@dataclass(frozen=True, slots=True)
class Size:
    """A number: a sum of products of axes, each with its factor. `whole` is what Python holds as an int.

    What it holds as a float it has `rounded` so often: for some sizes alone it is not quite what is read here.
    """

    terms: Mapping[Powers, Fraction]
    whole: bool = True
    rounded: int = 0

    @property
    def constant(self) -> Fraction | None:
        """The number that it is, whatever the sizes are."""
        return self.terms.get((), Fraction(0)) if set(self.terms) <= {()} and not self.rounded else None

    @property
    def product(self) -> tuple[Powers, Fraction] | None:
        """Its one product and the factor of that."""
        return next(iter(self.terms.items())) if len(self.terms) == 1 else None

    @property
    def is_beyond_int64(self) -> bool:
        """Whether it is a whole number that torch does not take where axes are long."""
        together = (sum(abs(power) for _, power in powers) for powers in self.terms)
        return self.whole and any(power > _MOST_WHOLE for power in together)

    def value(self, lengths: Mapping[str, int]) -> float:
        """The number for axes of these lengths."""
        total = 0.0
        for powers, factor in self.terms.items():
            total += float(factor) * math.prod(math.pow(lengths[name], power) for name, power in powers)
        return total


def number(value: float) -> Size:
    """A number that is written."""
    return Size({(): Fraction(value)} if value else {}, isinstance(value, int))


def axis(name: str) -> Size:
    """The length of an axis."""
    return Size({((name, Fraction(1)),): Fraction(1)})


def plus(one: Size, other: Size, sign: int = 1) -> Size:
    """The sum, or the difference."""
    terms = dict(one.terms)
    for powers, factor in other.terms.items():
        terms[powers] = terms.get(powers, Fraction(0)) + sign * factor
    return Size({powers: factor for powers, factor in terms.items() if factor}, one.whole and other.whole)


def times(one: Size, other: Size) -> Size:
    """The product."""
    terms: dict[Powers, Fraction] = {}
    for powers, factor in one.terms.items():
        for more, again in other.terms.items():
            joined = _joined(powers, more)
            terms[joined] = terms.get(joined, Fraction(0)) + factor * again
    kept = {powers: factor for powers, factor in terms.items() if factor}
    return Size(kept, one.whole and other.whole, one.rounded + other.rounded)


def made(sign: str, one: Size, other: Size) -> Size | str:
    """What a sign makes of two sizes, or what that is called where it is no product of lengths any more."""
    if _is_written_float(sign, one, other):
        return _as_python_has_it(sign, one, other)
    found = _made(sign, one, other)
    if isinstance(found, str):
        return found
    found = replace(found, rounded=_rounded(sign, one, other, found))
    if _is_large(found):
        return LARGE
    if sign in {"+", "-"} and (len(found.terms) > 1 or found.rounded):  # a difference may leave the error alone
        return f"`{sign}` between sizes"
    return found


def _is_written_float(sign: str, one: Size, other: Size) -> bool:
    """Whether Python makes a float of two written numbers."""
    if one.constant is None or other.constant is None:
        return False
    return sign == "/" or not (one.whole and other.whole) or (sign == "**" and other.constant < 0)


def _as_python_has_it(sign: str, one: Size, other: Size) -> Size | str:
    """What a sign makes of two written numbers, rounded as Python rounds it: 1 / 49 * 49 is not 1."""
    values = (int(each.constant or 0) if each.whole else float(each.constant or 0) for each in (one, other))
    try:
        made = _SIGNS[sign](*values)
    except OverflowError:
        return LARGE
    except ArithmeticError:
        return _ODD
    if isinstance(made, complex):
        return _ODD
    return number(float(made)) if math.isfinite(made) else LARGE


def _rounded(sign: str, one: Size, other: Size, found: Size) -> int:
    """How often Python rounds what a sign makes, as what was rounded before counts in it."""
    if found.whole or None not in {one.constant, other.constant}:
        return 0
    times = abs(other.constant or Fraction(0)) if sign == "**" else Fraction(1)
    return math.ceil(one.rounded * times) + other.rounded + 1


def _made(sign: str, one: Size, other: Size) -> Size | str:
    match sign:
        case "+" | "-":
            return plus(one, other, 1 if sign == "+" else -1)
        case "*":
            return times(one, other)
        case "/" | "//":
            return _quotient(sign, one, other)
    exponent = other.constant
    made = MOVING if exponent is None else _power(one, exponent)
    return replace(made, whole=made.whole and other.whole) if isinstance(made, Size) else made


def _joined(one: Powers, other: Powers, sign: int = 1) -> Powers:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, Fraction(0)) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _quotient(sign: str, one: Size, other: Size) -> Size | str:
    if other.product is None:  # 0, or an argument's own size that is a sum of others
        whole = sign == "//" and one.whole and other.whole
        same = other.terms and one.terms == other.terms
        return replace(number(1), whole=whole) if same else f"`{sign}` by a sum of sizes"
    powers, factor = other.product
    terms = {_joined(mine, powers, -1): part / factor for mine, part in one.terms.items()}
    whole = sign == "//" and one.whole and other.whole
    if sign == "//" and not (whole and all(_is_even(*term) for term in terms.items())):
        return UNEVEN
    return Size(terms, whole)


def _is_even(powers: Powers, factor: Fraction) -> bool:
    """Whether a quotient is a whole number for all lengths."""
    return factor.denominator == 1 and all(power > 0 and power.denominator == 1 for _, power in powers)


def _power(one: Size, exponent: Fraction) -> Size | str:
    """A power; Python holds it as a float where the exponent is one."""
    if abs(exponent) > _MOST_BITS:
        return LARGE
    if exponent == 0 or not one.terms:
        return replace(number(int(exponent == 0)), whole=one.whole)
    if one.product is None:
        return _SUM
    powers, factor = one.product
    try:
        part = factor**exponent
    except ArithmeticError:
        return _ODD
    if isinstance(part, complex) or not part:
        return _ODD
    whole = one.whole and exponent > 0 and exponent.denominator == 1
    return Size({tuple((name, power * exponent) for name, power in powers): Fraction(part)}, whole)


def _is_large(found: Size) -> bool:
    """Whether a product holds an axis too often, or a factor grows without end, or an error, or their number."""
    return max(found.rounded - _MOST_ROUNDED, len(found.terms) - MOST_TERMS) > 0 or any(
        max(factor.numerator.bit_length(), factor.denominator.bit_length()) > _MOST_BITS
        or any(abs(power) > _MOST_POWER for _, power in powers)
        or sum(abs(power) for _, power in powers) > _MOST_TOGETHER
        for powers, factor in found.terms.items()
    )
