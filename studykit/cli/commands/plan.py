"""Show what fits before an exam or how to work off a backlog, and let reviews follow it: `study plan`."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from statistics import mean
from typing import Annotated

import typer

from studykit.cards.card import OBJECTIVES, Card, Kind
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, OnlyDecks, command_again, given_day, write_result
from studykit.cli.plan_file import StudyPlan, read_plan, remove_plan, write_plan
from studykit.cli.progress_bar import progress
from studykit.cli.study_plan import ALL_NEW, current_plan, new_a_day
from studykit.collection.lookup import deck_ids
from studykit.config import fsrs_of
from studykit.errors import StudyError, UsageError
from studykit.exercise.catalog import objective_of
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.mastery import by_weakness, doubt_of, mastery
from studykit.scheduling.plan import Plan, PlanStart, fitted, spread
from studykit.scheduling.plan import plan as exam_plan
from studykit.text import counted

MAX_DAYS = 366
MINUTES = 20
_WEEK = 7

Exam = Annotated[
    str | None, typer.Option("--exam", metavar="DATE", help="Plan up to this day, such as 2026-12-18.")
]
Minutes = Annotated[
    int | None, typer.Option("--minutes", metavar="N", min=1, max=600, help=f"Minutes a day, else {MINUTES}.")
]
Objectives = Annotated[
    list[str] | None,
    typer.Option("--objective", metavar="NAME", help="Only new cards of this objective, such as flops."),
]
Start = Annotated[bool, typer.Option("--start", help="Follow this plan in reviews from now on.")]
Off = Annotated[bool, typer.Option("--off", help="Stop following the plan.")]


def plan(
    ctx: typer.Context,
    exam: Exam = None,
    minutes: Minutes = None,
    decks: OnlyDecks = None,
    objectives: Objectives = None,
    start: Start = False,
    off: Off = False,
    json: Json = False,
) -> None:
    """Show a plan up to an exam or for a backlog of reviews. --start follows it.

    Without options it shows the plan that you follow, or one for what is due now. Looking changes nothing.
    """
    context = context_of(ctx)
    if off:
        if start:
            raise UsageError("--start follows a plan and --off stops it. Give one of them.")
        message = "The plan is off." if remove_plan(context.side_file("plan")) else "You follow no plan."
        write_result(context, {"off": True}, [message], json=json)
        return
    store = context.refreshed_store()
    every_objective = {name for card in store.cards.all() for name in card.objectives} | {*OBJECTIVES}
    for name in objectives or ():
        if name not in every_objective:
            raise UsageError(f"{name!r} is not an objective. Use one of {', '.join(sorted(every_objective))}.")
    current = current_plan(context)
    usual = current or StudyPlan(exam=None, minutes=MINUTES)
    today = context.today()
    tomorrow = today + timedelta(days=1)
    goal = StudyPlan(
        exam=usual.exam if exam is None else given_day("--exam", exam, tomorrow, today + timedelta(days=MAX_DAYS)),
        minutes=minutes or usual.minutes,
        decks=deck_ids(store.cards.deck_names(), decks) or usual.decks,
        objectives=tuple(objectives or usual.objectives),
    )
    is_followed = current is not None and goal.request == current.request
    with progress(context, "simulating the days") as bar:
        report = _work_out(context, goal, bar.advance)
    if start and not is_followed:
        if why := _not_needed(goal, report):
            raise StudyError(why)
        write_plan(context.side_file("plan"), goal)
    is_followed |= start
    if json:
        context.write_json(_document(goal, report, followed=is_followed))
    else:
        _write(context, goal, report, "" if is_followed else command_again(ctx, start=True))


@dataclass(frozen=True, slots=True)
class PlanReport:
    """Hold a plan, what it starts from, and the recall of what is overdue."""

    plan: Plan
    start: PlanStart
    overdue: int
    recall_today: float  # of what is overdue, if all were answered today
    recall_spread: float  # if it is answered on the days of the plan


def _work_out(context: Context, goal: StudyPlan, advance: Callable[[int], None] = lambda _: None) -> PlanReport:
    """Simulate a plan, set its cards and order of today, and return the report. `advance` counts simulations."""
    schedule, today = context.store.schedule, context.today()
    fsrs, day = schedule.fsrs or fsrs_of(context.config), today.toordinal()
    figures = schedule.log_figures(fsrs, today)
    curve = fitted(fsrs, figures.seen)
    marks = schedule.marks()
    cards = [card for card in context.store.cards.all() if not (card.id in marks and marks[card.id].suspended)]
    planned_ids = {card.id for card in cards if _is_meant(goal, card)}
    memories = {card.id: figures.memories.get(card.id) for card in cards}
    learned_rows, other_rows = (
        [row for id_, row in memories.items() if row is not None and (id_ in planned_ids) is meant]
        for meant in (True, False)
    )
    unseen = sum(row is None for id_, row in memories.items() if id_ in planned_ids)
    state = PlanStart(learned_rows, unseen, other_rows, schedule.fsrs is not None, curve, figures.pace)
    if goal.exam is None:
        result = spread(state, day, goal.minutes, max_days=MAX_DAYS, seed=day)
    else:
        result = exam_plan(state, range(day, goal.exam.toordinal()), goal.minutes, seed=day, on_progress=advance)
    goal.day, goal.new = today, result.new_a_day
    goal.reviews = max(1, int(60 * goal.minutes / figures.pace.review_s))
    overdue = [row for id_ in schedule.agenda(today, new=0).due if (row := memories.get(id_)) is not None]
    now, later = (
        sum(curve.recall(row, day + place // size) for place, row in enumerate(overdue)) / max(1, len(overdue))
        for size in (len(overdue) or 1, goal.reviews)
    )
    tasks = [(str(card.id), "\n".join(card.objectives), card.kind is Kind.EXERCISE) for card in cards]
    objectives = mastery(
        tasks, figures.memories, (curve, doubt_of(curve, figures.seen)), day, schedule.tries(objective_of)
    )
    goal.order = tuple(each.objective for each in by_weakness(objectives))
    return PlanReport(result, state, len(overdue), now, later)


def _is_meant(goal: StudyPlan, card: Card) -> bool:
    """Return whether the plan is for this card."""
    of_deck = not goal.decks or card.deck in goal.decks
    return of_deck and (not goal.objectives or not set(goal.objectives).isdisjoint(card.objectives))


def follow_plan(context: Context) -> StudyPlan | None:
    """Return the stored plan, recomputed on a new day. If it has ended, remove it, say so, and return None."""
    path, today = context.side_file("plan"), context.today()
    record, goal = read_plan(path), current_plan(context)
    if goal is not None and goal.day != today:
        _work_out(context, goal)
        write_plan(path, goal)
        goal = current_plan(context)
    if goal is None:
        remove_plan(path)
        why = f"{record.exam} has come" if record.exam else f"{record.minutes} minutes a day are enough again"
        context.tell(f"Your plan has ended: {why}.")
    return goal


def planned_agenda(context: Context, goal: StudyPlan, usual: Agenda) -> Agenda:
    """Return the day's agenda under a plan: the due cards that fit, and new cards, weakest objectives first."""
    tally = context.store.schedule.tally(context.today())
    due = max(0, goal.reviews - tally.young - tally.mature)
    new = max(0, new_a_day(context) - tally.introduced)
    new_ids = context.store.schedule.agenda(context.today(), new=ALL_NEW).new if new else ()
    cards = [card for card in map(context.store.cards.card, new_ids) if card and _is_meant(goal, card)]
    rank = {name: place for place, name in enumerate(goal.order)}
    cards.sort(key=lambda card: min((rank[name] for name in card.objectives if name in rank), default=len(rank)))
    return replace(usual, due=usual.due[:due], new=tuple(card.id for card in cards[:new]))


