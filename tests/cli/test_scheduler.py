"""Test FSRS: choosing it, going back to SM-2, and its figures of a card."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.errors import StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.opening import open_store
from studykit.store.store import Store

HISTORY = (("2026-10-01", "good"), ("2026-10-02", "good"), ("2026-10-08", "good"), ("2026-10-23", "easy"))


@pytest.fixture
def study(study: Shell) -> Shell:
    deck = "Q: What? {#a}\nA: That.\n\nQ: Who? {#b}\nA: She.\n"
    study.with_deck("deck.md", deck)
    for day, grade in HISTORY:
        study("answer", "a", grade, "--at", f"{day}T09:00:00+00:00")
    return study


def memory(study: Shell, card: str = "a") -> dict[str, object]:
    document = study("show", card, "--json").json["memory"]
    assert isinstance(document, dict)
    return document


@contextmanager
def opened(study: Shell, scheduler: str | None = None, *, at: str = "2026-11-23") -> Iterator[Store]:
    with open_store(
        study.database,
        clock=lambda: datetime.fromisoformat(f"{at}T09:00:00+00:00"),
        zone_name="UTC",
        zone=UTC,
        scheduler=scheduler,
    ) as store:
        yield store


def test_scheduler_change_is_explained_and_reversible(study: Shell) -> None:
    before = memory(study)

    result = study("config", "set", "scheduler", "fsrs-6")
    under_fsrs = memory(study)
    back = study("config", "set", "scheduler", "sm2-text")
    after = study("due")

    assert back.err == "study: sm2-text plans your reviews from now on; your log is as it was.\n"
    assert after.err == ""
    assert result.err == "study: fsrs-6 0.9 plans your reviews from now on; your log is as it was.\n"
    assert (before["due"], before["stability"]) == ("2026-11-30", None)
    assert str(under_fsrs["due"]) > "2027"
    assert isinstance(under_fsrs["stability"], float)
    assert memory(study) == before
    assert study("doctor").code == 0


def test_answers_under_fsrs_are_logged_as_such(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")

    first = study("answer", "b", "good", "--json").json
    repeated = study("answer", "b", "again", "--json").json
    ahead = study("answer", "b", "again", "--json", "--at", "2026-11-24T09:00:00+00:00").json

    assert (first["became"], first["due"]) == ("review", "2026-11-25")
    assert (repeated["became"], ahead["became"], ahead["due"]) == ("drill", "cram", "2026-11-25")
    with opened(study) as store:
        profiles = [event.profile for event in store.log.events() if event.card == "b"]
        assert profiles == ["fsrs-6", "fsrs-6 ahead", "fsrs-6 ahead"]
        assert store.schedule.disagreements() == ()


def test_fsrs_answers_are_reviews_under_sm2(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")
    day = "2026-11-15"
    for grade in ("hard", "hard", "good"):  # days 1, 2 and 4, where SM-2 would ask on days 1, 2 and 8
        day = study("answer", "b", grade, "--json", "--at", f"{day}T09:00:00+00:00").json["due"]
    before = memory(study, "b")["reviewed"]

    study("config", "set", "scheduler", "sm2-text")

    assert "2026-11-16" < str(before) < "2026-11-22"
    assert memory(study, "b")["reviewed"] == before
    assert memory(study, "b")["repetition"] == 3


def test_late_answer_is_judged_at_its_moment(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")
    study("answer", "b", "good", "--at", "2026-11-23T09:00:00+00:00")

    study("answer", "b", "good", "--at", "2026-11-01T09:00:00+00:00")

    with opened(study) as store:
        assert [event.profile for event in store.log.history(CardId("b"))] == ["fsrs-6", "fsrs-6"]
        assert store.schedule.disagreements() == ()
    assert memory(study, "b")["reviewed"] == "2026-11-23"


def test_why_explains_an_fsrs_interval(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")

    output = study("show", "a").out

    assert "Its log, by fsrs-6 0.9:" in output
    assert "1 Oct  good: first stability 2.31 d, difficulty 2.1, so 2 d until 90% recall it" in output
    assert "8 Oct  good: recall after 6 d was " in output
    assert "recall today 9" in output


def test_a_learners_own_numbers_plan(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")
    usual = memory(study)["due"]

    study("config", "set", "fsrs.retention", "80")
    seldom = memory(study)["due"]
    study(
        "config", "set", "fsrs.parameters", ",".join(["1"] * 4 + ["5", "1", "1", "0.1"] + ["0.5"] * 12 + ["0.2"])
    )

    assert study("config", "get", "fsrs.retention").out == "80\n"
    assert str(seldom) > str(usual)
    assert study("config", "get", "fsrs.parameters").out == "[]\n"  # w16 lies between 1 and 6


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("fsrs.retention", "50", "A recall of 50% cannot be scheduled. Give 70% to 99%."),
        ("fsrs.retention", "100", "A recall of 100% cannot be scheduled. Give 70% to 99%."),
        ("fsrs.parameters", "1,2,3", "FSRS-6 has 21 parameters, not 3. Give exactly 21."),
        (
            "fsrs.parameters",
            "a,b",
            "fsrs.parameters holds something other than numbers. Give 21 numbers with commas between them.",
        ),
        (
            "fsrs.parameters",
            ",".join(["nan"] * 21),
            "Parameter w0 of FSRS-6 is nan. Give a number from 0.001 to 100.",
        ),
    ],
)
def test_invalid_fsrs_parameters_are_refused(study: Shell, setting: str, value: str, message: str) -> None:
    result = study("config", "set", setting, value)

    assert (result.code, result.err) == (2, f"study: {message}\n")
    assert study("config", "get", setting).out in {"90\n", "[]\n"}


def test_database_keeps_its_scheduler(study: Shell) -> None:
    study("config", "set", "scheduler", "fsrs-6")
    memory(study)

    with opened(study) as store:
        assert (store.schedule.scheduler, store.rescheduled) == ("fsrs-6 0.9", False)


def test_an_edited_configuration_is_followed_and_said_once(study: Shell) -> None:
    with (study.home / "config.toml").open("a") as settings:
        settings.write('scheduler = "fsrs-6"\n')

    first, second = study("show", "a"), study("show", "a")

    output = "study: fsrs-6 0.9 plans your reviews from now on; your log is as it was.\n"
    assert (first.err, second.err) == (output, "")


def test_open_session_survives_a_scheduler_change(study: Shell) -> None:
    with opened(study, "") as before:
        with opened(study, "fsrs-6 0.9"):
            pass

        with pytest.raises(StudyError, match="Another command changed the scheduler"):
            before.log.record(EventKind.ANSWER, CardId("b"), grade=Grade.GOOD)

    with opened(study) as store:
        assert store.schedule.disagreements() == ()
