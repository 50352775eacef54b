"""A copy of progress: what the log gives is what it takes back, and nothing else gets in."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.events import Event, EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.scheduling.progress_file import ReadProgress, progress_json, read_progress

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

    assert read_progress(json.loads(progress_json(events)), "x.json") == ReadProgress(events)


def test_a_row_as_a_page_writes_it_is_an_answer_made_on_a_page() -> None:
    assert read_progress(document(ROW), "x.json") == ReadProgress((replace(ANSWER, origin="page"),))


def test_an_event_that_stands_twice_counts_once() -> None:
    assert len(read_progress(document(ROW, ROW), "x.json").events) == 1


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
def test_one_event_that_cannot_be_is_set_aside_and_costs_no_other(
    changed: Mapping[str, object], told: str
) -> None:
    read = read_progress(document(ROW, {**ROW, **changed}), "x.json")

    assert read.events == (replace(ANSWER, origin="page"),)
    (sentence,) = read.aside
    assert re.match(rf"x\.json: event 2 was set aside \(.*{told}", sentence)


@pytest.mark.parametrize("row", [None, 7, "x", []])
def test_a_row_that_is_no_event_is_set_aside(row: object) -> None:
    read = read_progress(document(row, ROW), "x.json")

    assert (len(read.events), len(read.aside)) == (1, 1)


def test_a_card_that_stayed_open_for_days_took_a_day() -> None:
    read = read_progress(document({**ROW, "took_ms": 318_388_510}), "x.json")

    assert [event.took_ms for event in read.events] == [86_400_000]


def test_half_a_character_in_a_text_becomes_a_question_mark() -> None:
    showing = {**SHOWING, "answer": "3e\ud800"}

    (event,) = read_progress(document({**ROW, "card": "six\ud800", "showing": showing}), "x.json").events

    assert event.showing is not None
    assert (event.card, event.showing.answer) == ("six?", "3e?")


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
def test_what_would_spoil_a_list_or_the_calendar_is_set_aside(changed: Mapping[str, object]) -> None:
    read = read_progress(document({**ROW, **changed}), "x.json")

    assert (len(read.events), len(read.aside)) == (0, 1)


def test_a_complaint_about_an_event_is_short() -> None:
    (told,) = read_progress(document({**ROW, "kind": "\x1b" + "x" * 100_000}), "x.json").aside

    assert len(told) < 300
    assert told.isprintable()
