"""Arrange a learner's statistics as the sections of a page: sentences, and tables with bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from studykit.cards.wording import excerpt
from studykit.exercise.bet.record import COUNTED, ScoredBet, statistics_lines
from studykit.exercise.bet.record import statistics as bet_statistics
from studykit.html.pages import Pages
from studykit.scheduling import learner_figures
from studykit.scheduling.distributions import DAYS, AnswerCounts, CardSpread, SpreadRange, StudyYear
from studykit.scheduling.estimated_share import EstimatedShare, counted_share
from studykit.scheduling.figure import Figure, ListingColumn, lengths, right
from studykit.scheduling.figure_definitions import DEFINITIONS
from studykit.scheduling.learner_figures import percent
from studykit.scheduling.mastery import Mastery, by_weakness
from studykit.scheduling.stats import Stats
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
    mastery: Sequence[Mastery]
    questions: Mapping[str, str]
    slip_names: Mapping[str, str]


def statistics_page(figures: PageFigures) -> str:
    """Render the figures as a page."""
    facts = learner_figures.summary(figures.statistics)
    values = {"facts": facts, "sections": sections(figures), "weeks": figures.year.activity.weeks}
    return Pages().report("statistics", day=str(figures.statistics.day), definitions=DEFINITIONS, **values)


def sections(figures: PageFigures) -> dict[str, Figure]:
    """Return the sections of the page in order, by the names of their definitions."""
    spread = figures.spread
    return {
        "activity": _activity(figures.year),
        "retention": _retention(figures.statistics),
        "forecast": _forecast(figures.statistics),
        "intervals": _spread("Intervals", "days", spread.intervals, 1),
        **(
            {"stability": _spread("Stability", "days", spread.stabilities, 1)}
            if spread.stabilities
            else {"ease": _spread("Ease", "ease from", spread.eases, 100)}
        ),
        "time of day": _hours(figures.answers),
        "answers": _buttons(figures.answers),
        "mastery": _objectives(figures.mastery),
        "bets": _bets(figures),
        "slips": _slips(figures),
        "hardest": _hardest(figures),
    }


def _activity(year: StudyYear) -> Figure:
    rows = [
        (f"{each.first:%b %Y}", f"{each.answers:,}", percent(each.retention.share), f"{each.retention.reviews:,}")
        for each in year.months
    ]
    columns = [ListingColumn("month"), *right("answers", "retention", "of")]
    bars = lengths([each.answers for each in year.months])
    return Figure("A year", columns, rows, bars, f"Past year: {year.activity.sentence}.")


def _retention(statistics: Stats) -> Figure:
    totals = [window.total for window in statistics.windows.values()]
    year = statistics.windows["year"].total
    if not year.reviews:
        return Figure("True retention", sentence=_NO_REVIEWS)
    sentence = (
        f"{percent(year.share)} of {year.reviews:,} reviews passed in the last 365 days. "
        "A bar spans the interval of 95 %, and its mark is the total."
    )
    bars = [_interval(counted_share(each.passed, each.reviews)) for each in totals]
    return replace(learner_figures.retention(statistics), bars=bars, sentence=sentence)


def _interval(share: EstimatedShare | None) -> tuple[float, float, float]:
    return (0, 0, 0) if share is None else (share.low, share.mean, share.high)


def _forecast(statistics: Stats) -> Figure:
    counts = [count for _, count in statistics.forecast]
    sentence = (
        f"{counts[0]:,} due today, {statistics.overdue:,} of them overdue; {sum(counts):,} in {len(counts)} days."
    )
    return replace(learner_figures.due(statistics), sentence=sentence)


def _spread(title: str, heading: str, ranges: Sequence[SpreadRange], unit: int) -> Figure:
    counts = [each.cards for each in ranges]
    if not any(counts):
        return Figure(title, sentence="No card was answered yet.")
    largest = ranges[counts.index(max(counts))]
    sentence = f"{counted(sum(counts), 'card')}, most of them at {_range(largest, unit)}."
    rows = [(_range(each, unit), f"{each.cards:,}") for each in ranges]
    return Figure(title, [ListingColumn(heading), *right("cards")], rows, lengths(counts), sentence)


def _range(each: SpreadRange, unit: int) -> str:
    if unit > 1:
        return f"{each.first / unit:.1f}" + ("+" if each.after is None else f"-{each.after / unit:.1f}")
    if each.after == _FIRST_DAYS:
        return "≤1"
    if each.after is None:
        return f"{each.first}+"
    last = each.after - 1
    return f"{each.first}" if last == each.first else f"{each.first}-{last}"


def _hours(answers: AnswerCounts) -> Figure:
    figure = learner_figures.time_of_day(answers)
    return figure if figure.rows else replace(figure, sentence=_NO_REVIEWS)


def _buttons(answers: AnswerCounts) -> Figure:
    buttons = answers.by_button()
    total = sum(count.answers for count in buttons.values())
    if not total:
        return Figure("Answers", sentence="Nothing was answered yet.")
    later = {name: count.young + count.mature for name, count in buttons.items()}
    good, of = later["good"] + later["easy"], sum(later.values())
    sentence = f"{counted(total, 'answer')}. Of {of:,} to known cards {good:,} were good or easy."
    return replace(learner_figures.buttons(answers), sentence=sentence)


def _objectives(mastery: Sequence[Mastery]) -> Figure:
    estimates = [each for each in mastery if each.weaker is not None]
    if not estimates:
        why = "Nothing is known of an objective yet: no card and no exercise of one was answered."
        return Figure("Objectives", sentence=why)
    weakest = by_weakness(estimates)[0]
    unseen = weakest.cards - weakest.seen
    sentence = f"Weakest: {weakest.objective}, {weakest.weaker}" + (
        f" of what was answered; cards not yet seen: {unseen:,}." if unseen else "."
    )
    bars = [_interval(each.weaker) for each in mastery]
    return replace(learner_figures.objectives(mastery), bars=bars, sentence=sentence)


def _bets(figures: PageFigures) -> Figure:
    lines = statistics_lines(bet_statistics(figures.bets))
    sentence = f"{'; '.join(lines)}." if lines else "No bet was settled yet."
    timed_bets = [bet for bet in figures.bets if bet.origin != COUNTED]
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
    return Figure("Bets", columns, rows, sentence=sentence)


def _slips(figures: PageFigures) -> Figure:
    slips = figures.statistics.slips
    figure = learner_figures.slips(slips, figures.slip_names)
    return replace(figure, bars=lengths([slip.count for slip in slips]))


def _hardest(figures: PageFigures) -> Figure:
    questions = {
        card: excerpt(printable(text), _MAX_QUESTION_CHARACTERS) for card, text in figures.questions.items()
    }
    return learner_figures.hardest(figures.statistics.hardest, questions)
