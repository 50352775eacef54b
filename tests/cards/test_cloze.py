"""Which brackets hide words."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.cloze import gap_text, gaps, hidden
from studykit.cards.markdown import regions


def _read(text: str) -> list[tuple[str, str]]:
    """Prompt and answer of each gap."""
    all_gaps, _ = gaps(text)
    return [(gap_text(text, all_gaps, gap), hidden(text, gap)) for gap in all_gaps]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("a [b] c", [("a […] c", "b")]),
        ("[two words] and [three]", [("[…] and three", "two words"), ("two words and […]", "three")]),
        ("| a |\n|---|\n| [b] |", [("| a |\n|---|\n| […] |", "b")]),
        ("outer [a [b] c]", [("outer […]", "a [b] c")]),
        (r"\[a\] [b]", [(r"\[a\] […]", "b")]),
        ("![alt [x]](i.png) [b]", [("![alt [x]](i.png) […]", "b")]),
        ("[text](http://x.org/a_(b)) [b]", [("[text](http://x.org/a_(b)) […]", "b")]),
        ("[![alt](a.png)](b) [c]", [("[![alt](a.png)](b) […]", "c")]),
        ("see [t](u 'title') [b]", [("see [t](u 'title') […]", "b")]),
        ("[b] (an aside)", [("[…] (an aside)", "b")]),
        ("[b](two words)", [("[…](two words)", "b")]),
        ("note[^1] [b]", [("note[^1] […]", "b")]),
    ],
)
def test_brackets_in_text(text: str, cards: list[tuple[str, str]]) -> None:
    assert _read(text) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("$[6]ND$", [("$[…]ND$", "$6$")]),
        ("$$[2](mn+nk)$$", [("$$[…](mn+nk)$$", "$2$")]),
        ("$10^[18]$", [("$10^{[…]}$", "$18$")]),
        ("$10^[18]$ is [big]", [("$10^{[…]}$ is big", "$18$"), ("$10^{18}$ is […]", "big")]),
        ("the rule [$6ND$]", [("the rule […]", "$6ND$")]),
        ("`x`[y] and $y$[z]", [("`x`[…] and $y$z", "y"), ("`x`y and $y$[…]", "z")]),
        ("an element [$x[i]$] of it", [("an element […] of it", "$x[i]$")]),
        (r"$\sqrt[3]{x}$ [b]", [(r"$\sqrt[3]{x}$ […]", "b")]),
        (r"$\left[0, [1]\right]$", []),
        (r"$\left[0, 1\right)$ [b]", [(r"$\left[0, 1\right)$ […]", "b")]),
        (r"$[0, 1)$ and [b]", [("$[0, 1)$ and […]", "b")]),
        (r"$x\[i\]$ [b]", [("$x[i]$ […]", "b")]),
        ("costs $5 and [10] for $6", [("costs $5 and […] for $6", "10")]),
        (r"\$5 [b] $6", [(r"\$5 […] $6", "b")]),
        ("a $ b\n\nc $ [d]", [("a $ b\n\nc $ […]", "d")]),
    ],
)
def test_brackets_and_math(text: str, cards: list[tuple[str, str]]) -> None:
    assert _read(text) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("`x[0]` is [b]", [("`x[0]` is […]", "b")]),
        ("[`x[0]`]", [("[…]", "`x[0]`")]),
        ("`` a`[0] `` [b]", [("`` a`[0] `` […]", "b")]),
        ("```python\nx[0]\n```\n[b]", [("```python\nx[0]\n```\n[…]", "b")]),
        ("~~~\nx[0] `\n~~~\n[b]", [("~~~\nx[0] `\n~~~\n[…]", "b")]),
        ("run `[ls] -l`", [("run `[…] -l`", "`ls`")]),
        ("a ` b [c]", [("a ` b […]", "c")]),
    ],
)
def test_brackets_and_code(text: str, cards: list[tuple[str, str]]) -> None:
    assert _read(text) == cards


def test_a_bracket_that_is_never_closed_is_told() -> None:
    assert gaps("a [b") == ([], 2)


@given(
    st.lists(st.sampled_from(["[", "]", "$", "$$", "`", "```", "\\", "!", "(", ")", "a", " ", "\n", "^", "~~~"]))
)
def test_a_gap_is_always_a_pair_of_brackets_and_gaps_never_overlap(scraps: list[str]) -> None:
    text = "".join(scraps)

    all_gaps, _ = gaps(text)

    assert all(text[gap.start] == "[" and text[gap.end - 1] == "]" for gap in all_gaps)
    assert all(one.end <= other.start for one, other in itertools.pairwise(all_gaps))


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("a `b` c", ["`b`"]),
        ("``a`b`` `c`", ["``a`b``", "`c`"]),
        ("$a$ and $b$", ["$a$", "$b$"]),
        ("$$a$$ then $b$", ["$$a$$", "$b$"]),
        ("costs $5 and $6 more", []),
        ("5$ and 6$", []),
        ("from $ 3 to $x$", ["$x$"]),
        ("$a $5 b$", ["$5 b$"]),
        ("$a $b$", ["$b$"]),
        ("$a\n\nb$", []),
        ("$a$\n\n$b$", ["$a$", "$b$"]),
        ("$$a\n\nb$$ $c$", ["$c$"]),
        ("`a\n\nb`", []),
        (r"\$a \$b", []),
        ("~~~\n$a$\n~~~", ["~~~\n$a$\n~~~"]),
        ("~~~\na\n~~~~\n`b`", ["~~~\na\n~~~~", "`b`"]),
        (r"`a\` $b$", [r"`a\`", "$b$"]),
        ("$a$5 b$", ["$5 b$"]),
        ("5$x$", []),
        ("a5$x$", []),
        ("$", []),
        ("a$", []),
    ],
)
def test_math_and_code_are_found_where_markdown_finds_them(text: str, stretches: list[str]) -> None:
    assert [text[region.start : region.end] for region in regions(text)] == stretches


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        (r"$x_[18]$", [("$x_{[…]}$", "$18$")]),
        (r"$[a]$", [("$[…]$", "$a$")]),
        (r"$a$ [b]", [("$a$ […]", "b")]),
        (r"[b] $a \] c$", [("[…] $a ] c$", "b")]),
        (r"[b] $a \[ c$ \[d", [(r"[…] $a [ c$ \[d", "b")]),
        (r"[b] $\[$ and $\]$ end", [("[…] $[$ and $]$ end", "b")]),
        (r"[b] $\left[ x \right]$", [(r"[…] $\left[ x \right]$", "b")]),
        (r"$a ] b$ [c]", [("$a ] b$ […]", "c")]),
        (r"$\sqrt[3]{x}$ [c]", [(r"$\sqrt[3]{x}$ […]", "c")]),
        ("![a](b) [c] ] [d]", [("![a](b) […] ] d", "c"), ("![a](b) c ] […]", "d")]),
        ("[a $b]c$ d]", [("[…]", "a $b]c$ d")]),
        (r"$[a \right] b]$", [("$[…]$", r"$a \right] b$")]),
        ("wow ![a] [b]", [("wow ![a] […]", "b")]),
        ("`[a]` [b]", [("`[a]` […]", "b")]),
        ("`[a]`", [("`[…]`", "`a`")]),
    ],
)
def test_gaps_beside_and_inside_math_and_code(text: str, cards: list[tuple[str, str]]) -> None:
    assert _read(text) == cards


def test_a_bracket_that_waits_inside_math_is_not_told_as_open() -> None:
    assert gaps("$a [ b$ and [c]")[1] is None
    assert gaps("[^1 and [c]")[1] is None
    assert gaps("a [ b and [c]")[1] == 2
