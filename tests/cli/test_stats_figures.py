"""Test `study stats` on a log of nine answers, with every figure counted by hand."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.plan import fitted
from studykit.scheduling.recall_grade import Grade
from studykit.store.opening import open_store

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
GRADES = {"again": Grade.AGAIN, "good": Grade.GOOD}

DECK = """---
name: Two objectives
---
Q: One? {#a .flops}
A: 1

Q: <b>Two</b>? {#b .flops}
A: 2

Q: Three? {#c .memory}
A: 3
"""
LOG = """
a good  10-01T09
b again 10-01T09
b good  10-01T10  drill, as it scored below good
a good  10-02T09  passed
b good  10-02T21  passed
a again 10-08T09  forgotten after six days: a lapse
a good  10-08T10  drill
a good  10-09T09  passed
a good  11-01T08  passed, 22 days late; due again on 7 November
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with the answers of `LOG`."""
    path = tmp_path_factory.mktemp("log") / "study.db"
    with open_store(path, clock=lambda: NOW, zone_name="UTC", zone=UTC) as store:
        for line in LOG.strip().splitlines():
            card, grade, moment, *_ = line.split()
            at = datetime.fromisoformat(f"2026-{moment}:00:00+00:00")
            store.log.record(EventKind.ANSWER, CardId(card), grade=GRADES[grade], took_ms=2000, at=at)
    return path


@pytest.fixture
def study(study: Shell, log: Path, tmp_path: Path) -> Shell:
    shutil.copy(log, tmp_path / "study.db")
    study.with_environ(STUDYKIT_NOW="2026-11-20T09:00:00+00:00")
    study("config", "set", "decks", str(study.write("deck.md", DECK)))
    study("config", "set", "course", "off")
    return study


def some(figures: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [each for each in figures if each[name]]


def test_counts_are_those_of_the_log(study: Shell) -> None:
    document = study("stats", "--json").json

    total = {"introduced": 2, "young": 5, "young_passed": 4, "drills": 2, "took_ms": 18_000}
    assert total.items() <= document["total"].items()
    assert document["retention"]["all"]["total"] == {"passed": 4, "reviews": 5, "share": 0.8}
    assert document["retention"]["month"]["total"] == {"passed": 1, "reviews": 1, "share": 1.0}
    assert document["streak"] == {"current": 0, "longest": 2}
    assert (document["overdue"], document["forecast"][0]["due"]) == (2, 2)
    days = {"2026-10-01": 3, "2026-10-02": 2, "2026-10-08": 2, "2026-10-09": 1, "2026-11-01": 1}
    assert some(document["year"], "answers") == [{"date": day, "answers": count} for day, count in days.items()]
    assert {
        hour: each["passed"] / each["reviews"] for hour, each in enumerate(document["hours"]) if each["reviews"]
    } == {8: 1, 9: 2 / 3, 21: 1}
    assert [each["grade"] for each in document["grades"] if each["took_ms"]] == [1, 4]
    assert document["grades"][4] == {"grade": 4, "new": 1, "young": 4, "mature": 0, "drill": 2, "took_ms": 14_000}


def test_months_weeks_and_spreads_match_the_log(study: Shell) -> None:
    document = study("stats", "--json").json

    october, november = document["months"][-2:]
    assert (october["first"], october["answers"], november["answers"]) == ("2026-10-01", 8, 1)
    assert (october["retention"]["passed"], october["retention"]["reviews"]) == (3, 4)
    assert [round(end, 4) for end in october["retention"]["interval"]] == [0.3006, 0.9544]  # Wilson's of 3 of 4
    assert document["months"][0]["retention"]["interval"] is None
    weeks = [(each["first"], each["answers"]) for each in some(document["weeks"], "answers")]
    assert weeks == [("2026-09-28", 5), ("2026-10-05", 3), ("2026-10-26", 1)]
    assert [(each["first"], each["cards"]) for each in some(document["intervals"], "cards")] == [(0, 1), (4, 1)]
    assert some(document["ease"], "cards") == [{"first": 250, "after": 270, "cards": 2}]  # good changes no ease
    assert document["stability"] == []


def test_recall_follows_the_formulas(study: Shell) -> None:
    fsrs, err = Fsrs(), study("stats", "--json").json["mastery"]

    a, b, output = fsrs.first(4), fsrs.first(1), []
    for days, grade in ((1, 4), (6, 1), (1, 4), (23, 4)):
        output.append((a[0], days, grade == 4))
        a = fsrs.review(*a, days, grade)
    output.append((b[0], 1, True))
    b = fsrs.review(*b, 1, 4)
    odds = fitted(fsrs, output).odds
    each = [fsrs.recall(a[0], 19), fsrs.recall(b[0], 49)]
    each = [odds * p / (1 - p + odds * p) for p in each]

    assert err["flops"]["recall"]["mean"] == pytest.approx(sum(each) / 2)
    assert (err["flops"]["cards"], err["flops"]["seen"], err["flops"]["standing"]) == (2, 2, "unsure")
    counts = {"cards": 1, "seen": 0, "tries": 0, "right": 0}
    assert err["memory"] == counts | {"standing": "unknown", "recall": None, "exercises": None}


def test_terminal_names_unknown_mastery(study: Shell) -> None:
    lines = study("stats").out.splitlines()

    (flops,) = (line for line in lines if line.startswith("flops"))
    (memory,) = (line for line in lines if line.startswith("memory"))
    recall = study("stats", "--json").json["mastery"]["flops"]["recall"]
    assert f"{recall['mean']:.0%} ({recall['low']:.0%}-{recall['high']:.0%})" in flops
    assert flops.endswith("not sure yet")
    assert "%" not in memory
    assert memory.endswith("nothing known")


def test_the_page_tells_the_figures_of_json(study: Shell) -> None:
    result = study("stats", "--html", "year.html")

    page = (study.home / "year.html").read_text(encoding="utf-8")
    document = study("stats", "--json").json
    recall = document["mastery"]["flops"]["recall"]
    assert (result.code, result.out.startswith("year.html: a page of ")) == (0, True)
    assert "80.0% of 5 reviews passed in the last 365 days." in page
    assert "5 of 51 days, 9 answers, most on 1 Oct (3)." in page
    assert "last 365 days</th>" in page
    assert all(line in page for line in study("stats").out.splitlines()[:2])
    assert f"{recall['mean']:.0%} ({recall['low']:.0%}-{recall['high']:.0%})" in page
    assert "2 due today, 2 of them overdue; 2 in 30 days." in page
    hardest = '<td class="n">1</td><td class="n">75.0%</td><td class="n">2.50</td><td>One?</td>'
    assert f'<th scope="row">a</th>{hardest}' in page
    assert study("stats", "--html", "again.html").code == 0
    assert (study.home / "again.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--html", "deck.md"), 2, "deck.md is not the name of a page. Give --html a name that ends with .html."),
        (("--html", "no/such/x.html"), 1, "no/such/x.html cannot be written: No such file or directory."),
        (("--html", "x.html", "--compare"), 2, "--compare and --html cannot be combined"),
    ],
)
def test_a_page_goes_nowhere_else(study: Shell, words: tuple[str, ...], code: int, message: str) -> None:
    result = study("stats", *words)

    assert (result.code, message in result.err) == (code, True), result.err
    assert (study.home / "deck.md").read_text() == DECK


def test_what_was_undone_counts_in_no_figure(study: Shell) -> None:
    before = study("stats", "--json").json

    study("answer", "c", "good")
    study("undo")

    assert study("stats", "--json").json == before
