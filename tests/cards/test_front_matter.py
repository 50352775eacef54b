"""Test the front matter of decks: its macros, other keys, and the message for each mistake."""

import pytest
from cases import cases

from studykit.cards.front_matter import FrontMatter, merged, read_front_matter, read_macros


@pytest.mark.parametrize(
    ("line", "macro"),
    [
        (r"\R \mathbb{R}", (r"\R", r"\mathbb{R}")),
        (r"\newcommand{\R}{\mathbb{R}}", (r"\R", r"\mathbb{R}")),
        (r"\newcommand{\vec}[1]{\mathbf{#1}} % bold", (r"\vec", r"\mathbf{#1}")),
        (r"\renewcommand\R{\mathbb{R}}", (r"\R", r"\mathbb{R}")),
        (r"\pct \%", (r"\pct", r"\%")),
    ],
)
def test_macro_line_gives_name_and_replacement(line: str, macro: tuple[str, str]) -> None:
    assert read_macros(f"% notation\n\n{line}\n", "macros.tex") == ((macro,), ())


ENDLESS = rf"\newcommand{' ' * 325}\R{' ' * 640}x"


@pytest.mark.parametrize("line", ["R", r"\R", r"\newcommand{\R}", r"\def\R{x}", r"\\ x", "x" * 2000, ENDLESS])
def test_a_line_that_is_no_macro_is_told(line: str) -> None:
    macros, (problem,) = read_macros(f"\\a x\n{line}\n\\b y", "macros.tex")

    assert macros == ((r"\a", "x"), (r"\b", "y"))
    assert str(problem) == r"macros.tex:2: this is not a macro. Write \name and its replacement on one line."


def test_later_macro_replaces_an_earlier_one() -> None:
    assert merged([((r"\a", "1"), (r"\b", "2")), ((r"\a", "3"),)]) == ((r"\a", "3"), (r"\b", "2"))


def front(text: str) -> FrontMatter:
    return read_front_matter(f"---\n{text}\n---\nQ: a".split("\n"), "d.md")


@pytest.mark.parametrize(("text", "problems"), cases("cards/front_matter_mistakes"))
def test_front_matter_mistake_names_its_line(text: str, problems: list[str]) -> None:
    read = front(text)

    assert [str(problem) for problem in read.problems] == problems
    assert read.lines == text.count("\n") + 3
    assert (read.name, read.lang, read.objectives, read.macros) == ("", "", (), ())


def test_front_matter_may_be_empty() -> None:
    assert read_front_matter(["---", "---", "Q: a"], "d.md").lines == 2


def test_front_matter_drops_nul() -> None:
    assert front(r'id = "a\u0000b"').id == "ab"


def test_front_matter_joins_white_space_except_in_description() -> None:
    read = front('name = " two   words "\ndescription = " first\\n\\n  second "')

    assert (read.name, read.description) == ("two words", "first\n\n  second")


def test_deck_macros_are_read_from_a_table() -> None:
    table = front("[macros]\na = 'x'\n'\\b' = 'y'\nXX = 'z'")

    assert table.macros == ((r"\a", "x"), (r"\b", "y"), (r"\XX", "z"))
    assert table.problems == ()


def test_a_macro_has_a_thousand_characters_at_most() -> None:
    longest = r"\a " + "x" * 997

    assert len(read_macros(longest, "macros.tex")[0]) == 1
    assert len(read_macros(longest + "x", "macros.tex")[0]) == 0


@pytest.mark.parametrize("code", ["de", "pt-BR", "zh-Hant-TW", "ckb"])
def test_a_deck_says_in_which_language_it_is(code: str) -> None:
    assert front(f'lang = "{code}"').lang == code
