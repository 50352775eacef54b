"""Check that a copy of progress reads back as it was written, and that nothing invalid gets in."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.progress_file import ReadProgress, progress_json, read_progress
from studykit.scheduling.recall_grade import Grade

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
    ANSWER, id=UUID("0196f0a0-0000-7000-8000-000000000002"), kind=EventKind.UNDO, grade=None, target=str(ANSWER.id)
)
EXERCISE = replace(
    ANSWER,
    id=UUID("0196f0a0-0000-7000-8000-000000000003"),
    showing=Showing("flops.matmul", 1, 7, "{}", "8.4e22", "incorrect", ("mac_as_flop",)),
)
PRACTICE = replace(
    EXERCISE,
    id=UUID("0196f0a0-0000-7000-8000-000000000004"),
    kind=EventKind.PRACTICE,
    grade=Grade.AGAIN,
    profile="another",
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

SHOWING: Mapping[str, object] = {
    "exercise": "flops.matmul",
    "version": 1,
    "seed": 7,
    "parameters": "{}",
    "answer": "1",
    "verdict": "correct",
    "slips": [],
}


def document(*rows: object) -> dict[str, object]:
    return {"schema": 1, "kind": "studykit-progress", "events": list(rows)}


def test_what_a_log_gives_it_takes_back() -> None:
    events = (ANSWER, UNDO, EXERCISE, PRACTICE)

    assert read_progress(json.loads(progress_json(events)), "x.json") == ReadProgress(events)


def test_copy_has_one_event_a_line() -> None:
    typed = replace(EXERCISE, showing=Showing("flops.matmul", 1, 7, "{}", "8,4 · 10²² ≈", "incorrect"))

    lines = progress_json([ANSWER, typed]).splitlines()

    assert (len(lines), "8,4 · 10²² ≈" in lines[2]) == (4, True)


def test_an_event_without_a_time_took_none() -> None:
    row = {name: value for name, value in ROW.items() if name != "took_ms"}

    assert [event.took_ms for event in read_progress(document(row), "x.json").events] == [0]


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [
        ("grade", 0, 5),
        ("moment", 0, 2**53 - 1),
        ("took_ms", 0, 86_400_000),
        ("day", "1970-01-02", "2255-01-01"),
        ("card", "", "x" * 20_000),
        ("version", 0, 2**31),
        ("seed", -(2**63), 2**63 - 1),
    ],
)
def test_field_limits_are_read(field: str, least: object, most: object) -> None:
    for value in (least, most):
        row = {**ROW, "showing": {**SHOWING, field: value}} if field in SHOWING else {**ROW, field: value}
        (event,) = read_progress(document(row), "x.json").events
        assert json.loads(progress_json([event]))["events"][0] == {**row, "profile": "sm2-text", "origin": "page"}


def test_page_row_is_an_answer_of_a_page() -> None:
    assert read_progress(document(ROW), "x.json") == ReadProgress((replace(ANSWER, origin="page"),))


def test_an_event_that_stands_twice_counts_once() -> None:
    assert len(read_progress(document(ROW, ROW), "x.json").events) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"id": "1"}, "its id is damaged: '1'"),
        ({"id": 7}, "its id is damaged: 7"),
        ({"kind": "grade"}, "its kind is damaged: 'grade'"),
        ({"card": None}, "a text is missing or too long"),
        ({"card": "x" * 20_001}, "a text is missing or too long"),
        ({"card": "\x1b]0;title\x07"}, "a name has control characters: .*"),
        ({"card": "six\nnd"}, "a name has control characters: .*"),
        ({"zone": "\x1b[31m"}, "a name has control characters: .*"),
        ({"profile": "\x9b2J"}, "a name has control characters: .*"),
        ({"grade": 6}, "6 is not a whole number from 0 to 5"),
        ({"grade": True}, "true is not a whole number from 0 to 5"),
        ({"grade": None}, "null is not a whole number from 0 to 5"),
        ({"moment": -1}, "-1 is not a whole number from 0 to 9007199254740991"),
        ({"moment": 2**53}, "9007199254740992 is not a whole number from 0 to 9007199254740991"),
        ({"moment": 1.5}, "1.5 is not a whole number from 0 to 9007199254740991"),
        ({"took_ms": -1}, "-1 is not a whole number from 0 to 9223372036854775808"),
        ({"day": "2026-02-30"}, "its day is damaged: '2026-02-30'"),
        ({"day": "today"}, "its day is damaged: 'today'"),
        ({"day": "2255-01-02"}, "its day is damaged: '2255-01-02'"),
        ({"day": "1970-01-01"}, "its day is damaged: '1970-01-01'"),
        ({"kind": "undo", "target": "x"}, "its target is damaged: 'x'"),
        ({"showing": {"exercise": "x"}}, "'version' is missing"),
        ({"showing": []}, "its exercise is damaged"),
        ({"showing": "x"}, "its exercise is damaged"),
        ({"showing": {**SHOWING, "slips": 7}}, "its exercise is damaged"),
        ({"showing": {**SHOWING, "exercise": "\x1b[31m"}}, "a name has control characters: .*"),
        ({"showing": {**SHOWING, "slips": ["\u202eslip"]}}, "a name has control characters: .*"),
        ({"showing": {**SHOWING, "version": 2**31 + 1}}, "2147483649 is not a whole number from 0 to 2147483648"),
        (
            {"showing": {**SHOWING, "seed": 2**63}},
            "9223372036854775808 is not a whole number from -9223372036854775808 to .*",
        ),
        ({"showing": {**SHOWING, "parameters": "[1]"}}, "its parameters are not an object"),
        ({"showing": {**SHOWING, "parameters": "nonsense"}}, "its parameters are damaged: 'nonsense'"),
        ({"showing": {**SHOWING, "parameters": "[" * 20_000}}, "its parameters are damaged: .*"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_invalid_event_is_set_aside(changed: Mapping[str, object], told: str) -> None:
    read = read_progress(document(ROW, {**ROW, **changed}), "x.json")

    assert read.events == (replace(ANSWER, origin="page"),)
    (sentence,) = read.aside
    assert re.match(rf"^x\.json: event 2 was set aside \({told}\); everything else was read\.$", sentence)


@pytest.mark.parametrize("row", [None, 7, "x", []])
def test_invalid_row_is_set_aside(row: object) -> None:
    read = read_progress(document(row, ROW), "x.json")

    assert (len(read.events), len(read.aside)) == (1, 1)


def test_long_time_is_cut_to_a_day() -> None:
    read = read_progress(document({**ROW, "took_ms": 318_388_510}), "x.json")

    assert [event.took_ms for event in read.events] == [86_400_000]


def test_lone_surrogate_becomes_a_question_mark() -> None:
    showing = {**SHOWING, "answer": "3e\ud800"}

    (event,) = read_progress(document({**ROW, "card": "six\ud800", "showing": showing}), "x.json").events

    assert event.showing is not None
    assert (event.card, event.showing.answer) == ("six?", "3e?")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "not a copy of progress"),
        ({"kind": "studykit-deck"}, "not a copy of progress"),
        ({"kind": "studykit-progress", "schema": 2}, "has schema 2, which"),
        ({"kind": "studykit-progress", "schema": 1, "events": {}}, "no list of events"),
    ],
)
def test_another_document_is_refused(given: object, told: str) -> None:
    with pytest.raises(BadDataError, match=told):
        read_progress(given, "x.json")


def test_a_complaint_about_an_event_is_short() -> None:
    (told,) = read_progress(document({**ROW, "kind": "\x1b" + "x" * 100_000}), "x.json").aside

    assert len(told) < 300
    assert told.isprintable()


@pytest.mark.parametrize("changed", [{"day": "2226-01-01"}, {"moment": 8_070_000_000_000_000}])
def test_event_of_the_future_is_set_aside(changed: dict[str, object]) -> None:
    read = read_progress(document(ROW, {**ROW, **changed}), "x.json", date(2026, 11, 30))

    assert len(read.events) == 1
    assert "is in the future" in read.aside[0]
