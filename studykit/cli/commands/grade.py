"""`study grade`: is this einops rewrite right, and if not, why? Once, or at each save of a file."""

from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import grade_run, suggest
from studykit.cli.context import context_of
from studykit.cli.display import services
from studykit.cli.options import Json, Unconfined
from studykit.errors import UsageError
from studykit.exercise.rewrite.answer_file import named_in

Exercise = Annotated[
    str | None,
    typer.Argument(help="A rewrite, such as rewrite.split_heads.", autocompletion=suggest.exercises_of("rewrite")),
]
File = Annotated[
    Path | None, typer.Argument(help="A Python file that defines f.", show_default=False, readable=False)
]
Watch = Annotated[bool, typer.Option("--watch", help="Grade again whenever the file is saved.")]
Hint = Annotated[int, typer.Option("--hint", count=True, help="Show a hint; twice for two.", show_default=False)]
Show = Annotated[bool, typer.Option("--show-solution", help="After a pass, show solutions to compare with.")]
Device = Annotated[str | None, typer.Option("--device", metavar="cpu|cuda", help="Where to run it.")]
Batch = Annotated[Path | None, typer.Option("--batch", metavar="DIR", help="Grade every file of a folder.")]
Results = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Where --batch writes its JSON, and goes on.")
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", metavar="SECONDS", min=1, help="What one file of --batch may take; else a minute."),
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="tls://HOST:PORT", help="Grade --batch on the workers of a dask scheduler."),
]
Schema = Annotated[str, typer.Option("--schema", metavar="exercism|gradescope", help="The form of --results.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("grade")(command)


def command(
    ctx: typer.Context,
    exercise: Exercise = None,
    file: File = None,
    watch: Watch = False,
    hint: Hint = 0,
    show_solution: Show = False,
    device: Device = None,
    batch: Batch = None,
    results: Results = None,
    schema: Schema = "exercism",
    budget: Budget = None,
    on: On = None,
    unconfined: Unconfined = False,
    json: Json = False,
) -> None:
    """Grade an einops rewrite in a sandbox, and say what is wrong with it."""
    context = context_of(ctx)
    if batch is not None:
        from studykit.cli.grade_batch import BatchRequest, run

        if unconfined:
            raise UsageError("--unconfined is for your own file; a batch never runs outside the sandbox.")
        raise typer.Exit(run(context, BatchRequest(batch, exercise, results, schema, device, budget, on)))
    if on is not None:
        raise UsageError("--on grades a folder: give --batch DIR as well.")
    if watch:
        task, named = named_in(exercise, file)
        if named is not None:
            from studykit.exercise.rewrite.watched_file import watch as watch_file

            raise typer.Exit(watch_file(services(context), task, named, device, unconfined=unconfined))
    code = grade_run.grade(
        context,
        exercise,
        file,
        device=device,
        hint=hint,
        show_solution=show_solution,
        json=json,
        unconfined=unconfined,
    )
    raise typer.Exit(code)
