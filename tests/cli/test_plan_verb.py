"""Test `study plan` for an exam and for a backlog, and reviews that follow it."""

from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade

OBJECTIVES = ("flops", "memory")


@pytest.fixture
def study(study: Shell) -> Shell:
    """Return a shell with forty own cards, every second one of flops, and none of the course."""
    cards = [
        f"Q: What is {number}? {{#c{number} .{OBJECTIVES[number % 2]}}}\nA: {number}.\n" for number in range(40)
    ]
    return study.with_deck("deck.md", "\n".join(cards))


def known(study: Shell, cards: int, day: str) -> None:
    """Log a good answer to each of these cards directly, since running a verb for each takes seconds."""
    study("due")
    with closing(Context.from_environment(str(study.database)).store) as store:
        for number in range(cards):
            at = datetime.fromisoformat(f"{day}T09:{number:02}:00+00:00")
            store.log.record(EventKind.ANSWER, CardId(f"c{number}"), grade=Grade.GOOD, at=at)


def test_start_lets_reviews_follow_an_exam_plan(study: Shell) -> None:
    started = study("plan", "--exam", "2026-12-13", "--start")

    assert started.out.startswith(
        "Until 2026-12-13, 20 days of 20 minutes: 2 new cards a day covers all 40.\nOn exam day you should recall "
    )
    assert "% of all 40 cards.\n" in started.out
    assert started.out.endswith("`study review` follows this plan. Stop it with: study plan --off\n")
    assert study("due", "--json").json["new"] == 2
    assert study("review", "--plain").out.count("Enter reveal.") == 1
    assert study("plan", "--off").out == "The plan is off.\n"
    assert study("due", "--json").json["new"] == 10


def test_plan_on_a_fresh_log_starts_nothing(study: Shell) -> None:
    nothing = "You have no backlog to plan: nothing is due. For an exam, see: study plan --exam DATE\n"
    assert study("plan") == (0, nothing, "")
    study.at("2026-11-24T09:00:00+00:00")
    assert study("due", "--json").json["new"] == 10
    assert study("plan", "--off").out == "You follow no plan.\n"


def test_plan_names_the_command_that_starts_it(study: Shell) -> None:
    looked = study("plan", "--exam", "2026-12-13", "--objective", "flops")

    command = "study plan --exam 2026-12-13 --objective flops --start"
    assert looked.out.endswith(f"Nothing has changed. Follow this plan with: {command}\n")
    assert study("plan", "--json").json["followed"] is False
    study(*command.split()[1:])
    assert study("plan", "--json").json["followed"] is True


