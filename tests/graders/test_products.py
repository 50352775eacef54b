"""Sizes as products of axes, and written numbers as Python has them."""

import pytest

from studykit.graders.rewrite import products
from studykit.graders.rewrite.products import Size, axis, number


def constant(found: Size | str) -> float:
    assert isinstance(found, Size)
    assert found.constant is not None
    return float(found.constant)


@pytest.mark.parametrize(
    ("one", "sign", "other", "expected"),
    [
        (1, "/", 49, 1 / 49),
        (1 / 49, "*", 49, 1 / 49 * 49),
        (0.1, "+", 0.2, 0.1 + 0.2),
        (10, "**", -5, 10**-5),
        (3, "*", 0.5, 1.5),
        (7.0, "//", 2, 3.0),
        (2, "**", 5, 32),
        (7, "-", 9, -2),
        (0.0, "*", 3, 0.0),
        (1e-300, "**", 2.5, 0.0),
    ],
)
def test_what_is_made_of_written_numbers_is_what_python_makes(
    one: float, sign: str, other: float, expected: float
) -> None:
    assert constant(products.made(sign, number(one), number(other))) == expected


@pytest.mark.parametrize(
    ("one", "sign", "other", "why"),
    [
        (0, "**", -1, "a power that is no number"),
        (-2, "**", 0.5, "a power that is no number"),
        (1, "/", 0, "a power that is no number"),
        (2.0, "**", 4096, products.LARGE),
        (4096, "**", 4096, products.LARGE),
        (1e308, "*", 10, products.LARGE),
    ],
)
def test_what_is_no_number_has_a_reason(one: float, sign: str, other: float, why: str) -> None:
    assert products.made(sign, number(one), number(other)) == why


def test_a_size_has_a_value_for_lengths() -> None:
    half = products.made("**", axis("d"), number(0.5))
    assert isinstance(half, Size)

    assert half.value({"d": 16}) == 4
    assert products.plus(axis("s"), products.times(axis("h"), axis("d"))).value({"s": 2, "h": 3, "d": 5}) == 17
