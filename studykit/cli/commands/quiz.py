"""`study quiz`: a scored test over cards and exercises, which leaves the schedule alone."""

from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.authors import attach_authors
from studykit.cli.context import Context, context_of
from studykit.cli.display import open_ui, resumable
from studykit.cli.options import Json, Plain
from studykit.collection.lookup import deck_ids
from studykit.errors import StudyError
from studykit.practice import quiz
from studykit.practice.quiz import Quiz

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
    attach_authors(context)
    store = context.refreshed_store()
    first = context.seed() if seed is None else seed
    questions = quiz.questions_of(store, names or (), lambda name: deck_ids(store, [name])[0])
    plan = quiz.planned(questions, number, first)
    if not plan:
        raise StudyError("there is nothing to ask; see: study deck list, study exercise list")
    outside = context.writing_to(stdout=context.stderr) if json else context
    with (
        resumable(context, " ".join(["study quiz", *(names or ())])),
        open_ui(outside, plain=plain or json) as ui,
    ):
        result = Quiz(store, ui, exam, minutes).take(plan, first)
        if exam and not (plain or json):
            ui.choose("", [("", "done")])  # what was wrong stands on the screen until then
    _write(outside, result, plain=plain)  # stays when the screen has gone
    if json:
        context.write_json(quiz.document(result))


def _write(context: Context, result: quiz.QuizResult, *, plain: bool) -> None:
    """The points in all and by objective."""
    if plain or not context.on_terminal:
        for row in quiz.lines(result):
            context.write(row.replace("**", ""))
        return
    from studykit.cli.drawing import Drawing, ListingColumn, ShareBar

    drawing = Drawing(context)
    total, *_ = quiz.lines(result)
    rows = [
        (name, f"{score:g} of {asked}", ShareBar(score / asked))
        for name, (score, asked) in result.by_objective().items()
    ]
    listing = drawing.listing("Objectives", [ListingColumn("points", right=True), ListingColumn()], rows)
    drawing.write(drawing.title(total.replace("**", "")), "", listing)
