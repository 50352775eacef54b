"""`study stats`: how well things are remembered, what is coming, and where it goes wrong."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.query import Query, QueryState, StateTerm
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.cli.progress import progress
from studykit.errors import UsageError
from studykit.exercise.bet import record

if TYPE_CHECKING:
    from studykit.cli.stats_views import StatsFigures
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.stats import Stats

Days = Annotated[int, typer.Option("--days", metavar="N", min=1, max=30, help="Days of forecast.")]
Compare = Annotated[
    bool,
    typer.Option(
        "--compare", help="Replay your log under SM-2 and FSRS: how well each predicts, and the load to come."
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="A year at a glance as one page that works offline."),
]
All = Annotated[bool, typer.Option("--all", help="All views below each other, as in a pipe.")]

_LEECHES = Query(((StateTerm(QueryState.LEECH),),))
_MOST_LEECHES = 1_000


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats")(stats)


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
        raise UsageError("--compare and --html are two things: give one of them.")
    if compare:
        from studykit.cli import comparison_view

        comparison_view.compare(context, json=json)
        return
    statistics = store.schedule.stats(context.today())
    if not (json or html or statistics.total.reviews or statistics.total.practised):
        context.write("Nothing to count yet. Start with: study review")
        return
    screen = context.interactive and not (context.plain or whole or json or html)
    figures = _figures(context, statistics, days, told=not screen)
    if html is not None:
        _write_page(context, figures, html, json=json)
    elif json:
        from studykit.cli.stats_document import document

        context.write_json({**document(figures), "leeches": figures.leeches})
    elif screen:
        _show(context, figures)
    else:
        _write(context, figures)


def _figures(context: Context, statistics: "Stats", days: int, *, told: bool) -> "StatsFigures":
    """The figures; what takes a look at the whole log shows how far it is if it is to be `told`."""
    from studykit.cli.stats_views import StatsFigures

    store = context.store
    leeches = store.search.find(_LEECHES, context.today(), leech=context.leech_from, limit=_MOST_LEECHES)
    return StatsFigures(
        store,
        statistics,
        record.scored_bets(store.log.family(record.FAMILY)),
        days,
        lambda: _mastery(context, told=told),
        tuple(str(each.card.id) for each in leeches.cards),
    )


def _mastery(context: Context, *, told: bool) -> "tuple[Mastery, ...]":
    """What is known of each objective."""
    from studykit.cli.objective_of import objective_of
    from studykit.cli.scheduler_setting import fsrs_of

    schedule, today = context.store.schedule, context.today()
    fsrs = schedule.fsrs or fsrs_of(context.config)
    if not told:
        return schedule.mastery(today, fsrs, objective_of)
    with progress(context, "working out what is recalled", context.store.log.count()) as bar:
        return schedule.mastery(today, fsrs, objective_of, bar.advance)


def _write_page(context: Context, figures: "StatsFigures", path: Path, *, json: bool) -> None:
    from studykit.cli.stats_page import write_page

    size = write_page(figures, path)
    if json:
        context.write_json({"file": str(path), "bytes": size})
    else:
        context.write(f"{path}: a page of {size / 1000:,.0f} kB. Open it in a browser.")


def _show(context: Context, figures: "StatsFigures") -> None:
    from studykit.cli.stats_screen import StatsScreen
    from studykit.terminal.input.tty import Terminal
    from studykit.terminal.screen import Screen

    with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=True) as terminal:
        StatsScreen(context, Screen(terminal, context.style), figures).run()


def _write(context: Context, figures: "StatsFigures") -> None:
    from studykit.cli.drawing import Drawing
    from studykit.cli.stats_views import VIEWS

    drawing = Drawing(context)
    for place, view in enumerate(VIEWS):
        drawing.write(*([""] if place else []), *view.parts(drawing, figures))
