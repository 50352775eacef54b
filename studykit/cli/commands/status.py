"""`study` alone: where a learner stands, and what to do next."""

from typing import TYPE_CHECKING

from studykit.cards.choice import TEMPLATE as CHOICE
from studykit.cli import more_today
from studykit.cli.context import Context
from studykit.scheduling.dashboard import Dashboard, NextStep, StepKind, next_step
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.scheduling.agenda import Agenda
    from studykit.store.store import Store

_MINUTES_A_CARD = 0.4
_REVIEW = "study review"


def status(context: Context, *, json: bool) -> None:
    """Tell what is due, or welcome somebody who has not begun."""
    store = context.refreshed_store()
    dashboard = store.schedule.dashboard(context.today(), new=context.new_a_day, of_decks=context.new_of_decks)
    waits = more_today.waiting(store, dashboard.agenda)
    planned = waits if context.new_a_day else 0  # who wants no new cards is not told to have some
    slips = [slip for slip in dashboard.slips if slip.template != CHOICE] if context.wants_course else []
    step = next_step(dashboard.agenda, slips, waiting=planned)
    if step.kind is StepKind.PRACTISE and context.wants_course:
        step = _weakest(store)
    command = _command(context, step, waits)
    if json:
        context.write_json(_document(dashboard, command))
    elif not dashboard.begun:
        context.write(_welcome(store, dashboard) if context.wants_course else _own(store, dashboard))
        if (plan := context.plan) is not None:
            context.write(f"\n{plan.sentence()}")
    else:
        _draw(context, store, dashboard, step, command, waits)


def _weakest(store: "Store") -> NextStep:
    """Practice of the objective whose exercises are right least often."""
    from studykit.cli.objective_of import objective_of
    from studykit.scheduling.mastery import weakest_practised

    return NextStep(StepKind.PRACTISE, objective=weakest_practised(store.schedule.tries(objective_of)))


def _document(dashboard: Dashboard, command: str) -> dict[str, object]:
    agenda, streak = dashboard.agenda, dashboard.streak
    return {
        "date": str(agenda.day),
        "due": len(agenda.due),
        "new": len(agenda.new),
        "drill": len(agenda.drill),
        "decks": dict(agenda.decks),
        "streak": streak.current,
        "next": command,
        "longest_streak": streak.longest,
        "deck_counts": {
            deck.deck: {"cards": deck.cards, "known": deck.known, "new": deck.new, "due": deck.due}
            for deck in dashboard.decks
        },
        "activity": [{"date": str(day.day), "answers": day.answers} for day in dashboard.activity.days],
        "forecast": [{"date": str(day), "due": count} for day, count in dashboard.forecast],
    }


def _welcome(store: "Store", dashboard: Dashboard) -> str:
    cards, new = sum(deck.cards for deck in dashboard.decks), len(dashboard.agenda.new)
    return f"""Welcome. {cards} cards about counting the cost of language models, and exercises with fresh numbers.

  study review                 {new} new cards, {_minutes(new)}
  study exercise napkin-math   estimates with fresh numbers
  study add QUESTION ANSWER    a card of your own
  study deck add ~/notes       cards of your own (study help format)
  study config set course off  only cards of your own

Your progress stays in one file on this machine: {store.name}"""


def _own(store: "Store", dashboard: Dashboard) -> str:
    """The welcome of a learner who does without the course."""
    cards, new = sum(deck.cards for deck in dashboard.decks), len(dashboard.agenda.new)
    review = f"  study review                   {new} new, {_minutes(new)}\n" if new else ""
    return f"""Welcome. {counted(cards, "card")} of your own.

{review}  study add QUESTION ANSWER      a card; without words in your editor
  study deck new NAME            a deck
  study deck add ~/notes         a folder of decks (study help format)

Your progress stays in one file on this machine: {store.name}"""


def _draw(
    context: Context, store: "Store", dashboard: Dashboard, step: NextStep, command: str, waits: int
) -> None:
    from studykit.cli.drawing import Drawing
    from studykit.cli.home_view import home_parts

    drawing = Drawing(context)
    names = {str(deck): name for deck, name in store.cards.deck_names().items()}
    notes = [more_today.sentence(context.new_a_day, waits)] if waits else []
    if (plan := context.plan) is not None:
        notes.insert(0, plan.sentence())
    rows = context.terminal_size[1] - len(notes) if context.on_terminal else None
    streak = bool(context.section("ui")["streak"])
    drawing.write(
        drawing.title(_today(dashboard.agenda)),
        "",
        *home_parts(drawing, dashboard, names, streak=streak, rows=rows),
        "",
        *notes,
        drawing.text("Next: ").append(command, style="key").append(_why(step)),
    )


def _today(agenda: "Agenda") -> str:
    if not agenda.left:
        return "Nothing is due now."
    parts = [(len(agenda.due), "due"), (len(agenda.new), "new"), (len(agenda.drill), "to repeat")]
    said = ", ".join(f"{count:,} {word}" for count, word in parts if count)
    return f"{said}: {_minutes(agenda.left)}"


def _command(context: Context, step: NextStep, waits: int) -> str:
    """The one command to type now."""
    if step.kind is StepKind.SLIP and step.slip is not None:
        return f"study exercise {step.slip.template}"
    if step.objective is not None:
        return f"study exercise {step.objective}"
    if step.kind is StepKind.MORE:
        return more_today.command(waits)
    return _REVIEW if step.kind is StepKind.REVIEW else context.practice_command


def _why(step: NextStep) -> str:
    if step.objective is not None:
        return "  (your weakest objective: study stats)"
    if step.slip is None:
        return ""
    from studykit.exercise.estimate.feedback import slip_names

    slip = step.slip
    return f"  ({slip_names([slip.slip])[slip.slip]}, {counted(slip.count, 'time')})"


def _minutes(cards: int) -> str:
    return f"about {counted(max(1, round(cards * _MINUTES_A_CARD)), 'minute')}"
