"""The report of a class as one page: no request, no script, readable in the dark, on paper and on a phone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studykit.html.pages import Pages
from studykit.html.strings import shipped
from studykit.scheduling.class_report import (
    READY,
    CardStanding,
    ClassReport,
    ExerciseStanding,
    StudentStanding,
    Tried,
)

_CLUSTERS = 3
_LEVELS = 10  # of a cell's color
_BANDS = 10  # of a share


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a distribution; positions are in percent of its width."""

    name: str
    count: str
    start: float
    length: float
    mark: float | None = None  # of a median


@dataclass(frozen=True, slots=True)
class StudentLine:
    """A student's line of the table: shares in percent, each with its level of color."""

    name: str
    silent: bool
    last: str
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """A table whose end is folded away where it is long."""

    heads: tuple[str, ...]
    numbers: int  # columns behind the first that are numbers
    lines: Sequence[Sequence[Sequence[str]]]  # of cells; the texts in one cell stand below each other
    open: int = 10  # lines before the rest is folded away


def class_page(report: ClassReport, slip_names: Mapping[str, str]) -> str:
    """Render the class report as a page. `slip_names` says what slips and other wrong answers are called."""
    labels = shipped()["class"]
    exam = [labels["exam"].replace("%", str(report.exam))] if report.exam is not None else []
    heads = [labels["all"], *([labels["then"]] if exam else []), *report.cards_of]
    view = {
        "day": str(report.day),
        "facts": _facts(report, labels),
        "objectives": _objectives(report, labels),
        "exam": exam[0] if exam else "",
        "bands": _bands(report.forecasts),
        "heads": heads,
        "students": [_student(student, report, labels) for student in report.behind],
        "silent": sum(student.silent for student in report.students),
        "silent_days": report.silent_days,
        "slips": _slips(report, slip_names, labels),
        "exercises": _exercises(report.exercises, slip_names, labels),
        "cards": _cards(report.cards, labels),
        "leeches": _leeches(report.leeches, labels),
        "remarks": _remarks(report, labels),
    }
    return Pages().class_report(view)


def _facts(report: ClassReport, labels: Mapping[str, str]) -> list[tuple[str, str]]:
    facts = [
        (f"{report.size:,}", labels["students"]),
        (f"{report.active:,}", labels["active"].replace("%", str(report.silent_days))),
        (f"{report.answers:,}", labels["answers"]),
        (f"{report.course:,}", labels["cards"]),
    ]
    if report.exam is not None:
        facts.append((f"{report.ready:,}", f"{labels['ready']} ({_percent(READY)})"))
    return facts


def _objectives(report: ClassReport, labels: Mapping[str, str]) -> list[Bar]:
    shares = {**report.shares, labels["all"]: report.recalled}
    return [
        Bar(name, _percent(middle), 100 * low, 100 * (high - low), 100 * middle)
        for name, (low, middle, high) in shares.items()
    ]


def _bands(shares: Sequence[float]) -> list[Bar]:
    counts = [0] * _BANDS
    for share in shares:
        counts[min(_BANDS - 1, int(share * _BANDS))] += 1
    most = max(counts, default=0) or 1
    width = 100 // _BANDS
    names = [f"{place * width} to {(place + 1) * width} %" for place in range(_BANDS)]
    bars = [Bar(name, f"{count:,}", 0, 100 * count / most) for name, count in zip(names, counts, strict=True)]
    return bars[::-1]


def _student(student: StudentStanding, report: ClassReport, labels: Mapping[str, str]) -> StudentLine:
    forecast = [student.forecast.recalled] if student.forecast is not None else []
    shares = [student.recalled, *forecast, *(student.objectives[name].share for name in report.cards_of)]
    last = labels["never"] if student.last is None else str(student.last)
    cells = tuple((round(100 * share), min(_LEVELS - 1, int(share * _LEVELS))) for share in shares)
    return StudentLine(student.name, student.silent, last, cells)


def _slips(report: ClassReport, slip_names: Mapping[str, str], labels: Mapping[str, str]) -> Folded:
    lines = [
        (slip_names.get(slip.slip, slip.slip), f"{slip.count:,}", f"{slip.students:,}", slip.template)
        for slip in report.slips
    ]
    return Folded((labels["slips"], labels["times"], labels["students"], labels["most_in"]), 2, lines)


def _exercises(
    exercises: Sequence[ExerciseStanding], slip_names: Mapping[str, str], labels: Mapping[str, str]
) -> Folded:
    lines = []
    for exercise in exercises:
        wrong = [
            f"{slip_names.get(one.name, one.name)} ({_of(one.count, exercise.wrong, labels)})"
            for one in exercise.clusters[:_CLUSTERS]
        ]
        lines.append((exercise.tried.name, *_tried(exercise.tried), wrong))
    heads = (labels["exercise"], labels["first_try"], labels["students"], labels["median_time"], labels["wrong"])
    return Folded(heads, 3, lines)


def _cards(cards: Sequence[CardStanding], labels: Mapping[str, str]) -> Folded:
    lines = [(card.card.asks, *_tried(card.tried), _place(card)) for card in cards]
    heads = (labels["card"], labels["first_try"], labels["students"], labels["median_time"], labels["place"])
    return Folded(heads, 3, lines)


def _leeches(cards: Sequence[CardStanding], labels: Mapping[str, str]) -> Folded:
    lines = [
        (card.card.asks, _of(card.forgot, card.asked_again, labels), f"{card.lapses:,}", _place(card))
        for card in cards
    ]
    return Folded((labels["card"], labels["forgot"], labels["lapses"], labels["place"]), 2, lines)


def _remarks(report: ClassReport, labels: Mapping[str, str]) -> list[str]:
    remarks = []
    if report.elsewhere:
        remarks.append(labels["elsewhere"].replace("%", f"{report.elsewhere:,}"))
    if report.hidden:
        remarks.append(labels["hidden"].replace("%", f"{report.hidden:,}"))
    if report.students:
        remarks.append(labels["private"])
    return remarks


def _tried(tried: Tried) -> tuple[str, ...]:
    return _percent(tried.first_rate), f"{tried.students:,}", f"{tried.median_ms / 1000:.0f} s"


def _place(card: CardStanding) -> str:
    """Return file and line, without the folders of this machine, since a page is handed on."""
    return card.card.place.rpartition("/")[2]


def _of(count: int, all_of: int, labels: Mapping[str, str]) -> str:
    return labels["of"].replace("%", f"{count:,}", 1).replace("%", f"{all_of:,}", 1)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
