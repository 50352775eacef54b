"""Take back what was done last, as far back as the log goes: `study undo`."""

from typing import Annotated

import typer

from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, write_result
from studykit.errors import StudyError
from studykit.scheduling.events import Event, UndoneEvent
from studykit.scheduling.memory import document
from studykit.scheduling.study_day import moment_of

Last = Annotated[int, typer.Option("--last", metavar="N", min=1, max=1000, help="How many.")]
Future = Annotated[
    bool, typer.Option("--future", help="What is dated in the future, because a clock was wrong: all of it.")
]
Listed = Annotated[bool, typer.Option("--list", help="Only show what would be taken back.")]


def undo(
    ctx: typer.Context, last: Last = 1, future: Future = False, listed: Listed = False, json: Json = False
) -> None:
    """Take back the last answer, or whatever else was done last on this machine."""
    context = context_of(ctx)
    store = context.refreshed_store()
    if listed:
        events = store.log.ahead() if future else store.log.undoable(max(last, 10) if last == 1 else last)
        lines = [_line(context, event) for event in events] or ["There is nothing to undo."]
        write_result(context, {"undoable": [_event(event) for event in events]}, lines, json=json)
        return
    targets = [event.id for event in store.log.ahead()] if future else [None] * last
    results: list[UndoneEvent] = []
    for target in targets:
        if (undone := store.log.undo(target)) is None:
            break
        results.append(undone)
    if not results:
        raise StudyError("There is nothing to undo.")
    documents = [
        {
            **_event(undone.target),
            "undo": str(undone.undo.id),
            "memory": document(undone.memory) if undone.memory else None,
        }
        for undone in results
    ]
    lines = [f"Undone: {_line(context, undone.target)}" for undone in results]
    write_result(context, {"undone": documents}, lines, json=json)


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
    subject = event.card or (event.showing.template if event.showing else "")
    return f"{local:%Y-%m-%d %H:%M}  {event.kind.value}{grade}  {subject}".rstrip()
