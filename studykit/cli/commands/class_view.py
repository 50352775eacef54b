"""A class report in a terminal, as a JSON document, and as a gradebook with a row for each student."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from rich.console import RenderableType

from studykit.cli.drawing import Cell, Drawing, ListingColumn, ShareBar, right
from studykit.formats.text_export import csv_text
from studykit.scheduling.class_report import (
    READY,
    CardStanding,
    ClassReport,
    ExerciseStanding,
    StudentStanding,
    Tried,
    quartiles,
)
from studykit.scheduling.stats import Part
from studykit.text import counted, printable

_DIGITS = 4  # of a share
_SHOWN = 5  # lines of each thing
_STUDENTS_SHOWN = 8
_HEADING_LETTERS = 4  # letters of an objective over a column
_NAMED = 6
_BANDS = (0.0, 0.2, 0.4, 0.6, 0.8)
_BAR = 20


class ClassView:
    """Draws a report; `words` names slips and other wrong answers."""

    def __init__(
        self, drawing: Drawing, report: ClassReport, words: Mapping[str, str], *, whole: bool = False
    ) -> None:
        self._drawing = drawing
        self._report = report
        self._words = words
        self._whole = whole

    def parts(self) -> Iterator[RenderableType]:
        """Yield everything, below each other."""
        yield summary(self._report)
        for part in (
            self._objectives,
            self._exam,
            self._students,
            self._silent,
            self._slips,
            self._exercises,
            self._cards,
            self._leeches,
        ):
            yield from self._apart(part)
        if left := notes(self._report):
            yield ""
            yield from left

    def _apart(self, part: Callable[[], Iterator[RenderableType]]) -> Iterator[RenderableType]:
        lines = list(part())
        if lines:
            yield ""
            yield from lines

    def _listing(
        self, title: str, heads: Sequence[ListingColumn], rows: Sequence[Sequence[Cell]], most: int = _SHOWN
    ) -> Iterator[RenderableType]:
        """Yield a listing of rows, the first of many, or nothing without rows."""
        if rows:
            cut = not self._whole and len(rows) > most
            title = f"{title} ({most} of {len(rows)})" if cut else title
            yield self._drawing.listing(title, heads, rows[:most] if cut else rows)

    def _objectives(self) -> Iterator[RenderableType]:
        report = self._report
        rows: list[Sequence[Cell]] = [
            (
                name,
                f"{cards:,}",
                *(_percent(share) for share in report.shares[name]),
                ShareBar(report.shares[name][1]),
            )
            for name, cards in report.cards_of.items()
        ]
        rows.append(("all", f"{report.course:,}", *map(_percent, report.recalled), ShareBar(report.recalled[1])))
        headings = [*right("cards", "lower quarter", "median", "upper quarter"), ListingColumn()]
        yield self._drawing.listing("Recalled today", headings, rows)

    def _exam(self) -> Iterator[RenderableType]:
        report = self._report
        if report.exam is None or not report.forecasts:
            return
        most = max(counts for _, counts in _banded(report.forecasts)) or 1
        rows: list[Sequence[Cell]] = [
            (band, f"{count:,}", ShareBar(count / most, _BAR)) for band, count in _banded(report.forecasts)
        ]
        yield self._drawing.listing(f"Exam on {report.exam}", [*right("students"), ListingColumn()], rows)
        yield exam_sentence(report)

    def _students(self) -> Iterator[RenderableType]:
        report = self._report
        names = list(report.cards_of)
        rows = [self._student(student, names) for student in report.behind]
        heads = right("all", *(["exam"] if report.exam else []), *(name[:_HEADING_LETTERS] for name in names))
        yield from self._listing("Students, lowest first", heads, rows, _STUDENTS_SHOWN)

    def _student(self, student: StudentStanding, names: Sequence[str]) -> Sequence[Cell]:
        forecast = [_percent(student.forecast.recalled)] if student.forecast is not None else []
        shares = [_percent(student.objectives[name].share) for name in names]
        return (student.name, _percent(student.recalled), *forecast, *shares)

    def _silent(self) -> Iterator[RenderableType]:
        silent = [student for student in self._report.students if student.silent]
        if silent:
            listed = silent if self._whole else silent[:_NAMED]
            more = f", and {len(silent) - len(listed):,} more" if len(silent) > len(listed) else ""
            yield self._drawing.title(f"Silent for {counted(self._report.silent_days, 'day')}: {len(silent):,}")
            yield ", ".join(f"{student.name} ({student.last or 'never'})" for student in listed) + more

    def _slips(self) -> Iterator[RenderableType]:
        rows = [
            (self._words.get(slip.slip, slip.slip), f"{slip.count:,}", f"{slip.students:,}", slip.template)
            for slip in self._report.slips
        ]
        heads = [*right("times", "students"), ListingColumn("most often in", cut=True)]
        yield from self._listing("Slips", heads, rows)

    def _exercises(self) -> Iterator[RenderableType]:
        rows = [(*_tried(one), self._commonest(one)) for one in self._report.exercises]
        heads = [*right("first try", "students", "median"), ListingColumn("commonest wrong answer", cut=True)]
        yield from self._listing("Exercises, hardest first", heads, rows)

    def _commonest(self, exercise: ExerciseStanding) -> str:
        if not exercise.clusters:
            return ""
        first = exercise.clusters[0]
        return f"{self._words.get(first.name, first.name)} ({first.count:,} of {exercise.wrong:,})"

    def _cards(self) -> Iterator[RenderableType]:
        rows = [(*_tried(card), card.card.asks) for card in self._report.cards]
        heads = [*right("first try", "students", "median"), ListingColumn("asks", cut=True)]
        yield from self._listing("Cards, hardest first", heads, rows)

    def _leeches(self) -> Iterator[RenderableType]:
        rows = [
            (card.card.id, f"{card.forgot:,} of {card.asked_again:,}", f"{card.lapses:,}", card.card.place)
            for card in self._report.leeches
        ]
        heads = [*right("forgot it", "lapses"), ListingColumn("where it stands")]
        yield from self._listing("Cards that half of the class forgot", heads, rows)


def summary(report: ClassReport) -> str:
    """Describe the class in a line."""
    counts = counted(report.size, "student"), counted(report.silent_days, "day"), counted(report.course, "card")
    return (
        f"{report.day}: {counts[0]}, {report.active:,} active in the last {counts[1]}, "
        f"{counted(report.answers, 'answer')}; the course has {counts[2]}."
    )


def exam_sentence(report: ClassReport) -> str:
    """Say how many will be ready, and how that is computed."""
    return (
        f"{report.ready:,} of {report.size:,} will recall {READY:.0%} of the course or more, "
        f"going on as in the last two weeks; half of them {_percent(quartiles(report.forecasts)[1])} or less."
    )


def notes(report: ClassReport) -> list[str]:
    """Say what is left out of the report, and why."""
    lines = []
    if report.elsewhere:
        lines.append(f"Not counted: {counted(report.elsewhere, 'known card')} of decks that are not yours.")
    if report.hidden:
        lines.append(f"Left out: {counted(report.hidden, 'line')} that too few students stand behind.")
    return lines


def _banded(shares: Sequence[float]) -> list[tuple[str, int]]:
    """Count the shares in each fifth, highest first."""
    highest = len(_BANDS) - 1
    counts = [0] * len(_BANDS)
    for share in shares:
        counts[next((place for place in range(highest, 0, -1) if share >= _BANDS[place]), 0)] += 1
    names = [f"{least:.0%} or more" if least == READY else f"from {least:.0%}" for least in _BANDS]
    return list(zip(names, counts, strict=True))[::-1]


def _tried(standing: CardStanding | ExerciseStanding) -> tuple[str, str, str, str]:
    tried = standing.tried
    return tried.name, _percent(tried.first_rate), f"{tried.students:,}", f"{tried.median_ms / 1000:.0f} s"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def document(report: ClassReport) -> dict[str, object]:
    """Return the whole report as JSON: shares between 0 and 1, times in milliseconds."""
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


def gradebook(students: Sequence[StudentStanding], objectives: Iterable[str]) -> str:
    """Format the students as CSV: their figures, then each objective's cards known and share recalled."""
    rows = [_row(student, list(objectives)) for student in students]
    return printable(csv_text([rows[0], *(row.values() for row in rows)]))


