"""Test how HTML of a field and plain text become Markdown of a deck."""

import pytest
from cases import cases
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from studykit.cards.parser import parse_deck
from studykit.formats import field_markdown
from studykit.formats.field_markdown import MAX_FIELD_CHARACTERS, markdown_of
from studykit.formats.foreign_notes import ImportedNote, LossList, NoteForm
from studykit.formats.markdown_escapes import escaped_text
from studykit.formats.note_text import note_text


@pytest.mark.parametrize(("html", "expected"), cases("formats/fields"))
def test_a_field_becomes_readable_markdown(html: str, expected: str) -> None:
    assert markdown_of(html, LossList()) == expected


@pytest.mark.parametrize(
    ("html", "lost"),
    [
        ("<u>a</u>", "words in color, underlined or of another size: 1 (n)"),
        ("<video>a</video>", "<video> elements left out: 1 (n)"),
        ('<img src="https://a/b.png">', "pictures on the web, now links: 1 (n)"),
        ("un<b>believ</b>able", "bold or italic parts of words, now plain: 1 (n)"),
        ("x<sup>a/b</sup>", "raised or lowered words, now on the line: 1 (n)"),
    ],
)
def test_what_markdown_cannot_say_is_told(html: str, lost: str) -> None:
    losses = LossList()

    markdown_of(html, losses, "n")

    assert losses.lines() == (lost,)


@pytest.mark.parametrize(
    "html",
    ["<div>" * 5000 + "words", "<a " * 10_000, "<!--" * 10_000, "x" * (MAX_FIELD_CHARACTERS + 1)],
    ids=["deep", "a", "b", "long"],
)
def test_hostile_field_keeps_its_words_and_size(html: str) -> None:
    losses = LossList()

    text = markdown_of(html, losses, "n")

    assert ("words" in text) == ("words" in html)
    assert len(text) <= 3 * len(html)


@pytest.mark.parametrize("element", ["span", "div", "b", "ul><li", "blockquote"])
def test_deeply_nested_elements_keep_their_words(element: str) -> None:
    depth = 140 // (1 + element.count("<"))

    assert "words" in markdown_of(f"<{element}>" * depth + "words", LossList())


SIGNS = st.sampled_from(
    [*"QACE:-#*_[](){}$\\`<>&|~=+.!^1 \n", "---", "Q:", "```", "{#x}", "check:", "&lt;", "http://a"]
)
PLAIN = st.lists(SIGNS | st.text("abc ", max_size=3), max_size=12).map("".join)


@given(PLAIN)
@example("Q: x\n\nA: y")
@example("a {.b}")
@example("1. x\n- y")
def test_plain_text_says_the_same_as_markdown(text: str) -> None:
    markdown = escaped_text(text)

    tokens = MarkdownIt("js-default").parse(markdown)

    text_content = "\n".join(
        "".join(
            "\n" if child.type in {"hardbreak", "softbreak"} else child.content for child in token.children or ()
        )
        for token in tokens
        if token.type == "inline"
    )
    assert [token.type for token in tokens if token.nesting > 0] == ["paragraph_open"] * markdown.count("\n\n") + (
        ["paragraph_open"] if markdown else []
    )
    assert text_content.split() == text.split()


@given(front=PLAIN.filter(str.strip), back=PLAIN.filter(str.strip), reversed_=st.booleans())
def test_any_imported_texts_parse_as_one_note(front: str, back: str, *, reversed_: bool) -> None:
    form = NoteForm.REVERSED if reversed_ else NoteForm.BASIC
    note = ImportedNote("anki:x", "d", form, escaped_text(front), escaped_text(back), ("a",))

    text = note_text(note, lambda name: name, LossList())

    assert text is not None
    (deck, problems) = parse_deck(f"{text[0]}\n{text[0].replace('anki:x', 'anki:y')}", "")
    assert problems == []
    assert [card.id for card in deck.cards[: 1 + reversed_]] == ["anki:x", "anki:x.reversed"][: 1 + reversed_]
    assert (deck.cards[0].prompt, deck.cards[0].answer) == (note.front, note.back)


@pytest.mark.parametrize("mark", [r"\(", r"\[", "[$]", "[$$]", "[latex]", "<anki-mathjax>", "[sound:"])
def test_unclosed_formula_marks_are_searched_fast(mark: str) -> None:
    field = mark * (MAX_FIELD_CHARACTERS // len(mark))

    for _ in range(20):  # read to the end from each mark, they would take minutes
        assert field_markdown._MATHS.search(field) is None
    assert field_markdown._MATHS.search(rf"{mark} \(x\)") is not None
