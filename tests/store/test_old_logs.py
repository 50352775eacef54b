"""Test that a log from before the verdicts `late` and `skipped` still gives the figures of that time."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import is_recalled
from studykit.scheduling.progress_file import read_progress
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.sm2 import PASSING_GRADE
from studykit.scheduling.student_figures import CourseCard, student_figures, student_row

LOGS = Path(__file__).parents[1] / "data/logs"
DAY = date(2026, 3, 9)
KEYS = (
    "total",
    "retention",
    "streak",
    "slips",
    "slip_families",
    "exercises",
    "grades",
    "hours",
    "bets",
    "activity",
)
FIGURES = ("answers", "days", "took_ms", "tries", "attempts", "outcomes", "memories")
CARDS = ("old-typed", "old-choice", "old-est", "old-est2")


def figures_of_a_class() -> dict[str, str]:
    document = json.loads((LOGS / "before_late.json").read_text("utf-8"))
    rows = [student_row(event) for event in read_progress(document, "old.json").events]
    course = {card: CourseCard(card, "old", (), card, "old.md:1") for card in CARDS}
    figures = student_figures("ana", rows, course, DAY.toordinal())
    return {name: repr(getattr(figures, name)) for name in FIGURES}


def test_statistics_stay(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_NOW", "2026-03-09T10:00:00+00:00")
    study("import", str(LOGS / "before_late.json"))

    result = study("stats", "--json").json

    expected = json.loads((LOGS / "before_late_stats.json").read_text("utf-8"))
    assert {name: result[name] for name in KEYS} == expected


def test_class_report_stays() -> None:
    expected = json.loads((LOGS / "before_late_class.json").read_text("utf-8"))

    assert figures_of_a_class() == expected


@pytest.mark.parametrize(
    ("verdict", "grade", "passed"),
    [("late", 3, 0), ("correct", 1, 1), ("incorrect", 4, 0), ("skipped", 5, 0), ("", 4, 1)],
)
def test_retention_follows_the_verdict(context: Context, verdict: str, grade: int, passed: int) -> None:
    recalled = is_recalled(verdict) if verdict else None
    log = context.store.log
    log.record(EventKind.ANSWER, CardId("six"), grade=Grade.GOOD, at=datetime(2026, 11, 1, tzinfo=UTC))

    done = log.record(EventKind.ANSWER, CardId("six"), grade=Grade(grade), is_recalled=recalled)

    assert done.after is not None
    assert (done.after.interval > 1) == (grade >= PASSING_GRADE)
    assert context.store.schedule.tally(context.today()).young_passed == passed
    assert context.store.schedule.disagreements() == ()
