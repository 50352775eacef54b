"""The figures of `study stats` as JSON: the keys of its views and of its page."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from studykit.exercise.bet import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studykit.cli.stats_views import StatsFigures
    from studykit.scheduling.card_spread import SpreadRange
    from studykit.scheduling.estimated_share import EstimatedShare
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.periods import Period
    from studykit.scheduling.stats import HardCard, Part, Retention, Stats, Window


def document(figures: "StatsFigures") -> dict[str, object]:
    """Every figure of the views and the page."""
    statistics, answers, year, spread = figures.statistics, figures.answers, figures.year, figures.spread
    bets = [{"bet": bet.bet, "measured": bet.measured, "held": bet.covered} for bet in figures.bets]
    return {
        **_counted(statistics),
        "activity": [{"date": str(day.day), "answers": day.answers} for day in statistics.activity.days],
        "year": [{"date": str(day.day), "answers": day.answers} for day in year.activity.days],
        "months": [_period(each) for each in year.months],
        "weeks": [_period(each) for each in year.weeks],
        "intervals": _spread(spread.intervals),
        "ease": _spread(spread.eases),
        "stability": _spread(spread.stabilities),
        "mastery": {each.objective: _mastery(each) for each in figures.mastery},
        "hours": [_retention(hour) for hour in answers.hours],
        "grades": [{"grade": grade, **asdict(count)} for grade, count in enumerate(answers.grades)],
        "bets": {
            **statistics.exercises.get(record.FAMILY, {}),
            **record.document(figures.betting),
            **({"points": bets} if bets else {}),
        },
    }


def _counted(statistics: "Stats") -> dict[str, object]:
    """What is kept beside the log."""
    return {
        "date": str(statistics.day),
        "today": statistics.today._asdict(),
        "total": statistics.total._asdict(),
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


def _mastery(known: "Mastery") -> dict[str, object]:
    return {
        "standing": str(known.level),
        "cards": known.cards,
        "seen": known.seen,
        "recall": _share(known.recall),
        "tries": known.tries,
        "right": known.right,
        "exercises": _share(known.exercises),
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


def _spread(ranges: "Sequence[SpreadRange]") -> list[dict[str, object]]:
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
