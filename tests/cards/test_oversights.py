"""Report what studykit ignores in a deck, which can be read anyway."""

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


def test_an_answer_of_options_and_blanks_is_looked_at_once() -> None:
    assert messages_of("Q: a\nA:\n" + ("- [ ] b" + " " * 8 + "\n") * 100 + "c") == []


@pytest.mark.parametrize(
    "text",
    ["Q: a {#bad id!}\nA: b", "Q: a\nA: b\n\n{#bad id!}", "E: flops.matmul {#a b c}", "Q: a {.fl ops!}\nA: b"],
)
def test_braces_that_only_look_like_an_id_are_a_mistake(text: str) -> None:
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
def test_an_id_before_a_question_is_named_since_it_is_read_as_text(text: str, braces: str) -> None:
    assert messages_of(text) == [
        f"d.md:1: {braces} is read as text here. Write it at the end of the line, such as {{#some-name .tag}}."
    ]


@pytest.mark.parametrize("second", ["{#b}", "{.flops}"])
def test_a_second_pair_of_braces_does_not_hide_the_first(second: str) -> None:
    assert messages_of(f"Q: a {{#bad id!}} {second}\nA: b") == [
        "d.md:1: {#bad id!} is not an id or tags. Write {#some-name .tag}, without spaces in a name."
    ]
    (one,) = messages_of(f"Q: a {{#good}} {second}\nA: b")
    assert one.startswith("d.md:1: {#good} is read as text: one pair of braces ends the line")


@pytest.mark.parametrize("text", cases("cards/no_oversights"))
def test_what_has_an_effect_or_is_code_is_left_alone(text: str) -> None:
    assert messages_of(text) == []


_OPEN = "Q: one\nA:\n```python\nx = 1\n\nQ: lost\nA: two\n"


def test_a_card_inside_a_fence_is_told_and_is_a_mistake_where_the_next_fence_opens_in_it() -> None:
    lost = "this note stands inside the code fence of line 3, so it is not a card. Close the fence before it"

    (closed,) = messages_of(f"{_OPEN}```\n\nQ: three\nA: four")
    (opened,) = messages_of(f"{_OPEN}```python\ny = 2\n```\n\nQ: three\nA: four")

    assert closed.startswith(f"d.md:6: warning: {lost}")
    assert opened.startswith(f"d.md:6: {lost}")


def test_each_fence_complains_once_and_the_next_one_anew() -> None:
    text = f"{_OPEN}Q: lost too\nA: x\n```\n\nQ: three\nA:\n~~~\nC: a [b]\n~~~"

    assert [one.partition(": ")[0] for one in messages_of(text)] == ["d.md:6", "d.md:15"]


def test_both_sets_of_rules_tell_them_and_the_deck_is_read_all_the_same() -> None:
    text = "---\ncolor = 1\n---\nQ: what is it {#a .flops}\nA: a thing {#bad id!}"
    deck, problems = parse_deck(text, "d.md")

    assert problems == []
    assert len(deck.cards) == 1
    for oversights_found in (mistakes([deck]), lint([deck])):
        assert [problem.severity for problem in oversights_found] == [Severity.WARNING, Severity.ERROR]
