"""`study stats`: how well things are remembered, what is coming, and where it goes wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.query import Query, QueryState, StateTerm
from studykit.cli.commands.stats_views import VIEWS, StatsFigures
from studykit.cli.context import Context, context_of
from studykit.cli.display import replace_output
from studykit.cli.drawing import Drawing, ListingColumn
from studykit.cli.options import Json
from studykit.cli.progress_bar import progress
from studykit.config import fsrs_of
from studykit.errors import UsageError
from studykit.exercise.bet import record
from studykit.exercise.catalog import objective_of
from studykit.exercise.estimate.feedback import slip_names
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.prediction import FEW, SchedulerComparison
from studykit.scheduling.sm2 import PROFILE as SM2
from studykit.terminal.input.keys import HangupError
from studykit.terminal.screen import Screen, ScreenContent
from studykit.terminal.screen_ui import choices_line
from studykit.terminal.spans import ACCENT, Span, StyledLine, TextStyle, width, wrap
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.scheduling.card_spread import SpreadRange
    from studykit.scheduling.estimated_share import EstimatedShare
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.stats import HardCard, Part, Retention, Stats, Window
    from studykit.scheduling.study_year import Period

_DAYS_COMPARED = 60
_WEEK = 7
Loads = Mapping[str, Sequence[int]]
_QUIT = frozenset(("q", "Q", "esc", "ctrl-d"))
_NEXT = frozenset(("right", "l", "tab", "space", "n", "enter"))
_BEFORE = frozenset(("left", "h", "p", "backspace"))
_DOWN = {"j": 1, "down": 1, "pgdn": 10}
_UP = {"k": 1, "up": 1, "pgup": 10}
_KEYS = {f"1-{len(VIEWS)}": "view", "j\u00a0k": "scroll", "q": "quit"}
_PAGE_ENDINGS = frozenset((".html", ".htm"))

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
_MAX_LEECHES = 1_000


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
        _compare(context, json=json)
        return
    statistics = store.schedule.stats(context.today())
    if not (json or html or statistics.total.reviews or statistics.total.practised):
        context.write("Nothing to count yet. Start with: study review")
        return
    screen = context.interactive and not (context.plain or whole or json or html)
    figures = _figures(context, statistics, days, bar=not screen)
    if html is not None:
        _write_page(context, figures, html, json=json)
    elif json:
        context.write_json({**_document(figures), "leeches": figures.leeches})
    elif screen:
        _show(context, figures)
    else:
        _write(context, figures)


def _figures(context: Context, statistics: "Stats", days: int, *, bar: bool) -> StatsFigures:
    """The figures; what takes a look at the whole log shows a `bar` on request."""
    store = context.store
    leeches = store.search.find(_LEECHES, context.today(), leech=context.leech_from, limit=_MAX_LEECHES)
    return StatsFigures(
        store,
        statistics,
        record.scored_bets(store.log.family(record.FAMILY)),
        days,
        lambda: _mastery(context, bar=bar),
        tuple(str(each.card.id) for each in leeches.cards),
    )


def _mastery(context: Context, *, bar: bool) -> "tuple[Mastery, ...]":
    """What is known of each objective."""
    schedule, today = context.store.schedule, context.today()
    fsrs = schedule.fsrs or fsrs_of(context.config)
    if not bar:
        return schedule.mastery(today, fsrs, objective_of)
    with progress(context, "working out what is recalled", context.store.log.count()) as shown:
        return schedule.mastery(today, fsrs, objective_of, shown.advance)


def _write_page(context: Context, figures: StatsFigures, path: Path, *, json: bool) -> None:
    if path.suffix.casefold() not in _PAGE_ENDINGS:
        raise UsageError(f"--html writes a page over {path}: give a name that ends with .html.")
    from studykit.html.pages import Pages
    from studykit.html.statistics_view import PageFigures, facts, sections

    page_figures = PageFigures(
        figures.statistics,
        figures.year,
        figures.spread,
        figures.answers,
        figures.bets,
        figures.betting,
        figures.mastery,
        questions={card.card: figures.question(card.card) for card in figures.statistics.hardest},
        slip_names=slip_names(slip.slip for slip in figures.statistics.slips),
    )
    page = Pages().statistics(str(figures.statistics.day), facts(page_figures), sections(page_figures))
    size = replace_output(path, page)
    if json:
        context.write_json({"file": str(path), "bytes": size})
    else:
        context.write(f"{path}: a page of {size / 1000:,.0f} kB. Open it in a browser.")


def _show(context: Context, figures: StatsFigures) -> None:
    from studykit.terminal.input.tty import Terminal

    with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=True) as terminal:
        StatsScreen(context, Screen(terminal, context.style), figures).run()


def _write(context: Context, figures: StatsFigures) -> None:
    drawing = Drawing(context)
    for place, view in enumerate(VIEWS):
        drawing.write(*([""] if place else []), *view.parts(drawing, figures))


class StatsScreen:
    """The views on a screen; what was drawn of one is kept until the terminal's width changes."""

    def __init__(self, context: Context, screen: Screen, figures: StatsFigures) -> None:
        self._context = context
        self._screen = screen
        self._figures = figures
        self._at = 0
        self._scroll = 0
        self._drawn: dict[tuple[int, int], list[StyledLine]] = {}

    def run(self) -> None:
        """Show views until the learner leaves."""
        while True:
            furthest = self._screen.draw(self._content(), self._scroll).furthest
            self._scroll = min(self._scroll, furthest)
            try:
                key = self._screen.terminal.keys.read()
            except HangupError:
                return
            if key is not None and key.name in _QUIT:
                return
            self._follow(key.name if key is not None else "")

    def _follow(self, key: str) -> None:
        if key in _NEXT or key in _BEFORE:
            self._turn_to((self._at + (1 if key in _NEXT else -1)) % len(VIEWS))
        elif key.isdecimal() and 1 <= int(key) <= len(VIEWS):
            self._turn_to(int(key) - 1)
        else:
            self._scroll = max(0, self._scroll + _DOWN.get(key, 0) - _UP.get(key, 0))

    def _turn_to(self, view: int) -> None:
        self._at, self._scroll = view, 0

    def _content(self) -> ScreenContent:
        columns = self._screen.columns
        foot = wrap(choices_line(_KEYS), columns)
        return ScreenContent(head=[self._tabs(columns)], body=self._body(columns), foot=foot, back="k")

    def _body(self, columns: int) -> list[StyledLine]:
        if (self._at, columns) not in self._drawn:
            drawing = Drawing(self._context, columns=columns)
            self._drawn[self._at, columns] = drawing.lines(*VIEWS[self._at].parts(drawing, self._figures))
        return self._drawn[self._at, columns]

    def _tabs(self, columns: int) -> StyledLine:
        """The names of all views with their keys; only the current one if there is not enough room."""
        tabs: list[Span] = []
        for place, view in enumerate(VIEWS):
            here = place == self._at
            tabs += [Span(f"{place + 1} ", ACCENT if here else TextStyle.BOLD)]
            tabs += [Span(view.name, ACCENT if here else TextStyle.PLAIN), Span(" ")]
        if width(tabs[:-1]) <= columns:
            return tuple(tabs[:-1])
        return (Span(VIEWS[self._at].name, ACCENT), Span(f"  {self._at + 1} of {len(VIEWS)}"))


