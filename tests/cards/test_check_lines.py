"""Check lines are recomputed."""

import json
import math
from pathlib import Path

import pytest
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
def test_a_check_line_keeps_the_verdict_that_it_always_had(text: str, expected: str) -> None:
    assert verdict(text) == expected


@pytest.mark.parametrize(
    ("text", "left_value", "right"),
    [(text, *sides) for _, text, _, *sides in VECTORS if sides[1] is not None],
    ids=[row[1] for row in VECTORS if row[4] is not None],
)
def test_both_sides_of_a_check_line_keep_their_values(text: str, left_value: float, right: float) -> None:
    one, _, other = text.replace("~", "=").partition("=")

    value, right_value, _ = both_sides(read_statement(one), read_statement(other, prose=True))

    assert value == left_value
    assert isinstance(value, int) == isinstance(left_value, int)
    assert math.isclose(right_value, right, rel_tol=1e-15)


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
        "6e3/1e3 days = 6 days",
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
        pytest.param("-" * 60 + "1 = 1", id="many signs"),
        "1,024 * 2 = 2,048",
        "1e12 = 1 TFLOPS",
        "2 GB = 2e9",
        "7e9 params * 16 bytes = 112 GB",
        "140 GB / 3.35 TB/s = 41.8 ms",
        "7 days = 168 hours",
        "7 * 24 = 168 hours",
        "1 h 30 min = 5400 s",
        "5400 = 1 h 30 min",
        "5400 = 1h30min",
        "800 Gb = 100 GB",
        "max(140 GB / 3.35 TB/s, 4.2e12 FLOP / 989.5 TFLOP/s) = 42 ms or so",
        "max(3, 100) = 100",
        "0.7 kW * 3600 s = 2.52 MJ",
        "1979e12 = 1979 TOPS",
        "-2/3 = -0.67",
        "2e9 = $2B",
        "$2B * 2 = 4e9",
        "5 = $5 per hour",
        "3 B * 4 = 12e9",
        "12 = 12 B",
        "2 days = 2",
        "2.5 = 3",
        "0 = 0*1",
        "6e12 FLOPs / 2 s = 3 TFLOP/s",
        "2**2048/2**2047 = 2",
        "4.23 = +4.2",
        "2.04 = $2.0",
        "3e9 = max(2 GB, 3 GB)",
        "3 = (1 + 2) of them",
        "9e9/3 = 3 GB/kernel",
        "7 = 7 per kernel",
        "0.3e6 = 300 per ms",
        "3 = 3 GPUs; or four",
        "8 = 8 B2 cards",
        "8 = 8 GB_peak",
        pytest.param("1." + "0" * 498 + "= 1", id="five hundred characters and the rest"),
        "8.4×10²² = 84 ZFLOP",
        "2 * 3 = 2 x 3",
        "12 = 12 times",
    ],
)
def test_a_true_statement_holds(text: str) -> None:
    assert judge(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "7e9*16 = 113 GB",
            "the check does not hold: 7e9*16 is 1.12e+11, not 113 GB = 1.13e+11. Correct the card or its check.",
        ),
        (
            "144.1 = 143.9 days",
            "the check does not hold: 144.1 is 144.1, not 143.9 days. Correct the card or its check.",
        ),
        ("10**12 = 1", "the check does not hold: 10**12 is 1e+12, not 1. Correct the card or its check."),
        ("2*10**12 = 1", "the check does not hold: 2*10**12 is 2e+12, not 1. Correct the card or its check."),
        ("8.3 = 2*4", "the check does not hold: 8.3 is 8.3, not 2*4 = 8. Correct the card or its check."),
        ("2/3 = 0.66", "the check does not hold: 2/3 is 0.666667, not 0.66. Correct the card or its check."),
        (
            "7*16 = 112 GB",
            "the check does not hold: 7*16 is 112, not 112 GB = 1.12e+11. Correct the card or its check.",
        ),
        (
            "2**30 = 1.00 GB",
            "the check does not hold: 2**30 is 1073741824, not 1.00 GB = 1e+09. Correct the card or its check.",
        ),
        (
            "14 GB/3.5 GB/s = 5 s",
            "the check does not hold: 14 GB/3.5 GB/s is 4, not 5 s. Correct the card or its check.",
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
def test_what_does_not_hold_is_told_with_both_values(text: str, message: str) -> None:
    assert judge(text) == message


UNREADABLE = {
    "1/0 = 1": "that divides by zero",
    "9**9**9 = 1": "that number is too large",
    "1e400 = 1": "that number is too large",
    "(-8)**0.5 = 1": "that power has no real value",
    "sqrt(-1) = 1": "sqrt of that has no value",
    "(1 = 1": "a parenthesis is not closed",
    "1 + = 1": "that stops in the middle; finish the expression",
    "2 3 = 6": "2 3: one number or two? put a * or a + between them",
    "6 = 2 3": "2 3: one number or two? put a * or a + between them",
    "__import__('os') = 1": "'_' has no place in a number",
    "140 GB / 3.35 TB/s = 41.8 GB": "its left side is a time, its right side bytes",
    "140 GB / 70 GB = 2 s": "its left side is a plain number, its right side a time",
    "1,5e12 = 1.5 TB": "is that comma a decimal point? write 1.5, or 1500 without it",
    "max(3,100) = 100": "3,100: one number or two? write 1000 for a thousand, or 1, 0 for two",
    "min(1 GB, 2 s) = 1": "bytes and a time cannot be compared",
    "log(10) = 1": "unknown unit 'log'; did you mean log2?",
    "7 zorp = 7": "unknown unit 'zorp'; units are such as FLOP, GB, ms",
    "-1e200 = 0": "that number is too large",
    "1 = 1 # x": "'#' has no place in a number",
    "1+" * 300 + "1 = 1": "it is longer than 500 characters; split it",
    " = 7": "give a number, such as 8.4e22 or 6*7e9*2e12",
}


@pytest.mark.parametrize(("text", "why"), UNREADABLE.items(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused_in_the_words_that_a_learner_gets(text: str, why: str) -> None:
    assert judge(text) == f"the check {text!r} cannot be read: {why}{'' if why.endswith('?') else '.'}"


@pytest.mark.parametrize("text", ["(" * 60 + "1" + ")" * 60 + " = 1", "2^" * 60 + "1 = 1", "1+" * 300 + "1 = 1"])
def test_a_monster_is_refused(text: str) -> None:
    assert "cannot be read" in (judge(text) or "")


def test_whole_numbers_stay_whole_through_powers_and_functions() -> None:
    for text in ("2**0", "2**10 - 1", "ceil(2.5)", "max(1, 2)", "1,000"):
        assert isinstance(read_statement(text).value, int)


def test_a_problem_names_the_line_of_the_check_and_siblings_do_not_repeat_it() -> None:
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
