"""Test how amounts are formatted for people."""

import math

import pytest

from studykit.quantity import formatting
from studykit.quantity.reading import read
from studykit.quantity.units import (
    BYTE,
    BYTE_PER_S,
    DAY,
    DOLLAR,
    FLOP,
    FLOP_PER_BYTE,
    FLOP_PER_S,
    HOUR,
    JOULE,
    NUMBER,
    PER_SECOND,
    SECOND,
    WATT,
    Dimension,
    target_unit,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (math.inf, "inf"),
        (16384.0, "16384"),
        (-16384.0, "-16384"),
        (99999.0, "99999"),
        (100000.0, "1e5"),
        (-100000.0, "-1e5"),
        (143.926, "143.9"),
        (12345.6, "12346"),
        (1.0001, "1"),
        (0.0323, "0.0323"),
        (0.001, "0.001"),
        (0.00099, "9.9e-4"),
        (-0.5, "-0.5"),
        (1.1, "1.1"),
        (10.05, "10.05"),
        (1234.5678, "1235"),
        (12339.6, "12340"),
        (8.4e22, "8.4e22"),
    ],
)
def test_number_shows_four_digits_or_a_power(value: float, text: str) -> None:
    assert formatting.digits(value) == text


def test_fewer_digits_may_be_asked_for() -> None:
    assert formatting.digits(143.926, 2) == "144"
    assert formatting.digits(1.44, 2) == "1.4"
    assert formatting.digits(8.44e22, 2) == "8.4e22"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.4e22, "8.4e22"),
        (1.19209e-7, "1.192e-7"),
        (1.0, "1e0"),
        (2e10, "2e10"),
        (1e100, "1e100"),
        (1.5e-300, "1.5e-300"),
    ],
)
def test_mantissa_and_exponent_have_no_padding(value: float, text: str) -> None:
    assert formatting.scientific(value) == text


def test_a_mantissa_of_one_digit_keeps_its_zeros() -> None:
    assert formatting.scientific(9.6e9, 1) == "1e10"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (70e9, "70B"),
        (1.5e12, "1.5T"),
        (1e12, "1T"),
        (1e9, "1B"),
        (1e6, "1M"),
        (1e3, "1K"),
        (524288, "5.243e5"),
        (405500, "405.5K"),
        (4055, "4.055K"),
        (4096, "4.096K"),
        (40961, "40961"),
        (1234567, "1.235M"),
        (999, "999"),
        (12, "12"),
    ],
)
def test_count_shows_a_magnitude_letter_where_short(value: float, text: str) -> None:
    assert formatting.count(value) == text


def test_thousands_of_a_whole_number_are_apart() -> None:
    assert formatting.grouped(16777216.0) == "16,777,216"
    assert formatting.grouped(112289.6) == "112,290"


