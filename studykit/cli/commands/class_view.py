"""Show a class report in a terminal, as a page, as JSON, and as a gradebook with a row for each student."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from rich.console import RenderableType

from studykit.cli.drawing import BAR, Drawing
from studykit.formats.text_export import csv_text
from studykit.scheduling.class_figures import class_figures, notes, summary
from studykit.scheduling.class_report import READY, CardStanding, ClassReport, ExerciseStanding
from studykit.scheduling.stats import Part
from studykit.scheduling.student_figures import StudentFigures
from studykit.text import counted, printable

_DIGITS = 4  # of a share
_ROWS_SHOWN = {"students": 8, **dict.fromkeys(("slips", "exercises", "cards", "leeches"), 5)}
_BARS = {"exam": 20}
_SILENT_SHOWN = 6
_TRIES = "students", "first_right", "tries", "median_ms"


def report_parts(
    drawing: Drawing, report: ClassReport, words: Mapping[str, str], *, whole: bool = False
) -> Iterator[RenderableType]:
    """Yield the report for a terminal, with whole listings if `whole`. `words` names slips and other answers."""
    yield summary(report)
    for name, figure in class_figures(report, words).items():
        if figure.rows:
            yield ""
            yield drawing.figure(figure, None if whole else _ROWS_SHOWN.get(name), _BARS.get(name, BAR))
            yield from filter(None, [figure.sentence])
        if name == "students":
            yield from _silent(drawing, report, whole=whole)
    if remarks := notes(report):
        yield ""
        yield from remarks


def _silent(drawing: Drawing, report: ClassReport, *, whole: bool) -> Iterator[RenderableType]:
    if silent := [student for student in report.students if student.silent]:
        visible = silent if whole else silent[:_SILENT_SHOWN]
        more = f", and {len(silent) - len(visible):,} more" if len(silent) > len(visible) else ""
        yield ""
        yield drawing.title(f"Silent for {counted(report.silent_days, 'day')}: {len(silent):,}")
        yield ", ".join(f"{student.name} ({student.last or 'never'})" for student in visible) + more


def class_page(report: ClassReport, words: Mapping[str, str]) -> str:
    """Render the report as one page without requests and scripts."""
    from studykit.html.pages import Pages

    figures = class_figures(report, words, on_page=True)
    values = {"summary": summary(report), "figures": figures, "notes": notes(report)}
    return Pages().report("class_report", day=report.day, **values)


def document(report: ClassReport) -> dict[str, object]:
    """Return the whole report as JSON: shares between 0 and 1, times in milliseconds."""
    return {
        "date": str(report.day),
        "students": [_student(student) for student in report.students],
        **_fields(report, "size", "active", "silent_days", "answers", "hidden", "recalled"),
        "cards_in_course": report.course,
        "known_elsewhere": report.elsewhere,
        "objectives": {
            name: {"cards": cards, "recalled": report.shares[name]} for name, cards in report.cards_of.items()
        },
        "slips": [
            {"id": slip.slip, **_fields(slip, "count", "students"), "exercise": slip.template}
            for slip in report.slips
        ],
        "cards": [_card(card) for card in report.cards],
        "exercises": [_exercise(exercise) for exercise in report.exercises],
        "leeches": [card.card.id for card in report.leeches],
        "exam": report.exam
        and {
            "date": str(report.exam),
            "ready": report.ready,
            "ready_from": READY,
            "recalled": [round(share, _DIGITS) for share in report.forecasts],
        },
    }


def _fields(source: object, *names: str) -> dict[str, object]:
    """Return attributes that a document has under their own names."""
    return {name: getattr(source, name) for name in names}


def gradebook(students: Sequence[StudentFigures], objectives: Iterable[str]) -> str:
    """Format the students as CSV: their figures, then each objective's cards known and share recalled."""
    rows = [_row(student, list(objectives)) for student in students]
    return printable(csv_text([rows[0], *(row.values() for row in rows)]))


def _row(student: StudentFigures, objectives: Iterable[str]) -> dict[str, object]:
    """Return a student's cells by the names of their columns."""
    row: dict[str, object] = {
        "student": student.name,
        **_fields(student, "answers", "days", "last"),
        "silent": "yes" if student.silent else "no",
        "minutes": round(student.took_ms / 60_000),
        **_part(student.total),
        "recalled": round(student.recalled, _DIGITS),
        "recalled_at_exam": student.forecast and round(student.forecast.recalled, _DIGITS),
    }
    for name in objectives:
        standing = student.objectives[name]
        row[f"{name}_known"] = standing.part.known
        row[f"{name}_recalled"] = round(standing.share, _DIGITS)
    return row


def _student(student: StudentFigures) -> dict[str, object]:
    forecast = student.forecast
    objectives = {
        name: {**_part(each.part), "cards": each.cards, "recalled": round(each.share, _DIGITS)}
        for name, each in student.objectives.items()
    }
    return {
        **_fields(student, "name", "answers", "days", "silent", "took_ms"),
        "last": student.last and str(student.last),
        **_part(student.total),
        "recalled": round(student.recalled, _DIGITS),
        "objectives": objectives,
        "forecast": forecast
        and {
            "minutes_a_day": round(forecast.minutes, 1),
            "new_a_day": forecast.new_a_day,
            "learnt": round(forecast.learnt, 1),
            "recalled": round(forecast.recalled, _DIGITS),
        },
    }


def _part(part: Part) -> Mapping[str, object]:
    figures = asdict(part)
    return {**figures.pop("retention"), **figures}


def _card(card: CardStanding) -> dict[str, object]:
    place = {"card": card.card.id, **_fields(card.card, "deck", "place")}
    return {**place, **_fields(card, *_TRIES, "lapses", "asked_again", "forgot"), **asdict(card.retention)}


def _exercise(exercise: ExerciseStanding) -> dict[str, object]:
    clusters = [{"answer": each.name, **_fields(each, "count", "students")} for each in exercise.clusters]
    return {"exercise": exercise.name, **_fields(exercise, *_TRIES, "wrong"), "clusters": clusters}