def _document(figures: StatsFigures) -> dict[str, object]:
    """Every figure of the views and the page."""
    statistics, answers, year, spread = figures.statistics, figures.answers, figures.year, figures.spread
    bets = [{"bet": bet.bet, "measured": bet.measured, "held": bet.covered} for bet in figures.bets]
    return {
        **_statistics_document(statistics),
        "activity": [{"date": str(day.day), "answers": day.answers} for day in statistics.activity.days],
        "year": [{"date": str(day.day), "answers": day.answers} for day in year.activity.days],
        "months": [_period(each) for each in year.months],
        "weeks": [_period(each) for each in year.weeks],
        "intervals": _ranges(spread.intervals),
        "ease": _ranges(spread.eases),
        "stability": _ranges(spread.stabilities),
        "mastery": {each.objective: _mastery_document(each) for each in figures.mastery},
        "hours": [_retention(hour) for hour in answers.hours],
        "grades": [{"grade": grade, **asdict(count)} for grade, count in enumerate(answers.grades)],
        "bets": {
            **statistics.exercises.get(record.FAMILY, {}),
            **record.document(figures.betting),
            **({"points": bets} if bets else {}),
        },
    }


def _statistics_document(statistics: "Stats") -> dict[str, object]:
    """Figures of the cached schedule, without a replay of the log."""
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
        "slip_families": dict(statistics.slip_families),
        "exercises": {name: dict(verdicts) for name, verdicts in statistics.exercises.items()},
        "hardest": [_hard(card) for card in statistics.hardest],
    }


