"""A class report for other programs: one JSON document, and a table with a row for each student, a gradebook."""

import csv
import io
from collections.abc import Iterable, Mapping

from studykit.formats.text_export import safe_cell
from studykit.scheduling.class_report import (
    READY,
    CardStanding,
    ClassReport,
    ExerciseStanding,
    ObjectiveStanding,
    StudentStanding,
    Tried,
)
from studykit.scheduling.stats import Part

_DIGITS = 4  # of a share
_COLUMNS = (
    "student",
    "answers",
    "days",
    "last",
    "silent",
    "minutes",
    "known",
    "mature",
    "lapses",
    "reviews",
    "passed",
    "recalled",
    "recalled_at_exam",
)


def document(report: ClassReport) -> dict[str, object]:
    """The whole report; shares are between 0 and 1, times in milliseconds."""
    return {
        "date": str(report.day),
        "students": [_student(student) for student in report.students],
        "size": report.size,
        "active": report.active,
        "silent_days": report.silent_days,
        "answers": report.answers,
        "cards_in_course": report.course,
        "known_elsewhere": report.elsewhere,
        "hidden": report.hidden,
        "recalled": list(report.recalled),
        "objectives": {
            name: {"cards": cards, "recalled": list(report.shares[name])}
            for name, cards in report.cards_of.items()
        },
        "slips": [
            {"id": slip.slip, "count": slip.count, "students": slip.students, "exercise": slip.template}
            for slip in report.slips
        ],
        "cards": [_card(card) for card in report.cards],
        "exercises": [_exercise(exercise) for exercise in report.exercises],
        "leeches": [card.card.id for card in report.leeches],
        "exam": _exam(report),
    }


def gradebook(students: Iterable[StudentStanding], objectives: Iterable[str]) -> str:
    """The students as CSV: their figures, then cards known and share recalled of each objective."""
    names = list(objectives)
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    of_objectives = [f"{name}_{what}" for name in names for what in ("known", "recalled")]
    writer.writerow([*_COLUMNS, *map(safe_cell, of_objectives)])
    for student in students:
        writer.writerow([safe_cell(cell) for cell in _row(student, names)])
    return written.getvalue()


def _row(student: StudentStanding, objectives: Iterable[str]) -> list[object]:
    forecast, total = student.forecast, student.total
    row: list[object] = [
        student.name,
        student.answers,
        student.days,
        "" if student.last is None else str(student.last),
        "yes" if student.silent else "no",
        round(student.took_ms / 60_000),
        total.known,
        total.mature,
        total.lapses,
        total.retention.reviews,
        total.retention.passed,
        round(student.recalled, _DIGITS),
        "" if forecast is None else round(forecast.recalled, _DIGITS),
    ]
    for name in objectives:
        standing = student.objectives[name]
        row += [standing.part.known, round(standing.share, _DIGITS)]
    return row


def _student(student: StudentStanding) -> dict[str, object]:
    forecast = student.forecast
    return {
        "name": student.name,
        "answers": student.answers,
        "days": student.days,
        "last": None if student.last is None else str(student.last),
        "silent": student.silent,
        "took_ms": student.took_ms,
        **_part(student.total),
        "recalled": round(student.recalled, _DIGITS),
        "objectives": {name: _objective(standing) for name, standing in student.objectives.items()},
        "forecast": forecast
        and {
            "minutes_a_day": round(forecast.minutes, 1),
            "new_a_day": forecast.new_a_day,
            "learnt": round(forecast.learnt, 1),
            "recalled": round(forecast.recalled, _DIGITS),
        },
    }


def _objective(standing: ObjectiveStanding) -> dict[str, object]:
    return {**_part(standing.part), "cards": standing.cards, "recalled": round(standing.share, _DIGITS)}


def _part(part: Part) -> Mapping[str, object]:
    retention = part.retention
    return {
        "known": part.known,
        "mature": part.mature,
        "lapses": part.lapses,
        "reviews": retention.reviews,
        "passed": retention.passed,
    }


def _tried(tried: Tried) -> Mapping[str, object]:
    return {
        "students": tried.students,
        "first_right": tried.first_right,
        "tries": tried.tries,
        "median_ms": tried.median_ms,
    }


def _card(card: CardStanding) -> dict[str, object]:
    return {
        "card": card.card.id,
        "deck": card.card.deck,
        "place": card.card.place,
        **_tried(card.tried),
        "reviews": card.retention.reviews,
        "passed": card.retention.passed,
        "lapses": card.lapses,
        "asked_again": card.asked_again,
        "forgot": card.forgot,
    }


def _exercise(exercise: ExerciseStanding) -> dict[str, object]:
    clusters = [{"answer": one.name, "count": one.count, "students": one.students} for one in exercise.clusters]
    return {
        "exercise": exercise.tried.name,
        **_tried(exercise.tried),
        "wrong": exercise.wrong,
        "clusters": clusters,
    }


def _exam(report: ClassReport) -> dict[str, object] | None:
    if report.exam is None:
        return None
    shares = [round(share, _DIGITS) for share in report.forecasts]
    return {"date": str(report.exam), "ready": report.ready, "ready_from": READY, "recalled": shares}
