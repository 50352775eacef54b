"""`study grade`: is this einops rewrite right, and if not, why?"""

import time
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli import suggest
from studykit.cli.context import Context
from studykit.cli.display import drawn
from studykit.cli.options import Db, Json
from studykit.cli.services import services
from studykit.errors import UsageError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Malformed
from studykit.graders.host import grade as words
from studykit.graders.host.grade import Graded
from studykit.graders.host.place import place_for
from studykit.practice.rewrites import grade_file, named_in

Exercise = Annotated[
    str | None, typer.Argument(help="A rewrite, such as rewrite.split_heads.", autocompletion=suggest.rewrites)
]
File = Annotated[Path | None, typer.Argument(help="A Python file that defines f.", show_default=False)]
Watch = Annotated[bool, typer.Option("--watch", help="Grade again whenever the file is saved.")]
Hint = Annotated[int, typer.Option("--hint", count=True, help="Show a hint; twice for two.", show_default=False)]
Show = Annotated[bool, typer.Option("--show-solution", help="After a pass, show solutions to compare with.")]
Device = Annotated[str | None, typer.Option("--device", metavar="cpu|cuda", help="Where to run it.")]
Batch = Annotated[Path | None, typer.Option("--batch", metavar="DIR", help="Grade every file of a folder.")]
Results = Annotated[Path | None, typer.Option("--results", metavar="FILE", help="Where --batch writes its JSON.")]
Schema = Annotated[str, typer.Option("--schema", metavar="exercism|gradescope", help="The form of --results.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("grade")(command)


def command(
    exercise: Exercise = None,
    file: File = None,
    watch: Watch = False,
    hint: Hint = 0,
    show_solution: Show = False,
    device: Device = None,
    batch: Batch = None,
    results: Results = None,
    schema: Schema = "exercism",
    json: Json = False,
    db: Db = None,
) -> None:
    """Grade an einops rewrite in a sandbox, and say what is wrong with it."""
    context = Context.from_environment(db)
    if batch is not None:
        from studykit.cli.commands.grade_batch import run

        raise typer.Exit(run(context, exercise, batch, results, schema, device))
    task, file = named_in(exercise, file)
    if file is None:
        _ask(context, task, hint, show_solution=show_solution)
        return
    if watch:
        from studykit.cli.commands.grade_watch import watch_file

        raise typer.Exit(watch_file(context, task, file, device))
    raise typer.Exit(_once(context, task, file, device, hint, show_solution=show_solution, as_json=json))


def _ask(context: Context, task: Rewrite, hint: int, *, show_solution: bool) -> None:
    """Without a file: the question, and hints."""
    if show_solution:
        raise UsageError(f"solutions are shown after a pass: study grade {task.id} FILE --show-solution")
    prompt = "\n".join(drawn(context, task.prompt)) if context.stdout.isatty() else task.prompt
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
    began = time.monotonic()
    handed = services(context)
    with place_for(handed.open_worker, device) as place:
        answer = grade_file(handed, place, task, file, began)
        if as_json:
            context.write_json(words.document(answer.graded))
        else:
            report(context, answer.graded, file, hint, show_solution=show_solution)
        context.stdout.flush()  # the verdict is out before the log's libraries load
    answer.log(handed)
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


def report(
    context: Context,
    graded: Graded,
    file: Path,
    hint: int = 0,
    *,
    show_solution: bool = False,
    watched: bool = False,
) -> None:
    """The verdict in words, and what to do next, which a watched file has keys for."""
    task = graded.exercise
    context.write(f"{task.id}  {file}\n")
    context.write("\n".join(words.lines(graded, ascii_only=_is_ascii(context))))
    for text in task.hints[:hint]:
        context.write(f"Hint: {text}")
    if isinstance(graded.judgment.verdict, Correct):
        if show_solution:
            context.write("\n" + "\n\n".join((task.solution.strip(), *(a.strip() for a in task.alternatives))))
        elif not watched:
            context.write("Solutions to compare with: add --show-solution.")
        return
    if show_solution:
        context.write("The solution is shown after a pass.")
    if hint < len(task.hints) and not watched:
        context.write(f"{'Another' if hint else 'A'} hint: add --hint{' --hint' * hint}.")


def _is_ascii(context: Context) -> bool:
    encoding = getattr(context.stdout, "encoding", None) or "ascii"
    try:
        "✓✗".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False
