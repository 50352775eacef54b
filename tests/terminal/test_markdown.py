"""Test card text on a terminal: complete, never too wide, and unable to control the terminal."""

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import one_line_text, plain_lines, render
from studykit.terminal.spans import Span, TextStyle, paint, plain, width, wrap


def visible(markdown: str, columns: int = 80) -> list[str]:
    return [plain(line) for line in render(markdown, columns)]


def line_of(markdown: str, notation: Notation | None = None) -> tuple[Span, ...]:
    (line,) = render(markdown, 100_000, notation)
    return line


@pytest.mark.parametrize(("markdown", "columns", "lines"), cases("terminal/markdown"))
def test_markdown_is_shown_as_lines(markdown: str, columns: int, lines: list[str]) -> None:
    assert visible(markdown, columns) == lines


def test_emphasis_becomes_a_look() -> None:
    assert line_of("a **bold** and *leaning* word") == (
        Span("a "),
        Span("bold", TextStyle.BOLD),
        Span(" and "),
        Span("leaning", TextStyle.ITALIC),
        Span(" word"),
    )


def test_text_block_wraps_between_words() -> None:
    assert [row.strip() for row in visible("```text\nnot enough values to unpack (expected 2)\n```", 24)] == [
        "not enough values to",
        "unpack (expected 2)",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("## C# #", "C#"),
        ("# a ##  ", "a"),
        ("# C#", "C#"),
        ("# #", ""),
        (f"# a{' ' * 9_000}#{' ' * 9_000}x", None),
    ],
)
def test_heading_drops_its_closing_signs(line: str, expected: str | None) -> None:
    assert expected is None or visible(line) == [expected]
    assert all(span.style is TextStyle.BOLD for row in render(line, 80) for span in row)


def test_long_blanks_below_a_bar_stay_text() -> None:
    blanks = " " * 9_000

    assert "a|b" in " ".join(visible(f"x\n\na|b\n{blanks}-{blanks}x"))


def test_fenced_code_is_colored_and_keeps_its_spaces() -> None:
    lines = render("```python\nfor x in y:\n    pass\n```", 80)

    assert [plain(line) for line in lines] == ["  for x in y:", "      pass"]
    assert Span("for", TextStyle.BOLD) in lines[0]


def test_wide_code_is_wrapped_without_loss() -> None:
    lines = visible("```\n" + "x" * 100 + "\n```", 40)

    assert "".join(line.strip() for line in lines) == "x" * 100


def test_macros_of_the_deck_are_known() -> None:
    notation = Notation(macros={r"\flop": r"\text{FLOP}"})

    assert plain(line_of(r"$6\flop$", notation)) == "6 FLOP"


def test_wide_characters_count_as_two_cells() -> None:
    assert [width(line) for line in render("漢字" * 10, 12)] == [12, 12, 12, 4]


@pytest.mark.parametrize("text", ["\x1b[2J\x1b]0;title\x07 text", "&#x202e;a", "&#x1b;a", "a&#10;b"])
def test_card_text_cannot_drive_the_terminal(text: str) -> None:
    assert not set(paint(line_of(text), color=False)) & set("\u202e\x1b\n\x07")


def test_without_color_weight_is_kept() -> None:
    assert paint((Span("def", TextStyle.BOLD | TextStyle.GREEN),), color=False) == "\x1b[1mdef\x1b[0m"


def test_plain_mode_says_a_table_as_sentences() -> None:
    assert plain_lines("| dtype | bytes |\n|---|---|\n| fp32 | 4 |") == ["dtype: fp32", "bytes: 4"]


@given(st.text(max_size=200), st.integers(8, 60))
def test_rendered_lines_fit_the_given_width(text: str, columns: int) -> None:
    lines = render(text, columns)

    assert all(width(line) <= columns for line in lines)


@given(st.text(alphabet="ab c*_`$[]()|-#>1.\n\\!", max_size=80))
def test_no_letter_is_lost_whatever_the_markup(text: str) -> None:
    letters = sorted(sign for sign in text if sign in "ab")

    assert sorted(sign for line in visible(text) for sign in line if sign in "ab") == letters


def test_a_per_cent_sign_stays_with_its_number() -> None:
    assert [plain(row) for row in wrap([Span("an MFU of 40 %, no more")], 12)] == ["an MFU of", "40 %, no", "more"]


@pytest.mark.parametrize("nested", [">" * 5000 + "x", "- " * 5000 + "x"], ids=["quotes", "lists"])
def test_endless_nesting_keeps_its_text(nested: str) -> None:
    assert "".join(visible(nested)).replace(" ", "").endswith("x")
    assert plain_lines(nested)[-1].endswith("x")


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "text",
    [
        "[a](" * 10_000,
        "![a](" * 10_000,
        "[a]((" * 10_000,
        '[a](b "' * 10_000,
        "<http://a" * 10_000,
        "*_" * 10_000,
        "".join("`" * length + " " for length in range(1, 600)),
        "$a " * 10_000,
    ],
    ids=["links", "images", "parentheses", "titles", "addresses", "emphasis", "ticks", "dollars"],
)
def test_marks_without_end_are_shown_in_time(text: str) -> None:
    """Render quickly, although a search through the rest of the text for each mark would take minutes."""
    assert "".join(visible(text, 10**6)).strip("*_ ") == text.strip("*_ ")


def test_emphasis_within_reach_still_has_its_partner() -> None:
    spans = line_of("*" + "a `b` " * 40 + "c*")

    assert all(span.style & TextStyle.ITALIC for span in spans)


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("![](media/Map%20%281%29.png) what?", "[Map (1).png] what?"),
        ("das Haus ![](../media/haus.mp3)", "das Haus [haus.mp3]"),
        ("![the heart](h.png) and [a page](<https://example.org/a>)", "[the heart] and a page"),
        (r"a [gap], \[brackets\](so)", "a [gap], [brackets](so)"),
    ],
)
def test_one_line_text_names_pictures_and_links(markdown: str, words: str) -> None:
    assert one_line_text(markdown) == words
