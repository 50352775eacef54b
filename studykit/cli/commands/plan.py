"""`study plan`: show what fits before an exam or how to work off a backlog, and let reviews follow it."""

import shlex
from collections.abc import Sequence
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
    typer.Option("--exam", metavar="DATE", help="Plan up to this day, such as 2026-12-18."),
]
Minutes = Annotated[
    int | None, typer.Option("--minutes", metavar="N", min=1, max=600, help=f"Minutes a day, else {MINUTES}.")
]
Decks = Annotated[
    list[str] | None,
    typer.Option("--deck", metavar="DECK", help="Only new cards of this deck.", autocompletion=suggest.decks),
]
Objectives = Annotated[
    list[str] | None,
    typer.Option("--objective", metavar="NAME", help="Only new cards of this objective, such as flops."),
]
Start = Annotated[bool, typer.Option("--start", help="Follow this plan in reviews from now on.")]
Off = Annotated[bool, typer.Option("--off", help="Stop following the plan.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("plan")(plan)


def plan(
    ctx: typer.Context,
    exam: Exam = None,
    minutes: Minutes = None,
    decks: Decks = None,
    objectives: Objectives = None,
    start: Start = False,
    off: Off = False,
    json: Json = False,
) -> None:
    """Show a plan up to an exam or for a backlog of reviews; --start follows it.

    Without options it shows the plan that you follow, or one for what is due now. Looking changes nothing.
    """
    context = context_of(ctx)
    if off:
        if start:
            raise UsageError("--start follows a plan and --off stops it: give one of them.")
        stopped = "The plan is off." if study_plan.drop(context.side_file("plan")) else "There was no plan."
        context.write_json({"off": True}) if json else context.write(stopped)
        return
    store = context.refreshed_store()
    _check_objectives(context, objectives or ())
    followed = context.plan
    usual = followed or StudyPlan(exam=None, minutes=MINUTES)
    wanted = StudyPlan(
        exam=usual.exam if exam is None else _day(exam, context.today()),
        minutes=minutes or usual.minutes,
        decks=deck_ids(store, decks) or usual.decks,
        objectives=objectives or usual.objectives,
    )
    is_followed = followed is not None and wanted.request == followed.request
    from studykit.cli import plan_view

    found = plan_view.report(context, wanted)
    if start and not is_followed:
        plan_view.start(context, wanted, found)
    is_followed |= start
    if json:
        context.write_json(plan_view.document(wanted, found, followed=is_followed))
        return
    options = [("--exam", exam), ("--minutes", minutes)]
    options += [("--deck", deck) for deck in decks or ()] + [("--objective", name) for name in objectives or ()]
    words = [word for name, value in options if value is not None for word in (name, str(value))]
    command = shlex.join(["study", "plan", *words, "--start"])
    plan_view.write(context, wanted, found, "" if is_followed else command)


def _check_objectives(context: Context, names: Sequence[str]) -> None:
    """UsageError for an objective that no card has."""
    known = {name for card in context.store.cards.all() for name in card.objectives} | {*OBJECTIVES}
    for name in names:
        if name not in known:
            raise UsageError(f"there is no objective {name!r}; there are {', '.join(sorted(known))}.")


def _day(text: str, today: date) -> date:
    from studykit.cli.plan_run import LONGEST_DAYS

    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--exam is {text!r}; give a day such as {today + timedelta(days=28)}.") from None
    if not today < day <= today + timedelta(days=LONGEST_DAYS):
        raise UsageError(f"--exam is {text}; give a day after today, at most {LONGEST_DAYS} days ahead.")
    return day
