"""Check which differences between a typed and the right answer count, and how they are shown."""

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from decks import basic_card as card
from decks import read_deck
from studykit.review.typed_answer import Comparison, compare, shown


def test_spacing_case_and_markup_do_not_matter() -> None:
    assert compare("  2MNK  flops", "$2mnk$ FLOPs").same


@pytest.mark.parametrize(
    "row", (Path(__file__).parents[1] / "data/cards/typed_answers.txt").read_text().splitlines()[1:]
)
def test_typed_answer_is_judged(row: str) -> None:
    wanted, question, typed, verdict = row.split(" | ")

    assert compare(typed, wanted, question).same == (verdict == "right")


@pytest.mark.parametrize("typed", ["six", "6"])
def test_each_alternative_counts(typed: str) -> None:
    assert compare(typed, "6 | six").same


def test_typed_alternatives_are_joined_by_or() -> None:
    typed, read = read_deck("Q: a {.typed}\nA: 6 | six|`a|b`\n\nQ: b\nA: 6 | six", "d.md").cards

    assert (shown(typed), shown(read)) == ("6 or six or `a|b`", "6 | six")


def test_a_bar_inside_code_parts_no_alternatives() -> None:
    assert compare("a|b", "`a|b`").same


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert compare("e\u0301tude", "\u00e9tude").same


def test_difference_is_aligned_with_a_caret() -> None:
    result = compare("2mn", "2mnk")

    assert (result.you, result.carets, result.want) == ("2mn·", "   ^", "2mnk")


def test_both_lines_of_a_difference_are_equally_long() -> None:
    result = compare("rearrange(x, 'b (d h) n')", "rearrange(x, 'b (h d) n')")

    assert len(result.you) == len(result.want)
    assert not result.same


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("(15,5,1)", "(15, 5, 1)"),
        ("b s (h d)->b h s d", "`b s (h d) -> b h s d`"),
        ("15 , 5", "15, 5"),
        ("Never.", "never"),
    ],
)
def test_spaces_beside_punctuation_make_no_difference(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


@pytest.mark.parametrize(
    ("typed", "wanted", "same"),
    [
        ("2, 8, 16", "(2, 8, 16)", True),
        ("2 8 16", "(2, 8, 16)", True),
        ("torch.Size([2, 8, 16])", "(2, 8, 16)", True),
        ("2x8x16", "(2, 8, 16)", True),
        ("2 x 8 x 16", "(2, 8, 16)", True),
        ("2 by 8 by 16", "(2, 8, 16)", True),
        ("Shape (2, 8, 16,).", "(2, 8, 16)", True),
        ("2, 16, 8", "(2, 8, 16)", False),
        ("2, 8", "(2, 8, 16)", False),
        ("[0, 1]", "(0, 1)", False),
        ("2 8 16", "2816", False),
    ],
)
def test_a_shape_is_accepted_however_it_is_bracketed(typed: str, wanted: str, *, same: bool) -> None:
    assert compare(typed, wanted).same is same


def test_spaces_between_words_and_numbers_do() -> None:
    assert not compare("1 5", "15").same


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("2^30", "$2^{30}$"),
        ("2**30", "$2^{30}$"),
        ("2³⁰", "$2^{30}$"),
        ("3 * d_model", "$3 \\times d_{model}$"),
        ("b/2", "$\\frac{b}{2}$"),
    ],
)
def test_a_formula_may_be_typed_without_tex(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


def test_another_power_is_another_answer() -> None:
    assert not compare("2^20", "$2^{30}$").same


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
        ("ab", "acde", "ab··", " ^^^", "acde"),
        ("acde", "ab", "acde", " ^^^", "ab··"),
        ("Xbc", "xbd", "Xbc", "  ^", "xbd"),
        ("ß", "sx", "ß·", "^^", "sx"),
        ("x", "", "x", "^", "·"),
        ("abd", "zzz | abc", "abd", "  ^", "abc"),
    ],
    ids=["shorter", "longer", "another case", "longer in small letters", "no answer", "the nearest alternative"],
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


