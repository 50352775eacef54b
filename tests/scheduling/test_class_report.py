"""Test that a class's figures equal those of plain nested loops."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from plain_replay import caches_of
from simulated_class import LAST_DAY, PlainCounts, Student, plain_counts, simulated_class

from studykit.cards.card import Card, CardId
from studykit.cards.parser import parse_deck
from studykit.scheduling.class_report import ClassReport, class_report, for_everybody, leeches, quartiles
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import row_of
from studykit.scheduling.student_figures import CourseCard, StudentFigures, student_figures, student_row

DECKS = Path(__file__).parents[2] / "decks"
EXAM = LAST_DAY + timedelta(days=20)


@cache
def cards(most: int) -> tuple[Card, ...]:
    """Return at most this many cards of the course: half of them its first ones, the rest exercises."""
    texts = [(path, path.read_text()) for path in sorted(DECKS.glob("[0-9]*.md"))]
    result = [card for path, text in texts for card in parse_deck(text, path.name)[0].cards]
    exercises = [card for card in result if card.task is not None]
    return tuple({card.id: card for card in (*result[: most // 2], *exercises[: most - most // 2])}.values())


def course_of(made: Sequence[Card]) -> dict[str, CourseCard]:
    return {
        str(card.id): CourseCard(
            str(card.id), str(card.deck), card.objectives, card.prompt, f"{card.path}:{card.line}"
        )
        for card in made
    }


def reported(students: Sequence[Student], made: Sequence[Card], *, exam: bool = False) -> ClassReport:
    course = course_of(made)
    on = EXAM.toordinal() if exam else None
    figures = (
        student_figures(
            student.name, [student_row(event) for event in student.events], course, LAST_DAY.toordinal(), exam=on
        )
        for student in students
    )
    return class_report(figures, course, LAST_DAY, exam=EXAM if exam else None)


@cache
def small_class() -> tuple[Sequence[Student], tuple[Card, ...], ClassReport]:
    course_cards = cards(40)
    students = simulated_class(course_cards, 30, 14)
    return students, course_cards, reported(students, course_cards)


def hold_equal(report: ClassReport, counts: PlainCounts) -> None:
    """Assert that every count of the report equals the plain one."""
    students = {student.name: student for student in report.students}
    assert {name: one.answers for name, one in students.items()} == counts.answers
    assert {name: one.last for name, one in students.items() if one.last} == counts.last
    figures = {
        (name, objective): at.part.known
        for name, one in students.items()
        for objective, at in one.objectives.items()
    }
    assert {key: number for key, number in figures.items() if number} == counts.known
    assert {name: one.total.mature for name, one in students.items() if one.total.mature} == {
        name: number for name, number in counts.mature.items() if number
    }
    assert {name: one.total.lapses for name, one in students.items() if one.total.lapses} == {
        name: number for name, number in counts.lapses.items() if number
    }
    tried = {card.card.id: card for card in report.cards}
    assert {name: (one.first_right, one.students) for name, one in tried.items()} == {
        card: (sum(first), len(first)) for card, first in counts.tried.items()
    }
    assert {name: one.median_ms for name, one in tried.items()} == counts.median_ms
    assert {card.card.id: card.forgot for card in report.cards if card.forgot} == +counts.forgot
    assert {card.card.id: card.asked_again for card in report.cards if card.asked_again} == +counts.asked_again
    assert {slip.slip: (slip.count, slip.students) for slip in report.slips} == {
        slip: (count, counts.slip_students[slip]) for slip, count in counts.slips.items()
    }
    exercises = {one.name: one for one in report.exercises}
    assert {name: (one.first_right, one.students) for name, one in exercises.items()} == {
        name: (sum(first), len(first)) for name, first in counts.exercises.items()
    }
    clusters = {name: {each.name: each.count for each in one.clusters} for name, one in exercises.items()}
    for name, wrong in counts.clusters.items():
        assert {key: count for key, count in clusters[name].items() if key != "incorrect"} == wrong


def test_class_counts_equal_plain_loops() -> None:
    students, course_cards, report = small_class()

    assert report.size == 30
    assert report.answers > 2000
    assert len(report.slips) > 5
    hold_equal(report, plain_counts(students, course_cards))


def test_who_answered_nothing_for_a_week_is_silent() -> None:
    students, _, report = small_class()
    last = {student.name: max((event.day for event in student.events), default=None) for student in students}
    undone_last = {name for name, day in last.items() if day is None or (LAST_DAY - day).days >= 7}

    silent = {student.name for student in report.students if student.silent}

    assert "student-000" in silent
    assert undone_last <= silent
    assert report.active == 30 - len(silent)
    assert all(
        student.last is None or (LAST_DAY - student.last).days >= 7
        for student in report.students
        if student.silent
    )


def answer(card: str, grade: Grade, days_ago: int, number: int, took_ms: int = 10_000) -> Event:
    day = LAST_DAY - timedelta(days=days_ago)
    moment = (day.toordinal() * 86_400 + number) * 1_000_000 % 2**52
    id_ = UUID(int=day.toordinal() << 80 | number << 64 | 7 << 76 | 0b10 << 62)
    return Event(id_, "", "here", EventKind.ANSWER, CardId(card), moment, day, "UTC", grade, took_ms)


COURSE = {
    name: CourseCard(name, "deck", ("flops",), name, f"deck.md:{line}")
    for line, name in enumerate("abcd", start=1)
}


def figures_of(*events: Event, exam: int | None = None) -> StudentFigures:
    return student_figures(
        "anna", [student_row(event) for event in events], COURSE, LAST_DAY.toordinal(), exam=exam
    )


def test_recall_follows_the_curve_of_known_cards() -> None:
    own_figures = figures_of(answer("a", Grade.GOOD, 10, 1), answer("b", Grade.EASY, 3, 2))
    fsrs = Fsrs()
    expected = fsrs.recall(fsrs.first(4)[0], 10) + fsrs.recall(fsrs.first(5)[0], 3)

    assert own_figures.recalled == pytest.approx(expected / 4)
    (student,) = class_report([own_figures], COURSE, LAST_DAY).students
    assert student.objectives["flops"].share == pytest.approx(expected / 4)
    assert student.recalled == pytest.approx(expected / 4)


def test_forecast_favors_the_student_who_goes_on() -> None:
    exam = EXAM.toordinal()
    course = {f"c{number}": replace(COURSE["a"], id=f"c{number}") for number in range(40)}
    answers = [answer(f"c{number}", Grade.GOOD, 8 - number // 3, number, 60_000) for number in range(24)]
    rows = [student_row(event) for event in answers]
    steady = student_figures("ben", rows, course, LAST_DAY.toordinal(), exam=exam).forecast
    stopped = figures_of(answer("a", Grade.GOOD, 60, 1), exam=exam).forecast

    assert steady is not None
    assert stopped is not None
    assert (stopped.minutes, stopped.new_a_day, stopped.learnt) == (0, 0, 1)
    fsrs = Fsrs()
    assert stopped.recalled == pytest.approx(fsrs.recall(fsrs.first(4)[0], exam - LAST_DAY.toordinal() + 60) / 4)
    assert steady.minutes == pytest.approx(24 / 9)
    assert steady.new_a_day == 3
    assert 24 < steady.learnt <= 40
    assert 0.5 < steady.recalled < 1


def test_memories_under_sm2_equal_those_of_a_replay() -> None:
    chance = Random(7)
    grades = [Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY]
    events = [answer(chance.choice("abcd"), chance.choice(grades), 99 - number, number) for number in range(99)]

    assert figures_of(*events).memories == caches_of(map(row_of, events)).memories


def test_relink_keeps_progress() -> None:
    relink = replace(answer("b", Grade.GOOD, 1, 2), kind=EventKind.RELINK, grade=None, target="old")

    figures = figures_of(answer("old", Grade.AGAIN, 2, 1), relink)

    assert list(figures.memories) == ["b"]
    assert [figures.tries["b"].first_right, figures.elsewhere] == [False, 0]


@pytest.mark.parametrize(
    ("verdict", "grade", "right"),
    [("correct", Grade.GOOD, True), ("correct", Grade.HARD, False), ("incorrect", Grade.GOOD, False)],
)
def test_card_and_its_exercise_agree_on_first_try(verdict: str, grade: Grade, *, right: bool) -> None:
    public = Showing("flops.matmul", 1, 1, "{}", "7", verdict)

    figures = figures_of(replace(answer("a", grade, 1, 1), showing=public))

    assert (figures.tries["a"].first_right, figures.attempts["flops.matmul"].first_right) == (right, right)


def test_card_outside_the_course_is_counted_separately() -> None:
    figures = figures_of(answer("a", Grade.GOOD, 2, 1), answer("theirs", Grade.GOOD, 2, 2))

    assert (figures.total.known, figures.elsewhere, figures.answers) == (1, 1, 2)
    assert list(figures.tries) == ["a"]


def test_class_leech_was_forgotten_by_half() -> None:
    _, _, report = small_class()

    result = {card.card.id for card in leeches(report.cards, report.size)}

    assert result == {c.card.id for c in report.cards if c.asked_again >= 5 and c.forgot / c.asked_again >= 0.5}
    assert 0 < len(result) < len(report.cards)
    worst = [card.forgot / card.asked_again for card in report.leeches]
    assert worst == sorted(worst, reverse=True)


def test_public_report_hides_students_and_rare_lines() -> None:
    _, _, report = small_class()

    public = for_everybody(report)

    assert public.students == ()
    assert min(card.students for card in public.cards) >= 5
    assert min(exercise.students for exercise in public.exercises) >= 5
    assert min(slip.students for slip in public.slips) >= 5
    rare = [each for one in public.exercises for each in one.clusters if each.students < 5]
    assert {each.name for each in rare} == {"other"}
    assert public.hidden == sum(
        len(before) - len(after)
        for before, after in (
            (report.cards, public.cards),
            (report.exercises, public.exercises),
            (report.slips, public.slips),
            (report.leeches, public.leeches),
        )
    )
    assert public.hidden > 0
    for before, after in zip(
        [one for one in report.exercises if one.students >= 5], public.exercises, strict=True
    ):
        assert sum(one.count for one in before.clusters) == sum(one.count for one in after.clusters)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], (0, 0, 0)), ([3], (3, 3, 3)), ([5, 1, 4, 2, 3], (2, 3, 4)), ([1, 2, 3, 4], (1, 2, 4))],
)
def test_quartiles_are_values_that_occur(values: list[float], expected: tuple[float, float, float]) -> None:
    assert quartiles(values) == expected
