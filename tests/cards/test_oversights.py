"""Test that text which studykit ignores in a readable deck is reported."""

import pytest
from cases import cases

from studykit.cards.lint import lint, mistakes
from studykit.cards.oversights import oversights
from studykit.cards.parser import parse_deck
from studykit.cards.problem import Severity


def messages_of(text: str) -> list[str]:
    return [str(problem) for problem in oversights(parse_deck(text, "d.md")[0])]


@pytest.mark.parametrize(("text", "line", "words"), cases("cards/oversights"))
def test_a_word_that_nothing_heeds_is_a_warning(text: str, line: int, words: str) -> None:
    (one,) = messages_of(text)

    assert one.startswith(f"d.md:{line}: warning: {words}")


def test_blank_padded_option_list_has_no_oversight() -> None:
    assert messages_of("Q: a\nA:\n" + ("- [ ] b" + " " * 8 + "\n") * 100 + "c") == []


@pytest.mark.parametrize(
    "text",
    ["Q: a {#bad id!}\nA: b", "Q: a\nA: b\n\n{#bad id!}", "E: flops.matmul {#a b c}", "Q: a {.fl ops!}\nA: b"],
)
def test_malformed_attribute_braces_are_an_error(text: str) -> None:
    (one,) = messages_of(text)

    assert "is not an id or tags. Write {#some-name .tag}, without spaces in a name." in one
    assert "warning" not in one


@pytest.mark.parametrize(
    ("text", "braces"),
    [
        ("Q: {#bad id!} What is it?\nA: b", "{#bad id!}"),
        ("Q: {#good} What is it?\nA: b", "{#good}"),
        ("C: {#bad id!} a [b] c {#x}", "{#bad id!}"),
    ],
)
def test_braces_before_the_text_are_named_as_text(text: str, braces: str) -> None:
    assert messages_of(text) == [
        f"d.md:1: {braces} is read as text here. Write it at the end of the line, such as {{#some-name .tag}}."
    ]


@pytest.mark.parametrize("second", ["{#b}", "{.flops}"])
def test_second_braces_do_not_hide_the_first(second: str) -> None:
    assert messages_of(f"Q: a {{#bad id!}} {second}\nA: b") == [
        "d.md:1: {#bad id!} is not an id or tags. Write {#some-name .tag}, without spaces in a name."
    ]
    (one,) = messages_of(f"Q: a {{#good}} {second}\nA: b")
    assert one.startswith("d.md:1: {#good} is read as text: one pair of braces ends the line")


@pytest.mark.parametrize("text", cases("cards/no_oversights"))
def test_effective_attributes_and_code_are_no_oversights(text: str) -> None:
    assert messages_of(text) == []


_OPEN = "Q: one\nA:\n```python\nx = 1\n\nQ: lost\nA: two\n"


def test_note_inside_a_code_fence_is_named() -> None:
    (message,) = messages_of(f"{_OPEN}```\n\nQ: three\nA: four")

    assert message.startswith(
        "d.md:6: warning: this note stands inside the code fence of line 3, so it is not a card. Close the fence"
    )


def test_each_code_fence_is_named_once() -> None:
    text = f"{_OPEN}Q: lost too\nA: x\n```\n\nQ: three\nA:\n~~~\nC: a [b]\n~~~"

    assert [one.partition(": ")[0] for one in messages_of(text)] == ["d.md:6", "d.md:15"]


def test_mistakes_and_lint_report_oversights_of_a_deck() -> None:
    text = "---\ncolor = 1\n---\nQ: what is it {#a .flops}\nA: a thing {#bad id!}"
    deck, problems = parse_deck(text, "d.md")

    assert problems == []
    assert len(deck.cards) == 1
    for oversights_found in (mistakes([deck]), lint([deck])):
        assert [problem.severity for problem in oversights_found] == [Severity.WARNING, Severity.ERROR]
