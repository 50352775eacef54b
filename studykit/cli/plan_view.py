"""A plan in words and numbers: what fits, what does not, what each week brings, what is recalled in the end."""

from collections.abc import Iterator
from dataclasses import asdict

from studykit.cli import study_plan
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing, ListingColumn
from studykit.cli.plan_run import PlanReport, weeks, work_out
from studykit.cli.progress import progress
from studykit.cli.study_plan import StudyPlan
from studykit.errors import StudyError
from studykit.text import counted


def report(context: Context, wanted: StudyPlan) -> PlanReport:
    """Work a plan out from today on, with a progress bar."""
    with progress(context, "simulating the days") as bar:
        return work_out(context, wanted, bar.advance)


def start(context: Context, wanted: StudyPlan, found: PlanReport) -> None:
    """Let reviews follow a plan; StudyError where there is no backlog to work off."""
    if not _is_needed(wanted, found):
        raise StudyError(_not_needed(wanted, found))
    study_plan.write(context.side_file("plan"), wanted)


def write(context: Context, wanted: StudyPlan, found: PlanReport, start_command: str) -> None:
    """Draw a plan; `start_command` follows it, and is empty for the plan that reviews follow."""
    if start_command and not _is_needed(wanted, found):
        context.write(_not_needed(wanted, found))
        return
    drawing = Drawing(context)
    lines = list(_exam(wanted, found) if wanted.exam is not None else _backlog(wanted, found))
    columns = [ListingColumn(f"{name} a day", right=True) for name in ("reviews", "new", "minutes")]
    rows = [
        [f"days {first} to {last}", f"{reviews:.0f}", f"{new:.1f}", f"{minutes:.0f}"]
        for first, last, reviews, new, minutes in weeks(found.plan)
    ]
    drawing.write(*lines, "", drawing.listing("Load", columns, rows), "")
    if start_command:
        drawing.write(f"Nothing has changed. Follow this plan with: {start_command}")
    else:
        drawing.write("`study review` follows this plan. Stop it with: study plan --off")


def document(wanted: StudyPlan, found: PlanReport, *, followed: bool) -> dict[str, object]:
    """A plan as JSON."""
    made = found.plan
    return {
        "plan": wanted.document(),
        "followed": followed,
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


def _is_needed(wanted: StudyPlan, found: PlanReport) -> bool:
    """Whether there is an exam, or more due than fits into a day."""
    return wanted.exam is not None or found.overdue > wanted.reviews


def _not_needed(wanted: StudyPlan, found: PlanReport) -> str:
    if found.overdue:
        due = f"{counted(found.overdue, 'card')} due, and {wanted.minutes} minutes is enough for today"
    else:
        due = "nothing is due"
    return f"There is no backlog to plan: {due}. For an exam, see: study plan --exam DATE"


def _exam(wanted: StudyPlan, found: PlanReport) -> Iterator[str]:
    made, days = found.plan, counted(len(found.plan.days), "day")
    begin = f"Until {wanted.exam}, {days} of {counted(wanted.minutes, 'minute')}"
    new, unseen = counted(made.new_a_day, "new card"), found.start.unseen
    if not unseen:
        yield f"{begin}: only reviews, no card is new."
    elif made.fits:
        yield f"{begin}: {new} a day covers all {unseen:,}."
    elif not made.new_a_day:
        yield f"{begin}: no time is left for new cards."
    else:
        yield f"{begin}: {new} a day covers {unseen - made.left_out:,} of {unseen:,}."
    if not made.fits:
        weak, strong = found.order[:3], found.order[-3:]
        yield (
            f"There is not enough time for everything: {counted(made.left_out, 'new card')} would be left out. "
            f"New cards come weakest objectives first ({', '.join(weak)}); "
            f"leave out those of {', '.join(reversed(strong))}."
        )
        if made.enough_minutes is not None:
            yield f"{made.enough_minutes:.0f} minutes a day would be enough."
    whole = unseen + len(found.start.known)
    if made.learnt >= 1:
        share = made.recall * made.learnt / whole
        yield (
            f"On exam day you should recall {made.recall:.0%} of the {made.learnt:.0f} cards learned "
            f"({share:.0%} of all {whole:,})."
        )


def _backlog(wanted: StudyPlan, found: PlanReport) -> Iterator[str]:
    made = found.plan
    due = counted(found.overdue, "card")
    if made.overdue:
        yield (
            f"{due} due, and {wanted.minutes} minutes a day never catch up: more comes due than fits. "
            "Give it more minutes, or suspend cards."
        )
        return
    yield f"{due} due: {counted(len(made.days), 'day')} of {wanted.minutes} minutes, no new cards until then."
    lost = max(0.0, found.recall_today - found.recall_spread) * found.overdue
    yield (
        f"You would recall {found.recall_today:.0%} of them if you answered all today, "
        f"{found.recall_spread:.0%} on the days of the plan: {lost:.1f} cards fewer."
    )
