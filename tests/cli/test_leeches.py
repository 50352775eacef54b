"""Test leeches in a review, in searches, in statistics and on the card."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from shell import Shell

DECK = "Q: Haus {#haus .typed}\nA: house\n\nQ: Haut {#haut}\nA: skin\n"
FIRST = datetime(2026, 11, 1, 9, tzinfo=UTC)


@pytest.fixture
def study(study: Shell) -> Shell:
    study.with_deck("words.md", DECK)
    study.write("config.toml", 'course = "off"\n[review]\nleech_lapses = 2\n')
    return study


def lapsed(study: Shell, times: int) -> None:
    """Recall and forget `haus` this many times in turn, and recall it once more at the end."""
    for lapse in range(times):
        for day, grade in ((2 * lapse, "good"), (2 * lapse + 1, "again")):
            study("answer", "haus", grade, "--at", (FIRST + timedelta(days=day)).isoformat())
    study("answer", "haus", "good", "--at", (FIRST + timedelta(days=2 * times)).isoformat())


def test_review_names_leech_and_what_to_do(study: Shell) -> None:
    lapsed(study, 1)

    output = study("review", "--plain", typed="skin\n1\nq\n").out

    assert "lapse 2, a leech: more at the end of the session" in output
    assert "Haus  (haus, 2 lapses)" in output
    assert "you typed    skin" in output
    assert "taken for    Haut  (haut): what you typed is its answer" in output
    assert "suspend      study card suspend haus" in output


def test_earlier_wrong_answer_is_shown_and_synced(study: Shell, tmp_path: Path) -> None:
    lapsed(study, 1)
    study("review", "--plain", typed="skin\n1\nq\n")

    assert "you typed    skin" in study("show", "haus").out
    assert study("show", "haus", "--json").json["history"][-1]["typed"] == "skin"

    study("export", "progress", "-o", "mine.json")
    study("sync", "cloud")
    for way in (("import", "mine.json"), ("sync", "cloud")):
        study("--db", str(tmp_path / f"{way[0]}.db"), *way)
        there = study("--db", str(tmp_path / f"{way[0]}.db"), "show", "haus", "--json").json["history"]
        assert [step.get("typed") for step in there] == [None, None, None, "skin"]


def test_leeches_are_found_counted_and_explained(study: Shell) -> None:
    lapsed(study, 2)

    assert study("find", "is:leech").out == "haus\twords\tHaus\n"
    assert study("find", "is:leech", "--json").json["cards"][0]["marks"] == ["leech", "due"]
    assert study("stats", "--json").json["leeches"] == ["haus"]
    assert "Leeches, forgotten again and again: 1. See: study find is:leech" in study("stats").out
    explained = study("show", "haus").out
    assert "A leech: it is forgotten again and again." in explained
    assert "split        study edit haus" in explained
    assert "A leech" not in study("show", "haut").out


def test_who_wants_no_leeches_has_none(study: Shell) -> None:
    lapsed(study, 2)
    study("config", "set", "review.leech_lapses", "0")

    assert study("find", "is:leech").code == 1
    assert study("stats", "--json").json["leeches"] == []
