"""Check that each letter of a course's formulas has one meaning."""

import pytest

from decks import read_deck
from studykit.cards.symbols import Symbol, letters, misused, read_symbols

TABLE = {"N": Symbol("parameters", ("parameter",)), "d": Symbol("width", ("width", "wide"))}


def messages_of(text: str) -> list[str]:
    return [str(problem) for problem in misused(read_deck(text, "d.md").cards, TABLE)]


def test_a_table_is_read_by_letter() -> None:
    text = '[d]\nmeans = "width"\nwords = ["width", "wide"]\n[N]\nmeans = "parameters"\nwords = ["parameter"]\n'

    assert read_symbols(text, "symbols.toml") == (TABLE, [])


@pytest.mark.parametrize(
    "row",
    [
        "width = 3",
        '[width]\nmeans = "width"\nwords = ["width"]',
        "d = 3",
        '[d]\nmeans = 3\nwords = ["width"]',
        '[d]\nmeans = "width"\nwords = "width"',
        '[d]\nmeans = "width"\nwords = []',
        '[d]\nmeans = "width"\nwords = [3]',
        '[d]\nmeans = "width"\nwords = ["width", ""]',
    ],
)
def test_malformed_symbol_row_keeps_the_other_rows(row: str) -> None:
    text = f'{row}\n[N]\nmeans = "parameters"\nwords = ["parameter"]\n'
    letter = row.strip("[").split("]")[0].split(" ")[0]

    symbols, problems = read_symbols(text, "symbols.toml")

    assert symbols == {"N": TABLE["N"]}
    assert [str(problem) for problem in problems] == [
        f'symbols.toml:1: [{letter}] must be a letter with means = "..." and words = ["..."].'
    ]


def test_a_table_that_is_no_toml_is_told() -> None:
    symbols, problems = read_symbols("[N", "symbols.toml")

    assert symbols == {}
    assert [str(problem) for problem in problems] == [
        'symbols.toml:1: this is not TOML. Write [N], means = "parameters" and words = ["parameter"].'
    ]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("6ND", {"N", "D"}),
        (r"\dfrac{C}{G \times \text{peak} \times 86{,}400}", {"C", "G"}),
        (r"1/\sqrt{\text{fan-in}}", set()),
        (r"2^{-24} \approx 6 \times 10^{-8}", set()),
        (r"\ln V", {"V"}),
    ],
)
def test_formula_letters_leave_out_commands_and_words(formula: str, expected: set[str]) -> None:
    (card,) = read_deck(f"Q: What is it?\nA: I say ${formula}$, not `x`", "d.md").cards

    assert letters(card) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Q: What do $N$ parameters cost?\nA: money",
        "Q: What costs money?\nA: Parameters, $N$ of them, if the model is $d$ wide",
        "C: A model of width $d$ has [$12d^2$] weights per layer",
        "Q: `x` has shape `(b, d)`. How many values does it have?\nA: $bd$".replace("$bd$", "$2d$"),
        "Q: What does `N` stand for?\nA: nothing",
    ],
    ids=["question", "answer", "cloze", "named in code", "no formula"],
)
def test_card_explaining_its_letters_has_no_problem(text: str) -> None:
    assert messages_of(text) == []


def test_unexplained_letter_is_named_once_per_note() -> None:
    assert messages_of("\nC: $N$ is [large] or [small]") == [
        "d.md:2: $N$ stands for parameters, which the card does not say. Say so, or use another letter."
    ]


def test_a_letter_that_the_table_lacks_is_told() -> None:
    assert messages_of("Q: What is it?\nA: $T/6$") == [
        "d.md:1: $T$ is not in the table of symbols (symbols.toml). Use one of its letters, or add it there."
    ]
