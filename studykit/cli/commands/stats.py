"""Show how well cards are remembered, what is coming, and what goes wrong: `study stats`."""

from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.commands.stats_views import VIEWS, StatsFigures
from studykit.cli.context import Context, context_of
from studykit.cli.display import open_screen, replace_output
from studykit.cli.drawing import Drawing
from studykit.cli.options import Json, write_result
from studykit.cli.progress_bar import progress
from studykit.config import fsrs_of
from studykit.errors import UsageError
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.figure import right
from studykit.scheduling.prediction import MIN_REVIEWS, SchedulerComparison
from studykit.scheduling.sm2 import PROFILE as SM2
from studykit.terminal.input.keys import HangupError
from studykit.terminal.screen import SCROLL_ROWS, Screen, ScreenContent
from studykit.terminal.screen_ui import choices_line
from studykit.terminal.spans import ACCENT, Span, StyledLine, TextStyle, width, wrap
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.scheduling.distributions import Period
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.stats import Part, Retention

_PAGE_ENDINGS = frozenset((".html", ".htm"))
_DAYS_COMPARED = 60
_QUIT = frozenset(("q", "Q", "esc", "ctrl-d"))
_NEXT = frozenset(("right", "l", "tab", "space", "n", "enter"))
_BEFORE = frozenset(("left", "h", "p", "backspace"))
_NAMES = [*VIEWS]
_KEYS = {f"1-{len(VIEWS)}": "view", "j\u00a0k": "scroll", "q": "quit"}

Compare = Annotated[
    bool, typer.Option("--compare", help="Compare how well SM-2 and FSRS predict your log, and their load.")
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="A year at a glance as one page that works offline.")
]
All = Annotated[bool, typer.Option("--all", help="All views below each other, as in a pipe.")]


def stats(
    ctx: typer.Context,
    whole: All = False,
    compare: Compare = False,
    html: Html = None,
    json: Json = False,
) -> None:
    """Show retention, times, answers, hard cards, objectives, slips and bets: in views by keys on a terminal."""
    context = context_of(ctx)
    store = context.refreshed_store()
    if compare and html is not None:
        raise UsageError("--compare and --html cannot be combined. Give one of them.")
    if compare:
        _compare_schedulers(context, json=json)
        return
    statistics = store.schedule.stats(context.today())
    if not (json or html or statistics.total.reviews or statistics.total.practised):
        context.write("Nothing to count yet. Start with: study review")
        return
    screen = context.interactive and not (context.plain or whole or json or html)
    figures = StatsFigures(context, statistics, bar=not screen)
    if html is not None:
        _write_page(context, figures, html, json=json)
    elif json:
        context.write_json({**_document(figures), "leeches": figures.leeches})
    elif screen:
        with open_screen(context) as terminal:
            show_views(context, terminal, figures)
    else:
        drawing = Drawing(context)
        for place, parts in enumerate(VIEWS.values()):
            drawing.write(*([""] if place else []), *parts(drawing, figures))


def _write_page(context: Context, figures: StatsFigures, path: Path, *, json: bool) -> None:
    if path.suffix.casefold() not in _PAGE_ENDINGS:
        raise UsageError(f"{path} is not the name of a page. Give --html a name that ends with .html.")
    from studykit.html.statistics_view import PageFigures, statistics_page

    page_figures = PageFigures(*(getattr(figures, each.name) for each in fields(PageFigures)))
    size = replace_output(path, statistics_page(page_figures))
    message = f"{path}: a page of {size / 1000:,.0f} kB. Open it in a browser."
    write_result(context, {"file": str(path), "bytes": size}, [message], json=json)


def _document(figures: StatsFigures) -> dict[str, object]:
    """Return every figure of the views and the page as JSON."""
    from studykit.exercise.bet.record import COUNTED, document
    from studykit.scheduling.learner_figures import by_kind

    statistics, answers, year, spread = figures.statistics, figures.answers, figures.year, figures.spread
    timed = [bet for bet in figures.bets if bet.origin != COUNTED]
    bets = [{"bet": bet.bet, "measured": bet.measured, "held": bet.covered} for bet in timed]
    return {
        "date": str(statistics.day),
        "today": asdict(statistics.today),
        "total": asdict(statistics.total),
        "retention": {
            name: {age: _retention(getattr(window, age)) for age in ("young", "mature", "total")}
            for name, window in statistics.windows.items()
        },
        "streak": asdict(statistics.streak),
        "overdue": statistics.overdue,
        "forecast": [{"date": str(day), "due": count} for day, count in statistics.forecast],
        "decks": {name: _part(part) for name, part in statistics.decks.items()},
        "objectives": {name: _part(part) for name, part in statistics.objectives.items()},
        "slips": [{"id": slip.slip, "count": slip.count, "exercise": slip.template} for slip in statistics.slips],
        "slip_families": dict(statistics.slip_families),
        "exercises": {name: dict(verdicts) for name, verdicts in statistics.exercises.items()},
        "hardest": [{**asdict(card), "retention": _retention(card.retention)} for card in statistics.hardest],
        "activity": [{"date": str(day.day), "answers": day.answers} for day in statistics.activity.days],
        "year": [{"date": str(day.day), "answers": day.answers} for day in year.activity.days],
        "months": [_period(each) for each in year.months],
        "weeks": [_period(each) for each in year.weeks],
        "intervals": [*map(asdict, spread.intervals)],
        "ease": [*map(asdict, spread.eases)],
        "stability": [*map(asdict, spread.stabilities)],
        "mastery": {each.objective: _mastery_document(each) for each in figures.mastery},
        "hours": [_retention(hour) for hour in answers.hours],
        "grades": [
            {"grade": grade, **by_kind(count), "took_ms": count.took_ms}
            for grade, count in enumerate(answers.grades)
        ],
        "bets": {
            **statistics.exercises.get("bet", {}),
            **document(figures.betting),
            **({"points": bets} if bets else {}),
        },
    }


