"""Working out a plan from the learner's log and cards, and the day's cards that follow from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from studykit.cards.card import Card, Kind
from studykit.cli import study_plan
from studykit.cli.context import Context
from studykit.cli.objective_of import objective_of
from studykit.cli.scheduler_setting import fsrs_of
from studykit.cli.study_plan import StudyPlan
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.mastery import by_weakness, mastery, recall_curve
from studykit.scheduling.plan import Pace, Plan, PlanStart, fitted, plan, spread

LONGEST_DAYS = 366
_WEEK = 7
_ALL = 10**6  # more new cards than a collection has


@dataclass(frozen=True, slots=True)
class PlanReport:
    """A plan, and what it was made from."""

    plan: Plan
    start: PlanStart
    overdue: int
    recall_today: float  # of what is overdue, if all were asked today
    recall_spread: float  # if it is asked on the days of the plan
    order: tuple[str, ...]  # objectives, the weakest first


def plan_report(context: Context, wanted: StudyPlan, told: Callable[[int], None] = lambda _: None) -> PlanReport:
    """What a plan means from today on; `told` hears of each simulation."""
    schedule, today = context.store.schedule, context.today()
    fsrs, day = schedule.fsrs or fsrs_of(context.config), today.toordinal()
    figures = schedule.log_figures(fsrs, today)
    curve = fitted(fsrs, figures.seen)
    marks = schedule.marks()
    cards = [card for card in context.store.cards.all() if not (card.id in marks and marks[card.id].suspended)]
    chosen = {card.id for card in cards if _is_meant(wanted, card)}
    memories = {card.id: figures.memories.get(card.id) for card in cards}
    known, others = (
        [row for id_, row in memories.items() if row is not None and (id_ in chosen) is meant]
        for meant in (True, False)
    )
    unseen = sum(row is None for id_, row in memories.items() if id_ in chosen)
    start = PlanStart(known, unseen, others, schedule.fsrs is not None, curve, figures.pace)
    if wanted.exam is None:
        made = spread(start, day, wanted.minutes, most=LONGEST_DAYS, seed=day)
    else:
        made = plan(start, range(day, wanted.exam.toordinal()), wanted.minutes, seed=day, told=told)
    overdue = [row for id_ in schedule.agenda(today, new=0).due if (row := memories.get(id_)) is not None]
    now, later = (
        sum(curve.recall(row, day + place // size) for place, row in enumerate(overdue)) / max(1, len(overdue))
        for size in (len(overdue) or 1, _reviews_a_day(wanted, figures.pace))
    )
    asked = [(str(card.id), "\n".join(card.objectives), card.kind is Kind.EXERCISE) for card in cards]
    objectives = mastery(
        asked, figures.memories, recall_curve(curve, figures.seen), day, schedule.tries(objective_of)
    )
    order = tuple(each.objective for each in by_weakness(objectives))
    return PlanReport(made, start, len(overdue), now, later, order)


def _reviews_a_day(wanted: StudyPlan, pace: Pace) -> int:
    return max(1, int(60 * wanted.minutes / pace.review_s))


def _is_meant(wanted: StudyPlan, card: Card) -> bool:
    """Whether the plan is for this card."""
    of_deck = not wanted.decks or card.deck in wanted.decks
    return of_deck and (not wanted.objectives or not set(wanted.objectives).isdisjoint(card.objectives))


def work_out(context: Context, wanted: StudyPlan, told: Callable[[int], None] = lambda _: None) -> PlanReport:
    """The report, with what it means for today set in the plan."""
    found = plan_report(context, wanted, told)
    wanted.day = context.today()
    wanted.new = found.plan.new_a_day
    wanted.order = found.order
    wanted.reviews = _reviews_a_day(wanted, found.start.pace)
    return found


def follow(context: Context) -> StudyPlan | None:
    """The plan that today's reviews follow, worked out anew on a new day; one that has ended is removed."""
    path, today = context.side_file("plan"), context.today()
    if (stored := study_plan.read(path)) is None:
        return None
    planned = context.plan
    if planned is not None and planned.day != today:
        work_out(context, planned)
        study_plan.write(path, planned)
        planned = context.plan
    if planned is None:
        study_plan.drop(path)
        why = f"{stored.exam} has come" if stored.exam else f"{stored.minutes} minutes a day are enough again"
        context.tell(f"Your plan has ended: {why}.")
    return planned


def agenda(context: Context, planned: StudyPlan, usual: Agenda) -> Agenda:
    """The day's agenda under a plan: the due cards that fit, and its new cards, weakest objectives first."""
    done = context.store.schedule.tally(context.today())
    due = max(0, planned.reviews - done.young - done.mature)
    new = max(0, context.new_a_day - done.introduced)
    every = context.store.schedule.agenda(context.today(), new=_ALL).new if new else ()
    chosen = [card for card in map(context.store.cards.card, every) if card and _is_meant(planned, card)]
    rank = {name: place for place, name in enumerate(planned.order)}
    chosen.sort(key=lambda card: min((rank[name] for name in card.objectives if name in rank), default=len(rank)))
    return usual.planned(usual.due[:due], [card.id for card in chosen[:new]])


def weeks(made: Plan) -> Iterator[tuple[int, int, float, float, float]]:
    """First and last day of each week of a plan, counted from 1, with its reviews, new cards and minutes a day."""
    for first in range(0, len(made.days), _WEEK):
        part = made.days[first : first + _WEEK]
        reviews, new, minutes = (
            sum(values) / len(part)
            for values in zip(*((day.reviews, day.new, day.minutes) for day in part), strict=True)
        )
        yield first + 1, first + len(part), reviews, new, minutes