@pytest.mark.parametrize(
    ("value", "dimension", "text"),
    [
        (DAY, SECOND, "1 day"),
        (DAY - 1, SECOND, "24 hours"),
        (HOUR, SECOND, "1 hour"),
        (90, SECOND, "1.5 min"),
        (60, SECOND, "1 min"),
        (1, SECOND, "1 s"),
        (0.0042, SECOND, "4.2 ms"),
        (1e-3, SECOND, "1 ms"),
        (1e-6, SECOND, "1 us"),
        (2e-9, SECOND, "2 ns"),
        (1e-9, SECOND, "1 ns"),
        (5e-12, SECOND, "5e-12 s"),
        (0, SECOND, "0 s"),
        (999.99, DOLLAR, "$1000"),
        (1000, DOLLAR, "$1,000"),
        (2.5, DOLLAR, "$2.5"),
        (295.37, FLOP_PER_BYTE, "295.4 FLOP/byte"),
        (128.8, PER_SECOND, "128.8 per second"),
        (7, NUMBER, "7"),
        (8.4e22, FLOP, "84 ZFLOP"),
        (1e24, FLOP, "1e24 FLOP"),
        (1e21, FLOP, "1 ZFLOP"),
        (1e18, FLOP, "1 EFLOP"),
        (3e15, FLOP_PER_S, "3 PFLOP/s"),
        (3.35e12, BYTE_PER_S, "3.35 TB/s"),
        (112e9, BYTE, "112 GB"),
        (5e6, BYTE, "5 MB"),
        (1000, BYTE, "1 kB"),
        (999, BYTE, "999 bytes"),
        (999, FLOP, "999 FLOP"),
        (700, WATT, "700 W"),
        (2.5e6, JOULE, "2.5 MJ"),
        (3, (0, 2, 0, 0, 0), "3"),
    ],
)
def test_an_amount_has_the_prefix_that_suits_it(value: float, dimension: Dimension, text: str) -> None:
    assert formatting.amount(value, dimension) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (DAY, "day", "1 day"),
        (2.5 * DAY, "day", "2.5 days"),
        (HOUR, "hour", "1 hour"),
        (2 * HOUR, "hour", "2 hours"),
        (3 * HOUR, "GPU-hour", "3 GPU-hours"),
        (90, "s", "90 s"),
        (0.2, "ms", "200 ms"),
        (2e-4, "us", "200 us"),
        (1 / 3, "%", "33.33 %"),
        (2.0**31, "GiB", "2 GiB"),
        (2.0**21, "MiB", "2 MiB"),
        (0.99999 * DAY, "day", "1 day"),
        (1, "bytes", "1 byte"),
        (1, "bit", "1 bit"),
        (16, "bit", "16 bits"),
        (1, "param", "1 param"),
        (53.3e9, "param", "53.3B params"),
        (2e12, "token", "2T tokens"),
        (1, "gpu", "1 GPU"),
        (301, "gpu", "301 GPUs"),
        (16777216, "count", "16,777,216"),
        (100000, "count", "100,000"),
        (99999, "count", "99999"),
        (100000.5, "count", "1e5"),
        (0.43, "number", "0.43"),
        (2e5, "FLOP", "200 kFLOP"),
        (112e9, "GB", "112 GB"),
    ],
)
def test_amount_shows_in_the_question_unit(value: float, unit: str, text: str) -> None:
    assert formatting.show_amount(value, target_unit(unit)) == text


@pytest.mark.parametrize(
    ("text", "unit", "echo"),
    [("24 h", "day", "86400 s (1 day)"), ("1", "bytes", "1 byte"), ("2000", "bytes", "2000 bytes (2 kB)")],
)
def test_one_of_a_unit_is_read_as_one(text: str, unit: str, echo: str) -> None:
    assert formatting.read_as(read(text, target_unit(unit)), target_unit(unit)) == echo


@pytest.mark.parametrize(
    ("value", "significant", "parts"),
    [
        (8.4e22, 4, ("84", "Z")),
        (999.96e9, 4, ("1", "T")),
        (999.94e9, 4, ("999.9", "G")),
        (999.6e9, 3, ("1", "T")),
        (999.4e9, 3, ("999", "G")),
        (0.25, 3, ("0.25", "")),
        (143.926, 3, ("144", "")),
    ],
)
def test_number_rounding_up_takes_the_prefix(value: float, significant: int, parts: tuple[str, str]) -> None:
    assert formatting.prefixed(value, significant) == parts


def test_amount_rounds_up_to_the_next_prefix() -> None:
    assert formatting.amount(999.96e9, BYTE) == "1 TB"
    assert formatting.amount(999.94e9, BYTE) == "999.9 GB"


def test_an_exact_count_keeps_all_its_digits() -> None:
    assert formatting.show_amount(124_439_808.0, target_unit("param"), exact=True) == "124,439,808 params"
    assert formatting.show_amount(124_439_808.0, target_unit("param")) == "124.4M params"


@pytest.mark.parametrize(
    ("text", "unit", "echo"),
    [
        ("84 ZFLOP", "FLOP", "8.4e22 FLOP (84 ZFLOP)"),
        ("84 ZB", "FLOP", "84 ZB"),
        ("2 GB", "GB", "2e9 bytes (2 GB)"),
        ("50 %", "%", "0.5 (50 %)"),
        ("7 s", "s", "7 s"),
        ("12", "number", "12"),
    ],
)
def test_answer_echo_has_base_and_prefixed_units(text: str, unit: str, echo: str) -> None:
    question_want = target_unit(unit)

    assert formatting.read_as(read(text, question_want), question_want) == echo
