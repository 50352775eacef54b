"""`study stats --compare`: SM-2 and FSRS on the learner's own log."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from studykit.cli.context import Context
from studykit.cli.drawing import Drawing
from studykit.cli.progress_bar import progress
from studykit.config import fsrs_of
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.figure import right
from studykit.scheduling.prediction import MIN_REVIEWS, SchedulerComparison
from studykit.scheduling.sm2 import PROFILE as SM2
from studykit.text import counted

_DAYS_COMPARED = 60
_WEEK = 7
Loads = Mapping[str, Sequence[int]]


def compare_schedulers(context: Context, *, json: bool) -> None:
    """Replay the log under both schedulers, and write how well each predicts and the load to come."""
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
        columns = right("log loss", "RMSE(bins)", "AUC", "said", "was")
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
    columns = right(*(f"{name} a day" for name in loads))
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
    """Return what the difference means."""
    if comparison.too_few:
        return (
            f"{counted(comparison.reviews, 'review')} are too few: below {MIN_REVIEWS} or so such figures "
            "say more of chance than of a scheduler."
        )
    better = "FSRS" if comparison.difference < 0 else "SM-2"
    size = f"by {abs(comparison.difference):.4f} ± {comparison.uncertainty:.4f} a review"
    if abs(comparison.difference) <= comparison.uncertainty:
        return f"Your log shows no clear difference: {better} has the lower log loss {size}, as chance may."
    best = min(comparison.predictions, key=lambda each: each.log_loss)
    besides = (
        "" if best.name in {FSRS, SM2} else f" The {best.name} beats both, though it cannot tell cards apart."
    )
    return f"{better} predicts your answers better: log loss is lower {size}.{besides}"
