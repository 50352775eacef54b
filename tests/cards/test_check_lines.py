"""Check lines are recomputed."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.check_lines import check_lines, judge
from studykit.cards.parser import read_deck

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "check_lines.json").read_text("utf-8"))
"""Deck (none for lines of other people's style), line, verdict, and both sides as the first grammar read them."""


def verdict(text: str) -> str:
    told = judge(text)
    if told is None:
        return "holds"
    return "fails" if told.startswith("the check does not hold:") else "unreadable"


@pytest.mark.parametrize(("text", "expected"), [row[1:3] for row in VECTORS], ids=[row[1] for row in VECTORS])
def test_a_check_line_keeps_the_verdict_that_it_always_had(text: str, expected: str) -> None:
    assert verdict(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "6*7e9*2e12 = 8.4e22 FLOP",
        "2**30 ~ 1.1 GB",
        "7e9*(4+4+8) = 112 GB",
        "80*2**30 = 80 GiB",
        "80*2^30 = 80 GiB",
        "6.3e24/(1024*989.5e12*0.5)/86400 = 143.9 days",
        "989.5e12/3.35e12 = 295 FLOP/byte",
        "8*989.5e12*7*86400 = 4.79e21 FLOP",
        "0.43 = 43 %",
        "70e9 = 70 B parameters",
        "15e12 = 15 trillion tokens",
        "2e-3 = 2 ms",
        "3.35e12 = 3.35 TB/s",
        "-2**2 = -4",
        "2**3**2 = 512",
        "8 * -2 = -16",
        "10 - 4 - 3 = 3",
        "sqrt(16) + log2(8) + ceil(1.2) + floor(1.8) + min(3, 1, 2) + max(1, 2) = 13",
        "1_024 \u00d7 2 = 2048",
        "2/3 = 0.67",
        "2/3 = 0.667",
        "2/3 ~ 0.66",
        "4/32*2 = 2*4/32",
        "1024**2/(3*1024) = 341",
    ],
)
def test_a_true_statement_holds(text: str) -> None:
    assert judge(text) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "7e9*16 = 113 GB",
            "the check does not hold: 7e9*16 is 1.12e+11, not 113 GB = 1.13e+11. Correct the card or its check.",
        ),
        ("2/3 = 0.66", "the check does not hold: 2/3 is 0.666667, not 0.66. Correct the card or its check."),
        (
            "7*16 = 112 GB",
            "the check does not hold: 7*16 is 112, not 112 GB = 1.12e+11. Correct the card or its check.",
        ),
        (
            "2**30 = 1.00 GB",
            "the check does not hold: 2**30 is 1073741824, not 1.00 GB = 1e+09. Correct the card or its check.",
        ),
        ("1/0 = 1", "the check '1/0 = 1' cannot be read: it divides by zero."),
        ("9**9**9 = 1", "the check '9**9**9 = 1' cannot be read: a power in it is too large."),
        ("1e400 = 1", "the check '1e400 = 1' cannot be read: a number in it is too large."),
        ("(-8)**0.5 = 1", "the check '(-8)**0.5 = 1' cannot be read: it takes a root of a negative number."),
        ("sqrt(-1) = 1", "the check 'sqrt(-1) = 1' cannot be read: sqrt has no value for -1."),
        ("(1 = 1", "the check '(1 = 1' cannot be read: a ')' is missing."),
        ("1 + = 1", "the check '1 + = 1' cannot be read: a number is missing at its end."),
        ("2 3 = 6", "the check '2 3 = 6' cannot be read: '3' on its left side is no arithmetic."),
        (
            "6 = 2 3",
            "the check '6 = 2 3' cannot be read: '3' follows the number on its right side; a unit or nothing may.",
        ),
        (
            "__import__('os') = 1",
            (
                "the check \"__import__('os') = 1\" cannot be read: "
                "'__import__' is neither a number nor one of sqrt, log2, ceil, floor, min, max."
            ),
        ),
        (
            "3 >= 2",
            "the check '3 >= 2' has no single '=' or '~'. Write arithmetic, a sign and what the card says.",
        ),
        (
            "1 = 1 = 1",
            "the check '1 = 1 = 1' has no single '=' or '~'. Write arithmetic, a sign and what the card says.",
        ),
    ],
)
def test_what_does_not_hold_is_told_with_both_values(text: str, told: str) -> None:
    assert judge(text) == told


@pytest.mark.parametrize("text", ["(" * 60 + "1" + ")" * 60 + " = 1", "-" * 60 + "1 = 1", "1+" * 300 + "1 = 1"])
def test_a_monster_is_refused(text: str) -> None:
    assert "cannot be read" in (judge(text) or "")


def test_a_problem_names_the_line_of_the_check_and_siblings_do_not_repeat_it() -> None:
    deck = read_deck("C: [1] + [1] is 3\ncheck: 1 + 1 = 3\n", "decks/x.md")

    (problem,) = check_lines(deck.cards)

    assert str(problem).startswith("decks/x.md:2: the check does not hold: 1 + 1 is 2, not 3.")


@given(st.text(alphabet="0123456789.eE+-*/^()=~ ,sqrtminlog2GBKi%_", max_size=60) | st.text(max_size=30))
def test_any_text_is_judged(text: str) -> None:
    told = judge(text)

    assert told is None or told.startswith("the check ")


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.sampled_from("+-*"))
def test_whole_numbers_are_reckoned_exactly(one: int, other: int, sign: str) -> None:
    right = {"+": one + other, "-": one - other, "*": one * other}[sign]

    assert judge(f"({one}) {sign} ({other}) = {right}") is None