def _write(context: Context, goal: StudyPlan, report: PlanReport, start_command: str) -> None:
    """Draw a plan. `start_command` makes reviews follow it, and is "" if they already do."""
    if start_command and (why := _not_needed(goal, report)):
        context.write(why)
        return
    from studykit.cli.drawing import Drawing
    from studykit.scheduling.figure import right

    drawing = Drawing(context)
    lines = _exam(goal, report) if goal.exam is not None else _backlog(goal, report)
    rows = []
    for first in range(0, len(report.plan.days), _WEEK):
        days = report.plan.days[first : first + _WEEK]
        reviews, new = mean(day.reviews for day in days), mean(day.new for day in days)
        minutes = max(day.minutes for day in days)
        rows.append([f"days {first + 1} to {first + len(days)}", f"{reviews:.0f}", f"{new:.1f}", f"{minutes:.0f}"])
    listing = drawing.listing("Load", right("reviews a day", "new a day", "minutes at most"), rows)
    end = "`study review` follows this plan. Stop it with: study plan --off"
    if start_command:
        end = f"Nothing has changed. Follow this plan with: {start_command}"
    drawing.write(*lines, "", listing, "", end)


def _document(goal: StudyPlan, report: PlanReport, *, followed: bool) -> dict[str, object]:
    """Return a plan as JSON."""
    return {
        "plan": goal.document(),
        "followed": followed,
        "fits": report.plan.fits,
        **asdict(report.plan),
        "overdue": report.overdue,
        "recall_today": report.recall_today,
        "recall_spread": report.recall_spread,
    }


