"""Log one grade for one card, for scripts and tests of the schedule: `study answer`."""

from typing import Annotated

import typer

from studykit.cli.card_choice import chosen_card
from studykit.cli.context import context_of
from studykit.cli.options import CardName, Json, write_result
from studykit.errors import UsageError
from studykit.review.keymap import SCALES
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import RecordedEvent
from studykit.scheduling.memory import AnswerKind, document
from studykit.scheduling.recall_grade import Grade
from studykit.text import counted

_GRADES = {button.word: button.grade for button in SCALES["4"]}

_DAY_MS = 24 * 60 * 60 * 1000

GradeName = Annotated[
    str, typer.Argument(metavar="GRADE", help="Grade: again, hard, good, easy, or 0 to 5 as in SM-2.")
]
At = Annotated[str | None, typer.Option("--at", metavar="TIME", help="When it was, as ISO 8601; else now.")]
Took = Annotated[int, typer.Option("--ms", min=0, max=_DAY_MS, help="How long it took, in milliseconds.")]


def answer(
    ctx: typer.Context, card: CardName, grade: GradeName, *, at: At = None, ms: Took = 0, json: Json = False
) -> None:
    """Give one card one grade, and show what its schedule becomes.

    \b
    A number is SM-2's: 5 easy, 4 good, 3 hard, 2 familiar, 1 again, 0 blackout.
    The keys 1 to 4 of a review are again, hard, good and easy.
    """  # noqa: D301 - the sign that keeps the lines apart
    context = context_of(ctx)
    recall = grade_named(grade)
    moment = context.moment(at, "--at") if at else None
    store = context.refreshed_store()
    target = chosen_card(context, store, card, ask=not json)
    record = store.log.record(EventKind.ANSWER, target.id, grade=recall, took_ms=ms, at=moment)
    write_result(context, _document(record), [_sentence(record)], json=json)


def grade_named(text: str) -> Grade:
    """Return the grade of a word or a digit, or raise UsageError."""
    if (grade := _GRADES.get(text.lower())) is not None:
        return grade
    if text in {str(int(grade)) for grade in Grade}:
        return Grade(int(text))
    raise UsageError(f"{text!r} is not a valid grade. Use again, hard, good, easy, or a number from 0 to 5.")


def _document(record: RecordedEvent) -> dict[str, object]:
    return {
        "card": record.event.card,
        "event": str(record.event.id),
        "grade": int(record.event.grade or 0),
        "became": record.answer_kind,
        **(document(record.after) if record.after else {}),
    }


def _sentence(record: RecordedEvent) -> str:
    after = record.after
    if after is None:
        return f"Logged for {record.event.card}."
    match record.answer_kind:
        case AnswerKind.DRILL | AnswerKind.CRAM as kind:
            why = "Drill" if kind is AnswerKind.DRILL else "Before its day"
            return f"{why}: logged, {record.event.card} stays due on {after.due}."
        case _ if record.before is not None and not record.before.due <= record.event.day == after.reviewed:
            since = f"{record.event.card} is due on {after.due}, it was {record.before.due}"
            return f"Saved before later answers: with them {since}."
        case _:
            return f"Saved: {record.event.card} is due in {counted(after.interval, 'day')}, on {after.due}."
