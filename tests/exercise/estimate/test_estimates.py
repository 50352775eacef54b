"""Check estimates on cards: what is logged, what is followed up, and what is never revealed."""

import pytest
from asking import ask_card, closed_card
from scripted_ui import ScriptedUi

from decks import exercise_card
from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command

STEPS = Command("steps")


TOTAL = exercise_card("flops.train_total", N="7B", D="2T")


def answered(context: Context, ui: ScriptedUi, card: Card = TOTAL) -> None:
    """Answer a card, and log the answer as a review does."""
    outcome, showing = closed_card(context, card, ui)
    context.store.log.record(EventKind.ANSWER, CardId("ex"), grade=outcome.grade, showing=showing)


def test_answer_is_kept_as_typed_with_its_numbers(context: Context) -> None:
    _, showing = closed_card(context, TOTAL, ScriptedUi("6*7e9*2e12"))

    assert showing.answer == "6*7e9*2e12"
    assert showing.parameters == '{"N": 7000000000, "D": 2000000000000}'


def test_slip_of_an_earlier_try_is_kept(context: Context) -> None:
    ui = ScriptedUi("2*7e9*2e12", "8.4e22")

    _, showing = closed_card(context, TOTAL, ui)

    assert (showing.slips, showing.verdict) == (("forward_only",), "late")
    assert "Try 1: " in ui.text


def test_help_names_the_unit(context: Context) -> None:
    ui = ScriptedUi("?", Command("help"), "8.4e22")

    assert closed_card(context, TOTAL, ui)[0].grade is Grade.GOOD
    assert "A bare number is in FLOP." in ui.text


def test_card_draws_another_variant_each_time(context: Context) -> None:
    titles = set()
    for _ in range(5):
        ui = ScriptedUi("1", STEPS, STEPS)
        answered(context, ui, exercise_card("dtype.mantissa"))
        titles.add(ui.messages[1])

    assert len(titles) == 5


def test_repeated_slip_brings_one_follow_up_daily(context: Context) -> None:
    for _ in range(3):
        answered(context, ScriptedUi("2*7e9*2e12", STEPS, STEPS, "", STEPS, STEPS))

    followed = [event for event in context.store.log.showings(last=20) if event.kind is EventKind.PRACTICE]
    assert len(followed) == 1
    assert followed[0].showing is not None
    assert followed[0].showing.template.startswith("flops.")


@pytest.mark.parametrize(("rough", "verdict"), [("true", "correct"), ("false", "incorrect")])
def test_rough_mode_is_a_setting(context: Context, rough: str, verdict: str) -> None:
    context.config_file.write_text(f"[exercise]\nrough = {rough}\n")

    assert closed_card(context, TOTAL, ScriptedUi("1e23", Command("skip")))[1].verdict == verdict


def test_earlier_answers_can_be_brought_back(context: Context) -> None:
    answered(context, ScriptedUi("8.4e22"))
    ui = ScriptedUi("q")
    ask_card(context, TOTAL, ui)

    assert ui.histories[-1] == ("8.4e22",)
