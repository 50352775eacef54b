"""Log one grade for one card, for scripts and tests of the schedule: `study answer`."""

from typing import Annotated

import typer

from studykit.cards.card import Card, Kind
from studykit.cli.card_choice import chosen_card
from studykit.cli.context import context_of
from studykit.cli.options import CardName, Json, write_result
from studykit.errors import BadDataError, UsageError
from studykit.review.keymap import SCALES
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import RecordedEvent, Showing
from studykit.scheduling.memory import AnswerKind, document
from studykit.scheduling.outcomes import suggested_grade
from studykit.scheduling.recall_grade import Grade

_GRADES = {button.word: button.grade for button in SCALES["4"]}

_DAY_MS = 24 * 60 * 60 * 1000

GradeName = Annotated[
    str, typer.Argument(metavar="[GRADE]", help="Grade: again, hard, good, easy, or 0 to 5 as in SM-2.")
]
Choose = Annotated[
    str,
    typer.Option(
        "--choose", metavar="NUMBERS", help="Options of a choice, as `study show` lists them, not a grade."
    ),
]
At = Annotated[str | None, typer.Option("--at", metavar="TIME", help="When it was, as ISO 8601; else now.")]
Took = Annotated[int, typer.Option("--ms", min=0, max=_DAY_MS, help="How long it took, in milliseconds.")]


def answer(
    ctx: typer.Context,
    card: CardName,
    grade: GradeName = "",
    *,
    choose: Choose = "",
    at: At = None,
    ms: Took = 0,
    json: Json = False,
) -> None:
    """Give one card one grade, and show what its schedule becomes.

    \b
    A number is SM-2's: 5 easy, 4 good, 3 hard, 2 familiar, 1 again, 0 blackout.
    The keys 1 to 4 of a review are again, hard, good and easy.
    """  # noqa: D301 - the sign that keeps the lines apart
    context = context_of(ctx)
    if bool(grade) == bool(choose):
        raise UsageError("Give either a grade or --choose with the options of a choice, such as --choose 1,3.")
    final_grade = None if choose else grade_named(grade)
    moment = context.moment(at, "--at") if at else None
    store = context.refreshed_store()
    target = chosen_card(context, store, card, ask=not json)
    showing = None
    if choose:
        final_grade, showing = _grade_of_options(target, choose)
    record = store.log.record(
        EventKind.ANSWER, target.id, grade=final_grade, took_ms=ms, at=moment, showing=showing
    )
    verdict_text = f"{showing.verdict.capitalize()}. " if showing else ""
    write_result(context, _document(record), [verdict_text + _sentence(record)], json=json)


def _grade_of_options(card: Card, text: str) -> tuple[Grade, Showing]:
    """Return the grade for the options whose numbers were given, and the showing for the log."""
    from studykit.cards import choice
    from studykit.exercise.quiz import choices

    if card.kind is not Kind.CHOICE:
        raise UsageError(f"{card.id} is not a choice. Give a grade.")
    options = choice.options_of(card)
    pick = choice.picked(text, options, range(len(options.options)))
    if pick is None:
        numbers = "a number" if len(options.right) == 1 else "numbers"
        raise BadDataError(
            f"{text!r} is not an option of {card.id}. Give {numbers} from 1 to {len(options.options)}."
        )
    return suggested_grade(pick.verdict) or Grade.AGAIN, choices.showing(card, options, pick, 0)


def grade_named(text: str) -> Grade:
    """Return the grade of a word or a digit, or raise UsageError."""
    if (grade := _GRADES.get(text.lower())) is not None:
        return grade
    if text in {str(int(grade)) for grade in Grade}:
        return Grade(int(text))
    raise UsageError(f"{text!r} is not a valid grade. Use again, hard, good, easy, or a number from 0 to 5.")


def _document(record: RecordedEvent) -> dict[str, object]:
    verdict, showing = {}, record.event.showing
    if showing is not None:
        verdict = {"verdict": showing.verdict, "answer": showing.answer, "slips": list(showing.slips)}
    return {
        "card": record.event.card,
        "event": str(record.event.id),
        "grade": int(record.event.grade or 0),
        "became": record.answer_kind,
        **verdict,
        **(document(record.after) if record.after else {}),
    }


def _sentence(record: RecordedEvent) -> str:
    after = record.after
    if after is None:
        return f"Logged for {record.event.card}."
    days = "day" if after.interval == 1 else "days"
    match record.answer_kind:
        case AnswerKind.DRILL:
            return f"Drill: logged, {record.event.card} stays due on {after.due}."
        case AnswerKind.CRAM:
            return f"Before its day: logged, {record.event.card} stays due on {after.due}."
        case _ if record.before is not None and not record.before.due <= record.event.day == after.reviewed:
            since = f"{record.event.card} is due on {after.due}, it was {record.before.due}"
            return f"Saved before later answers: with them {since}."
        case _:
            return f"Saved: {record.event.card} is due in {after.interval} {days}, on {after.due}."
