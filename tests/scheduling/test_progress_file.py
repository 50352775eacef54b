"""A copy of progress: what the log gives is what it takes back, and nothing else gets in."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.events import Event, EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.scheduling.progress_file import progress_json, read_progress

ANSWER = Event(
    id=UUID("0196f0a0-0000-7000-8000-000000000001"),
    learner="",
    origin="laptop",
    kind=EventKind.ANSWER,
    card=CardId("six-nd"),
    moment=1_763_900_000_000_000,
    day=date(2026, 11, 23),
    zone="Europe/London",
    grade=Grade.GOOD,
    took_ms=1200,
)
UNDO = replace(
    ANSWER,
    id=UUID("0196f0a0-0000-7000-8000-000000000002"),
    kind=EventKind.UNDO,
    grade=None,
    target=str(ANSWER.id),
)
EXERCISE = replace(
    ANSWER,
    id=UUID("0196f0a0-0000-7000-8000-000000000003"),
    showing=Showing("flops.matmul", 1, 7, "{}", "8.4e22", "incorrect", ("mac_as_flop",)),
)
ROW: Mapping[str, object] = {
    "id": "0196f0a0-0000-7000-8000-000000000001",
    "kind": "answer",
    "card": "six-nd",
    "moment": 1_763_900_000_000_000,
    "day": "2026-11-23",
    "zone": "Europe/London",
    "grade": 4,
    "took_ms": 1200,
}


def document(*rows: object) -> dict[str, object]:
    return {"schema": 1, "kind": "studykit-progress", "events": list(rows)}


def test_what_a_log_gives_it_takes_back() -> None:
    events = (ANSWER, UNDO, EXERCISE)

    assert read_progress(json.loads(progress_json(events)), "x.json") == events


def test_a_row_as_a_page_writes_it_is_an_answer_made_on_a_page() -> None:
    assert read_progress(document(ROW), "x.json") == (replace(ANSWER, origin="page"),)


def test_an_event_that_stands_twice_counts_once() -> None:
    assert len(read_progress(document(ROW, ROW), "x.json")) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"id": "1"}, "badly formed"),
        ({"kind": "grade"}, "not a valid EventKind"),
        ({"card": None}, "a text is missing"),
        ({"card": "x" * 20_001}, "too long"),
        ({"grade": 6}, "6 is out of range"),
        ({"grade": True}, "True is out of range"),
        ({"grade": None}, "None is out of range"),
        ({"moment": -1}, "-1 is out of range"),
        ({"moment": 2**60}, "is out of range"),
        ({"moment": 1.5}, "1.5 is out of range"),
        ({"day": "2026-02-30"}, "day is out of range"),
        ({"kind": "undo", "target": "x"}, "badly formed"),
        ({"showing": {"exercise": "x"}}, "'version' is missing"),
        ({"showing": []}, "list indices"),
    ],
    ids=str,
)
def test_one_event_that_cannot_be_refuses_the_whole_copy(changed: Mapping[str, object], told: str) -> None:
    with pytest.raises(BadDataError, match=rf"^x\.json: event 2 cannot be read \(.*{told}"):
        read_progress(document(ROW, {**ROW, **changed}), "x.json")


@pytest.mark.parametrize("row", [None, 7, "x", []])
def test_a_row_that_is_no_event_is_refused(row: object) -> None:
    with pytest.raises(BadDataError, match="event 1 cannot be read"):
        read_progress(document(row), "x.json")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "no copy of progress"),
        ({"kind": "studykit-deck"}, "no copy of progress"),
        ({"kind": "studykit-progress", "schema": 2}, "newer studykit"),
        ({"kind": "studykit-progress", "schema": 1, "events": {}}, "no list of events"),
    ],
)
def test_another_document_is_refused(given: object, told: str) -> None:
    with pytest.raises(BadDataError, match=told):
        read_progress(given, "x.json")


SHOWING = {
    "exercise": "flops.matmul",
    "version": 1,
    "seed": 7,
    "parameters": "{}",
    "answer": "1",
    "verdict": "correct",
    "slips": [],
}


@pytest.mark.parametrize(
    "changed",
    [
        {"card": "\ud800"},
        {"card": "\x1b]0;title\x07"},
        {"card": "six\nnd"},
        {"zone": "\x1b[31m"},
        {"profile": "\x9b2J"},
        {"day": "9999-12-31"},
        {"day": "0001-01-01"},
        {"showing": {**SHOWING, "exercise": "\x1b[31m"}},
        {"showing": {**SHOWING, "slips": ["\u202eslip"]}},
        {"showing": {**SHOWING, "parameters": "[1]"}},
        {"showing": {**SHOWING, "parameters": "nonsense"}},
        {"showing": {**SHOWING, "parameters": "[" * 20_000}},
    ],
    ids=repr,
)
def test_what_would_spoil_a_list_or_the_calendar_is_refused(changed: Mapping[str, object]) -> None:
    with pytest.raises(BadDataError, match="event 1 cannot be read"):
        read_progress(document({**ROW, **changed}), "x.json")


def test_a_complaint_about_an_event_is_short() -> None:
    with pytest.raises(BadDataError) as told:
        read_progress(document({**ROW, "kind": "\x1b" + "x" * 100_000}), "x.json")

    assert len(str(told.value)) < 300
    assert str(told.value).isprintable()
