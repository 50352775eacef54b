"""Test that rows which this version does not know, and impossible caches, are skipped and reported."""

from pathlib import Path

import pytest
from revisions import change
from shell import Shell
from stores import NOW, opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade

ODD_EVENTS = {
    "kind": "'dream'",
    "grade": "9",
    "day": "99999999",
    "moment": "9000000000000000000",
    "took_ms": "-5",
    "id": "x'00'",
}
ODD_MEMORIES = ("interval = 2000000000", "reviewed = -7", "due = 9223372036854775807", "reviewed = 0, due = 0")
VERBS = [
    line.split()
    for line in (
        *("due", "due --short", "show mine", "stats", "export progress", "undo --list", "undo"),
        *("answer mine good", "review --plain", "sync shared", "doctor", "doctor --fix"),
    )
]


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    study.with_environ(STUDYKIT_DECKS=str(tmp_path / "mine.md"))
    study.write("config.toml", 'course = "off"\n')
    study.write("mine.md", "Q: What is MFU? {#mine}\nA: A share.\n")
    assert study("answer", "mine", "good", "--at", "2026-11-21T09:00:00+00:00").code == 0
    return study


def with_odd_event(path: Path, column: str, value: str) -> None:
    """Add a copy of an event, with a value in one column that this version never writes."""
    columns = [
        *("id", "learner", "origin", "kind", "card_id", "moment", "day", "zone", "grade", "took_ms", "profile"),
        "target",
    ]
    values = {"id": "x'ffffffffffff7fffbfffffffffffffff'", column: value}
    chosen = ", ".join(values.get(name, name) for name in columns)
    change(path, f"INSERT INTO event ({', '.join(columns)}) SELECT {chosen} FROM event LIMIT 1")


@pytest.mark.parametrize("column", ["kind", "moment"])
def test_unknown_event_is_passed_over_and_reported(study: Shell, column: str) -> None:
    with_odd_event(study.database, column, ODD_EVENTS[column])

    codes = {" ".join(words): study(*words).code for words in VERBS}

    assert all(code in {0, 1} for code in codes.values()), codes
    assert "1 event that this version cannot read, kept and left out" in study("doctor").out


@pytest.mark.parametrize("column", ODD_EVENTS)
def test_unknown_event_counts_nothing(study: Shell, column: str) -> None:
    with_odd_event(study.database, column, ODD_EVENTS[column])

    with opened(study.database) as store:
        events = list(store.log.events())
        assert (len(events), len(store.log.unreadable()), store.log.count()) == (1, 1, 2)
        assert store.schedule.disagreements() == ()
        store.schedule.rebuild()
        assert store.schedule.disagreements() == ()


@pytest.mark.parametrize("values", ODD_MEMORIES)
def test_impossible_cache_is_explained_and_rebuilt(study: Shell, values: str) -> None:
    change(study.database, f"UPDATE memory SET {values}")

    results = {" ".join(words): study(*words) for words in VERBS if words[0] != "doctor"}

    assert all(result.code in {0, 1, 5} for result in results.values()), results
    assert study("doctor").code == 1
    assert study("doctor", "--fix").code == 0
    assert study("doctor").code == 0


def test_an_undo_of_nonsense_takes_nothing_back(study: Shell) -> None:
    with_odd_event(study.database, "kind", "'undo'")
    change(
        study.database, "DROP TRIGGER event_refuses_update", "UPDATE event SET target = 'x' WHERE kind = 'undo'"
    )

    with opened(study.database) as store:
        assert store.schedule.disagreements() == ()
        assert store.log.record(EventKind.ANSWER, CardId("mine"), grade=Grade.GOOD).after is not None
        assert store.schedule.agenda(NOW.date()).due == ()


def test_card_of_an_unknown_kind_is_shown(study: Shell) -> None:
    change(study.database, "UPDATE card SET kind = 'dream'")

    assert study("show", "mine").code == 0
