"""Test that the pages' JavaScript computes the same as Python. It runs in V8, the engine of Chromium."""

import json
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from page_script import PageScript
from plain_replay import plain_replay
from review_vectors import CARDS, FIRST_DAY, NEW_A_DAY, VECTORS, ReviewVector

from studykit.cards.card import CardId
from studykit.scheduling import sm2
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.memory import Memory
from studykit.scheduling.progress_file import read_progress
from studykit.scheduling.recall_grade import Grade

TABLES: list[dict[str, Any]] = json.loads(
    Path(__file__).parents[1].joinpath("vectors").joinpath("sm2.json").read_text()
)
EPOCH = date(1970, 1, 1)
MONDAY = date(2026, 11, 23)


@pytest.fixture(scope="module")
def script() -> PageScript:
    return PageScript(
        *("say.js", "sm2.js", "log.js", "store.js"),
        after="const replay = (log, m = new Map()) => live(log).reduce((_, e) => (apply(m, e), m), m);"
        "const memoriesOf = (log) => [...replay(log)].map(([card, { last, ...rest }]) => [card, rest]);"
        "const answersOf = (log, known = new Map()) => live(log).map((e) => [e.id, apply(known, e) || null]);"
        "const agendaOf = (cards, log, day, n) => agenda(cards, log, day, n).map(({ id }) => id);"
        "const studyDayOf = (...wall) => isoDay(studyDay(new Date(...wall)));",
    )


def as_page(memory: Memory) -> dict[str, int]:
    """Return a memory as the page stores it."""
    return {
        "repetition": memory.repetition,
        "interval": memory.interval,
        "ease": memory.ease,
        "lapses": memory.lapses,
        "reviewed": (memory.reviewed - EPOCH).days,
    }


def starting(vector: dict[str, Any]) -> tuple[int, int, int]:
    """Return repetition, interval and ease before the first grade of a table."""
    repetition, interval, ease = vector["start"] or (0, 0, sm2.INITIAL_EASE)
    return repetition, interval, ease


@pytest.mark.parametrize("vector", TABLES, ids=lambda vector: vector["name"])
def test_the_published_tables_hold_in_python(vector: dict[str, Any]) -> None:
    repetition, interval, ease = starting(vector)
    results = []
    for grade in vector["grades"]:
        repetition, interval, ease = sm2.review(repetition, interval, ease, grade, sm2.MAX_INTERVAL)
        results.append((interval, ease))

    assert results == list(zip(vector["intervals"], vector["eases"], strict=True))


@pytest.mark.parametrize("vector", TABLES, ids=lambda vector: vector["name"])
def test_the_published_tables_hold_in_the_page(script: PageScript, vector: dict[str, Any]) -> None:
    names = ("repetition", "interval", "ease")
    memory = {**dict(zip(names, starting(vector), strict=True)), "lapses": 0, "reviewed": 20_780}
    results: list[tuple[int, int]] = []
    for grade in vector["grades"]:
        memory = script.call("after", memory if vector["start"] or results else None, grade, 20_780)
        results.append((memory["interval"], memory["ease"]))

    assert results == list(zip(vector["intervals"], vector["eases"], strict=True))


def random_log(seed: int, length: int) -> list[Event]:
    """Return events of three cards over half a year, out of order and some undone."""
    random = Random(seed)
    events: list[Event] = []
    for number in range(length):
        day = MONDAY + timedelta(days=random.randrange(180))
        kind = random.choices(
            [EventKind.ANSWER, EventKind.UNDO, EventKind.RESET, EventKind.RELINK, EventKind.ADOPT],
            [20, 3, 1, 1, 2],
            k=1,
        )[0]
        target = str(random.choice(events).id) if kind is EventKind.UNDO and events else random.choice("abc")
        if kind is EventKind.ADOPT:
            target = (
                f"{random.randrange(9)} {random.randrange(99)} {random.randrange(130, 300)} {random.randrange(9)}"
            )
        events.append(
            Event(
                id=UUID(int=random.getrandbits(128)),
                learner="l",
                origin="o",
                kind=kind,
                card=CardId(random.choice("abc")),
                moment=((day - EPOCH).days * 86_400 + number) * 1_000_000,
                day=day,
                zone="UTC",
                grade=Grade(random.randrange(6)) if kind is EventKind.ANSWER else None,
                target=target,
            )
        )
    return events


def row(event: Event) -> dict[str, object]:
    """Return an event as the page stores it."""
    return {
        "id": str(event.id),
        "kind": event.kind.value,
        "card": event.card,
        "grade": event.grade,
        "moment": event.moment,
        "day": (event.day - EPOCH).days,
        "target": event.target,
        "profile": event.profile,
    }


every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


@every_vector
def test_script_memories_equal_those_of_python(script: PageScript, vector: ReviewVector) -> None:
    memories = script.call("memoriesOf", [row(event) for event in vector.events])

    first = (FIRST_DAY - EPOCH).days
    assert {card: list(memory.values()) for card, memory in memories} == {
        card: [*numbers[:4], first + numbers[4]] for card, numbers in vector.memories.items()
    }
    assert {card: script.call("dueDay", memory) - first for card, memory in memories} == {
        card: numbers[5] for card, numbers in vector.memories.items()
    }


