"""Format amounts for people: values in SI base units, shown with a fitting prefix."""

import math

from studykit.quantity import units
from studykit.quantity.reading import Reading
from studykit.quantity.units import BYTE, DAY, FLOP, HOUR, MINUTE, SECOND, Dimension, TargetUnit

_RATES = {units.FLOP_PER_S: "FLOP/s", units.BYTE_PER_S: "B/s"}
_PREFIXED = {**_RATES, FLOP: "FLOP", BYTE: "B", units.JOULE: "J", units.WATT: "W"}
_STEPS = ((1e21, "Z"), (1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_MIN_POWER_OF_TEN = 1e24  # from here on a power of ten says more than yotta
_MILLION = 1e6
_COUNTS = ((1e12, "T"), (1e9, "B"), (_MILLION, "M"), (1e3, "K"))
_TIMES = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_MAX_PLAIN_NUMBER = 1e5
_MIN_SCIENTIFIC = 1e15  # too long to read digit by digit
_MIN_PLAIN_NUMBER = 1e-3  # below it and from _MAX_PLAIN_NUMBER on powers of ten read better
_MAX_DOLLARS_WITH_CENTS = 1e3  # below it
_MAX_COUNT_CHARACTERS = len("405.5")  # 524.288 is not
_NAMED = {units.FLOP_PER_BYTE: "FLOP/byte", units.PER_SECOND: "per second"}
BASE_UNITS = {**_NAMED, **_RATES, FLOP: "FLOP", BYTE: "bytes", SECOND: "s"}


def digits(value: float, significant: int = 4) -> str:
    """Format a number as people write it: 16384, 143.9, 0.0323, 8.4e22."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if value == int(value) and abs(value) < _MAX_PLAIN_NUMBER:
        return str(int(value))
    if _MIN_PLAIN_NUMBER <= abs(value) < _MAX_PLAIN_NUMBER:
        places = max(0, significant - 1 - math.floor(math.log10(abs(value))))
        text = f"{value:.{places}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return scientific(value, significant)


def scientific(value: float, significant: int = 4) -> str:
    """Format a number as mantissa and exponent without padding: 8.4e22, 1.19e-7."""
    mantissa, _, exponent = f"{value:.{significant - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def grouped(value: float) -> str:
    """Format a whole number with commas between thousands: 16,777,216."""
    return f"{round(value):,}"


def count(value: float) -> str:
    """Format a count, with K, M, B or T if that is short: 70B, 1.5T, 524288."""
    for size, letter in _COUNTS:
        short = f"{value / size:.6g}"
        if value >= size and (len(short) <= _MAX_COUNT_CHARACTERS or value >= _MILLION):
            return f"{digits(value / size)}{letter}"
    return digits(value)


def seconds(value: float) -> str:
    """Format a time in a fitting unit."""
    size, name = next(((size, name) for size, name in _TIMES if value >= size), (1.0, "s"))
    return _time(value, size, name)


def _time(value: float, size: float, unit: str) -> str:
    number = digits(value / size)
    return _plural(number, unit.removesuffix("s")) if size >= HOUR else f"{number} {unit}"


def _plural(number: str, unit: str) -> str:
    """Join a number and a unit that has a plural: `1 day`, `2 days`."""
    return f"{number} {unit}{'' if number == '1' or len(unit) == 1 else 's'}"


def prefixed(value: float, significant: int = 4) -> tuple[str, str]:
    """Split a number into digits and an SI prefix: 84 and Z for 8.4e22, 1 and T for 999.96e9."""
    # A value that rounds up to the next prefix gets it: 999.96e9 is 1 T, not 1000 G.
    for size, prefix in _STEPS if value < _MIN_POWER_OF_TEN * (1 - 0.5 * 10**-significant) else ():
        if value >= size * (1 - 0.5 * 10**-significant):
            return digits(value / size, significant), prefix
    return digits(value, significant), ""


def amount(value: float, dimension: Dimension) -> str:
    """Format an amount with a fitting prefix: 84 ZFLOP, 112 GB, 143.9 days."""
    if dimension == SECOND:
        return seconds(value)
    if dimension == units.DOLLAR:
        return f"${digits(value) if value < _MAX_DOLLARS_WITH_CENTS else grouped(value)}"
    if (symbol := _PREFIXED.get(dimension)) is None:
        return f"{digits(value)} {_NAMED.get(dimension, '')}".rstrip()
    number, prefix = prefixed(value)
    return f"{number} {prefix}{symbol}" if prefix or symbol != "B" else _plural(number, "byte")


def show_amount(value: float, target: TargetUnit, *, exact: bool = False) -> str:
    """Format a value in SI base units as a question wants it, with a fitting prefix: 143.9 days, 53.3B, 33.3 %.

    An exact count keeps all its digits.
    """
    unit = target.unit
    if target.dimension == SECOND:
        text = _time(value, target.factor, unit)
    elif unit == "%":
        text = f"{digits(value * 100)} %"
    elif unit in {"GiB", "MiB"}:
        text = f"{digits(value / target.factor)} {unit}"
    elif unit == "bit":
        text = _plural(digits(value), "bit")
    elif unit in {"param", "token"}:
        text = _plural(grouped(value) if exact else count(value), unit)
    elif unit == "gpu":
        text = _plural(grouped(value), "GPU")
    elif target.dimension == units.NUMBER and value >= _MAX_PLAIN_NUMBER and value == int(value):
        text = grouped(value) if value < _MIN_SCIENTIFIC else scientific(value, 6)
    else:
        text = amount(value, target.dimension)
    return text


def read_as(reading: Reading, target: TargetUnit) -> str:
    """Format an answer as it was read: `8.4e22 FLOP (84 ZFLOP)`."""
    if reading.dimension != target.dimension:
        return amount(reading.value, reading.dimension)
    friendly = show_amount(reading.value, target)
    number = digits(reading.value)
    base_unit = BASE_UNITS.get(reading.dimension, "")
    plain = _plural(number, "byte") if reading.dimension == BYTE else f"{number} {base_unit}".rstrip()
    return friendly if friendly == plain else f"{plain} ({friendly})"
