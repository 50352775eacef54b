"""Compare SM-2 and FSRS on the learner's own log: `study stats --compare`."""

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


def compare_schedulers(context: Context, *, json: bool) -> None:
    """Replay the log under both schedulers, and write how well each predicts and how many reviews each plans."""
    with progress(context, "replaying the log", context.store.log.count()) as bar:
        comparison, loads = context.store.schedule.comparison(
            fsrs_of(context.config), context.today(), _DAYS_COMPARED, bar.advance
        )
    if json:
        document = {
            "reviews": comparison.reviews,
            "recalled": comparison.recalled if comparison.reviews else None,
            "too_few": comparison.too_few,
            "predictors": [asdict(prediction) for prediction in comparison.predictions],
            "difference": {"log_loss": comparison.difference, "within": comparison.uncertainty},
            "load": loads,
        }
        context.write_json(document)
        return
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
    drawing.write(
        f"In {_DAYS_COMPARED} days {sum(loads[SM2]):,} reviews by SM-2 and {sum(loads[FSRS]):,} by FSRS, if every "
        "card is answered good on its day and none is new."
    )


def verdict(comparison: SchedulerComparison) -> str:
    """Say which scheduler predicts the log better, and whether chance may explain the difference."""
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
