"""`study stats`: how well things are remembered, what is coming, and where it goes wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Annotated

import typer

from studykit.cards.query import CardState, Query, StateTerm
from studykit.cli.context import context_of
from studykit.cli.options import Json
from studykit.exercise.bet import record
from studykit.scheduling.stats import Part, Retention, Stats, Window
from studykit.text import counted

Days = Annotated[int, typer.Option("--days", metavar="N", min=1, max=30, help="Days of forecast.")]

_LEECHES = Query(((StateTerm(CardState.LEECH),),))
_MOST_LEECHES = 1_000
_BAR, _SHORT_BAR = 40, 20
_TABLE = 64  # columns of the tables; a narrower terminal gets lines
_SOLID = "\u2588"
_WINDOWS = {"week": "last 7 days", "month": "last 30 days", "year": "last 365 days", "all": "ever"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("stats")(stats)


def stats(ctx: typer.Context, days: Days = 7, json: Json = False) -> None:
    """Show retention, forecast, decks, objectives, slips and bets."""
    context = context_of(ctx)
    store = context.refreshed_store()
    statistics = store.schedule.stats(context.today())
    betting = record.statistics(record.scored_bets(store.log.family(record.FAMILY)))
    leeches = store.search.find(_LEECHES, context.today(), leech=context.leech_from, limit=_MOST_LEECHES)
    if json:
        named = [each.card.id for each in leeches.cards]
        context.write_json({**_document(statistics, betting), "leeches": named})
        return
    names = {str(deck): name for deck, name in store.cards.deck_names().items()}
    narrow = context.on_terminal and (context.columns or _TABLE) < _TABLE
    for line in _lines(statistics, names, days, narrow=narrow):
        context.write(line)
    if leeches.cards:
        context.write(f"\nLeeches: {leeches.total}, forgotten again and again: study find is:leech")
    if leaning := record.statistics_lines(betting):
        context.write("\nTiming bets")
        for line in leaning:
            context.write(f"  {line}")


def _document(statistics: Stats, betting: record.BettingStatistics) -> dict[str, object]:
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
        "slips": [{"id": slip, "count": count} for slip, count in statistics.slips],
        "exercises": {name: dict(verdicts) for name, verdicts in statistics.exercises.items()},
        "bets": {**statistics.exercises.get(record.FAMILY, {}), **record.document(betting)},
    }


def _window(window: Window) -> dict[str, object]:
    return {
        "young": _retention(window.young),
        "mature": _retention(window.mature),
        "total": _retention(window.total),
    }


def _retention(retention: Retention) -> dict[str, object]:
    return {"passed": retention.passed, "reviews": retention.reviews, "share": retention.share}


def _part(part: Part) -> dict[str, object]:
    return {
        "known": part.known,
        "mature": part.mature,
        "lapses": part.lapses,
        "retention": _retention(part.retention),
    }


def _lines(statistics: Stats, names: Mapping[str, str], days: int, *, narrow: bool) -> Iterable[str]:
    total, streak = statistics.total, statistics.streak
    reviews = total.introduced + total.young + total.mature
    if not reviews and not total.practised:
        yield "Nothing to count yet. Start with: study review"
        return
    exercises = sum(sum(verdicts.values()) for verdicts in statistics.exercises.values())  # those of the table
    done = counted(reviews, "review"), counted(exercises, "exercise")
    yield f"{done[0]}, {total.drills} drilled, {total.crams} ahead of time, {done[1]}"
    yield f"{_spent(total.took_ms)}; streak {streak.current}, longest {counted(streak.longest, 'day')}"
    yield ""
    yield from _windows(statistics, narrow=narrow)
    yield ""
    yield f"Due ({statistics.overdue} overdue)" if statistics.overdue else "Due"
    yield from _forecast(statistics, days, _SHORT_BAR if narrow else _BAR)
    yield from _parts("Decks", statistics.decks, names, narrow=narrow)
    yield from _parts("Objectives", statistics.objectives, {}, narrow=narrow)
    yield from _exercises(statistics)


def _windows(statistics: Stats, *, narrow: bool) -> Iterable[str]:
    yield "True retention" if narrow else "True retention    young   mature    total   reviews"
    for name, window in statistics.windows.items():
        young, mature, total = (_percent(part) for part in (window.young, window.mature, window.total))
        if narrow:
            yield f"  {_WINDOWS[name]}: {total} of {window.total.reviews}"
            yield f"    young {young}, mature {mature}"
        else:
            yield f"  {_WINDOWS[name]:<14}{young:>7}  {mature:>7}  {total:>7}   {window.total.reviews:>7}"


def _forecast(statistics: Stats, days: int, widest: int) -> Iterable[str]:
    shown = statistics.forecast[:days]
    most = max((count for _, count in shown), default=0) or 1
    for day, count in shown:
        bar = _SOLID * -(-count * widest // most)
        yield f"  {day:%a %d %b} {bar} {count}".rstrip()


def _parts(title: str, parts: Mapping[str, Part], names: Mapping[str, str], *, narrow: bool) -> Iterable[str]:
    if not parts:
        return
    yield ""
    yield title if narrow else f"{title:<30}known  mature  lapses  retention"
    for name, part in parts.items():
        if narrow:
            yield f"  {names.get(name, name)}"
            yield f"    {part.known} known, {part.mature} mature"
            yield f"    {counted(part.lapses, 'lapse')}, {_percent(part.retention)} kept"
            continue
        label = names.get(name, name)[:27]
        yield f"  {label:<28}{part.known:>5}  {part.mature:>6}  {part.lapses:>6}  {_percent(part.retention):>9}"


def _exercises(statistics: Stats) -> Iterable[str]:
    if statistics.exercises:
        yield ""
        yield "Exercises"
    for family, verdicts in statistics.exercises.items():
        yield f"  {family:<14}" + ", ".join(
            f"{count} {verdict.replace('_', ' ')}" for verdict, count in verdicts.items()
        )
    if statistics.slips:
        yield ""
        yield "Slips"
    from studykit.exercise.numeric.slip_names import slip_names

    slips = statistics.slips[:10]
    names = slip_names(slip for slip, _ in slips)
    for slip, count in slips:
        yield f"  {count:>4}  {names[slip]}"


def _spent(took_ms: int) -> str:
    hours = took_ms / 3_600_000
    return f"{hours:.1f} hours" if hours >= 1 else counted(round(60 * hours), "minute")


def _percent(retention: Retention) -> str:
    return "-" if retention.share is None else f"{retention.share:.1%}"
