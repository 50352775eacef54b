"""Test that `check:` lines of cards are recomputed, and that those that fail or cannot be read are reported."""

import json
import math
from pathlib import Path

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards.check_lines import both_sides, check_lines, judge
from studykit.quantity.statement import read_statement

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "check_lines.json").read_text("utf-8"))
"""Deck (none for lines of other people's style), line, verdict, and both sides as the first grammar read them."""


def verdict(text: str) -> str:
    message = judge(text)
    if message is None:
        return "holds"
    return "fails" if message.startswith("the check does not hold:") else "unreadable"


@pytest.mark.parametrize(("text", "expected"), [row[1:3] for row in VECTORS], ids=[row[1] for row in VECTORS])
def test_check_line_keeps_its_recorded_verdict(text: str, expected: str) -> None:
    assert verdict(text) == expected


@pytest.mark.parametrize(
    ("text", "left_value", "right"),
    [(text, *sides) for _, text, _, *sides in VECTORS if sides[1] is not None],
    ids=[row[1] for row in VECTORS if row[4] is not None],
)
def test_check_line_keeps_both_recorded_values(text: str, left_value: float, right: float) -> None:
    one, _, other = text.replace("~", "=").partition("=")

    value, right_value, _ = both_sides(read_statement(one), read_statement(other, prose=True))

    assert value == left_value
    assert isinstance(value, int) == isinstance(left_value, int)
    assert math.isclose(right_value, right, rel_tol=1e-15)


@pytest.mark.parametrize("text", cases("cards/checks_that_hold"))
def test_a_true_statement_holds(text: str) -> None:
    assert judge(text) is None


@pytest.mark.parametrize(("text", "message"), cases("cards/checks_that_fail"))
def test_failed_check_names_both_values(text: str, message: str) -> None:
    assert judge(text) == message


@pytest.mark.parametrize(("text", "why"), cases("cards/unreadable_checks"))
def test_unreadable_check_is_refused_with_its_reason(text: str, why: str) -> None:
    assert judge(text) == f"the check {text!r} cannot be read: {why}{'' if why.endswith('?') else '.'}"


@pytest.mark.parametrize("text", ["(" * 60 + "1" + ")" * 60 + " = 1", "2^" * 60 + "1 = 1", "1+" * 300 + "1 = 1"])
def test_a_monster_is_refused(text: str) -> None:
    assert "cannot be read" in (judge(text) or "")


def test_whole_numbers_stay_whole_through_powers_and_functions() -> None:
    for text in ("2**0", "2**10 - 1", "ceil(2.5)", "max(1, 2)", "1,000"):
        assert isinstance(read_statement(text).value, int)


def test_failed_check_is_named_once_with_its_line() -> None:
    deck = read_deck("C: [1] + [1] is 3\ncheck: 1 + 1 = 3\n", "decks/x.md")

    (problem,) = check_lines(deck.cards)

    assert str(problem).startswith("decks/x.md:2: the check does not hold: 1 + 1 is 2, not 3.")


@given(st.text(alphabet="0123456789.eE+-*/^()=~ ,sqrtminlog2GBKi%_", max_size=60) | st.text(max_size=30))
def test_any_text_is_judged(text: str) -> None:
    message = judge(text)

    assert message is None or message.startswith("the check ")


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.sampled_from("+-*"))
def test_whole_numbers_are_reckoned_exactly(one: int, other: int, sign: str) -> None:
    right = {"+": one + other, "-": one - other, "*": one * other}[sign]

    assert judge(f"({one}) {sign} ({other}) = {right}") is None
