"""Arrange a learner's statistics in sections of a page: a chart, a sentence about it, and a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from studykit.cards.wording import excerpt
from studykit.exercise.bet.record import COUNTED, BettingStatistics, ScoredBet, statistics_lines
from studykit.html import charts
from studykit.html.charts import Chart
from studykit.html.pages import Pages
from studykit.scheduling import learner_figures
from studykit.scheduling.answer_counts import AnswerCounts
from studykit.scheduling.card_spread import DAYS, CardSpread, SpreadRange
from studykit.scheduling.figure import Figure, ListingColumn, right
from studykit.scheduling.figure_definitions import DEFINITIONS
from studykit.scheduling.learner_figures import KINDS, percent
from studykit.scheduling.mastery import MASTERED, Mastery, by_weakness
from studykit.scheduling.stats import Stats
from studykit.scheduling.study_year import StudyYear
from studykit.text import counted, printable

_MAX_QUESTION_CHARACTERS = 160
_MAX_BETS = 50
_FIRST_DAYS = DAYS[1]
_NO_REVIEWS = "No known card was reviewed yet."


@dataclass(frozen=True, slots=True)
class PageFigures:
    """Hold everything that the page shows, with names and questions by id."""

    statistics: Stats
    year: StudyYear
    spread: CardSpread
    answers: AnswerCounts
    bets: Sequence[ScoredBet]
    betting: BettingStatistics
    mastery: Sequence[Mastery]
    questions: Mapping[str, str]
    slip_names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StatisticsSection:
    """Hold a figure, its sentence and its chart. Without rows and chart only the sentence is shown."""

    name: str  # of its definition
    figure: Figure
    sentence: str
    chart: Chart | None = None


def statistics_page(figures: PageFigures) -> str:
    """Render the figures as a page."""
    facts = learner_figures.summary(figures.statistics)
    values = {"facts": facts, "sections": sections(figures), "definitions": DEFINITIONS}
    return Pages().statistics(day=str(figures.statistics.day), **values)


def sections(figures: PageFigures) -> tuple[StatisticsSection, ...]:
    """Return the sections of the page in order."""
    return (
        _activity(figures),
        _retention(figures),
        _forecast(figures.statistics),
        *_spreads(figures.spread),
        _hours(figures.answers),
        _buttons(figures.answers),
        _objectives(figures.mastery),
        _bets(figures),
        _slips(figures),
        _hardest(figures),
    )


def _activity(figures: PageFigures) -> StatisticsSection:
    activity = figures.year.activity
    sentence = f"Past year: {activity.sentence}."
    rows = [
        (f"{each.first:%b %Y}", f"{each.answers:,}", percent(each.retention.share), f"{each.retention.reviews:,}")
        for each in figures.year.months
    ]
    figure = Figure("A year", [ListingColumn("month"), *right("answers", "retention", "of")], rows)
    return StatisticsSection("activity", figure, sentence, charts.heatmap(activity, sentence))


def _retention(figures: PageFigures) -> StatisticsSection:
    months = list(dropwhile(lambda each: each.share is None, figures.year.months))
    shares = [each.share for each in months]
    total = figures.statistics.windows["year"].total
    if not total.reviews:
        return _empty("retention", "True retention", _NO_REVIEWS)
    sentence = (
        f"{percent(total.share)} of {total.reviews:,} reviews passed in the last 365 days. "
        "The band is the interval of 95 %."
    )
    chart = charts.over_time([f"{each.first:%b}" for each in months], shares, sentence)
    return StatisticsSection("retention", learner_figures.retention(figures.statistics), sentence, chart)


def _forecast(statistics: Stats) -> StatisticsSection:
    days, overdue = statistics.forecast, statistics.overdue
    counts = [count for _, count in days]
    late = [overdue, *([0] * (len(counts) - 1))]
    due = [count - behind for count, behind in zip(counts, late, strict=True)]
    sentence = f"{counts[0]:,} due today, {overdue:,} of them overdue; {sum(counts):,} in {len(counts)} days."
    names = [f"{day.day} {day:%b}" for day, _ in days]
    chart = charts.columns(names, [("due", due), ("overdue", late)], sentence, every=7)
    return StatisticsSection("forecast", learner_figures.due(statistics), sentence, chart)


def _spreads(spread: CardSpread) -> Iterator[StatisticsSection]:
    yield _spread("intervals", "days", spread.intervals, 1)
    if spread.stabilities:
        yield _spread("stability", "days", spread.stabilities, 1)
    else:
        yield _spread("ease", "ease from", spread.eases, 100)


def _spread(name: str, heading: str, ranges: Sequence[SpreadRange], unit: int) -> StatisticsSection:
    title = name.capitalize()
    counts = [each.cards for each in ranges]
    if not any(counts):
        return _empty(name, title, "No card was answered yet.")
    largest = ranges[counts.index(max(counts))]
    sentence = f"{counted(sum(counts), 'card')}, most of them at {_range(largest, unit)}."
    names = [_range(each, unit) for each in ranges]
    rows = [(each, f"{count:,}") for each, count in zip(names, counts, strict=True)]
    names = [name.partition("-")[0] for name in names] if unit > 1 else names
    figure = Figure(title, [ListingColumn(heading), *right("cards")], rows)
    return StatisticsSection(name, figure, sentence, charts.columns(names, [("", counts)], sentence, every=2))


def _range(each: SpreadRange, unit: int) -> str:
    if unit > 1:
        return f"{each.first / unit:.1f}" + ("+" if each.after is None else f"-{each.after / unit:.1f}")
    if each.after == _FIRST_DAYS:
        return "≤1"
    if each.after is None:
        return f"{each.first}+"
    last = each.after - 1
    return f"{each.first}" if last == each.first else f"{each.first}-{last}"


def _hours(answers: AnswerCounts) -> StatisticsSection:
    hours = answers.hours
    figure = learner_figures.time_of_day(answers)
    if not figure.rows:
        return StatisticsSection("time of day", figure, _NO_REVIEWS)
    busiest = max(range(len(hours)), key=lambda hour: hours[hour].reviews)
    reviews = sum(hour.reviews for hour in hours)
    sentence = f"Most reviews from {busiest} o'clock: {hours[busiest].reviews:,} of {reviews:,}."
    parts = [
        ("passed", [hour.passed for hour in hours]),
        ("forgotten", [hour.reviews - hour.passed for hour in hours]),
    ]
    names = [f"{hour}" for hour in range(len(hours))]
    return StatisticsSection("time of day", figure, sentence, charts.columns(names, parts, sentence, every=3))


def _buttons(answers: AnswerCounts) -> StatisticsSection:
    buttons = answers.by_button()
    total = sum(count.total for count in buttons.values())
    if not total:
        return _empty("answers", "Answers", "Nothing was answered yet.")
    later = {name: count.young + count.mature for name, count in buttons.items()}
    good, of = later["good"] + later["easy"], sum(later.values())
    sentence = f"{counted(total, 'answer')}. Of {of:,} to known cards {good:,} were good or easy."
    parts = [(kind, [getattr(count, kind) for count in buttons.values()]) for kind in KINDS]
    chart = charts.columns([*buttons], parts, sentence)
    return StatisticsSection("answers", learner_figures.buttons(answers), sentence, chart)


def _objectives(mastery: Sequence[Mastery]) -> StatisticsSection:
    estimates = [each for each in mastery if each.weaker is not None]
    if not estimates:
        why = "Nothing is known of an objective yet: no card and no exercise of one was answered."
        return _empty("mastery", "Objectives", why)
    weakest = by_weakness(estimates)[0]
    unseen = weakest.cards - weakest.seen
    sentence = f"Weakest: {weakest.objective}, {weakest.weaker}" + (
        f" of what was answered; cards not yet seen: {unseen:,}." if unseen else "."
    )
    bars = [(each.objective, (each.recall, each.exercises)) for each in estimates]
    chart = charts.intervals(bars, ("recall", "exercises"), MASTERED, sentence)
    return StatisticsSection("mastery", learner_figures.objectives(mastery), sentence, chart)


def _bets(figures: PageFigures) -> StatisticsSection:
    lines = statistics_lines(figures.betting)
    sentence = f"{'; '.join(lines)}." if lines else "No bet was settled yet."
    timed_bets = [bet for bet in figures.bets if bet.origin != COUNTED]
    if not timed_bets:
        return _empty("bets", "Bets", sentence)
    rows = [
        (
            f"{bet.snippet} ({bet.card})" if bet.card else bet.snippet,
            f"{bet.bet:.3g} s",
            f"{bet.measured:.3g} s",
            f"{bet.bet / bet.measured:.2f}",
            "-" if bet.covered is None else "yes" if bet.covered else "no",
        )
        for bet in timed_bets[: -_MAX_BETS - 1 : -1]
    ]
    columns = [ListingColumn("snippet"), *right("bet", "measured", "bet / measured", "interval held")]
    return StatisticsSection("bets", Figure("Bets", columns, rows), sentence)


def _slips(figures: PageFigures) -> StatisticsSection:
    slips, families = figures.statistics.slips, figures.statistics.slip_families
    figure = learner_figures.slips(slips, figures.slip_names)
    if not slips:
        return StatisticsSection("slips", figure, figure.sentence)
    sentence = f"Most often: {figures.slip_names[slips[0].slip]}, {counted(slips[0].count, 'time')}."
    chart = charts.rows([*families], [*families.values()], sentence)
    return StatisticsSection("slips", figure, sentence, chart)


def _hardest(figures: PageFigures) -> StatisticsSection:
    cards = figures.statistics.hardest
    questions = {
        card: excerpt(printable(text), _MAX_QUESTION_CHARACTERS) for card, text in figures.questions.items()
    }
    figure = learner_figures.hardest(cards, questions)
    return StatisticsSection("hardest", figure, figure.sentence)


def _empty(name: str, title: str, sentence: str) -> StatisticsSection:
    return StatisticsSection(name, Figure(title, (), ()), sentence)