@every_vector
def test_script_answer_kinds_equal_those_of_python(script: PageScript, vector: ReviewVector) -> None:
    kinds = dict(script.call("answersOf", [row(event) for event in vector.events]))

    assert tuple(kinds.get(str(event.id)) for event in vector.events) == vector.answers


@every_vector
def test_script_agenda_equals_that_of_python(script: PageScript, vector: ReviewVector) -> None:
    log, today = [row(event) for event in vector.events], (FIRST_DAY - EPOCH).days + vector.today
    cards = [{"id": name, "note": name} for name in CARDS]

    assert tuple(script.call("agendaOf", cards, log, today, NEW_A_DAY)) == vector.asked


@pytest.mark.parametrize("seed", range(40))
def test_a_log_means_the_same_in_the_page(script: PageScript, seed: int) -> None:
    events = random_log(seed, 60)

    in_page = dict(script.call("memoriesOf", [row(event) for event in events]))

    assert in_page == {card: as_page(memory) for card, memory in plain_replay(events).items()}


def test_siblings_wait_for_another_day(script: PageScript) -> None:
    cards = [{"id": "x.1", "note": "x"}, {"id": "x.2", "note": "x"}, {"id": "y", "note": "y"}]

    assert script.call("agendaOf", cards, [], 100, 10) == ["x.1", "y"]
    assert script.call("agendaOf", cards, [event_row(card="x.1", day=100)], 100, 10) == ["y"]


@pytest.mark.parametrize(
    ("wall", "day"),
    [
        ((2026, 10, 24, 3, 59), "2026-11-23"),
        ((2026, 10, 24, 4, 0), "2026-11-24"),
        ((2027, 0, 1, 0, 30), "2026-12-31"),
    ],
)
def test_a_study_day_rolls_over_at_four(script: PageScript, wall: tuple[int, ...], day: str) -> None:
    assert script.call("studyDayOf", *wall) == day


def event_row(**changes: object) -> dict[str, object]:
    return {
        "id": "0196f0a0-0000-7000-8000-000000000001",
        "kind": "answer",
        "card": "a",
        "grade": 4,
        "moment": 1_763_900_000_000_000,
        "day": "2026-11-23",
        "zone": "Europe/London",
        "took_ms": 1200,
        **changes,
    }


def copy(*events: object, **changes: object) -> str:
    return json.dumps({"schema": 1, "kind": "studykit-progress", "events": events, **changes})


def test_a_copy_of_progress_is_read(script: PageScript) -> None:
    (event,) = script.call("eventsOf", copy(event_row()))

    assert event == {**event_row(), "day": 20_780}


SHOWING = {
    "exercise": "flops.matmul",
    "version": 1,
    "seed": 7,
    "parameters": "{}",
    "answer": "8.4e22",
    "verdict": "incorrect",
    "slips": ["mac_as_flop"],
}


def test_script_copy_keeps_exercise_answers(script: PageScript) -> None:
    events = script.call("eventsOf", copy(event_row(showing=SHOWING)))

    (event,) = read_progress(json.loads(script.call("copyOf", events)), "x.json").events

    assert event.showing == Showing("flops.matmul", 1, 7, "{}", "8.4e22", "incorrect", ("mac_as_flop",))


def test_script_copy_keeps_unused_event_fields(script: PageScript) -> None:
    events = script.call("eventsOf", copy(event_row(profile="fsrs", origin="desk", typed="8.4e22")))

    (event,) = read_progress(json.loads(script.call("copyOf", events)), "x.json").events

    assert (event.profile, event.origin, event.typed) == ("fsrs", "desk", "8.4e22")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "1"},
        {"id": "0196F0A0-0000-7000-8000-00000000000X"},
        {"kind": "import"},
        {"card": 7},
        {"card": "x" * 301},
        {"grade": 6},
        {"grade": "4"},
        {"grade": 3.5},
        {"grade": None},
        {"moment": -1},
        {"moment": 1e300},
        {"moment": "now"},
        {"day": "2026-02-30"},
        {"day": "+10000-01-01"},
        {"day": 20_780},
        {"zone": None},
        {"kind": "undo", "target": None},
        {"kind": "adopt", "target": None},
    ],
    ids=str,
)
def test_an_event_that_cannot_be_is_left_out(script: PageScript, changes: dict[str, object]) -> None:
    assert script.call("eventsOf", copy(event_row(**changes))) == []


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{", '{"schema": 1}', copy(schema=2), copy(events={}), copy(events=None)]
)
def test_text_without_progress_is_not_read(script: PageScript, text: str) -> None:
    assert script.call("eventsOf", text) is None


def test_a_copy_read_twice_changes_nothing(script: PageScript) -> None:
    events = script.call("eventsOf", copy(event_row(), event_row()))

    once = script.call("merged", [], events)

    assert len(once) == 1
    assert script.call("merged", once, events) == once


def test_script_copy_of_progress_reads_back_equal(script: PageScript) -> None:
    events = script.call(
        "eventsOf", copy(event_row(), event_row(id="0196f0a0-0000-7000-8000-000000000002", grade=0))
    )

    assert script.call("eventsOf", script.call("copyOf", events)) == events