def test_options_change_the_followed_plan(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13", "--start")

    document = study("plan", "--minutes", "7", "--json").json

    assert (document["followed"], document["plan"]["exam"]) == (False, "2026-12-13")
    assert study("plan", "--json").json["plan"]["minutes"] == 20


@pytest.mark.parametrize(("cards", "why"), [(0, "nothing is due"), (3, "3 cards due, and 20 minutes is enough")])
def test_start_refuses_backlog_of_one_day(study: Shell, cards: int, why: str) -> None:
    known(study, cards, "2026-10-01")

    started = study("plan", "--start")

    assert (started.code, why in started.err) == (1, True)
    assert study("plan", "--off").out == "You follow no plan.\n"


def test_start_and_off_exclude_each_other(study: Shell) -> None:
    assert study("plan", "--start", "--off").code == 2


def test_too_little_time_says_what_to_leave_out(study: Shell) -> None:
    result = study("plan", "--exam", "2026-11-25", "--minutes", "2")
    document = study("plan", "--exam", "2026-11-25", "--minutes", "2", "--json").json

    assert "1 new card a day covers 2 of 40." in result.out
    assert "More a day would not fit in, so 38 new cards would be left out." in result.out
    assert (document["fits"], document["left_out"], len(document["days"])) == (False, 38, 2)


@pytest.mark.parametrize(
    ("cards", "words", "message"),
    [
        (0, "--exam 2026-11-25 --minutes 1", "2 days of 1 minute: no time is left for new cards.\n"),
        (40, "--exam 2026-12-13", "20 days of 20 minutes: only reviews, no card is new."),
    ],
    ids=["no time", "nothing new"],
)
def test_plan_may_bring_no_new_cards(study: Shell, cards: int, words: str, message: str) -> None:
    known(study, cards, "2026-11-22")

    assert message in study("plan", *words.split()).out


def test_new_cards_come_weakest_objective_first(study: Shell) -> None:
    for number in range(1, 12, 2):  # of memory; flops is as new as it was
        for day in ("20", "21"):
            study("answer", f"c{number}", "good", "--at", f"2026-11-{day}T09:00:00+00:00")
    study("plan", "--exam", "2026-12-13", "--start")

    output = study("review", "--plain").out

    assert study("plan", "--json").json["plan"]["order"] == ["flops", "memory"]
    assert "What is 0?" in output


def test_plan_for_objective_brings_its_cards(study: Shell) -> None:
    document = study("plan", "--exam", "2026-12-13", "--objective", "memory", "--start", "--json").json

    assert sum(day["new"] for day in document["days"]) == 20
    first = study("review", "--plain").out
    assert "What is 1?" in first


def test_backlog_plan_spreads_reviews_with_cost(study: Shell) -> None:
    known(study, 30, "2026-10-01")

    result = study("plan", "--minutes", "4", "--start")

    assert result.out.startswith("30 cards due: ")
    assert "You would recall " in result.out
    document = study("plan", "--json").json
    a_day = document["plan"]["reviews"]
    assert 8 <= a_day <= 14
    assert document["recall_spread"] < document["recall_today"] < 1
    assert f"{a_day} left\n\nNext: study review" in study("review", "--plain").out


def test_home_names_plan_that_limits_new_cards(study: Shell) -> None:
    known(study, 30, "2026-10-01")
    output = "Backlog plan: no new cards for now. Stop it with: study plan --off"
    assert output not in study().out

    study("plan", "--minutes", "4", "--start")

    assert output in study().out
    study.at("2026-11-24T09:00:00+00:00")
    assert output in study().out
    study("plan", "--exam", "2026-12-13", "--start")
    assert "Exam plan: 1 new a day until 2026-12-13. Stop it with: study plan --off" in study().out
    study("plan", "--off")
    assert "Stop it" not in study().out


def test_welcome_and_due_name_an_exam_plan(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13", "--start")

    output = "Exam plan: 2 new a day until 2026-12-13. Stop it with: study plan --off\n"
    assert study().out.endswith(output)
    for card in ("c0", "c1"):
        study("answer", card, "good")
    assert output in study("due").out


def test_more_overrides_the_plan(study: Shell) -> None:
    known(study, 30, "2026-10-01")
    study("plan", "--minutes", "4", "--start")
    known(study, 15, "2026-11-23")

    reviewed = study("review", "--plain", "--more", "3")

    assert "3 left." in reviewed.out


def test_backlog_plan_ends_with_its_backlog(study: Shell) -> None:
    known(study, 30, "2026-10-01")
    study("plan", "--minutes", "4", "--start")
    assert study("due", "--json").json["new"] == 0

    known(study, 30, "2026-11-23")

    assert study("due", "--json").json["new"] == 10  # at once, for every look
    assert study("due", "--short").out == "10 new\n"
    assert "Stop it" not in study().out
    result = study("review", "--plain")
    assert "Your plan has ended: 4 minutes a day are enough again." in result.err
    assert study("plan", "--off").out == "You follow no plan.\n"


def test_a_plan_ends_on_its_day(study: Shell) -> None:
    study("plan", "--exam", "2026-11-25", "--start")
    study.at("2026-11-25T09:00:00+00:00")

    assert study("due", "--json").json["new"] == 10
    assert "Your plan has ended: 2026-11-25 has come." in study("review", "--plain").err
    assert study("plan", "--off").out == "You follow no plan.\n"


def test_plan_is_computed_again_each_day(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13", "--start")
    study.at("2026-12-03T09:00:00+00:00")

    study("review", "--plain")

    assert study("due", "--json").json["new"] == 4  # ten days are left for forty cards


def test_review_limit_overrides_the_plan(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13", "--start")

    assert "10 left\n\nNext: study review" in study("review", "--plain", "--new", "10").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--exam", "soon"], "--exam is 'soon'. Give a day such as 2026-12-21."),
        (["--exam", "2026-11-23"], "--exam is 2026-11-23. Give a day from 2026-11-24 to 2027-11-24."),
        (["--exam", "2028-01-01"], "--exam is 2028-01-01. Give a day from 2026-11-24 to 2027-11-24."),
        (["--objective", "cooking"], "'cooking' is not an objective. Use one of "),
        (["--deck", "nowhere"], "No deck is named 'nowhere'"),
    ],
)
def test_a_plan_for_nothing_is_refused(study: Shell, words: list[str], message: str) -> None:
    result = study("plan", *words)

    assert result.code in {2, 3}
    assert message in result.err


def test_unreadable_plan_says_how_to_remove_it(study: Shell) -> None:
    Path(f"{study.database}.plan").write_text("{}")

    result = study("due")

    assert (result.code, "Remove it:\n  study plan --off" in result.err) == (5, True)
    assert study("plan", "--off").code == 0
