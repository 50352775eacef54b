"""Where a learner stands, drawn: decks, twelve weeks, the days to come, and one thing to do next."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from studykit.cli.drawing import Drawing, ListingColumn, ShareBar
from studykit.text import counted

if TYPE_CHECKING:
    from datetime import date

    from studykit.scheduling.activity import Activity
    from studykit.scheduling.dashboard import Dashboard
    from studykit.scheduling.deck_counts import DeckCounts

AHEAD = 14  # days of the forecast
_BESIDE = 114  # columns from which decks and weeks stand beside each other
_SIDE = 64  # the same for weeks and figures
_OTHER_ROWS = 15  # of a terminal, taken by what is not a deck
_FIGURE_ROWS = 13  # the same without weeks
_STACKED_ROWS = 40  # rows under which a narrow terminal has no room for weeks
_SHADES, _ASCII_SHADES = "·░▒▓█", ".-+*#"
_HEIGHTS, _ASCII_HEIGHTS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"
_WEEK_DAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")
_COUNTS = (
    ListingColumn("due", right=True),
    ListingColumn("new", right=True),
    ListingColumn("known", right=True),
    ListingColumn(),
)


def home_parts(
    drawing: Drawing, dashboard: "Dashboard", names: Mapping[str, str], *, streak: bool, rows: int | None
) -> list[RenderableType]:
    """The parts between the first line and the suggestion; `rows` are those of the terminal."""
    columns = drawing.columns or _SIDE
    low = rows is not None and columns < _SIDE and rows < _STACKED_ROWS
    room = None if rows is None else max(3, (rows - _FIGURE_ROWS) * 2 // 3 if low else rows - _OTHER_ROWS)
    decks = deck_listing(drawing, dashboard.decks, names, room)
    weeks = heatmap(drawing, dashboard.activity)
    figures = _figures(drawing, dashboard, streak=streak)
    if drawing.plain:
        return [decks, weeks, figures]
    if low:  # figures say how many of the days there were
        return [decks, "", figures]
    beside = drawing.grid(weeks, Group("", figures)) if columns >= _SIDE else Group(weeks, figures)
    if drawing.columns is not None and drawing.columns >= _BESIDE:
        return [drawing.grid(decks, Group(weeks, "", figures), gap=6)]
    return [decks, "", beside]


def deck_listing(
    drawing: Drawing, decks: Sequence["DeckCounts"], names: Mapping[str, str], room: int | None = None
) -> RenderableType:
    """Decks in the order of the course with their counts, the first `room` of them."""
    shown = decks if room is None or len(decks) <= room else decks[: room - 1]
    rows = [
        (
            names.get(deck.deck, deck.deck),
            f"{deck.due:,}",
            f"{deck.new:,}",
            f"{deck.known:,} of {deck.cards:,}",
            ShareBar(deck.share),
        )
        for deck in shown
    ]
    listing = drawing.listing("Decks", _COUNTS, rows)
    if len(shown) == len(decks):
        return listing
    return Group(listing, drawing.text(f"and {counted(len(decks) - len(shown), 'deck')} more: study deck list"))


def heatmap(drawing: Drawing, activity: "Activity") -> RenderableType:
    """Weeks as columns of days, darker where more was answered; in words where nothing is to be drawn."""
    if drawing.plain:
        return drawing.text(f"Last {len(activity.weeks)} weeks: {activity_words(activity)}.")
    shades = _ASCII_SHADES if drawing.ascii else _SHADES
    rows = [Text("    " + _months(activity))]
    for weekday, name in enumerate(_WEEK_DAYS):
        row = Text(f"{name:<4}")
        for week in activity.weeks:
            level = week[weekday].level if weekday < len(week) else None
            shade = " " if level is None else shades[level]
            row.append(f"{shade} ", style="heat" if level else "chrome")
        rows.append(row)
    return Group(*rows)


def activity_words(activity: "Activity") -> str:
    """How much was done in these weeks."""
    if not activity.answers:
        return "nothing was answered"
    most = activity.busiest
    days = f"{activity.studied} of {counted(len(activity.days), 'day')}"
    return f"{days}, {counted(activity.answers, 'answer')}, most on {_day(most.day)} ({most.answers:,})"


def sparkline(drawing: Drawing, counts: Sequence[int]) -> str:
    """A row of signs, each as high as its number."""
    heights = _ASCII_HEIGHTS if drawing.ascii else _HEIGHTS
    most = max(counts, default=0) or 1
    return "".join(heights[-(-count * (len(heights) - 1) // most)] for count in counts)


def _figures(drawing: Drawing, dashboard: "Dashboard", *, streak: bool) -> RenderableType:
    activity, ahead = dashboard.activity, [count for _, count in dashboard.forecast[:AHEAD]]
    run = dashboard.streak
    rows = (
        [("Streak", f"{counted(run.current, 'day')}, longest {run.longest:,}")] if streak and run.longest else []
    )
    if not drawing.plain:
        rows += [
            ("Weeks", f"{activity.studied} of {counted(len(activity.days), 'day')}"),
            ("", counted(activity.answers, "answer")),
            ("Ahead", sparkline(drawing, ahead)),
        ]
    today, tomorrow, *_ = ahead
    label = "Due" if drawing.plain else ""
    rows.append((label, f"{today:,} today, {tomorrow:,} tomorrow"))
    rows.append(("" if label == "" else "Ahead", f"{sum(ahead):,} in {counted(len(ahead), 'day')}"))
    return drawing.pairs([(drawing.text(name), said) for name, said in rows])


def _months(activity: "Activity") -> str:
    """Three letters of each month over the week that it begins in, where the next month leaves room for them."""
    months = [week[0].day.month for week in activity.weeks]
    starts = [place for place, month in enumerate(months) if month not in months[:place]]
    row = ""
    for start, following in zip(starts, [*starts[1:], len(months) + 1], strict=True):
        if following - start > 1:
            row = row.ljust(2 * start) + f"{activity.weeks[start][0].day:%b}"
    return row


def _day(day: "date") -> str:
    return f"{day.day} {day:%b}"
