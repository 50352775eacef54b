"""Test how a card's Markdown is parsed, and where it differs from CommonMark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.markdown import is_plain, new_parser, paragraphs, parse, plain_text, regions


def kinds(text: str) -> list[str]:
    """Return the types of the inline tokens of a text."""
    return [child.type for token in parse(text) for child in token.children or ()]


@pytest.mark.parametrize("text", ["6*7*2", "a*b*c", "2**3**4", "snake_case_name", "6*N*D", "é*ü*ß", "2 * 3 * 4"])
def test_a_product_is_text(text: str) -> None:
    assert kinds(text) == ["text"]
    assert plain_text(text) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**bold**", "bold"),
        ("(*a*)", "a"),
        ("*a*, _b_", "a"),
        ("**粗体**文字", "粗体文字"),
        ("**굵게**는", "굵게는"),
    ],
)
def test_emphasis_is_emphasis(text: str, words: str) -> None:
    assert {"em_open", "strong_open"} & set(kinds(text))
    assert words in plain_text(text)


LETTERS = st.text("abNz09é", min_size=1, max_size=4)


@given(st.lists(LETTERS, min_size=2, max_size=6), st.sampled_from(["*", "**", "***", "_"]))
def test_product_or_snake_case_is_shown_whole(factors: list[str], sign: str) -> None:
    assert plain_text(sign.join(factors)) == sign.join(factors)


@given(st.text("ab <>&[]*_`$!#-|\\.", max_size=20))
def test_what_is_escaped_is_shown_as_it_is(text: str) -> None:
    escaped = "".join(f"\\{sign}" if sign in "<>&[]*_`$!#-|\\." else sign for sign in text)

    assert plain_text(escaped) == " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("&lt;", "<"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("`&lt;`", "&lt;"),
        (r"\[x\]", "[x]"),
        ("<!-- note -->", "<!-- note -->"),
        ("<b>x</b>", "<b>x</b>"),
        ("[…]: 42", "[…]: 42"),
        ("$5 and $10", "$5 and $10"),
        ("$x$ = 5", "x = 5"),
        ("$$x$$ holds", "x holds"),
        ("[a](javascript:x)", "[a](javascript:x)"),
        ("![](a.mp3) word [b](b.png)", "word"),
        ("|a|b|\n|-|-|\n|1|2|", "a b 1 2"),
        ("- a\n- b", "a b"),
        ("```python\nx = 1\n```", "x = 1"),
    ],
)
def test_the_words_of_a_text(text: str, words: str) -> None:
    assert plain_text(text) == words


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("so\n$$\nx\n$$\nthen", ["paragraph_open", "math_block", "paragraph_open"]),
        ("> $$\n> x\n> $$", ["blockquote_open", "math_block"]),
        ("- $$x$$\n- b", ["bullet_list_open", "list_item_open", "math_block", "list_item_open", "paragraph_open"]),
        ("$$x$$ holds", ["paragraph_open"]),
        ("$$\n\nx$$", ["paragraph_open", "paragraph_open"]),
        ("[…]: 42", ["paragraph_open"]),
        ("[name]: address", []),
    ],
)
def test_blocks_of_formulas_and_definitions(text: str, types: list[str]) -> None:
    assert [token.type for token in parse(text) if token.nesting == 1 or token.type == "math_block"] == types


def test_quoted_display_loses_its_quote_signs() -> None:
    (formula,) = [token for token in parse("> $$\n> x\n> y\n> $$") if token.type == "math_block"]

    assert formula.content == "x\ny"


@given(st.text("ab1`$\\ \n", max_size=30))
def test_gap_regions_match_the_math_and_code_parsed(text: str) -> None:
    line = " ".join(text.split())
    inline = new_parser().parseInline(line)[0].children or ()
    tokens = [token.content for token in inline if token.type.startswith(("code", "math"))]

    inside = [line[region.start : region.end].strip("`$") for region in regions(line)]

    assert [each.strip("`$ ") for each in inside] == [each.strip("`$ ") for each in tokens]


@pytest.mark.parametrize("sign", ["> ", "- "])
def test_too_deep_nesting_shows_as_written(sign: str) -> None:
    assert plain_text(f"a\n{sign * 500}x") == f"a {sign * 500}x"


@given(st.text("ab1*_`$[]()|-#>.:=~<&;\\! \n\t", max_size=40))
def test_plain_text_parses_into_the_same_paragraphs(text: str) -> None:
    if not is_plain(text):
        return
    tokens = parse(text)

    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {child.type for token in tokens for child in token.children or ()} <= {"text", "softbreak"}
    texts = ["".join(child.content or " " for child in token.children or ()) for token in tokens if token.children]
    assert [" ".join(each.split()) for each in texts] == [" ".join(each.split()) for each in paragraphs(text)]
