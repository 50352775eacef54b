"""Run a scored test over cards and exercises, which does not change the schedule: `study quiz`."""

import json as json_
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from studykit.cli import suggest
from studykit.cli.authors import attach_authors
from studykit.cli.card_choice import chosen_ids, tagged_exercises
from studykit.cli.context import Context, context_of
from studykit.cli.display import (
    AGAIN_OR_END,
    interrupted,
    key_at_end,
    markdown_lines,
    next_steps,
    plain_reason,
    services,
    write_rows,
)
from studykit.cli.options import Json, Plain, Seed, Tag, command_again
from studykit.collection.lookup import deck_ids
from studykit.errors import NotFoundError, StudyError
from studykit.exercise.quiz import quiz as quiz_
from studykit.exercise.quiz.quiz import Quiz, QuizResult
from studykit.store.address import write_side_file
from studykit.terminal.review_summary import run_lines

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DECK | SET", help="Decks or sets; else the decks you have met.", autocompletion=suggest.decks
    ),
]
Number = Annotated[int, typer.Option("-n", min=1, max=200, help="How many questions.")]
Minutes = Annotated[float | None, typer.Option("--minutes", min=0.05, help="Time limit.")]
Exam = Annotated[bool, typer.Option("--exam", help="No feedback until the end.")]
Last = Annotated[bool, typer.Option("--last", help="Show the last quiz again: each question with both answers.")]


def quiz(
    ctx: typer.Context,
    names: Names = None,
    number: Number = 10,
    minutes: Minutes = None,
    exam: Exam = False,
    tag: Tag = None,
    seed: Seed = None,
    last: Last = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Take a scored test. Your schedule stays as it is."""
    context = context_of(ctx)
    if last:
        _show_last(context, json=json)
        return
    attach_authors(context)
    store = context.refreshed_store()
    first = context.seed() if seed is None else seed
    names = names or ([] if tag else store.schedule.met_decks()) or [*map(str, store.cards.deck_names())]
    questions = quiz_.questions_of(store, names, lambda name: deck_ids(store.cards.deck_names(), [name]))
    if tag is not None:
        ids = (chosen_ids(context, store, None, tag) or frozenset()) | tagged_exercises(context, store, tag)
        questions = [each for each in questions if (each.id if each.card is None else each.card.id) in ids]
    plan, unfinished_run = quiz_.planned(questions, number, first), None
    if (past := _interrupted_quiz(context)) is not None and past["exam"] == exam and seed in {None, past["seed"]}:
        same_questions = quiz_.planned(questions, number, past["seed"])
        if [question.id for question in same_questions] == past["open"]["ids"]:
            plan, first, unfinished_run = same_questions, past["seed"], past
    if not plan:
        raise StudyError("There is nothing to ask. Choose other decks or another tag", "study deck list")
    outside = context.writing_to(stdout=context.stderr) if json else context
    while plan:
        attempt = Quiz(services(outside, plain=plain or json), plan, first, exam, minutes, begun=unfinished_run)
        result, unfinished_run = _take(outside, attempt, command_again(ctx), plain=plain or json), None
        if json:
            context.write_json(quiz_.document(result))
        missed = quiz_.missed(result)
        key = (
            key_at_end(outside, AGAIN_OR_END) if missed and not plain_reason(outside, plain=plain or json) else ""
        )
        plan, first = (missed, first + len(plan)) if key == "m" else ((), first)


def _take(context: Context, quiz: Quiz, command: str, *, plain: bool) -> QuizResult:
    """Take a quiz from its first question to its end, and save it as the last one."""
    earlier_quiz = _last_quiz(context)
    day = str(context.today())
    quiz.keep = lambda result: _save(context, quiz_.interrupted(result, day))
    try:
        result = quiz.take()
    except KeyboardInterrupt:  # told once the terminal has been given back
        saved = _interrupted_quiz(context)  # a resumed quiz has answers from before this process too
        answered = len(saved["questions"]) if saved else 0
        raise typer.Exit(interrupted(context, command, answered, len(quiz.plan) - answered)) from None
    if result.answered:
        _save(context, quiz_.document(result))
    rows = run_lines(quiz.run.report(), next_steps(context))
    write_rows(context, rows[:1], plain=plain)
    if not result.answered:
        _save(context, earlier_quiz or {})
        time_up = [f"{result.time_up.capitalize()}."] if result.time_up else []
        write_rows(context, [*time_up, *rows[1:]], plain=plain)
        return result
    _write(context, result, plain=plain)
    write_rows(context, rows[1:], plain=plain)
    context.write(f"Every question with both answers: {context.command('study quiz --last')}")
    return result


def _write(context: Context, result: QuizResult, *, plain: bool) -> None:
    """Write the points in all and by objective."""
    from studykit.cli.drawing import Drawing, ShareBar
    from studykit.scheduling.figure import ListingColumn

    drawing = Drawing(context)
    drawing.plain |= plain
    rows = [
        (name, f"{score:g} of {asked}", ShareBar(score / asked))
        for name, (score, asked) in result.by_objective().items()
    ]
    listing = drawing.listing("Objectives", [ListingColumn("points", right=True), ListingColumn()], rows)
    drawing.write(drawing.title(quiz_.total_score(result)), "", listing)


def _save(context: Context, document: Mapping[str, object]) -> None:
    """Save a quiz as the last one, so that its feedback can be read again."""
    write_side_file(context.side_file("quiz"), json_.dumps(document).encode())


def _last_quiz(context: Context) -> dict[str, Any] | None:
    """Return the document of the last quiz, or None."""
    try:
        document = json_.loads(context.side_file("quiz").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_quiz = isinstance(document, dict) and isinstance(document.get("questions"), list)
    return document if is_quiz else None


def _interrupted_quiz(context: Context) -> dict[str, Any] | None:
    """Return the document of a quiz that was interrupted today before its last question, or None."""
    document = _last_quiz(context)
    is_open = document is not None and document.get("open", {}).get("day") == str(context.today())
    return document if is_open else None


def _show_last(context: Context, *, json: bool) -> None:
    if (document := _last_quiz(context)) is None or not document["questions"]:
        raise NotFoundError("No quiz was taken here yet. Begin one", "study quiz")
    if json:
        context.write_json(document)
        return
    for row in markdown_lines(context, "\n".join(quiz_.feedback(document))):
        context.copy(row)
    context.write(f"Score: {document['score']:g} of {document['of']}")
