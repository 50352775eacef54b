"""Check the explanation of a card: the reason, its log with the arithmetic, and each grade's effect."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.review.why import facts, why
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import steps
from studykit.scheduling.study_day import microseconds

TODAY = date(2026, 11, 20)
THIRD = Memory(2, 6, 250, 0, date(2026, 11, 14))


def event(
    number: int, day: date, grade: Grade | None, kind: EventKind = EventKind.ANSWER, target: str = ""
) -> Event:
    moment = microseconds(datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    return Event(
        UUID(int=number), "me", "here", kind, CardId("a"), moment + number, day, "UTC", grade=grade, target=target
    )


HISTORY = (
    event(1, date(2026, 11, 7), Grade.GOOD),
    event(2, date(2026, 11, 8), Grade.HARD),
    event(3, date(2026, 11, 14), Grade.GOOD),
    event(4, date(2026, 11, 14), Grade.AGAIN),
)


def test_why_gives_the_arithmetic_of_each_review() -> None:
    memory = Memory(3, 15, 236, 0, date(2026, 11, 14))

    lines = why(memory, date(2026, 11, 30), HISTORY)

    assert lines == [
        "Due 29 Nov, 1 day ago: 15 days after its review on 14 Nov.",
        "",
        "Its log, by SM-2:",
        "7 Nov  good: first pass: 1 d, ease 2.50",
        "8 Nov  hard: second pass: 6 d, ease 2.50 -> 2.36",
        "14 Nov  good: 6 d x 2.36 = 14.16, rounded up to 15 d, ease 2.36",
        "14 Nov  again: drill, the schedule stays",
    ]


@pytest.mark.parametrize(
    ("history", "line"),
    [
        (
            [event(1, TODAY, Grade.GOOD), event(2, TODAY, None, EventKind.UNDO, str(UUID(int=1)))],
            "20 Nov  good: undone",
        ),
        (
            [event(1, date(2026, 11, 7), Grade.GOOD), event(2, date(2026, 11, 8), Grade.AGAIN)],
            "8 Nov  again: failed, so again from the start: 1 d, ease 2.50",
        ),
        (
            [
                event(1, date(2026, 11, 7), Grade.GOOD),
                event(2, date(2026, 11, 8), Grade.GOOD),
                event(3, date(2026, 11, 14), Grade.EASY),
            ],
            "14 Nov  easy: 6 d x 2.50 = 15 d, ease 2.50 -> 2.60",
        ),
        ([event(1, TODAY, None, EventKind.FLAG)], "20 Nov  flag"),
        ([event(1, TODAY, Grade.GOOD, EventKind.PRACTICE)], "20 Nov  good"),
    ],
    ids=["undone", "failed", "whole product", "flag", "practice"],
)
def test_line_of_the_log_says_what_happened(history: list[Event], line: str) -> None:
    assert why(None, TODAY, history)[-1] == line


DONE = "Done for today: due 21 Nov, 1 day after its review on 20 Nov."
AGAIN = "Asked again today: what scored below 4 is repeated until it scores 4."
FAILURE = event(2, TODAY, Grade.AGAIN)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ([], DONE),
        ([FAILURE], AGAIN),
        ([event(2, TODAY, None, EventKind.FLAG)], DONE),
        ([FAILURE, event(3, TODAY, None, EventKind.UNDO, str(UUID(int=2)))], DONE),
        ([FAILURE, event(3, TODAY, None, EventKind.FLAG)], AGAIN),
    ],
    ids=["nothing", "a failure", "a flag", "a failure taken back", "a failure and a flag"],
)
def test_only_answers_decide_about_coming_again(more: list[Event], told: str) -> None:
    assert why(Memory(1, 1, 250, 0, TODAY), TODAY, [event(1, TODAY, Grade.GOOD), *more])[0] == told


def test_failed_cram_comes_again_on_its_day() -> None:
    memory = Memory(2, 6, 250, 0, date(2026, 11, 18))
    passed = (event(1, date(2026, 11, 17), Grade.GOOD), event(2, date(2026, 11, 18), Grade.GOOD))

    def told(day: date, grade: Grade) -> str:
        return why(memory, TODAY, (*passed, event(3, day, grade)))[0]

    assert told(TODAY, Grade.AGAIN).startswith("Asked again today")
    assert told(date(2026, 11, 19), Grade.AGAIN).startswith("Not due yet")
    assert told(TODAY, Grade.GOOD).startswith("Not due yet")


def test_steps_of_a_reset_begin_anew() -> None:
    history = (*HISTORY[:2], event(9, date(2026, 11, 9), None, EventKind.RESET))

    assert [step.after for step in steps(history)][-1] is None


def test_a_new_card_has_no_log() -> None:
    assert why(None, TODAY, ()) == ["New: it has never been reviewed.", "", "Its log is empty."]


@pytest.mark.parametrize(
    ("memory", "reason"),
    [
        (Memory(0, 1, 250, 0, TODAY), AGAIN),
        (
            Memory(2, 6, 250, 0, date(2026, 11, 18)),
            "Not due yet, asked ahead of time: due 24 Nov, 6 days after its review on 18 Nov.",
        ),
        (Memory(2, 6, 250, 0, date(2026, 11, 14)), "Due 20 Nov (today): 6 days after its review on 14 Nov."),
        (Memory(1, 1, 250, 0, date(2026, 11, 18)), "Due 19 Nov, 1 day ago: 1 day after its review on 18 Nov."),
        (Memory(2, 2, 130, 0, date(2026, 11, 16)), "Due 18 Nov, 2 days ago: 2 days after its review on 16 Nov."),
    ],
)
def test_reason_names_due_day_or_drill(memory: Memory, reason: str) -> None:
    assert why(memory, TODAY, ())[0] == reason


def test_facts_of_a_new_card_say_so() -> None:
    assert facts(None, TODAY) == ["New: no reviews yet."]


def test_facts_of_an_early_card_say_unchanged() -> None:
    assert facts(Memory(3, 15, 300, 2, date(2026, 11, 19)), TODAY) == [
        "repetition 3   interval 15 d",
        "ease 3.00   lapses 2",
        "last review 19 Nov   due 4 Dec",
        "",
        "An answer now changes nothing in the schedule.",
    ]


def test_adopted_state_names_its_origin() -> None:
    adopt = event(1, date(2026, 11, 2), None, EventKind.ADOPT, target="4 30 236 2")

    lines = why(Memory(4, 30, 236, 2, date(2026, 11, 2)), date(2026, 12, 2), [adopt])

    assert lines[0] == "Due 2 Dec (today): 30 days after its review on 2 Nov."
    assert lines[-1].endswith("adopt: as it was in here: 30 d, ease 2.36")
