"""Check which differences between a typed and the right answer count, and how they are shown."""

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from decks import basic_card as card
from decks import read_deck
from studykit.review.typed_answer import Comparison, accepted, compare, shown


@pytest.mark.parametrize(
    "row", (Path(__file__).parents[1] / "data/cards/typed_answers.txt").read_text().splitlines()[1:]
)
def test_typed_answer_is_judged(row: str) -> None:
    wanted, question, typed, verdict = row.split(" | ")

    assert compare(typed, wanted, question).same == (verdict == "right")


TABLE = "| mode | bytes |\n|---|---|\n| bf16 | 2 |\n| fp32 | 4 |"


@pytest.mark.parametrize(
    ("typed", "wanted", "same"),
    [
        ("six", "6 | six", True),
        ("6", "6 | six", True),
        ("5 dollars", "5 dollars|$5", True),
        (r"$5", r"5 dollars|\$5", True),
        ("b$", "$a|b$", False),  # one formula
        ("e\u0301tude", "\u00e9tude", True),
        ("x = 1 y = 2", "```python\nx = 1\ny = 2\n```", True),
        ("mode bytes bf16 2 fp32 4", TABLE, True),
        ("bf16", TABLE, False),
        ("2", TABLE, False),
    ],
)
def test_typed_line_answers_alternatives_and_blocks(typed: str, wanted: str, *, same: bool) -> None:
    assert compare(typed, wanted).same is same


def test_typed_alternatives_are_joined_by_or() -> None:
    typed, read = read_deck("Q: a {.typed}\nA: 6 | six|`a|b`\n\nQ: b\nA: 6 | six", "d.md").cards

    assert (shown(typed), shown(read)) == ("6 or six or `a|b`", "6 | six")


def test_both_lines_of_a_difference_are_equally_long() -> None:
    result = compare("rearrange(x, 'b (d h) n')", "rearrange(x, 'b (h d) n')")

    assert len(result.you) == len(result.want)
    assert not result.same


def test_answer_within_another_is_shown_once() -> None:
    assert shown(card("a", typed=True, answer="16 | 16 bytes | 1 word")) == "16 bytes or 1 word"


def test_formula_is_shown_as_typed() -> None:
    assert compare("1", "$2^{30}$").want == "2^30"


def test_equal_answer_is_shown_as_typed() -> None:
    assert compare("  2MNK flops", "$2mnk$ FLOPs") == Comparison(
        same=True, you="2MNK flops", carets="", want="2MNK flops"
    )


@pytest.mark.parametrize(
    ("typed", "wanted", "you", "carets", "want"),
    [
        ("2mn", "2mnk", "2mn·", "   ^", "2mnk"),
        ("ab", "acde", "ab··", " ^^^", "acde"),
        ("acde", "ab", "acde", " ^^^", "ab··"),
        ("Xbc", "xbd", "Xbc", "  ^", "xbd"),  # another case is no difference
        ("ß", "sx", "ß·", "^^", "sx"),  # longer in small letters
        ("x", "", "x", "^", "·"),
        ("abd", "zzz | abc", "abd", "  ^", "abc"),  # the nearest alternative
    ],
)
def test_a_difference_is_shown_sign_by_sign(typed: str, wanted: str, you: str, carets: str, want: str) -> None:
    assert compare(typed, wanted) == Comparison(same=False, you=you, carets=carets, want=want)


def test_pasted_text_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SequenceMatcher, "ratio", lambda _: pytest.fail("this takes ten seconds"))
    pasted = "ab cd ef " * 20_000

    assert compare(pasted, "never writes the N x N matrix").carets == ""


def test_unrelated_words_are_not_aligned() -> None:
    assert compare("Donau", "東京") == Comparison(same=False, you="Donau", carets="", want="東京")


def test_words_that_are_hardly_alike_are_not_aligned() -> None:
    result = compare("it is the cost of each weight", "number of elements times bytes")

    assert (result.same, result.carets) == (False, "")
    assert (result.you, result.want) == ("it is the cost of each weight", "number of elements times bytes")


def test_one_difference_in_a_long_answer_stays_one() -> None:
    assert compare("ab" * 150 + "c", "ab" * 150 + "d").carets == " " * 300 + "^"
    assert compare("ab" * 150, "c" + "ab" * 150).carets == "^"


def test_table_is_shown_whole() -> None:
    assert shown(card("a", typed=True, answer=TABLE)) == TABLE


@pytest.mark.parametrize("beside", ["![](../media/hund.mp3)", "[hund.mp3](hund.mp3)", "![a dog](<a dog.png>)"])
def test_nobody_types_a_picture_or_a_recording(beside: str) -> None:
    assert compare("der Hund", f"der Hund {beside}").same
    assert not compare("der Hund", beside).same
    assert not compare("der Hund", "der Hund [there](https://example.org)").same


@pytest.mark.parametrize(("answer", "is_formula"), [("2mnk", True), ("4 ms", False)])
def test_page_leaves_formulas_to_the_learner(answer: str, *, is_formula: bool) -> None:
    question = "FLOPs of A (m \u00d7 k) times B (k \u00d7 n)?"

    assert accepted(answer, question)["formula"] is is_formula
