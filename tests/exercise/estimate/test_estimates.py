"""Exercises behind cards: what is asked, graded, logged and followed up."""

from scripted_ui import ScriptedUi

from decks import basic_card
from studykit.cards.card import Card, CardId, Kind, Task
from studykit.cli.context import Context
from studykit.cli.display import services
from studykit.exercise import registry
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, ExerciseOutcome


def card(name: str, **pinned: str) -> Card:
    return basic_card("ex", kind=Kind.EXERCISE, prompt="", answer="", task=Task(name, tuple(pinned.items())))


def asked(context: Context, ui: ScriptedUi, **pinned: str) -> ExerciseOutcome:
    return asked_card(context, card("flops.train_total", **pinned), ui)


def asked_card(context: Context, card: Card, ui: ScriptedUi) -> ExerciseOutcome:
    return registry.asker(services(context), card)(card, ui, 1)


def test_right_at_once_suggests_good(context: Context) -> None:
    ui = ScriptedUi("6*7e9*2e12", "")

    found = asked(context, ui, N="7B", D="2T")

    assert found.grade is Grade.GOOD
    assert found.showing is not None
    assert found.showing.answer == "6*7e9*2e12"
    assert found.showing.parameters == '{"N": 7000000000, "D": 2000000000000}'


def test_right_at_the_second_try_suggests_hard_and_keeps_the_slip(context: Context) -> None:
    ui = ScriptedUi("2*7e9*2e12", "8.4e22", "")

    found = asked(context, ui, N="7B", D="2T")

    assert found.grade is Grade.HARD
    assert found.showing is not None
    assert found.showing.slips == ("forward_only",)


def test_an_unreadable_answer_spends_no_attempt(context: Context) -> None:
    ui = ScriptedUi("eight or so", "8.4e22", "")

    assert asked(context, ui, N="7B", D="2T").grade is Grade.GOOD


def test_a_hint_lowers_the_grade(context: Context) -> None:
    ui = ScriptedUi("h", "8.4e22", "")

    assert asked(context, ui, N="7B", D="2T").grade is Grade.HARD


def test_looking_at_the_steps_suggests_again(context: Context) -> None:
    ui = ScriptedUi("s", "s", "")

    found = asked(context, ui, N="7B", D="2T")

    assert found.grade is Grade.AGAIN
    assert "7B × 2T = 8.4e22 FLOP" in ui.text


def test_leaving_grades_nothing(context: Context) -> None:
    assert asked(context, ScriptedUi("q"), N="7B") == ExerciseOutcome(None, None, "not answered")


def test_a_question_mark_costs_no_hint(context: Context) -> None:
    ui = ScriptedUi("?", "8.4e22", "")

    assert asked(context, ui, N="7B", D="2T").grade is Grade.GOOD
    assert "A bare number is in FLOP." in ui.text


def test_a_hint_too_many_is_told_so(context: Context) -> None:
    ui = ScriptedUi("h", "h", "h", Command("hint"), "q")

    asked(context, ui, N="7B")

    assert "That was the last hint. `:steps` shows the steps." in ui.text


def test_a_key_of_old_is_told_where_commands_are(context: Context) -> None:
    ui = ScriptedUi("u", "exit", "q")

    asked(context, ui, N="7B")

    assert "a command begins with a colon, `:undo`." in ui.text
    assert "a command begins with a colon, `:quit`." in ui.text


def test_an_answer_of_another_kind_is_not_measured_against_the_right_one(context: Context) -> None:
    ui = ScriptedUi("3.5 months", "s", "s", "")

    asked(context, ui, N="7B", D="2T")

    assert "too high" not in ui.text
    assert "too low" not in ui.text


def test_nothing_of_the_answer_shows_while_a_retry_is_open(context: Context) -> None:
    ui = ScriptedUi("2.8e22", "7e22", "q")

    asked(context, ui, N="7B", D="2T")

    assert "8.4" not in ui.text
    assert "84" not in ui.text
    assert "too low, by less than 10x" in ui.text


def test_a_card_is_not_asked_the_same_variant_twice(context: Context) -> None:
    titles = set()
    for _ in range(5):
        ui = ScriptedUi("1", "s", "s", "")
        found = asked_card(context, card("dtype.mantissa"), ui)
        context.store.log.record(EventKind.ANSWER, CardId("ex"), grade=found.grade, showing=found.showing)
        titles.add(ui.told[1])

    assert len(titles) == 5


def test_a_slip_made_twice_brings_one_follow_up_a_day(context: Context) -> None:
    for _ in range(3):
        ui = ScriptedUi("2*7e9*2e12", "s", "s", "", "s", "s", "")
        found = asked(context, ui, N="7B", D="2T")
        context.store.log.record(EventKind.ANSWER, CardId("ex"), grade=found.grade, showing=found.showing)

    followed = [event for event in context.store.log.showings(last=20) if event.kind is EventKind.PRACTICE]
    assert len(followed) == 1
    assert followed[0].showing is not None
    assert followed[0].showing.template.startswith("flops.")


def test_rough_mode_is_a_setting(context: Context) -> None:
    context.config_file.write_text("[exercise]\nrough = true\n")

    assert asked(context, ScriptedUi("1e23", ""), N="7B", D="2T").grade is Grade.GOOD


def test_answers_of_before_can_be_brought_back(context: Context) -> None:
    found = asked(context, ScriptedUi("8.4e22", ""), N="7B", D="2T")
    context.store.log.record(EventKind.ANSWER, CardId("ex"), grade=found.grade, showing=found.showing)
    ui = ScriptedUi("q")
    asked(context, ui, N="7B", D="2T")

    assert ui.histories[-1] == ("8.4e22",)
