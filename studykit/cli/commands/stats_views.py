"""Draw the views of `study stats`, each for 24 rows: what is remembered, when, how, and what goes wrong."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rich.console import RenderableType

from studykit.cards.card import Card, CardId, DeckId
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing
from studykit.cli.progress_bar import progress
from studykit.config import fsrs_of
from studykit.exercise.bet import BETS
from studykit.exercise.catalog import objective_of
from studykit.scheduling import learner_figures
from studykit.scheduling.distributions import CardSpread
from studykit.scheduling.figure import right
from studykit.scheduling.learner_figures import percent

if TYPE_CHECKING:
    from studykit.exercise.bet.record import BettingStatistics, ScoredBet
    from studykit.scheduling.distributions import AnswerCounts, StudyYear
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.stats import Stats
    from studykit.store.store import Store

_MAX_LEECHES = 1_000
_FORECAST_DAYS = 7
_HOURS_A_ROW = 2
_SLIPS_SHOWN = 10
_SHORT_BAR, _LONG_BAR = 16, 32


@dataclass(frozen=True)
class StatsFigures:
    """Compute the figures of the views. Those that need the whole log are computed at their first use."""

    context: Context
    statistics: "Stats"
    bar: bool = False  # while the whole log is looked at

    @property
    def store(self) -> "Store":
        """Return the learner's store."""
        return self.context.store

    @cached_property
    def answers(self) -> "AnswerCounts":
        """Count when and how cards were answered."""
        return self.store.schedule.answer_counts()

    @cached_property
    def mastery(self) -> "tuple[Mastery, ...]":
        """Return how well the learner knows each objective."""
        schedule, today = self.store.schedule, self.context.today()
        fsrs = schedule.fsrs or fsrs_of(self.context.config)
        if not self.bar:
            return schedule.mastery(today, fsrs, objective_of)
        with progress(self.context, "working out what is recalled", self.store.log.count()) as bar:
            return schedule.mastery(today, fsrs, objective_of, bar.advance)

    @cached_property
    def leeches(self) -> tuple[str, ...]:
        """Return the cards that are forgotten again and again."""
        from studykit.cards.query import parse_query

        today, leech = self.context.today(), self.context.leech_from
        results = self.store.search.find(parse_query("is:leech"), today, leech=leech, limit=_MAX_LEECHES)
        return tuple(str(each.card.id) for each in results.cards)

    @cached_property
    def bets(self) -> "tuple[ScoredBet, ...]":
        """Return the bets that were settled, the oldest first."""
        from studykit.exercise.bet.record import scored_bets
        from studykit.exercise.estimate.log import counted_bet

        events = [event for family in BETS for event in self.store.log.family(family)]
        return scored_bets(sorted(events, key=lambda event: event.moment), counted_bet)

    @cached_property
    def betting(self) -> "BettingStatistics":
        """Summarize how accurate the learner's bets are."""
        from studykit.exercise.bet.record import statistics

        return statistics(self.bets)

    @cached_property
    def year(self) -> "StudyYear":
        """Return what was done in the past year."""
        return self.store.schedule.year(self.statistics.day)

    @cached_property
    def spread(self) -> CardSpread:
        """Return how the known cards spread over intervals, eases and stabilities."""
        return self.store.schedule.spread()

    @cached_property
    def questions(self) -> Mapping[str, str]:
        """Map the hardest cards to their questions in a line, or to their ids if the text is gone."""
        ids = [card.card for card in self.statistics.hardest]
        cards = {id_: self.store.cards.card(CardId(id_)) for id_ in ids}
        return {id_: id_ if card is None else asked(card) for id_, card in cards.items()}

    @cached_property
    def slip_names(self) -> Mapping[str, str]:
        """Map the slips to their names."""
        from studykit.exercise.estimate.feedback import slip_names

        return slip_names(slip.slip for slip in self.statistics.slips)


def _history(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    statistics = figures.statistics
    yield from learner_figures.summary(statistics)
    yield f"Last 12 weeks: {statistics.activity.sentence}"
    yield ""
    yield drawing.figure(learner_figures.retention(statistics))
    yield ""
    bar = _LONG_BAR if drawing.columns is None or drawing.columns >= 2 * _LONG_BAR else _SHORT_BAR
    yield drawing.figure(learner_figures.due(statistics, _FORECAST_DAYS), bar=bar)


def _time_of_day(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    hours = learner_figures.time_of_day(figures.answers, _HOURS_A_ROW, all_hours=not drawing.plain)
    yield drawing.figure(hours, bar=_SHORT_BAR)
    yield ""
    yield "Reviews of known cards by the hour of the place where you were."


def _buttons(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    yield drawing.figure(learner_figures.buttons(figures.answers))
    yield ""
    yield "Young and mature: known cards, by an interval below or from three weeks."
    yield "Drill: answers that changed no schedule, those ahead of time too."


def _hardest(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    cards = figures.statistics.hardest
    yield drawing.figure(learner_figures.hardest(cards, figures.questions))
    if cards:
        yield ""
        if figures.leeches:
            yield f"Leeches, forgotten again and again: {len(figures.leeches):,}. See: study find is:leech"
        yield f"Look at one: study show {cards[0].card}"


def _objectives(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    statistics = figures.statistics
    order = [*map(str, figures.store.cards.deck_sizes()), *statistics.decks]
    decks = sorted(statistics.decks.items(), key=lambda each: order.index(each[0]))
    names = figures.store.cards.deck_names()
    parts = [
        (
            names.get(DeckId(id_), id_),
            *(f"{count:,}" for count in (part.known, part.mature, part.lapses)),
            percent(part.retention.share),
        )
        for id_, part in decks
    ]
    yield drawing.listing("Decks", right("known", "mature", "lapses", "retention"), parts)
    if figures.mastery:
        if drawing.columns is None:
            yield ""  # a screen of 24 rows has none to spare
        yield drawing.figure(learner_figures.objectives(figures.mastery))


def _slips(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    yield drawing.figure(learner_figures.slips(figures.statistics.slips[:_SLIPS_SHOWN], figures.slip_names))


def _exercises(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    families = figures.statistics.exercises
    rows = [
        (family, ", ".join(f"{count:,} {verdict.replace('_', ' ')}" for verdict, count in verdicts.items()))
        for family, verdicts in families.items()
    ]
    yield drawing.title("Exercises")
    yield drawing.pairs(rows) if rows else "None was answered yet."


def _bets(drawing: Drawing, figures: StatsFigures) -> Iterator[RenderableType]:
    yield drawing.title("Bets")
    if figures.statistics.exercises.keys().isdisjoint(BETS) or not figures.bets:
        yield "None was settled yet. Place one with: study exercise timing"
        return
    from studykit.exercise.bet.record import statistics_lines

    yield from statistics_lines(figures.betting)


VIEWS: Mapping[str, Callable[[Drawing, StatsFigures], Iterator[RenderableType]]] = {
    "history": _history,
    "hours": _time_of_day,
    "answers": _buttons,
    "hardest": _hardest,
    "objectives": _objectives,
    "slips": _slips,
    "exercises": _exercises,
    "bets": _bets,
}
"""Functions that draw the views, in the order of their keys from 1."""


def asked(card: Card) -> str:
    """Return a card's question in a line, or the name of its exercise."""
    from studykit.terminal.markdown.render import one_line_text

    if card.task is not None:
        return card.task.name
    return one_line_text(card.prompt)