def _mastery_document(mastery: "Mastery") -> dict[str, object]:
    figures = asdict(mastery)
    del figures["objective"]
    return {"standing": str(mastery.level), **figures}


def _period(period: "Period") -> dict[str, object]:
    interval = period.share and [period.share.low, period.share.high]
    retention = {**_retention(period.retention), "interval": interval}
    return {"first": str(period.first), "answers": period.answers, "retention": retention}


def _retention(retention: "Retention") -> dict[str, object]:
    return {**asdict(retention), "share": retention.share}


def _part(part: "Part") -> dict[str, object]:
    return {**asdict(part), "retention": _retention(part.retention)}


def _compare_schedulers(context: Context, *, json: bool) -> None:
    """Replay the log under both schedulers, and write how well each predicts and how many reviews each plans."""
    with progress(context, "replaying the log", context.store.log.count()) as bar:
        comparison, loads = context.store.schedule.comparison(
            fsrs_of(context.config), context.today(), _DAYS_COMPARED, bar.advance
        )
    if json:
        document = {
            "reviews": comparison.reviews,
            "recalled": comparison.recalled if comparison.reviews else None,
            "too_few": comparison.too_few,
            "predictors": [asdict(prediction) for prediction in comparison.predictions],
            "difference": {"log_loss": comparison.difference, "within": comparison.uncertainty},
            "load": loads,
        }
        context.write_json(document)
        return
    drawing = Drawing(context)
    if comparison.reviews:
        columns = right("log loss", "said", "was")
        rows = [
            [
                each.name,
                f"{each.log_loss:.4f}",
                f"{each.mean:.1%}",
                f"{comparison.recalled:.1%}",
            ]
            for each in comparison.predictions
        ]
        reviews = counted(comparison.reviews, "review")
        drawing.write(drawing.listing(f"Predicting {reviews}", columns, rows), "", verdict(comparison), "")
    else:
        drawing.write("Nothing to compare yet: no known card was reviewed.", "")
    drawing.write(
        f"In {_DAYS_COMPARED} days {sum(loads[SM2]):,} reviews by SM-2 and {sum(loads[FSRS]):,} by FSRS, if every "
        "card is answered good on its day and none is new."
    )


def verdict(comparison: SchedulerComparison) -> str:
    """Say which scheduler predicts the log better, and whether chance may explain the difference."""
    if comparison.too_few:
        return (
            f"{counted(comparison.reviews, 'review')} are too few: below {MIN_REVIEWS} or so such figures "
            "say more of chance than of a scheduler."
        )
    better = "FSRS" if comparison.difference < 0 else "SM-2"
    size = f"by {abs(comparison.difference):.4f} ± {comparison.uncertainty:.4f} a review"
    if abs(comparison.difference) <= comparison.uncertainty:
        return f"Your log shows no clear difference: {better} has the lower log loss {size}, as chance may."
    return f"{better} predicts your answers better: log loss is lower {size}."


def show_views(context: Context, screen: Screen, figures: StatsFigures) -> None:
    """Show the views on a screen until the learner leaves. Each is drawn only once for a width."""

    @cache
    def lines(view: int, columns: int) -> list[StyledLine]:
        drawing = Drawing(context, columns=columns)
        return drawing.lines(*VIEWS[_NAMES[view]](drawing, figures))

    view = scroll = 0
    while True:
        columns = screen.columns
        foot = wrap(choices_line([*_KEYS.items()]), columns)
        content = ScreenContent(head=[_tabs(view, columns)], body=lines(view, columns), foot=foot, back="k")
        scroll = min(scroll, screen.draw(content, scroll).furthest)
        try:
            event = screen.terminal.keys.read()
        except HangupError:
            return
        key = "" if event is None else event.name
        if key in _QUIT:
            return
        if key in _NEXT or key in _BEFORE:
            view, scroll = (view + (1 if key in _NEXT else -1)) % len(VIEWS), 0
        elif key.isdecimal() and 1 <= int(key) <= len(VIEWS):
            view, scroll = int(key) - 1, 0
        else:
            scroll = max(0, scroll + SCROLL_ROWS.get(key, 0))


def _tabs(view: int, columns: int) -> StyledLine:
    """Return the names of all views with their keys, or only the current one if they do not fit."""
    tabs: list[Span] = []
    for place, name in enumerate(_NAMES):
        tabs += [Span(f"{place + 1} ", ACCENT if place == view else TextStyle.BOLD)]
        tabs += [Span(name, ACCENT if place == view else TextStyle.PLAIN), Span(" ")]
    if width(tabs[:-1]) <= columns:
        return tuple(tabs[:-1])
    return (Span(_NAMES[view], ACCENT), Span(f"  {view + 1} of {len(VIEWS)}"))