def _row(student: StudentStanding, objectives: Iterable[str]) -> dict[str, object]:
    """Return a student's cells by the names of their columns."""
    row: dict[str, object] = {
        "student": student.name,
        "answers": student.answers,
        "days": student.days,
        "last": str(student.last or ""),
        "silent": "yes" if student.silent else "no",
        "minutes": round(student.took_ms / 60_000),
        **_part(student.total),
        "recalled": round(student.recalled, _DIGITS),
        "recalled_at_exam": "" if student.forecast is None else round(student.forecast.recalled, _DIGITS),
    }
    for name in objectives:
        standing = student.objectives[name]
        row[f"{name}_known"] = standing.part.known
        row[f"{name}_recalled"] = round(standing.share, _DIGITS)
    return row


def _student(student: StudentStanding) -> dict[str, object]:
    forecast = student.forecast
    objectives = {
        name: {**_part(each.part), "cards": each.cards, "recalled": round(each.share, _DIGITS)}
        for name, each in student.objectives.items()
    }
    return {
        "name": student.name,
        "answers": student.answers,
        "days": student.days,
        "last": None if student.last is None else str(student.last),
        "silent": student.silent,
        "took_ms": student.took_ms,
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


def _tried_document(tried: Tried) -> Mapping[str, object]:
    figures = asdict(tried)
    del figures["name"]
    return figures


def _card(card: CardStanding) -> dict[str, object]:
    return {
        "card": card.card.id,
        "deck": card.card.deck,
        "place": card.card.place,
        **_tried_document(card.tried),
        **asdict(card.retention),
        "lapses": card.lapses,
        "asked_again": card.asked_again,
        "forgot": card.forgot,
    }


def _exercise(exercise: ExerciseStanding) -> dict[str, object]:
    clusters = [{"answer": one.name, "count": one.count, "students": one.students} for one in exercise.clusters]
    return {
        "exercise": exercise.tried.name,
        **_tried_document(exercise.tried),
        "wrong": exercise.wrong,
        "clusters": clusters,
    }


def _exam(report: ClassReport) -> dict[str, object] | None:
    if report.exam is None:
        return None
    shares = [round(share, _DIGITS) for share in report.forecasts]
    return {"date": str(report.exam), "ready": report.ready, "ready_from": READY, "recalled": shares}
