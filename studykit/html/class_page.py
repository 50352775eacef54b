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

_SHOWN = 10  # lines of each thing before the rest is folded away
_CLUSTERS = 3
_LEVELS = 10  # of a cell's colour
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
    """A student's line of the table: shares in percent, each with its level of colour."""

    name: str
    silent: bool
    last: str
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of another table: the first cell names it."""

    name: str
    cells: tuple[str, ...]
    lines: tuple[str, ...] = ()  # below each other, in the last cell


@dataclass(frozen=True, slots=True)
class Folded:
    """A table: what is shown, and what is folded away."""

    heads: tuple[str, ...]
    numbers: int  # columns behind the first that are numbers
    shown: Sequence[TableLine]
    rest: Sequence[TableLine]


@dataclass(frozen=True, slots=True)
class ClassPageView:
    """Everything that the page says."""

    day: str
    facts: Sequence[tuple[str, str]]
    objectives: Sequence[Bar]
    exam: str
    bands: Sequence[Bar]
    heads: Sequence[str]
    students: Sequence[StudentLine]
    silent: int
    silent_days: int
    slips: Folded
    exercises: Folded
    cards: Folded
    leeches: Folded
    remarks: Sequence[str]


def class_page(report: ClassReport, named: Mapping[str, str]) -> str:
    """The page; `named` says what slips and other wrong answers are called."""
    said = shipped()["class"]
    return Pages().class_report(_view(report, named, said))


def _view(report: ClassReport, named: Mapping[str, str], said: Mapping[str, str]) -> ClassPageView:
    behind = sorted(report.students, key=_standing)
    exam = [said["exam"].replace("%", str(report.exam))] if report.exam is not None else []
    heads = [said["all"], *([said["then"]] if exam else []), *report.cards_of]
    return ClassPageView(
        day=str(report.day),
        facts=_facts(report, said),
        objectives=_objectives(report, said),
        exam=exam[0] if exam else "",
        bands=_bands(report.forecasts),
        heads=heads,
        students=[_student(student, report, said) for student in behind],
        silent=sum(student.silent for student in report.students),
        silent_days=report.silent_days,
        slips=_slips(report, named, said),
        exercises=_exercises(report.exercises, named, said),
        cards=_cards(report.cards, said),
        leeches=_leeches(report.leeches, said),
        remarks=_remarks(report, said),
    )


def _facts(report: ClassReport, said: Mapping[str, str]) -> list[tuple[str, str]]:
    facts = [
        (f"{report.size:,}", said["students"]),
        (f"{report.active:,}", said["active"].replace("%", str(report.silent_days))),
        (f"{report.answers:,}", said["answers"]),
        (f"{report.course:,}", said["cards"]),
    ]
    if report.exam is not None:
        facts.append((f"{report.ready:,}", f"{said['ready']} ({_percent(READY)})"))
    return facts


def _objectives(report: ClassReport, said: Mapping[str, str]) -> list[Bar]:
    shares = {**report.shares, said["all"]: report.recalled}
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
    return [Bar(name, f"{count:,}", 0, 100 * count / most) for name, count in zip(names, counts, strict=True)][
        ::-1
    ]


def _student(student: StudentStanding, report: ClassReport, said: Mapping[str, str]) -> StudentLine:
    forecast = [student.forecast.recalled] if student.forecast is not None else []
    shares = [student.recalled, *forecast, *(student.objectives[name].share for name in report.cards_of)]
    last = said["never"] if student.last is None else str(student.last)
    cells = tuple((round(100 * share), min(_LEVELS - 1, int(share * _LEVELS))) for share in shares)
    return StudentLine(student.name, student.silent, last, cells)


def _slips(report: ClassReport, named: Mapping[str, str], said: Mapping[str, str]) -> Folded:
    lines = [
        TableLine(named.get(slip.slip, slip.slip), (f"{slip.count:,}", f"{slip.students:,}", slip.template))
        for slip in report.slips
    ]
    return _folded((said["slips"], said["times"], said["students"], said["most_in"]), 2, lines)


def _exercises(exercises: Sequence[ExerciseStanding], named: Mapping[str, str], said: Mapping[str, str]) -> Folded:
    lines = []
    for exercise in exercises:
        wrong = tuple(
            f"{named.get(one.name, one.name)} ({_of(one.count, exercise.wrong, said)})"
            for one in exercise.clusters[:_CLUSTERS]
        )
        lines.append(TableLine(exercise.tried.name, _tried(exercise.tried), wrong))
    heads = (said["exercise"], said["first_try"], said["students"], said["median_time"], said["wrong"])
    return _folded(heads, 3, lines)


def _cards(cards: Sequence[CardStanding], said: Mapping[str, str]) -> Folded:
    lines = [TableLine(card.card.asks, _tried(card.tried), (_place(card),)) for card in cards]
    heads = (said["card"], said["first_try"], said["students"], said["median_time"], said["place"])
    return _folded(heads, 3, lines)


def _leeches(cards: Sequence[CardStanding], said: Mapping[str, str]) -> Folded:
    lines = [
        TableLine(card.card.asks, (_of(card.forgot, card.asked_again, said), f"{card.lapses:,}"), (_place(card),))
        for card in cards
    ]
    return _folded((said["card"], said["forgot"], said["lapses"], said["place"]), 2, lines)


def _remarks(report: ClassReport, said: Mapping[str, str]) -> list[str]:
    told = []
    if report.elsewhere:
        told.append(said["elsewhere"].replace("%", f"{report.elsewhere:,}"))
    if report.hidden:
        told.append(said["hidden"].replace("%", f"{report.hidden:,}"))
    if report.students:
        told.append(said["private"])
    return told


def _folded(heads: tuple[str, ...], numbers: int, lines: Sequence[TableLine]) -> Folded:
    return Folded(heads, numbers, lines[:_SHOWN], lines[_SHOWN:])


def _tried(tried: Tried) -> tuple[str, ...]:
    return _percent(tried.first_rate), f"{tried.students:,}", f"{tried.median_ms / 1000:.0f} s"


def _standing(student: StudentStanding) -> tuple[float, str]:
    return (student.recalled if student.forecast is None else student.forecast.recalled), student.name


def _place(card: CardStanding) -> str:
    """File and line, without the folders of this machine: a page is handed on."""
    return card.card.place.rpartition("/")[2]


def _of(count: int, all_of: int, said: Mapping[str, str]) -> str:
    return said["of"].replace("%", f"{count:,}", 1).replace("%", f"{all_of:,}", 1)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
