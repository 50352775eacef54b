"""Test the stricter rules for decks that ship."""

import pytest
from cases import cases

from decks import read_deck
from studykit.cards.lint import Renderers, coverage, lint, mistakes, states_a_figure
from studykit.cards.problem import Severity

_GOOD = "{#x .flops}"


def _messages(text: str, renderers: Renderers | None = None) -> list[str]:
    problems = lint([read_deck(text, "d.md")], renderers or Renderers())
    return [str(problem) for problem in problems]


@pytest.mark.parametrize(("text", "message"), cases("cards/lint_rules"))
def test_each_rule_says_where_and_what_to_do(text: str, message: str) -> None:
    assert _messages(text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        'Q: How fast is an H100? {#x .flops source="NVIDIA, H100 datasheet"}\nA: 3.35 TB/s',
        'C: An H100 moves [3.35 TB/s] {#x .flops}\n\n{source="NVIDIA, H100 datasheet"}',
        "Q: What does this print? {#x .flops}\n\n```python\ntorch.ones(2)\n```\n\nA: two ones",
        f"Q: Is it memory-bound or compute-bound? {_GOOD}\nA: memory-bound",
        f"C: A matmul costs [2] FLOPs, 2 for each product {_GOOD}",
        f"Q: What does `b (h d)` become? {_GOOD}\nA: `b h d`",
        "Q: a {#x .flops .reversed}\nA: the one after all",
    ],
    ids=["sourced", "source alone", "in code only", "a choice", "a number", "code", "reversed"],
)
def test_lint_passes_a_good_card(text: str) -> None:
    assert _messages(text) == []


def test_a_note_without_an_objective_is_told() -> None:
    (message,) = _messages("Q: a {#x .other}\nA: b")

    assert message.startswith("d.md:1: note without an objective. Tag it with one of .flops, .memory")


@pytest.mark.parametrize(("text", "is_figure"), cases("cards/figures"))
def test_a_figure_is_a_number_with_its_unit(text: str, is_figure: object) -> None:
    assert states_a_figure(text) is is_figure


def test_math_and_code_are_tried_out() -> None:
    renderers = Renderers(
        math=lambda tex, alone, _macros: f"no {tex}" if alone else None,
        code=lambda language, text: f"{language} {text}",
    )

    messages = _messages(f"Q: $a$ or $$b$$? {_GOOD}\nA:\n```python\nx = 1\n```", renderers)

    assert messages == [
        "d.md:1: $$b$$ cannot be drawn: no b. Correct the TeX.",
        "d.md:1: a code block cannot be drawn: python x = 1. Correct the code.",
    ]


def test_every_objective_needs_a_dozen_cards() -> None:
    text = "".join(f"Q: question {n} {{#q{n} .flops}}\nA: answer\n\n" for n in range(12))

    problems = list(coverage(read_deck(text, "d.md").cards, "d.md"))

    assert len(problems) == 8
    assert str(problems[0]) == "d.md:1: objective memory has 0 of 12 cards. Write more .memory."


def test_lint_marks_advice_as_warning_mistakes_as_errors() -> None:
    problems = lint([read_deck("Q: a\nA: Yes", "d.md")])

    assert [problem.severity for problem in problems] == [Severity.ERROR, Severity.ERROR, Severity.WARNING]


def test_mistakes_report_checks_ids_and_undrawable_math() -> None:
    renderers = Renderers(math=lambda tex, _, macros: f"no {tex} with {dict(macros)}", code=lambda *_: None)
    one = read_deck("---\n[macros]\nR = 'x'\n---\nQ: $a$ {#x}\nA: Yes\ncheck: 1 = 2", "one.md")
    two = read_deck("Q: a {#x}\nA: No\n\nQ: a\nA: $b$", "two.md")

    assert [str(problem) for problem in mistakes([one, two], renderers)] == [
        "one.md:7: the check does not hold: 1 is 1, not 2. Correct the card or its check.",
        "two.md:1: #x is already the id of the note at one.md:5. Choose another.",
        "one.md:5: $a$ cannot be drawn: no a with {'\\\\R': 'x'}. Correct the TeX.",
        "two.md:4: $b$ cannot be drawn: no b with {}. Correct the TeX.",
    ]
    assert [problem.path for problem in mistakes([one, two])] == ["one.md", "two.md"]
    assert [str(problem) for problem in lint([one], renderers) if "drawn" in problem.message] == [
        "one.md:5: $a$ cannot be drawn: no a with {'\\\\R': 'x'}. Correct the TeX."
    ]


def test_coverage_is_asked_of_a_whole_course_only() -> None:
    deck = read_deck("---\nobjectives = ['flops']\n---\n" + f"Q: what is it {_GOOD}\nA: a thing", "d.md")

    assert lint([deck]) == []
    assert [problem.message for problem in lint([deck], whole=True)] == [
        "objective flops has 1 of 12 cards. Write more .flops."
    ]
    assert lint([], whole=True) == []
    bare = read_deck("---\nobjectives = ['flops']\n---\nQ: $X$ {.flops}\nA: a thing", "d.md")
    drawing = Renderers(math=lambda tex, *_: f"no {tex}")
    assert [problem.message.partition(". ")[0] for problem in lint([bare], drawing, whole=True)] == [
        "objective flops has 1 of 12 cards",
        "note without an id",
        "$X$ cannot be drawn: no X",
    ]


def test_lint_allows_sixty_words_and_three_items() -> None:
    words = " ".join(["word"] * 57)

    assert _messages(f"Q: a question {_GOOD}\nA: answer {words}") == []
    assert len(_messages(f"Q: a question {_GOOD}\nA: answer {words} more")) == 1
    assert _messages(f"Q: which? {_GOOD}\nA:\n- one\n- two\n- three") == []
    assert len(_messages(f"Q: which? {_GOOD}\nA:\n- one\n- two\n- three\n- four")) == 1


@pytest.mark.parametrize(("text", "count"), cases("cards/given_answers"))
def test_a_question_that_holds_its_answer_is_told(text: str, count: int) -> None:
    assert sum("holds its answer" in message for message in _messages(text)) == count
