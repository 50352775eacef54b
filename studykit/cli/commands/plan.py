"""`study plan`: what fits before an exam, or how a backlog is worked off, and the reviews that follow it."""

from datetime import date, timedelta
from typing import Annotated

import typer

from studykit.cards.card import OBJECTIVES
from studykit.cli import study_plan, suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.cli.study_plan import StudyPlan
from studykit.collection.lookup import deck_ids
from studykit.errors import UsageError

MINUTES = 20

Exam = Annotated[
    str | None,
    typer.Option("--exam", metavar="DATE", help="The day until which everything is to be known, as 2026-12-18."),
]
Minutes = Annotated[int, typer.Option("--minutes", metavar="N", min=1, max=600, help="Minutes a day.")]
Decks = Annotated[
    list[str] | None,
    typer.Option("--deck", metavar="DECK", help="New cards of this deck alone.", autocompletion=suggest.decks),
]
Objectives = Annotated[
    list[str] | None,
    typer.Option("--objective", metavar="NAME", help="New cards of this objective alone, such as flops."),
]
Off = Annotated[bool, typer.Option("--off", help="Follow the plan no more.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan, and let reviews go on as they are.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("plan")(plan)


def plan(
    ctx: typer.Context,
    exam: Exam = None,
    minutes: Minutes = MINUTES,
    decks: Decks = None,
    objectives: Objectives = None,
    off: Off = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Plan up to an exam, or spread what is overdue; reviews follow it until its day, or --off.

    Without any option it shows the plan that reviews follow.
    """
    context = context_of(ctx)
    if off:
        told = "The plan is off." if study_plan.drop(context.side_file("plan")) else "There was no plan."
        context.write_json({"off": True}) if json else context.write(told)
        return
    context.refreshed_store()
    kept = study_plan.kept(context.side_file("plan"))
    anew = exam is not None or decks or objectives or minutes != MINUTES or kept is None
    wanted = _wanted(context, exam, minutes, decks, objectives) if anew or kept is None else kept
    from studykit.cli import plan_view

    plan_view.show(context, wanted, kept=not dry_run, json=json)


def _wanted(
    context: Context, exam: str | None, minutes: int, decks: list[str] | None, objectives: list[str] | None
) -> StudyPlan:
    known = {name for card in context.store.cards.all() for name in card.objectives} | {*OBJECTIVES}
    for name in objectives or ():
        if name not in known:
            raise UsageError(f"there is no objective {name!r}; there are {', '.join(sorted(known))}.")
    on = None if exam is None else _day(exam, context.today())
    return StudyPlan(exam=on, minutes=minutes, decks=deck_ids(context.store, decks), objectives=objectives or ())


def _day(text: str, today: date) -> date:
    from studykit.cli.plan_run import LONGEST_DAYS

    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--exam is {text!r}; give a day such as {today + timedelta(days=28)}.") from None
    if not today < day <= today + timedelta(days=LONGEST_DAYS):
        raise UsageError(f"--exam is {text}; give a day after today, at most {LONGEST_DAYS} days ahead.")
    return day
