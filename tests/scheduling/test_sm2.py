"""Check SM-2, profile `sm2-text`, against published tables and the common mistakes of other programs."""

from collections.abc import Sequence
from datetime import date, timedelta
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import AnswerKind, Memory, answer, answer_kind, outcomes
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import steps

MONDAY = date(2026, 11, 23)
TESTED = [  # name, grades on due days, intervals, eases
    (
        "T1",
        [5] * 10,
        [1, 6, 17, 48, 140, 420, 1302, 4167, 13752, 36500],
        [260, 270, 280, 290, 300, 310, 320, 330, 340, 350],
    ),
    ("T2", [4] * 6, [1, 6, 15, 38, 95, 238], [250] * 6),
    ("T3", [3] * 6, [1, 6, 14, 30, 59, 107], [236, 222, 208, 194, 180, 166]),
    (
        "T4",
        [3] * 12,
        [1, 6, 14, 30, 59, 107, 178, 271, 374, 487, 634, 825],
        [236, 222, 208, 194, 180, 166, 152, 138, 130, 130, 130, 130],
    ),
    ("T5", [5, 5, 5, 2, 5, 5, 5], [1, 6, 17, 1, 1, 6, 18], [260, 270, 280, 280, 290, 300, 310]),
    ("T6", [4, 4, 4, 0, 4, 4, 4], [1, 6, 15, 1, 1, 6, 15], [250] * 7),
    ("T7", [5, 5, 4, 4, 5, 3], [1, 6, 17, 46, 125, 350], [260, 270, 270, 270, 280, 266]),
]


def after(memory: Memory | None, grade: Grade, on: date) -> Memory:
    """Return the memory after a review."""
    kind, reviewed = answer(memory, grade, on)
    assert kind is AnswerKind.REVIEW
    return reviewed


def course(grades: Sequence[int], memory: Memory | None = None, on: date = MONDAY) -> list[Memory]:
    """Return the memory after each grade, every review on its due day."""
    memories = []
    for grade in grades:
        on = memory.due if memory else on
        memory = after(memory, Grade(grade), on)
        memories.append(memory)
    return memories


def an_answer(number: int, grade: int, on: date) -> Event:
    moment = number + (on - date(1970, 1, 1)).days * 86_400_000_000
    return Event(UUID(int=number), "me", "here", EventKind.ANSWER, CardId("a"), moment, on, "UTC", Grade(grade))


@pytest.mark.parametrize(
    ("grades", "intervals", "eases"), [row[1:] for row in TESTED], ids=[row[0] for row in TESTED]
)
def test_reviews_on_due_days_follow_the_table(grades: list[int], intervals: list[int], eases: list[int]) -> None:
    memories = course(grades)

    assert [memory.interval for memory in memories] == intervals
    assert [memory.ease for memory in memories] == eases


def test_t8_the_floor_is_met_in_one_step() -> None:
    memory = after(Memory(5, 10, 136, 0, MONDAY - timedelta(days=10)), Grade.HARD, MONDAY)

    assert (memory.interval, memory.ease) == (14, 130)


def test_t9_drill_grades_change_nothing() -> None:
    grades = [(4, 0), (4, 1), (3, 7), (2, 7), (3, 7), (4, 7)]
    events = [an_answer(number, grade, MONDAY + timedelta(days=day)) for number, (grade, day) in enumerate(grades)]

    memory = [step.after for step in steps(events)][-1]

    assert memory is not None
    assert (memory.interval, memory.ease, memory.due) == (15, 236, MONDAY + timedelta(days=22))


def test_t10_a_failure_its_drill_and_relearning() -> None:
    start = Memory(4, 50, 290, 0, MONDAY - timedelta(days=50))
    failed = after(start, Grade.AGAIN, MONDAY)

    relearnt = course([4, 4, 4], failed)

    assert failed.interval == 1
    assert answer_kind(failed, MONDAY) is AnswerKind.DRILL
    assert [(memory.interval, memory.ease) for memory in relearnt] == [(1, 290), (6, 290), (18, 290)]


def test_t11_late_review_counts_from_its_day() -> None:
    epoch = date(2026, 1, 1)
    memory = Memory(2, 6, 250, 0, epoch + timedelta(days=94))

    late = after(memory, Grade.GOOD, epoch + timedelta(days=130))

    assert (late.interval, late.ease, late.due) == (15, 250, epoch + timedelta(days=145))


def test_the_six_outcomes_are_known_before_the_answer() -> None:
    memory = Memory(2, 6, 250, 0, MONDAY - timedelta(days=6))

    intervals = {grade: outcome.interval for grade, outcome in outcomes(memory, MONDAY).items()}

    assert intervals == dict(zip(Grade, [1, 1, 1, 15, 15, 15], strict=True))


def test_grades_pass_from_3_and_drill_below_4() -> None:
    assert [grade.passed for grade in Grade] == [False, False, False, True, True, True]
    assert [grade.drilled for grade in Grade] == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    ("memory", "kind"),
    [
        (None, AnswerKind.REVIEW),
        (Memory(2, 6, 250, 0, MONDAY - timedelta(days=6)), AnswerKind.REVIEW),
        (Memory(2, 6, 250, 0, MONDAY - timedelta(days=5)), AnswerKind.CRAM),
        (Memory(2, 6, 250, 0, MONDAY), AnswerKind.DRILL),
        (Memory(2, 6, 250, 0, MONDAY + timedelta(days=1)), AnswerKind.DRILL),
    ],
    ids=["new", "due", "not due yet", "reviewed today", "the clock stepped back"],
)
def test_kind_of_an_answer_is_known_beforehand(memory: Memory | None, kind: AnswerKind) -> None:
    assert answer_kind(memory, MONDAY) is kind
