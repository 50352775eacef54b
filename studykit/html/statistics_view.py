"""A learner's statistics as sections of a page: a chart, what it says in a sentence, its numbers as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from studykit.cards.wording import excerpt
from studykit.exercise.bet.record import ALL, COUNTED, INTERVAL_SHARE, MEASURED, BettingStatistics, ScoredBet
from studykit.html import charts
from studykit.html.charts import Chart
from studykit.html.strings import shipped
from studykit.scheduling.answer_counts import AnswerCounts
from studykit.scheduling.card_spread import DAYS, CardSpread, SpreadRange
from studykit.scheduling.estimated_share import EstimatedShare, counted_share
from studykit.scheduling.figure_definitions import DEFINITIONS
from studykit.scheduling.mastery import MASTERED, Mastery, by_weakness
from studykit.scheduling.stats import Stats
from studykit.scheduling.study_year import StudyYear
from studykit.text import printable

_WIDE_SECTIONS = frozenset(("activity", "slips", "hardest"))
_KINDS = ("new", "young", "mature", "drill")
_MAX_QUESTION_CHARACTERS = 160  # characters of a question
_FIRST_DAYS = DAYS[1]

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class PageFigures:
    """Everything that the page shows; names and questions by id."""

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
    """One figure; texts are not yet escaped. A section without chart and rows says only its sentence."""

    name: str
    title: str
    sentence: str
    definition: str
    chart: Chart | None = None
    headings: Sequence[str] = ()
    rows: Rows = ()
    open: bool = False  # the table is what there is to see

    @property
    def whole(self) -> bool:
        """Return whether it takes the width of the page."""
        return self.name in _WIDE_SECTIONS


def sections(figures: PageFigures) -> tuple[StatisticsSection, ...]:
    """Return the sections of the page in order."""
    return (
        _activity(figures),
        _retention(figures),
        _forecast(figures),
        *_spreads(figures),
        _hours(figures),
        _buttons(figures),
        _objectives(figures),
        _calibration(figures),
        _slips(figures),
        _hardest(figures),
    )


def facts(figures: PageFigures) -> tuple[str, ...]:
    """Return what stands below the title."""
    total, streak = figures.statistics.total, figures.statistics.streak
    return (
        _word("reviews", number=total.reviews),
        _word("hours", number=total.took_ms / 3_600_000),
        _word("streak", current=streak.current, longest=streak.longest),
    )


def _activity(figures: PageFigures) -> StatisticsSection:
    activity = figures.year.activity
    sentence = _word("activity_said", days=activity.studied, of=activity.span, answers=activity.answers)
    rows = [
        (f"{each.first:%b %Y}", f"{each.answers:,}", _percent(each.share), f"{each.retention.reviews:,}")
        for each in figures.year.months
    ]
    return _section(
        "activity", sentence, charts.heatmap(activity, sentence), ("month", "answered", "share", "of"), rows
    )


def _retention(figures: PageFigures) -> StatisticsSection:
    months = list(dropwhile(lambda each: each.share is None, figures.year.months))
    shares = [each.share for each in months]
    total = figures.statistics.windows["year"].total
    year = counted_share(total.passed, total.reviews)
    if year is None:
        return _section("retention", _word("no_reviews"))
    sentence = _word("retention_said", share=_percent(year), reviews=total.reviews)
    names = [f"{each.first:%b}" for each in months]
    rows = [
        (f"{each.first:%b %Y}", _percent(each.share), f"{each.retention.passed:,}", f"{each.retention.reviews:,}")
        for each in months
        if each.share is not None
    ]
    return _section(
        "retention", sentence, charts.over_time(names, shares, sentence), ("month", "share", "passed", "of"), rows
    )


def _forecast(figures: PageFigures) -> StatisticsSection:
    statistics = figures.statistics
    days, overdue = statistics.forecast, statistics.overdue
    counts = [count for _, count in days]
    late = [overdue, *([0] * (len(counts) - 1))]
    due = [count - behind for count, behind in zip(counts, late, strict=True)]
    sentence = _word("forecast_said", today=counts[0], overdue=overdue, total=sum(counts), days=len(counts))
    names = [f"{day.day} {day:%b}" for day, _ in days]
    parts = [(_word("due"), due), (_word("overdue"), late)]
    rows = [(f"{day:%a} {name}", f"{count:,}") for name, (day, count) in zip(names, days, strict=True)]
    return _section("forecast", sentence, charts.columns(names, parts, sentence, every=7), ("day", "due"), rows)


def _spreads(figures: PageFigures) -> Iterator[StatisticsSection]:
    spread = figures.spread
    yield _spread("intervals", spread.intervals, 1)
    yield _spread("stability", spread.stabilities, 1) if spread.stabilities else _spread("ease", spread.eases, 100)


def _spread(name: str, ranges: Sequence[SpreadRange], unit: int) -> StatisticsSection:
    counts = [each.cards for each in ranges]
    if not any(counts):
        return _section(name, _word("no_cards"))
    most = ranges[counts.index(max(counts))]
    sentence = _word("spread_said", cards=sum(counts), most=_range(most, unit))
    names = [_range(each, unit) for each in ranges]
    rows = [(each, f"{count:,}") for each, count in zip(names, counts, strict=True)]
    names = [name.partition("-")[0] for name in names] if unit > 1 else names
    return _section(
        name, sentence, charts.columns(names, [("", counts)], sentence, every=2), (f"{name}_range", "cards"), rows
    )


def _range(each: SpreadRange, unit: int) -> str:
    if unit > 1:
        return f"{each.first / unit:.1f}" + ("+" if each.after is None else f"-{each.after / unit:.1f}")
    if each.after == _FIRST_DAYS:
        return "≤1"
    if each.after is None:
        return f"{each.first}+"
    last = each.after - 1
    return f"{each.first}" if last == each.first else f"{each.first}-{last}"


def _hours(figures: PageFigures) -> StatisticsSection:
    hours = figures.answers.hours
    reviews = sum(hour.reviews for hour in hours)
    if not reviews:
        return _section("time of day", _word("no_reviews"))
    most = max(range(len(hours)), key=lambda hour: hours[hour].reviews)
    sentence = _word("hours_said", hour=most, reviews=hours[most].reviews, of=reviews)
    parts = [
        (_word("passed"), [hour.passed for hour in hours]),
        (_word("forgotten"), [hour.reviews - hour.passed for hour in hours]),
    ]
    rows = [
        (f"{hour:02d}", f"{each.reviews:,}", _percent(counted_share(each.passed, each.reviews)))
        for hour, each in enumerate(hours)
        if each.reviews
    ]
    names = [f"{hour}" for hour in range(len(hours))]
    return _section(
        "time of day",
        sentence,
        charts.columns(names, parts, sentence, every=3),
        ("hour", "reviews_of", "share"),
        rows,
    )


def _buttons(figures: PageFigures) -> StatisticsSection:
    buttons = figures.answers.by_button()
    total = sum(count.total for count in buttons.values())
    if not total:
        return _section("answers", _word("no_answers"))
    later = {name: count.young + count.mature for name, count in buttons.items()}
    sentence = _word("answers_said", answers=total, good=later["good"] + later["easy"], of=sum(later.values()))
    parts = [(_word(kind), [getattr(count, kind) for count in buttons.values()]) for kind in _KINDS]
    rows = [
        (
            _word(name),
            *(f"{getattr(count, kind):,}" for kind in _KINDS),
            f"{count.took_ms / 1000 / count.total:.0f} s" if count.total else "-",
        )
        for name, count in buttons.items()
    ]
    names = [_word(name) for name in buttons]
    return _section("answers", sentence, charts.columns(names, parts, sentence), ("button", *_KINDS, "each"), rows)


def _objectives(figures: PageFigures) -> StatisticsSection:
    estimates = [each for each in figures.mastery if each.weaker is not None]
    if not estimates:
        return _section("mastery", _word("no_objectives"))
    weakest = by_weakness(estimates)[0]
    share, unseen = _ends(weakest.weaker), f"{weakest.cards - weakest.seen:,}"
    words = "mastery_unseen" if weakest.seen < weakest.cards else "mastery_said"
    sentence = _word(words, objective=weakest.objective, share=share, unseen=unseen)
    rows = [
        (
            each.objective,
            _ends(each.recall),
            f"{each.seen:,}",
            f"{each.cards - each.seen:,}",
            _ends(each.exercises),
            f"{each.right} / {each.tries}" if each.tries else "-",
            _word(each.level),
        )
        for each in figures.mastery
    ]
    bars = [(each.objective, (each.recall, each.exercises)) for each in estimates]
    chart = charts.intervals(bars, (_word("recall"), _word("exercises")), MASTERED, sentence)
    headings = ("objective", "recall", "seen", "unseen", "exercises", "tries", "standing")
    return _section("mastery", sentence, chart, headings, rows)


def _calibration(figures: PageFigures) -> StatisticsSection:
    bets = figures.bets
    said = [
        _word(
            "bets_said" if origin == MEASURED else f"{origin}_said",
            bets=of[ALL].bets,
            lean=of[ALL].lean,
            off=of[ALL].off,
        )
        for origin, of in figures.betting.biases.items()
        if of
    ]
    if not said:
        return _section("bets", _word("no_bets"))
    verdicts = [bet.covered for bet in bets if bet.covered is not None]
    covered = counted_share(sum(verdicts), len(verdicts))
    sentence = " ".join(said) + " "
    sentence += (
        _word("no_intervals")
        if covered is None
        else _word("held_said", share=_ends(covered), of=covered.of, wanted=INTERVAL_SHARE)
    )
    timed = [bet for bet in bets if bet.origin != COUNTED]
    if not timed:
        return _section("bets", sentence)
    points = [(bet.bet, bet.measured, bool(bet.covered)) for bet in timed]
    rows = [
        (
            f"{bet.snippet} ({bet.card})" if bet.card else bet.snippet,
            f"{bet.bet:.3g} s",
            f"{bet.measured:.3g} s",
            f"{bet.bet / bet.measured:.2f}",
            "-" if bet.covered is None else _word("yes" if bet.covered else "no"),
        )
        for bet in reversed(timed)
    ][:50]
    axes, kinds = (_word("bet"), _word("measured")), (_word("interval_held"), _word("interval_missed"))
    chart = charts.calibration(points, axes, kinds, sentence)
    return _section("bets", sentence, chart, ("snippet", "bet", "measured", "factor", "held"), rows)


def _slips(figures: PageFigures) -> StatisticsSection:
    slips, families = figures.statistics.slips, figures.statistics.slip_families
    if not slips:
        return _section("slips", _word("no_slips"))
    sentence = _word("slips_said", slip=figures.slip_names.get(slips[0].slip, slips[0].slip), times=slips[0].count)
    chart = charts.rows(list(families), list(families.values()), sentence)
    rows = [
        (
            slip.template.partition(".")[0],
            figures.slip_names.get(slip.slip, slip.slip),
            f"{slip.count:,}",
            f"study exercise {slip.template}",
        )
        for slip in slips
    ]
    return _section("slips", sentence, chart, ("family", "slip", "times", "command"), rows)


def _hardest(figures: PageFigures) -> StatisticsSection:
    cards = figures.statistics.hardest
    if not cards:
        return _section("hardest", _word("none_forgotten"))
    rows = [
        (
            excerpt(printable(figures.questions.get(card.card, card.card)), _MAX_QUESTION_CHARACTERS),
            f"{card.lapses:,}",
            _percent(counted_share(card.retention.passed, card.retention.reviews)),
            f"{card.ease / 100:.2f}",
        )
        for card in cards
    ]
    sentence = _word("hardest_said", cards=len(cards))
    return _section("hardest", sentence, None, ("asks", "lapses", "share", "ease_number"), rows, table=True)


def _section(
    name: str,
    sentence: str,
    chart: Chart | None = None,
    headings: Sequence[str] = (),
    rows: Rows = (),
    *,
    table: bool = False,
) -> StatisticsSection:
    title = _word(f"{name.replace(' ', '_')}_title")
    return StatisticsSection(
        name.replace(" ", "-"), title, sentence, DEFINITIONS[name], chart, list(map(_word, headings)), rows, table
    )


def _word(name: str, **values: float | str) -> str:
    return shipped()["statistics"][name].format(**values)


def _percent(share: EstimatedShare | None) -> str:
    return "-" if share is None else f"{share.mean:.1%}"


def _ends(share: EstimatedShare | None) -> str:
    return "-" if share is None else str(share)
