"""Check `:lesson`, which shows the card that introduces what a question asks."""

from typing import Any

import pytest
from shell import Shell

from decks import read_deck
from studykit.exercise.lesson import introduction

DECK = """---
name = "Costs"
url = "https://example.org/costs"
---

# Costs

## Matmuls

Q: What is a *FLOP*? {#flop .flops}
A: One operation.

E: flops.matmul {#ex .flops}

## Runs

C: The *peak* of a device is its [largest] speed. {#peak .utilization}

Q: What limits a device at its peak? {#limit .utilization}
A: Its arithmetic.

Q: What is the answer? {#last .utilization}
A: 42.

Q: What is the capital of France? {#odd}
A: Paris.
"""


@pytest.mark.parametrize(
    ("words", "introduced_by"),
    [
        (("flops.matmul", None), "flop"),  # the card before the exercise
        (("ex", None), "flop"),
        (("flops.batched", "flops"), "flop"),  # no card asks it
        (("limit", None), "peak"),  # the card that introduced its term
        (("last", None), "limit"),  # no term: the card before of its objective
        (("odd", None), None),
        (("flop", None), None),
        (("no.such", None), None),
        (("rewrite.any", "flops", ["operation"]), "flop"),  # the card that names its function
        (("rewrite.any", "flops", ["repeat"]), None),
    ],
)
def test_introduction_is_the_card_before(words: tuple[Any, ...], introduced_by: str | None) -> None:
    card = introduction(read_deck(DECK, "costs.md").cards, *words)

    assert (card and card.id) == introduced_by


@pytest.fixture
def shell(study: Shell) -> Shell:
    study.with_deck("costs.md", DECK)
    return study


def test_missed_exercise_offers_its_lesson(shell: Shell) -> None:
    done = shell("exercise", "flops.matmul", "--plain", typed="1\n1\n1\no\nq\n")

    assert "o lesson" in done.out
    assert "https://example.org/costs, under “Matmuls”, card flop" in done.out
    assert "What is a FLOP?" in done.out


def test_next_question_of_a_quiz_offers_no_lesson(shell: Shell) -> None:
    done = shell("quiz", "costs", "--plain", "-n", "3", "--seed", "2", typed="nothing\nn\n" * 3)

    assert done.out.count("✗ wrong") > 1
    assert "o lesson" not in done.out


def test_lesson_command_opens_the_card_lesson(shell: Shell) -> None:
    done = shell("review", "--plain", typed="space\n3\n:lesson\n:quit\n")

    assert done.out.count("What is a FLOP?") == 2  # the first card, and the lesson of the next one


def test_lesson_stays_closed_in_an_exam(shell: Shell) -> None:
    done = shell("quiz", "flops.matmul", "--exam", "-n", "1", "--plain", typed=":lesson\n:quit\n")

    assert "Lessons open after the exam." in done.out
    assert "What is a FLOP?" not in done.out


def test_revealed_gap_is_not_said_twice(shell: Shell) -> None:
    done = shell("review", "peak", "--plain", typed="space\nq\n")

    assert done.out.count("of a device is its") == 1
    assert "Answer: largest" in done.out
