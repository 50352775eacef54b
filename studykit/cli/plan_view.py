"""A plan in words and numbers: what fits, what does not, what each week brings, what is recalled in the end."""

from collections.abc import Iterator
from dataclasses import asdict

from studykit.cli import study_plan
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing, ListingColumn
from studykit.cli.plan_run import PlanReport, weeks, work_out
from studykit.cli.progress_bar import progress
from studykit.cli.study_plan import StudyPlan
from studykit.text import counted


def show(context: Context, wanted: StudyPlan, *, kept: bool, json: bool) -> None:
    """Work a plan out and tell it; reviews follow it if it is to be kept."""
    with progress(context, "simulating the days") as bar:
        found = work_out(context, wanted, bar.advance)
    if kept:
        study_plan.keep(context.side_file("plan"), wanted)
    if json:
        context.write_json(_document(wanted, found))
        return
    drawing = Drawing(context)
    lines = list(_exam(wanted, found) if wanted.exam is not None else _backlog(wanted, found))
    columns = [ListingColumn(f"{name} a day", right=True) for name in ("reviews", "new", "minutes")]
    rows = [
        [f"days {first} to {last}", f"{reviews:.0f}", f"{new:.1f}", f"{minutes:.0f}"]
        for first, last, reviews, new, minutes in weeks(found.plan)
    ]
    drawing.write(*lines, "", drawing.listing("Load", columns, rows))
    if kept:
        drawing.write("", "`study review` follows this plan, `study plan --off` ends it.")


def _document(wanted: StudyPlan, found: PlanReport) -> dict[str, object]:
    made = found.plan
    return {
        "plan": wanted.document(),
        "fits": made.fits,
        "left_out": made.left_out,
        "enough_minutes": made.enough_minutes,
        "learnt": made.learnt,
        "recall": made.recall,
        "overdue": found.overdue,
        "recall_today": found.recall_today,
        "recall_spread": found.recall_spread,
        "days": [asdict(day) for day in made.days],
    }


def _exam(wanted: StudyPlan, found: PlanReport) -> Iterator[str]:
    made, days = found.plan, counted(len(found.plan.days), "day")
    start = f"Until {wanted.exam}, {days} of {wanted.minutes} minutes"
    new = counted(made.new_a_day, "new card")
    if not found.start.unseen:
        yield f"{start}: no card is new, reviews alone."
    elif made.fits:
        yield f"{start}: {new} a day, and all {found.start.unseen:,} have their turn."
    elif made.overdue and not made.new_a_day:
        yield f"{start}: what is due already takes them all, and no new card has its turn."
    else:
        seen = found.start.unseen - made.left_out
        yield f"{start}: {new} a day, and {seen:,} of {found.start.unseen:,} have their turn."
    if not made.fits:
        weak, strong = found.order[:3], found.order[-3:]
        yield (
            f"It cannot be done whole: {counted(made.left_out, 'new card')} would be left out. New cards come "
            f"weakest objectives first ({', '.join(weak)}); leave out those of {', '.join(reversed(strong))}."
        )
        if made.enough_minutes is not None:
            yield f"{made.enough_minutes:.0f} minutes a day would do."
    whole = found.start.unseen + len(found.start.known)
    if made.learnt >= 1:
        share = made.recall * made.learnt / whole
        yield (
            f"On the day {made.recall:.0%} of the {made.learnt:.0f} cards that you then know are recalled, "
            f"{share:.0%} of all {whole:,}."
        )


def _backlog(wanted: StudyPlan, found: PlanReport) -> Iterator[str]:
    made = found.plan
    if not found.overdue:
        yield f"Nothing is overdue: {wanted.minutes} minutes hold what is due today."
        return
    days = counted(len(made.days), "day")
    if made.overdue:
        yield (
            f"{counted(found.overdue, 'card')} due, and {wanted.minutes} minutes a day never catch up: more comes "
            "due than fits. Give it more minutes, or suspend what you can do without."
        )
        return
    yield f"{counted(found.overdue, 'card')} due: {days} of {wanted.minutes} minutes, no new cards until then."
    lost = max(0.0, found.recall_today - found.recall_spread) * found.overdue
    yield (
        f"What it costs: {found.recall_today:.0%} of them would be recalled if all were asked today, "
        f"{found.recall_spread:.0%} as they are asked, {lost:.1f} cards fewer."
    )
