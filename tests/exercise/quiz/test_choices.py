"""Check choices in a review, a quiz and an exam, and their log entries."""

from itertools import pairwise
from pathlib import Path

import pytest
from asking import ask_card, closed_card
from scripted_ui import ScriptedUi
from shell import Shell

from decks import read_deck
from studykit.cards import choice
from studykit.cli.context import Context
from studykit.exercise.quiz import card_questions
from studykit.scheduling.recall_grade import Grade

DECK = """Q: Which move no bytes? {#views}
- [x] `reshape` # only the strides change
- [x] transpose
- [ ] `contiguous()` # it copies
- [ ] copy
A: The three differ in strides.

Q: Which is larger? {#larger}
- [x] $\\big$
- [ ] small
"""
VIEWS, LARGER = read_deck(DECK, "d.md").cards
SEED = 5
ORDER = choice.options_of(VIEWS).order(SEED)


def labels(*places: int) -> str:
    """Return what a learner types to choose options, given by their places in the deck."""
    return " ".join(str(ORDER.index(place) + 1) for place in places)


@pytest.mark.parametrize(
    ("typed", "grade", "verdict", "slips"),
    [
        (labels(0, 1), Grade.GOOD, "correct", ()),
        (labels(1), Grade.HARD, "close", ()),
        (labels(0, 2), Grade.AGAIN, "incorrect", ("chose contiguous() at Which move no bytes?",)),
    ],
)
def test_pick_is_graded(context: Context, typed: str, grade: Grade, verdict: str, slips: tuple[str, ...]) -> None:
    ui = ScriptedUi(typed)

    outcome, showing = closed_card(context, VIEWS, ui, SEED)

    assert (outcome.grade, showing.verdict, showing.slips) == (grade, verdict, slips)
    assert (showing.template, showing.seed) == ("choice", SEED)
    assert card_questions.asked_again(VIEWS, showing) == ui.messages[1]


def test_feedback_explains_each_option_in_order(context: Context) -> None:
    ui = ScriptedUi(labels(0, 2))

    ask_card(context, VIEWS, ui, SEED)

    numbers = {place: ORDER.index(place) + 1 for place in range(4)}
    feedback = ui.messages[-1]
    assert ui.messages[-2].startswith("✗ **wrong**")
    assert f"**{numbers[0]} right**: `reshape` (only the strides change)" in feedback
    assert f"**{numbers[1]} right, and you did not choose it**: transpose" in feedback
    assert f"**{numbers[2]} wrong, and you chose it**: `contiguous()` (it copies)" in feedback
    assert f"**{numbers[3]} wrong**: copy\n" in feedback
    assert feedback.endswith("The three differ in strides.")
    assert "`reshape`; transpose" in ui.messages[-2]  # the right options by their words: their numbers change


def test_right_pick_without_explanation_goes_on(context: Context) -> None:
    order = choice.options_of(LARGER).order(SEED)

    done, _ = closed_card(context, LARGER, ScriptedUi(str(order.index(0) + 1)), SEED)

    assert not done.waits


def test_invalid_pick_says_what_to_type(context: Context) -> None:
    ui = ScriptedUi("7", "hm", labels(0, 1))

    ask_card(context, VIEWS, ui, SEED)

    assert "Type the numbers of all that are right, such as 1 3. This costs no try." in ui.text


def test_changed_choice_is_not_shown_again(context: Context) -> None:
    _, showing = closed_card(context, VIEWS, ScriptedUi(labels(0, 1)), SEED)
    (other, _) = read_deck(DECK.replace("copy\n", "copies\n"), "d.md").cards

    assert card_questions.asked_again(other, showing) is None


def test_the_macros_of_a_deck_are_written_out(context: Context) -> None:
    ui = ScriptedUi(None)

    ask_card(context, LARGER, ui, SEED, macros={"\\big": "10^9"})

    assert "${10^9}$" in ui.messages[1]


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    study.with_environ(STUDYKIT_DECKS=str(tmp_path / "d.md"))
    study.write("d.md", DECK)
    return study


def test_review_suggests_a_grade_and_counts_slips(study: Shell) -> None:
    output = study("review", "d", "--plain", "--seed", str(SEED), "-n", "1", typed=f"{labels(0, 2)}\n\n")

    history = study("show", "views", "--json").json["history"]
    assert "Enter means again." in output.out
    assert [(each["grade"], each["exercise"]["verdict"]) for each in history] == [(1, "incorrect")]
    assert history[0]["exercise"]["prompt"].startswith("Which move no bytes?\n\n1. ")
    (slip,) = study("stats", "--json").json["slips"]
    assert (slip["id"], slip["count"]) == ("chose contiguous() at Which move no bytes?", 1)


@pytest.mark.parametrize(("command", "lines"), [(("review",), ":skip\n3\n"), (("quiz", "d"), ":skip\n\n")])
@pytest.mark.parametrize("seed", [7, 99, 1_234_567])
def test_right_option_changes_its_number(study: Shell, command: tuple[str, ...], lines: str, seed: int) -> None:
    deck = [f"Q: Statement {number}?\n- [x] yes\n- [ ] no\n\n" for number in range(10)]
    (study.home / "d.md").write_text("".join(deck))

    out = study(*command, "--plain", "--seed", str(seed), typed=lines * 10).out

    numbers = [row[:1] for row in out.splitlines() if row[1:] == ". yes"]
    assert len(numbers) == 10
    assert sum(one != after for one, after in pairwise(numbers)) > 1  # of 9, most often 4 or 5


def test_show_lists_options_in_deck_order(study: Shell) -> None:
    output = study("show", "views", "--json").json

    assert (output["kind"], output["explanation"]) == ("choice", "The three differ in strides.")
    assert output["options"][2] == {"text": "`contiguous()`", "right": False, "why": "it copies"}
    assert "right: reshape (only the strides change)" in study("show", "views").out
