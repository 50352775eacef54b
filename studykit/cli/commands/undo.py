"""`study undo`: take back what was done last, as far back as the log goes."""

from typing import Annotated

import typer

from studykit.cli.commands.answer import memory_document
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json
from studykit.errors import StudyError
from studykit.scheduling.events import Event, UndoneEvent
from studykit.scheduling.study_day import moment_of

Last = Annotated[int, typer.Option("--last", metavar="N", min=1, max=1000, help="How many.")]
Listed = Annotated[bool, typer.Option("--list", help="Only show what would be taken back.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("undo")(undo)


def undo(ctx: typer.Context, last: Last = 1, listed: Listed = False, json: Json = False) -> None:
    """Take back the last answer, or whatever else was done last."""
    context = context_of(ctx)
    store = context.refreshed_store()
    if listed:
        events = store.log.undoable(max(last, 10) if last == 1 else last)
        if json:
            context.write_json({"undoable": [_event(event) for event in events]})
        else:
            context.write("\n".join(_line(context, event) for event in events) or "There is nothing to undo.")
        return
    taken: list[UndoneEvent] = []
    while len(taken) < last and (undone := store.log.undo()) is not None:
        taken.append(undone)
    if not taken:
        raise StudyError("there is nothing to undo.")
    if json:
        context.write_json({"undone": [_document(undone) for undone in taken]})
    else:
        context.write("\n".join(f"Undone: {_line(context, undone.target)}" for undone in taken))


def _document(undone: UndoneEvent) -> dict[str, object]:
    return {**_event(undone.target), "undo": str(undone.undo.id), "memory": memory_document(undone.memory)}


def _event(event: Event) -> dict[str, object]:
    return {
        "event": str(event.id),
        "kind": event.kind.value,
        "card": event.card,
        "grade": None if event.grade is None else int(event.grade),
        "moment": moment_of(event.moment).isoformat(),
        "date": str(event.day),
    }


def _line(context: Context, event: Event) -> str:
    local = moment_of(event.moment).astimezone(context.zone)
    grade = "" if event.grade is None else f" {event.grade.name.lower()}"
    what = event.card or (event.showing.template if event.showing else "")
    return f"{local:%Y-%m-%d %H:%M}  {event.kind.value}{grade}  {what}".rstrip()
