"""Show how well cards are remembered, what is coming, and what goes wrong: `study stats`."""

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.commands.stats_views import VIEWS, StatsFigures
from studykit.cli.context import Context, context_of
from studykit.cli.display import replace_output
from studykit.cli.drawing import Drawing
from studykit.cli.options import Json, write_result
from studykit.errors import UsageError

if TYPE_CHECKING:
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.stats import Part, Retention
    from studykit.scheduling.study_year import Period

_PAGE_ENDINGS = frozenset((".html", ".htm"))

Days = Annotated[int, typer.Option("--days", metavar="N", min=1, max=30, help="Days of forecast.")]
Compare = Annotated[
    bool, typer.Option("--compare", help="Compare how well SM-2 and FSRS predict your log, and their load.")
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="A year at a glance as one page that works offline.")
]
All = Annotated[bool, typer.Option("--all", help="All views below each other, as in a pipe.")]


def stats(
    ctx: typer.Context,
    days: Days = 7,
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
        from studykit.cli.commands.stats_comparison import compare_schedulers

        compare_schedulers(context, json=json)
        return
    statistics = store.schedule.stats(context.today())
    if not (json or html or statistics.total.reviews or statistics.total.practised):
        context.write("Nothing to count yet. Start with: study review")
        return
    screen = context.interactive and not (context.plain or whole or json or html)
    figures = StatsFigures(context, statistics, days, bar=not screen)
    if html is not None:
        _write_page(context, figures, html, json=json)
    elif json:
        context.write_json({**_document(figures), "leeches": figures.leeches})
    elif screen:
        from studykit.cli.commands.stats_screen import show

        show(context, figures)
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
    interval = None if period.share is None else [period.share.low, period.share.high]
    return {
        "first": str(period.first),
        "answers": period.answers,
        "retention": {**_retention(period.retention), "interval": interval},
    }


def _retention(retention: "Retention") -> dict[str, object]:
    return {**asdict(retention), "share": retention.share}


def _part(part: "Part") -> dict[str, object]:
    return {**asdict(part), "retention": _retention(part.retention)}
