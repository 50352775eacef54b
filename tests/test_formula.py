"""Test that a formula in a terminal is drawn correctly, or shown as its TeX."""

import pytest
from hostile import NESTED_TEX

from studykit.formula import formula
from studykit.terminal.markdown.inline import Notation, one_line


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("6ND", "6ND"),
        (r"\frac{2mnk}{2(mn+nk+mk)}", "2mnk/(2(mn + nk + mk))"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\frac{a}{b}c", "(a/b)c"),
        (r"\frac{1}{\frac{a}{b}}", "1/(a/b)"),
        (r"\frac{x}{y}^2", "(x/y)²"),
        (r"\sqrt{L}", "√L"),
        (r"\sqrt{d_k}", "√(dₖ)"),
        (r"\sqrt{L}x", "√L x"),
        (
            r"\text{MFU}=\frac{\text{Actual FLOPs/s}}{\text{Promised FLOPs/s}}",
            "MFU = (Actual FLOPs/s)/(Promised FLOPs/s)",
        ),
        (r"8.4\times10^{22}", "8.4 × 10²²"),
        (r"\sum_{i=1}^{L} d_i^2", "∑ᵢ₌₁ᴸ dᵢ²"),
        (r"\mathbb{R}^{B\times D}", "ℝ^(B × D)"),
        (r"x_{t+1}", "xₜ₊₁"),
        (r"x_b y", "x_b y"),
        (r"d_{\text{model}}", "d_model"),
        (r"2^{2^n}", "2^(2ⁿ)"),
        (r"10^{-3}", "10⁻³"),
        (r"-x + -1", "−x + −1"),
        (r"f(a, b)", "f(a, b)"),
        (r"12{,}500", "12,500"),
        (r"\log_2 n", "log₂ n"),
        (r"16\text{ bytes}", "16 bytes"),
        (r"O(n \log n)", "O(n log n)"),
        (r"\left(\frac{QK^T}{\sqrt{d}}\right)V", "(QKᵀ/√d)V"),
        (r"a \cdot b < c", "a ⋅ b < c"),
        (r"50\%", "50%"),
        (r"\lceil n/3 \rceil", "⌈n/3⌉"),
    ],
)
def test_known_formula_is_written_in_unicode(tex: str, shown: str) -> None:
    assert formula(tex) == shown


@pytest.mark.parametrize(
    "tex",
    [
        r"\binom{n}{k}",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"\begin{aligned} a &= b \\ c &= d\end{aligned}",
        r"\underbrace{a}_{b}",
        r"\overline{AB}",
        r"\sqrt[5]{x}",
        r"\nosuchcommand",
        r"\frac{a",
        "x" * 5000,
    ],
)
def test_unknown_formula_stays_tex(tex: str) -> None:
    assert formula(tex) is None


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"8.4\times10^{22}", "8.4 x 10^22"),
        (r"10^{-3}", "10^(-3)"),
        (r"x_2y", "x_2 y"),
        (r"a \cdot b", "a * b"),
        (r"\alpha", None),
        (r"\sqrt{L}", None),
    ],
)
def test_ascii_formula_is_spelled_or_stays_tex(tex: str, shown: str | None) -> None:
    assert one_line(tex, Notation(ascii=True)) == shown


def test_deep_nesting_does_not_break_the_program() -> None:
    assert formula("{" * 900 + "x" + "}" * 900) in {"x", None}


def test_a_macro_of_the_deck_is_used() -> None:
    assert formula(r"6\flops", {r"\flops": r"\text{FLOP}"}) == "6 FLOP"


@pytest.mark.parametrize("tex", NESTED_TEX, ids=range(4))
def test_deeply_nested_formula_stays_tex(tex: str) -> None:
    assert formula(tex) is None