@pytest.mark.parametrize(
    ("typed", "answer", "question", "same"),
    [
        ("2 bytes", "2", "How many bytes does a bf16 value take?", True),
        ("about 2.0 bytes", "2", "How many bytes does a bf16 value take?", True),
        ("2 byte", "2|two", "How many bytes does a bf16 value take?", True),
        ("2bytes", "2", "How many **bytes**?", True),
        ("989 TFLOP/s", "989", "What is the peak, in TFLOP/s?", True),
        ("~990", "989|990", "", True),
        ("about 2,048", "2048", "", True),
        ("7.0", "7", "", True),
        ("70", "7", "", False),
        ("1,5", "15", "", False),
        ("3 bytes", "2", "How many bytes does a bf16 value take?", False),
        ("2 bits", "2", "How many bytes does a bf16 value take?", False),
        ("2 bytes", "2 bits", "How many bytes or bits?", False),
        ("2 kilobytes", "2", "How many bytes does a bf16 value take?", False),
        ("2 bytes", "2", "", False),
        ("0.989 PFLOP/s", "989", "What is the peak, in TFLOP/s?", True),
        ("roughly 989 teraflops", "989", "What is the peak, in TFLOP/s?", True),
        ("989 GFLOP/s", "989", "What is the peak, in TFLOP/s?", False),
        ("4+4+8 = 16", "16", "How many bytes per parameter?", True),
        ("16 B/param.", "16", "How many bytes per parameter?", True),
        ("15-17", "16", "How many bytes per parameter?", False),
        ("1024^3", "$2^{30}$", "", True),
        ("4200 MB", "4.2 GB", "", True),
        ("4.2", "4.2 GB", "", False),
        ("3 heads", "3", "How many heads are there?", True),
        ("3 apples", "3", "How many heads are there?", False),
    ],
)
def test_number_may_have_a_unit(
    typed: str,
    answer: str,
    question: str,
    same: bool,  # noqa: FBT001
) -> None:
    assert compare(typed, answer, question).same is same


TABLE = "| mode | bytes |\n|---|---|\n| bf16 | 2 |\n| fp32 | 4 |"


def test_table_is_compared_by_its_words() -> None:
    assert not compare("2", TABLE).same
    assert not compare("bf16", TABLE).same
    assert compare("mode bytes bf16 2 fp32 4", TABLE).same


def test_table_is_shown_whole() -> None:
    assert shown(card("a", typed=True, answer=TABLE)) == TABLE


@pytest.mark.parametrize("beside", ["![](../media/hund.mp3)", "[hund.mp3](hund.mp3)", "![a dog](<a dog.png>)"])
def test_nobody_types_a_picture_or_a_recording(beside: str) -> None:
    assert compare("der Hund", f"der Hund {beside}").same
    assert not compare("der Hund", beside).same
    assert not compare("der Hund", "der Hund [there](https://example.org)").same


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("<", "&lt;"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("&lt;", "`&lt;`"),
        ("6*7*2", "6*7*2"),
        ("*args", r"\*args"),
        ("x[0]", r"x\[0\]"),
        ("a|b", r"a\|b"),
        ("snake_case", "snake_case"),
        ("very large", "*very* **large**"),
        ("**very** large", "very large"),
        ("a ** b", "`a**b`"),
        ("the paper", "[the paper](https://example.org)"),
        ("x = 1 y = 2", "```python\nx = 1\ny = 2\n```"),
        ("$5", "$5"),
        ("5", "$5"),
    ],
)
def test_answer_matches_what_the_card_shows(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


@pytest.mark.parametrize(("typed", "wanted"), [("- 5", "5"), ("> 5", "5"), ("6*7", "67"), ("lt", "&lt;")])
def test_visible_sign_is_part_of_the_answer(typed: str, wanted: str) -> None:
    assert not compare(typed, wanted).same
