"""`study plan`: what fits before an exam, how a backlog is spread, and that reviews follow."""

from pathlib import Path

import pytest
from shell import Shell

OBJECTIVES = ("flops", "memory")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Forty cards of one's own, every second one of flops, and none of the course."""
    study = Shell(tmp_path, monkeypatch, capsys)
    cards = [
        f"Q: What is {number}? {{#c{number} .{OBJECTIVES[number % 2]}}}\nA: {number}.\n" for number in range(40)
    ]
    (tmp_path / "deck.md").write_text("\n".join(cards))
    study("config", "set", "decks", str(tmp_path / "deck.md"))
    study("config", "set", "course", "off")
    return study


def known(study: Shell, cards: int, day: str, grade: str = "good") -> None:
    for number in range(cards):
        study("answer", f"c{number}", grade, "--at", f"{day}T09:{number:02}:00+00:00")


def test_an_exam_spreads_the_new_cards_and_reviews_follow(study: Shell) -> None:
    told = study("plan", "--exam", "2026-12-13")

    assert told.out.startswith(
        "Until 2026-12-13, 20 days of 20 minutes: 2 new cards a day, and all 40 have their turn.\nOn the day 9"
    )
    assert "`study review` follows this plan, `study plan --off` ends it." in told.out
    assert study("due", "--json").json["new"] == 2
    assert study("review", "--plain").out.count("Press Enter for the answer.") == 1
    assert study("plan", "--off").out == "The plan is off.\n"
    assert study("due", "--json").json["new"] == 10


def test_what_cannot_be_done_is_said_with_what_to_leave_out(study: Shell) -> None:
    told = study("plan", "--exam", "2026-11-25", "--minutes", "2")
    document = study("plan", "--json").json

    assert "1 new card a day, and 2 of 40 have their turn." in told.out
    assert "It cannot be done whole: 38 new cards would be left out." in told.out
    assert (document["fits"], document["left_out"], len(document["days"])) == (False, 38, 2)


def test_new_cards_come_weakest_objective_first(study: Shell) -> None:
    for number in range(1, 12, 2):  # of memory; flops is as new as it was
        for day in ("20", "21"):
            study("answer", f"c{number}", "good", "--at", f"2026-11-{day}T09:00:00+00:00")
    study("plan", "--exam", "2026-12-13")

    asked = study("review", "--plain").out

    assert study("plan", "--json").json["plan"]["order"] == ["flops", "memory"]
    assert "What is 0?" in asked


def test_a_plan_for_an_objective_brings_new_cards_of_it_alone(study: Shell) -> None:
    document = study("plan", "--exam", "2026-12-13", "--objective", "memory", "--json").json

    assert sum(day["new"] for day in document["days"]) == 20
    first = study("review", "--plain").out
    assert "What is 1?" in first


def test_a_backlog_is_spread_over_days_and_its_cost_is_said(study: Shell) -> None:
    known(study, 30, "2026-10-01")

    told = study("plan", "--minutes", "4")

    assert told.out.startswith("30 cards due: ")
    assert "What it costs: " in told.out
    document = study("plan", "--json").json
    a_day = document["plan"]["reviews"]
    assert 8 <= a_day <= 14
    assert document["recall_spread"] < document["recall_today"] < 1
    assert f"{a_day} left\n\nNext: study review" in study("review", "--plain").out


def test_a_backlog_that_is_gone_ends_its_plan(study: Shell) -> None:
    known(study, 30, "2026-10-01")
    study("plan", "--minutes", "4")
    known(study, 30, "2026-11-23")
    study.at("2026-11-24T09:00:00+00:00")

    told = study("review", "--plain")

    assert "What is due fits into a day again: the plan has ended." in told.err
    assert study("plan", "--off").out == "There was no plan.\n"


def test_a_plan_ends_on_its_day(study: Shell) -> None:
    study("plan", "--exam", "2026-11-25")
    study.at("2026-11-25T09:00:00+00:00")

    told = study("review", "--plain")

    assert "The plan has come to its day, 2026-11-25: reviews go on without it." in told.err
    assert study("due", "--json").json["new"] == 10


def test_a_plan_is_worked_out_again_on_another_day(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13")
    study.at("2026-12-03T09:00:00+00:00")

    study("review", "--plain")

    assert study("plan", "--json").json["plan"]["new"] == 4  # ten days are left for forty cards


def test_a_dry_run_plans_nothing(study: Shell) -> None:
    told = study("plan", "--exam", "2026-12-13", "--dry-run")

    assert "follows this plan" not in told.out
    assert study("due", "--json").json["new"] == 10


def test_decks_that_were_asked_for_are_reviewed_as_always(study: Shell) -> None:
    study("plan", "--exam", "2026-12-13")

    assert "10 left\n\nNext: study review" in study("review", "--plain", "--new", "10").out


def test_without_new_cards_a_plan_is_of_reviews(study: Shell) -> None:
    known(study, 40, "2026-11-22")

    assert "20 days of 20 minutes: no card is new, reviews alone." in study("plan", "--exam", "2026-12-13").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--exam", "soon"], "--exam is 'soon'; give a day such as 2026-12-21."),
        (["--exam", "2026-11-23"], "--exam is 2026-11-23; give a day after today, at most 366 days ahead."),
        (["--exam", "2028-01-01"], "--exam is 2028-01-01; give a day after today, at most 366 days ahead."),
        (["--objective", "cooking"], "there is no objective 'cooking'; there are "),
        (["--deck", "nowhere"], "there is no deck 'nowhere'"),
    ],
)
def test_a_plan_for_nothing_is_refused(study: Shell, words: list[str], told: str) -> None:
    result = study("plan", *words)

    assert result.code in {2, 3}
    assert told in result.err


def test_a_plan_that_cannot_be_read_says_so(study: Shell) -> None:
    Path(f"{study.database}.plan").write_text("{}")

    result = study("due")

    assert (result.code, "make another with `study plan`" in result.err) == (5, True)
    assert study("plan", "--off").code == 0
