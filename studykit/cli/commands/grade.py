"""`study grade`: is this einops rewrite right, and if not, why? Once, or at each save of a file."""

import select
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.display import markdown_lines, services
from studykit.cli.options import Json
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Malformed
from studykit.graders.host import grade as words
from studykit.graders.host.grade import Graded
from studykit.graders.host.place import place_for
from studykit.practice.rewrites import WatchedFile, advice, grade_file, named_in, refuse_solution, start_file

Exercise = Annotated[
    str | None,
    typer.Argument(help="A rewrite, such as rewrite.split_heads.", autocompletion=suggest.exercises_of("rewrite")),
]
File = Annotated[Path | None, typer.Argument(help="A Python file that defines f.", show_default=False)]
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
Schema = Annotated[str, typer.Option("--schema", metavar="exercism|gradescope", help="The form of --results.")]

_LOOK_S = 0.2
_KEYS = "Save the file to grade it again; type h Enter for a hint, s Enter for solutions, q Enter to leave."


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
    json: Json = False,
) -> None:
    """Grade an einops rewrite in a sandbox, and say what is wrong with it."""
    context = context_of(ctx)
    if batch is not None:
        from studykit.cli.grade_batch import BatchRequest, run

        raise typer.Exit(run(context, BatchRequest(batch, exercise, results, schema, device, budget)))
    task, file = named_in(exercise, file)
    if file is None:
        _ask(context, task, hint, show_solution=show_solution)
        return
    if watch:
        raise typer.Exit(watch_file(context, task, file, device))
    raise typer.Exit(_once(context, task, file, device, hint, show_solution=show_solution, as_json=json))


def _ask(context: Context, task: Rewrite, hint: int, *, show_solution: bool) -> None:
    """Without a file: the question, and hints."""
    if show_solution:
        refuse_solution(task)
    prompt = "\n".join(markdown_lines(context, task.prompt)) if context.on_terminal else task.prompt
    context.write(f"{task.id}\n\n{prompt}\n")
    for text in task.hints[:hint]:
        context.write(f"Hint: {text}")
    context.write(f"Write it to a file, then: study grade {task.id} mine.py")


def _once(
    context: Context,
    task: Rewrite,
    file: Path,
    device: str | None,
    hint: int,
    *,
    show_solution: bool,
    as_json: bool,
) -> int:
    with place_for(context.open_worker, device) as place:
        answer = grade_file(place, task, file, context.seed())
        if as_json:
            context.write_json(words.document(answer.graded))
        else:
            _report(context, answer.graded, file, hint, show_solution=show_solution)
        context.stdout.flush()  # the verdict is out before the log's libraries load
    answer.log(context.store)
    return exit_code(answer.graded)


def exit_code(graded: Graded) -> int:
    """0 for right, 5 for what cannot be read, 1 for an honest no."""
    match graded.judgment.verdict:
        case Correct():
            return 0
        case Malformed():
            return 5
        case _:
            return 1


def _report(
    context: Context,
    graded: Graded,
    file: Path,
    hint: int = 0,
    *,
    show_solution: bool = False,
    watched: bool = False,
) -> None:
    """The verdict in words, and what to do next, which a watched file has keys for."""
    context.write(f"{graded.exercise.id}  {file}\n")
    context.write("\n".join(words.lines(graded, ascii_only=context.style.ascii)))
    for text in advice(graded, hint, show_solution=show_solution, watched=watched):
        context.write(text)
    if watched:
        context.write(_KEYS)
        context.stdout.flush()


def watch_file(context: Context, task: Rewrite, file: Path, device: str | None = None) -> int:
    """Grade the file at each save; the exit code of its last grade, 0 once it has passed."""
    start_file(task, file, context.write)
    with place_for(context.open_worker, device) as place:
        report = partial(_report, context, file=file, watched=True)
        watched = WatchedFile(services(context), place, task, file, report)
        watched.run(partial(_typed, context))
    if watched.passed:
        return 0
    return 1 if watched.graded is None else exit_code(watched.graded)


def _typed(context: Context) -> str | None:
    """What was typed within a moment, mostly nothing; None where the input has ended."""
    context.stdout.flush()
    try:
        ready, _, _ = select.select([context.stdin], [], [], _LOOK_S)
    except (OSError, ValueError, TypeError):  # an input that cannot be waited for
        ready = [context.stdin]
    if not ready:
        return ""
    line = context.stdin.readline()
    return line.strip() if line else None