def _hard(card: "HardCard") -> dict[str, object]:
    return {
        "card": card.card,
        "deck": card.deck,
        "lapses": card.lapses,
        "ease": card.ease,
        "retention": _retention(card.retention),
    }


def _mastery_document(mastery: "Mastery") -> dict[str, object]:
    return {
        "standing": str(mastery.level),
        "cards": mastery.cards,
        "seen": mastery.seen,
        "recall": _share(mastery.recall),
        "tries": mastery.tries,
        "right": mastery.right,
        "exercises": _share(mastery.exercises),
    }


def _share(share: "EstimatedShare | None") -> dict[str, object] | None:
    return None if share is None else asdict(share)


def _period(period: "Period") -> dict[str, object]:
    interval = None if period.share is None else [period.share.low, period.share.high]
    return {
        "first": str(period.first),
        "answers": period.answers,
        "retention": {**_retention(period.retention), "interval": interval},
    }


def _ranges(ranges: "Sequence[SpreadRange]") -> list[dict[str, object]]:
    return [asdict(each) for each in ranges]


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


def _compare(context: Context, *, json: bool) -> None:
    """Replay the log under both, and write what came of it."""
    schedule = context.store.schedule
    fsrs = fsrs_of(context.config)
    with progress(context, "replaying the log", context.store.log.count()) as bar:
        forecasts = schedule.comparison(fsrs, context.today(), _DAYS_COMPARED, bar.reach)
    comparison, loads = forecasts.comparison, {SM2: forecasts.sm2_load, FSRS: forecasts.fsrs_load}
    if json:
        context.write_json(_comparison_document(comparison, loads))
    else:
        _draw_comparison(context, comparison, loads)


def _comparison_document(comparison: SchedulerComparison, loads: Loads) -> dict[str, object]:
    return {
        "reviews": comparison.reviews,
        "recalled": comparison.recalled if comparison.reviews else None,
        "too_few": comparison.too_few,
        "predictors": [asdict(prediction) for prediction in comparison.predictions],
        "difference": {"log_loss": comparison.difference, "within": comparison.uncertainty},
        "load": {name: list(counts) for name, counts in loads.items()},
    }


def _draw_comparison(context: Context, comparison: SchedulerComparison, loads: Loads) -> None:
    drawing = Drawing(context)
    if comparison.reviews:
        columns = [ListingColumn(name, right=True) for name in ("log loss", "RMSE(bins)", "AUC", "said", "was")]
        rows = [
            [
                each.name,
                f"{each.log_loss:.4f}",
                f"{each.rmse_bins:.4f}",
                "" if each.auc is None else f"{each.auc:.3f}",
                f"{each.mean:.1%}",
                f"{comparison.recalled:.1%}",
            ]
            for each in comparison.predictions
        ]
        reviews = counted(comparison.reviews, "review")
        drawing.write(drawing.listing(f"Predicting {reviews}", columns, rows), "", verdict(comparison), "")
    else:
        drawing.write("Nothing to compare yet: no known card was reviewed.", "")
    weeks = range(0, _DAYS_COMPARED - _WEEK + 1, _WEEK)
    columns = [ListingColumn(f"{name} a day", right=True) for name in loads]
    rows = [
        [
            f"days {start + 1} to {start + _WEEK}",
            *(f"{sum(each[start : start + _WEEK]) / _WEEK:.1f}" for each in loads.values()),
        ]
        for start in weeks
    ]
    drawing.write(
        drawing.listing("Reviews to come", columns, rows),
        "",
        f"In {_DAYS_COMPARED} days {sum(loads[SM2]):,} by SM-2 and {sum(loads[FSRS]):,} by FSRS, if every card is "
        "answered good on its day and none is new.",
    )


def verdict(comparison: SchedulerComparison) -> str:
    """What the difference means, in words."""
    if comparison.too_few:
        return (
            f"{counted(comparison.reviews, 'review')} are too few: below {FEW} or so such figures say more of "
            "chance than of a scheduler."
        )
    better = "FSRS" if comparison.difference < 0 else "SM-2"
    size = f"by {abs(comparison.difference):.4f} ± {comparison.uncertainty:.4f} a review"
    if abs(comparison.difference) <= comparison.uncertainty:
        return f"The two cannot be told apart on your log: {better} has the lower log loss {size}, as chance may."
    best = min(comparison.predictions, key=lambda each: each.log_loss)
    besides = (
        "" if best.name in {FSRS, SM2} else f" The {best.name} beats both, though it cannot tell cards apart."
    )
    return f"{better} predicts your answers better: log loss is lower {size}.{besides}"
