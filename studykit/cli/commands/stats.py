"""`study stats`: how well things are remembered, what is coming, and where it goes wrong."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.query import Query, QueryState, StateTerm
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.cli.progress_bar import progress
from studykit.exercise.bet import record

if TYPE_CHECKING:
    from studykit.cli.stats_views import StatsFigures
    from studykit.scheduling.answer_counts import AnswerCounts
    from studykit.scheduling.stats import Part, Retention, Stats, Window

Days = Annotated[int, typer.Option("--days", metavar="N", min=1, max=30, help="Days of forecast.")]
Compare = Annotated[
    bool,
    typer.Option(
        "--compare", help="Replay your log under SM-2 and FSRS: how well each predicts, and the load to come."
    ),
]
All = Annotated[bool, typer.Option("--all", help="All views below each other, as in a pipe.")]

_LEECHES = Query(((StateTerm(QueryState.LEECH),),))
_MOST_LEECHES = 1_000


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats")(stats)


def stats(
    ctx: typer.Context, days: Days = 7, whole: All = False, compare: Compare = False, json: Json = False
) -> None:
    """Show retention, times, answers, hard cards, objectives, slips and bets: in views by keys on a terminal."""
    context = context_of(ctx)
    store = context.refreshed_store()
    if compare:
        from studykit.cli import comparison_view

        comparison_view.compare(context, json=json)
        return
    statistics = store.schedule.stats(context.today())
    betting = record.statistics(record.scored_bets(store.log.family(record.FAMILY)))
    leeches = store.search.find(_LEECHES, context.today(), leech=context.leech_from, limit=_MOST_LEECHES)
    if json:
        named = [each.card.id for each in leeches.cards]
        context.write_json({**_document(statistics, betting, _answers(context)), "leeches": named})
        return
    if not statistics.total.reviews and not statistics.total.practised:
        context.write("Nothing to count yet. Start with: study review")
        return
    from studykit.cli.stats_views import StatsFigures

    if context.interactive and not context.plain and not whole:
        _show(context, StatsFigures(store, statistics, betting, days, store.schedule.answer_counts, leeches.count))
    else:
        _write(context, StatsFigures(store, statistics, betting, days, lambda: _answers(context), leeches.count))


def _answers(context: Context) -> "AnswerCounts":
    """When and how cards were answered; a long log shows how far it is gone through."""
    with progress(context, "going through the log", context.store.log.count()) as bar:
        return context.store.schedule.answer_counts(bar.advance)


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


def _document(
    statistics: "Stats", betting: record.BettingStatistics, answers: "AnswerCounts"
) -> dict[str, object]:
    return {
        "date": str(statistics.day),
        "today": asdict(statistics.today),
        "total": asdict(statistics.total),
        "retention": {name: _window(window) for name, window in statistics.windows.items()},
        "streak": asdict(statistics.streak),
        "overdue": statistics.overdue,
        "forecast": [{"date": str(day), "due": count} for day, count in statistics.forecast],
        "decks": {name: _part(part) for name, part in statistics.decks.items()},
        "objectives": {name: _part(part) for name, part in statistics.objectives.items()},
        "slips": [{"id": slip.slip, "count": slip.count, "exercise": slip.template} for slip in statistics.slips],
        "exercises": {name: dict(verdicts) for name, verdicts in statistics.exercises.items()},
        "activity": [{"date": str(day.day), "answers": day.answers} for day in statistics.activity.days],
        "hours": [_retention(hour) for hour in answers.hours],
        "grades": [{"grade": grade, **asdict(count)} for grade, count in enumerate(answers.grades)],
        "hardest": [
            {
                "card": card.card,
                "deck": card.deck,
                "lapses": card.lapses,
                "ease": card.ease,
                "retention": _retention(card.retention),
            }
            for card in statistics.hardest
        ],
        "bets": {**statistics.exercises.get(record.FAMILY, {}), **record.document(betting)},
    }


def _window(window: "Window") -> dict[str, object]:
    return {
        "young": _retention(window.young),
        "mature": _retention(window.mature),
        "total": _retention(window.total),
    }


def _retention(retention: "Retention") -> dict[str, object]:
    return {"passed": retention.passed, "reviews": retention.reviews, "share": retention.share}


def _part(part: "Part") -> dict[str, object]:
    return {
        "known": part.known,
        "mature": part.mature,
        "lapses": part.lapses,
        "retention": _retention(part.retention),
    }
