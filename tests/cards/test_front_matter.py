"""Macros, however an author writes them."""

import pytest

from studykit.cards.front_matter import merged, read_macros


@pytest.mark.parametrize(
    ("line", "macro"),
    [
        (r"\R \mathbb{R}", (r"\R", r"\mathbb{R}")),
        (r"\newcommand{\R}{\mathbb{R}}", (r"\R", r"\mathbb{R}")),
        (r"\newcommand{\vec}[1]{\mathbf{#1}} % bold", (r"\vec", r"\mathbf{#1}")),
        (r"\renewcommand\R{\mathbb{R}}", (r"\R", r"\mathbb{R}")),
        (r"\def\R{\mathbb{R}}", (r"\R", r"\mathbb{R}")),
        (r"\def\vec#1{\mathbf{#1}}", (r"\vec", r"\mathbf{#1}")),
        (r"\DeclareMathOperator{\relu}{ReLU}", (r"\relu", r"\operatorname{ReLU}")),
        (r"\pct \%", (r"\pct", r"\%")),
    ],
)
def test_a_macro_is_a_name_and_what_it_stands_for(line: str, macro: tuple[str, str]) -> None:
    assert read_macros(f"% notation\n\n{line}\n", "macros.tex") == ((macro,), ())


@pytest.mark.parametrize("line", ["R", r"\R", r"\newcommand{\R}", r"\\ x", "x" * 2000])
def test_a_line_that_is_no_macro_is_told(line: str) -> None:
    macros, (problem,) = read_macros(line, "macros.tex")

    assert macros == ()
    assert str(problem) == r"macros.tex:1: no macro. Write \name and what it stands for, on one line."


def test_a_later_macro_takes_the_place_of_an_earlier_one() -> None:
    assert merged([((r"\a", "1"), (r"\b", "2")), ((r"\a", "3"),)]) == ((r"\a", "3"), (r"\b", "2"))
