"""A rewrite graded once, or its question, without Typer, which a verdict need not wait for."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.exercise.rewrite.answer_file import advice, exit_code, grade_file, named_in, refuse_solution, report
from studykit.exercise.rewrite.rewrite import Rewrite

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


def grade(
    context: Context,
    exercise: str | None,
    file: Path | None,
    *,
    device: str | None = None,
    hint: int = 0,
    show_solution: bool = False,
    json: bool = False,
    unconfined: bool = False,
) -> int:
    """The verdict on a file; without one the question, and hints. The exit code."""
    task, file = named_in(exercise, file)
    if file is None:
        _ask(context, task, hint, show_solution=show_solution)
        return 0
    from studykit.graders.host import grade as words
    from studykit.graders.host.place import place_for

    with place_for(context.open_worker, device, context.file_permission(flag=unconfined)) as place:
        if place.notice:
            context.tell(place.notice)
        waiting = _bar(context) if context.messages_on_terminal else nullcontext()
        with waiting:  # a first grade waits until the worker has imported its library
            answer = grade_file(place, task, file, context.seed(), again=json)
        if json:
            context.write_json(words.document(answer.graded))
        else:
            context.write(report(answer.graded, file, ascii_only=context.style.ascii))
            for text in advice(answer.graded, hint, show_solution=show_solution):
                context.write(text)
        context.stdout.flush()  # the verdict is out before the log's libraries load
    answer.log(context.store)
    return exit_code(answer.graded)


def _bar(context: Context) -> "AbstractContextManager[object]":
    from studykit.cli.progress_bar import progress

    return progress(context, "grading")


def _ask(context: Context, task: Rewrite, hint: int, *, show_solution: bool) -> None:
    """Without a file: the question, and hints."""
    if show_solution:
        refuse_solution(task)
    context.write(f"{task.id}\n")
    if context.on_terminal:
        from studykit.cli.display import markdown_lines

        context.copy("\n".join(markdown_lines(context, task.prompt)))
    else:
        context.write(task.prompt)
    context.write("")
    for text in task.hints[:hint]:
        context.write(f"Hint: {text}")
    context.write(f"Write it to a file, then: study grade {task.id} mine.py")
