"""Compute the places of a chart's boxes, lines, points and words, which a template writes as SVG.

Colors are classes, `a` to `d` for the parts of a whole and `l0` to `l4` for levels, and never the only sign.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from studykit.scheduling.activity import Activity
from studykit.scheduling.estimated_share import EstimatedShare

WIDTH, HEIGHT = 340, 170
_LEFT, _RIGHT, _TOP, _FLOOR = 34, 334, 14, 146
_CELL, _DAY = 11, 9  # of a heatmap: from one day to the next, and a day
_ROW, _BAR = 26, 18  # of horizontal shares, and of bars
_NAME = 92  # of their names
SERIES = "abcd"


@dataclass(frozen=True, slots=True)
class Box:
    """Hold a rectangle and its tooltip."""

    x: float
    y: float
    width: float
    height: float
    color: str
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """Hold a line through points, or the area inside it."""

    path: str
    style: str


@dataclass(frozen=True, slots=True)
class Dot:
    """Hold a point and its tooltip."""

    x: float
    y: float
    style: str
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Hold a word or number at an axis."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(slots=True)
class Chart:
    """Collect the shapes of a chart. Screen readers read its `description`."""

    description: str
    width: float = WIDTH
    height: float = HEIGHT
    boxes: list[Box] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    legend: Sequence[tuple[str, str]] = ()  # class, name


def heatmap(activity: Activity, description: str) -> Chart:
    """Draw a column for each week and a row for each day from Monday. Days with more answers are darker."""
    weeks = activity.weeks
    chart = Chart(description, width=_CELL * len(weeks) + 30, height=7 * _CELL + 16)
    for column, week in enumerate(weeks):
        x = 30 + _CELL * column
        for row, day in enumerate(week):
            tooltip = f"{day.day.day} {day.day:%b %Y}: {day.answers:,}"
            chart.boxes.append(Box(x, 14 + _CELL * row, _DAY, _DAY, f"l{day.level}", tooltip))
        first = week[0].day
        if first.day <= 7 and column < len(weeks) - 1:  # noqa: PLR2004 - days of a week
            chart.labels.append(Label(x, 9, f"{first:%b}", "start"))
    chart.labels += [
        Label(0, 22 + _CELL * row, name, "start") for row, name in ((0, "Mon"), (2, "Wed"), (4, "Fri"))
    ]
    return chart


def columns(
    names: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]], description: str, every: int = 1
) -> Chart:
    """Draw stacked columns side by side. One in `every` has its name below."""
    chart = Chart(description)
    totals = [sum(counts) for counts in zip(*(counts for _, counts in parts), strict=True)]
    largest = max([*totals, 1])
    _scale(chart, [(0.0, "0"), (1.0, f"{largest:,}")])
    step = (_RIGHT - _LEFT) / len(names)
    for place, name in enumerate(names):
        x, y = _LEFT + step * (place + 0.1), float(_FLOOR)
        for color, (part, counts) in zip(SERIES, parts, strict=False):
            height = (_FLOOR - _TOP) * counts[place] / largest
            y -= height
            if counts[place]:
                tooltip = f"{name}: {counts[place]:,} {part}".rstrip()
                chart.boxes.append(Box(_at(x), _at(y), _at(0.8 * step), _at(height), color, tooltip))
        if place % every == 0:
            chart.labels.append(Label(_at(x + 0.4 * step), _FLOOR + 14, name))
    chart.legend = [(color, part) for color, (part, _) in zip(SERIES, parts, strict=False) if part]
    return chart


def rows(names: Sequence[str], counts: Sequence[int], description: str) -> Chart:
    """Draw horizontal bars, for names that are too long to fit below columns."""
    chart = Chart(description, height=_BAR * len(names) + 4)
    largest = max([*counts, 1])
    for place, (name, count) in enumerate(zip(names, counts, strict=True)):
        y, width = 2 + _BAR * place, (_RIGHT - _NAME - 40) * count / largest
        chart.boxes.append(Box(_NAME, y + 3, _at(width), _BAR - 6, "a", f"{name}: {count:,}"))
        chart.labels.append(Label(0, y + 13, name, "start"))
        chart.labels.append(Label(_at(_NAME + width + 5), y + 13, f"{count:,}", "start"))
    return chart


def over_time(names: Sequence[str], shares: Sequence[EstimatedShare | None], description: str) -> Chart:
    """Draw shares over time with their intervals as a band. The line has gaps where a share is missing."""
    chart = Chart(description)
    smallest = min((share.low for share in shares if share is not None), default=0.0)
    base = math.floor(10 * smallest) / 10
    marks = [base, (1 + base) / 2, 1.0]
    _scale(chart, [((mark - base) / (1 - base), f"{mark:.0%}") for mark in marks])
    step = (_RIGHT - _LEFT) / len(names)

    def x(place: int) -> float:
        return _at(_LEFT + step * (place + 0.5))

    def y(share: float) -> float:
        return _at(_FLOOR - (_FLOOR - _TOP) * (share - base) / (1 - base))

    for run in _runs(shares):
        highs = [(x(place), y(share.high)) for place, share in run]
        lows = [(x(place), y(share.low)) for place, share in reversed(run)]
        chart.strokes.append(Stroke(_path([*highs, *lows]) + "Z", "band"))
        chart.strokes.append(Stroke(_path([(x(place), y(share.mean)) for place, share in run]), "line"))
        for place, share in run:
            chart.strokes.append(Stroke(f"M{x(place)} {y(share.low)}V{y(share.high)}", "whisker"))
            tooltip = f"{names[place]}: {share} of {share.of:,}"
            chart.dots.append(Dot(x(place), y(share.mean), "dot", tooltip))
    every = 1 + len(names) // 8
    chart.labels += [Label(x(place), _FLOOR + 14, name) for place, name in enumerate(names) if place % every == 0]
    return chart


def intervals(
    rows: Sequence[tuple[str, Sequence[EstimatedShare | None]]],
    parts: Sequence[str],
    mark: float,
    description: str,
) -> Chart:
    """Draw rows of shares: each mean as a point, its interval as a line. `parts` names the shares of a row."""
    chart = Chart(description, height=_ROW * len(rows) + 24)
    floor = _ROW * len(rows) + 6

    def x(share: float) -> float:
        return _at(_NAME + (_RIGHT - _NAME - 4) * share)

    for at in (0.0, 0.5, 1.0):
        chart.strokes.append(Stroke(f"M{x(at)} 4V{floor}", "grid"))
        chart.labels.append(Label(x(at), floor + 13, f"{at:.0%}", "end" if at == 1 else "middle"))
    chart.strokes.append(Stroke(f"M{x(mark)} 4V{floor}", "mark"))
    for row, (name, shares) in enumerate(rows):
        middle = 6 + _ROW * (row + 0.5)
        chart.labels.append(Label(0, middle + 4, name, "start"))
        for color, part, share, shift in zip(SERIES, parts, shares, (-5, 5), strict=False):
            if share is None:
                continue
            y = middle + shift
            tooltip = f"{name}, {part}: {share} of {share.of:,}"
            chart.strokes.append(Stroke(f"M{x(share.low)} {y}H{x(share.high)}", f"range {color}"))
            chart.dots.append(Dot(x(share.mean), y, f"dot {color}", tooltip))
    chart.legend = list(zip(SERIES, parts, strict=False))
    return chart


def _scale(chart: Chart, marks: Iterable[tuple[float, str]]) -> None:
    """Draw horizontal lines at parts of the height, each with its label."""
    for part, name in marks:
        y = _at(_FLOOR - (_FLOOR - _TOP) * part)
        chart.strokes.append(Stroke(f"M{_LEFT} {y}H{_RIGHT}", "grid"))
        chart.labels.append(Label(_LEFT - 4, y + 4, name, "end"))


def _runs(shares: Sequence[EstimatedShare | None]) -> list[list[tuple[int, EstimatedShare]]]:
    """Group consecutive shares that are not missing, with their places."""
    runs: list[list[tuple[int, EstimatedShare]]] = [[]]
    for place, share in enumerate(shares):
        if share is None:
            runs.append([])
        else:
            runs[-1].append((place, share))
    return [run for run in runs if run]


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _at(place: float) -> float:
    return round(place, 1)
