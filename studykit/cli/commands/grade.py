"""Judge an einops rewrite and explain what is wrong, once or at each save of a file: `study grade`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.display import markdown_lines, services
from studykit.cli.options import Json, Unconfined
from studykit.cli.progress_bar import progress
from studykit.errors import UsageError
from studykit.exercise.rewrite.answer_file import advice, exit_code, grade_file, named_in, report, watch_file
from studykit.exercise.rewrite.rewrite import Rewrite

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
Device = Annotated[Literal["cpu", "cuda"] | None, typer.Option("--device", help="Where to run it.")]
Batch = Annotated[Path | None, typer.Option("--batch", metavar="DIR", help="Grade every file of a folder.")]
Results = Annotated[
    Path | None, typer.Option("--results", metavar="FILE", help="Where --batch writes its JSON, and resumes.")
]
Budget = Annotated[
    float | None,
    typer.Option("--budget", metavar="SECONDS", min=1, help="What one file of --batch may take; else a minute."),
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="tls://HOST:PORT", help="Grade --batch on the workers of a dask scheduler."),
]
Schema = Annotated[Literal["exercism", "gradescope"], typer.Option("--schema", help="The form of --results.")]


def grade(
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
        from studykit.cli.commands.grade_batch import run

        if unconfined:
            raise UsageError(
                "--unconfined is for your own file. Leave it out, because a batch never runs outside the sandbox."
            )
        raise typer.Exit(run(context, batch, exercise, results, schema, device, budget, on))
    if on is not None:
        raise UsageError("--on grades a folder. Name it with --batch DIR.")
    task, file = named_in(exercise, file)
    if file is None:
        _write_question(context, task, hint, show_solution=show_solution)
        return
    if watch:
        raise typer.Exit(watch_file(services(context), task, file, device, unconfined=unconfined))
    from studykit.graders.host.grade import document
    from studykit.graders.host.place import place_for

    with place_for(context.open_worker, device, context.file_permission(flag=unconfined)) as place:
        if place.notice:
            context.tell(place.notice)
        with progress(context, "grading"):  # a first grade waits until the worker has imported its library
            answer = grade_file(place, task, file, context.seed(), again=json)
        if json:
            context.write_json(document(answer.graded))
        else:
            context.write(report(answer.graded, file, ascii_only=context.style.ascii))
            for text in advice(answer.graded, hint, show_solution=show_solution):
                context.write(text)
        context.stdout.flush()  # the verdict is out before the log's libraries load
    answer.log(context.store)
    raise typer.Exit(exit_code(answer.graded))


def _write_question(context: Context, task: Rewrite, hint: int, *, show_solution: bool) -> None:
    """Write the question of a rewrite and the hints that were asked for. Raise UsageError for its solution."""
    if show_solution:
        raise UsageError(
            "Solutions are shown only for an answer that passes. Name its file too",
            f"study grade {task.id} FILE --show-solution",
        )
    context.write(f"{task.id}\n")
    prompt = "\n".join(markdown_lines(context, task.prompt)) if context.on_terminal else task.prompt
    context.copy(f"{prompt}\n")
    for text in task.hints[:hint]:
        context.write(f"Hint: {text}")
    context.write(f"Write it to a file, then: study grade {task.id} mine.py")
