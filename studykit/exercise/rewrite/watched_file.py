"""Grade a file at each save, until Ctrl-C."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.exercise.rewrite.answer_file import exit_code, grade_file, read_answer, report, starting_text
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.services import Services

if TYPE_CHECKING:
    from studykit.graders.host.place import Place

_LOOK_S = 0.3
_HOW = "Save the file to grade it again; Ctrl-C ends."


def start_file(task: Rewrite, file: Path, write: Callable[[str], None]) -> None:
    """Write a file with the question in it, if it does not exist."""
    with suppress(FileExistsError), file.open("x", encoding="utf-8") as draft:  # "x" follows no dangling link
        draft.write(starting_text(task))
        write(f"Wrote {file}, with the question in it.")


def watch(
    services: Services, task: Rewrite, file: Path, device: str | None = None, *, unconfined: bool = False
) -> int:
    """Grade the file at each save. Return 0 after a pass, or the last grade's exit code.

    An `unconfined` file may run outside the sandbox if it cannot run inside.
    """
    from studykit.graders.host.place import place_for

    with place_for(services.open_worker, device, services.file_permission(unconfined)) as place:
        if place.notice:
            services.tell(place.notice)
        return grade_saves(services, place, task, file)


def grade_saves(services: Services, place: "Place", task: Rewrite, file: Path) -> int:
    """Grade the file now and at each save, in a place.

    A save is graded once the file is unchanged between two looks, since editors save in steps.
    """
    start_file(task, file, services.write)
    code: int = StudyError.exit_code
    is_repeat, graded_at, last_seen = False, 0, _modified_ns(file)
    try:
        while True:
            modified = _modified_ns(file)
            if modified not in {graded_at, 0} and modified == last_seen:
                graded_at = modified
                latest_code = _grade_save(services, place, task, file, again=is_repeat)
                is_repeat = is_repeat or latest_code is not None
                if code and latest_code is not None:
                    code = latest_code
                services.write(_HOW)
            last_seen = modified
            sleep(_LOOK_S)
    except KeyboardInterrupt:
        services.write("")
    return code


def _modified_ns(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # between the two halves of an editor's save
        return 0


def _grade_save(services: Services, place: "Place", task: Rewrite, file: Path, *, again: bool) -> int | None:
    """Report on the file and log its answer. Return the exit code, or None without an answer to grade."""
    try:
        if read_answer(file) == starting_text(task):
            services.write("Nothing is filled in yet.")
            return None
        services.tell("grading ...")  # the first time a worker starts, which takes seconds
        answer = grade_file(place, task, file, services.seed(), again=again)
    except (UsageError, BadDataError) as error:
        services.write(str(error))
        return None
    services.write(report(answer.graded, file, ascii_only=services.ascii_only()))
    answer.log(services.store)
    return exit_code(answer.graded)