def _not_needed(goal: StudyPlan, report: PlanReport) -> str:
    """Say why a plan is not needed, or return "" if there is an exam, or more due than fits into a day."""
    if goal.exam is not None or report.overdue > goal.reviews:
        return ""
    if report.overdue:
        due = f"{counted(report.overdue, 'card')} due, and {goal.minutes} minutes is enough for today"
    else:
        due = "nothing is due"
    return f"You have no backlog to plan: {due}. For an exam, see: study plan --exam DATE"


def _exam(goal: StudyPlan, report: PlanReport) -> Iterator[str]:
    plan, days = report.plan, counted(len(report.plan.days), "day")
    begin = f"Until {goal.exam}, {days} of {counted(goal.minutes, 'minute')}"
    new, unseen = counted(plan.new_a_day, "new card"), report.start.unseen
    if not unseen:
        yield f"{begin}: only reviews, no card is new."
    elif plan.fits:
        yield f"{begin}: {new} a day covers all {unseen:,}."
    elif not plan.new_a_day:
        yield f"{begin}: no time is left for new cards."
    else:
        yield f"{begin}: {new} a day covers {unseen - plan.left_out:,} of {unseen:,}."
    if not plan.fits:
        weak, strong = goal.order[:3], goal.order[-3:]
        yield (
            f"More a day would not fit in, so {counted(plan.left_out, 'new card')} would be left out. "
            f"New cards come weakest objectives first ({', '.join(weak)}); "
            f"leave out those of {', '.join(reversed(strong))}."
        )
        if plan.enough_minutes is not None:
            yield f"{plan.enough_minutes:.0f} minutes a day would be enough."
    whole = unseen + len(report.start.known)
    if plan.learnt >= 1:
        share, learned = plan.recall * plan.learnt / whole, round(plan.learnt)
        of_learned = f"the {learned:,} cards learned ({share:.0%} of all {whole:,})"
        of = f"all {counted(whole, 'card')}" if learned == whole else of_learned
        yield f"On exam day you should recall {plan.recall:.0%} of {of}."


def _backlog(goal: StudyPlan, report: PlanReport) -> Iterator[str]:
    plan = report.plan
    due = counted(report.overdue, "card")
    if plan.overdue:
        yield (
            f"{due} due, and {goal.minutes} minutes a day never catch up: more comes due than fits. "
            "Give it more minutes, or suspend cards."
        )
        return
    days = f"{counted(len(plan.days), 'day')} of {counted(goal.minutes, 'minute')}"
    yield f"{due} due: {days}, no new cards until then."
    forgotten = max(0.0, report.recall_today - report.recall_spread) * report.overdue
    yield (
        f"You would recall {report.recall_today:.0%} of them if you answered all today, "
        f"{report.recall_spread:.0%} on the days of the plan: {forgotten:.1f} cards fewer."
    )
