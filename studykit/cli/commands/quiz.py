"""`study quiz`: a scored test over cards and exercises, which leaves the schedule alone."""

import time
from collections.abc import Sequence
from typing import Annotated

import typer

from studykit.cards.card import Kind, Task
from studykit.cli import suggest
from studykit.cli.authors import attach
from studykit.cli.context import Context
from studykit.cli.display import open_ui, resumable
from studykit.cli.options import Json, Plain, context_of
from studykit.collection.lookup import deck_ids
from studykit.errors import NotFoundError, StudyError
from studykit.exercise import catalog
from studykit.exercise.numeric import pins
from studykit.exercise.numeric.template import Template
from studykit.practice import quiz
from studykit.practice.quiz import Question, Result
from studykit.practice.quiz_run import Quizzing
from studykit.store.store import Store
from studykit.ui import Ui

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="DECK | SET", help="Decks or sets; else all decks.", autocompletion=suggest.decks),
]
Number = Annotated[int, typer.Option("-n", min=1, max=200, help="How many questions.")]
Minutes = Annotated[float | None, typer.Option("--minutes", min=0.05, help="Time limit.")]
Exam = Annotated[bool, typer.Option("--exam", help="No feedback until the end.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Repeat the questions of a seed.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("quiz")(quiz_verb)


def quiz_verb(
    ctx: typer.Context,
    names: Names = None,
    number: Number = 10,
    minutes: Minutes = None,
    exam: Exam = False,
    seed: Seed = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Take a scored test that leaves the schedule alone."""
    context = context_of(ctx)
    attach(context)
    first = context.seed() if seed is None else seed
    plan = quiz.planned(_questions(context.refreshed_store(), names or ()), number, first)
    if not plan:
        raise StudyError("there is nothing to ask; see: study deck list, study exercise list")
    outside = context.writing_to(stdout=context.stderr) if json else context
    with (
        resumable(context, " ".join(["study quiz", *(names or ())])),
        open_ui(outside, plain=plain or json) as ui,
    ):
        result = _taken(context, ui, plan, first, minutes=minutes, exam=exam)
        if exam and not (plain or json):
            ui.read("", {"": "done"})  # what was wrong stands on the screen until then
    for row in quiz.lines(result):  # stays when the screen has gone
        outside.write(row.replace("**", ""))
    if json:
        context.write_json(_document(result))


def _taken(
    context: Context, ui: Ui, plan: Sequence[Question], seed: int, *, minutes: float | None, exam: bool
) -> Result:
    began = time.monotonic()
    quizzing = Quizzing(context, ui, exam=exam, ends=None if minutes is None else began + 60 * minutes)
    marks = quizzing.through(plan, seed)
    return Result(seed, len(plan), marks, time.monotonic() - began, exam, quizzing.too_late, tuple(plan))


def _questions(store: Store, names: Sequence[str]) -> list[Question]:
    found: dict[str, Question] = {}
    for name in names or [str(deck) for deck in store.cards.deck_names()]:
        for question in _named(store, name):
            found[question.id] = question
    if not found and names:
        raise NotFoundError(f"{', '.join(names)}: no question that a quiz can ask")
    return list(found.values())


def _named(store: Store, name: str) -> list[Question]:
    try:
        (deck,) = deck_ids(store, [name])
    except NotFoundError:
        return [quiz.of_exercise(found) for found in catalog.of_set(name) if isinstance(found, Template)]
    questions = []
    for card in store.cards.all(deck=deck):
        if card.kind is not Kind.EXERCISE:
            questions.append(quiz.of_card(card))
        elif card.task is not None and (template := _template(card.task)) is not None:
            questions.append(quiz.of_exercise(template, card))
    return questions


def _template(task: Task) -> Template | None:
    """The numeric exercise that a card names; None for others, and for what `study check` complains of."""
    if task.name.partition(".")[0] in quiz.NOT_ASKED:
        return None
    try:
        template = catalog.template(task.name)
        pins.pins(template, dict(task.pinned))
    except StudyError:
        return None
    return template


def _document(result: Result) -> dict[str, object]:
    objectives = {name: {"score": score, "of": asked} for name, (score, asked) in result.by_objective().items()}
    return {
        "seed": result.seed,
        "exam": result.exam,
        "score": result.score,
        "of": result.asked,
        "seconds": round(result.seconds, 1),
        "too_late": result.too_late,
        "objectives": objectives,
        "questions": [
            {
                "id": mark.question.id,
                "objective": mark.question.objective,
                "score": mark.score,
                "verdict": mark.verdict,
                "answer": mark.answer,
                "right": mark.right,
                "slips": list(mark.slips),
            }
            for mark in result.marks
        ],
    }
