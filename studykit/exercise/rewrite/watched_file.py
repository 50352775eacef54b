"""Grade a file at each save, until the learner leaves."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.exercise.rewrite.answer_file import (
    exit_code,
    grade_file,
    read_answer,
    report,
    solution_after,
    starting_text,
)
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.services import Services
from studykit.exercise.verdict import Correct

if TYPE_CHECKING:
    from studykit.graders.host.grade import Graded
    from studykit.graders.host.place import Place

_KEYS = "Save the file to grade it again; type h Enter for a hint, s Enter for solutions, q Enter to leave."


def start_file(task: Rewrite, file: Path, write: Callable[[str], None]) -> None:
    """Write a file with the question in it, if it does not exist."""
    with suppress(FileExistsError), file.open("x", encoding="utf-8") as draft:  # "x" follows no dangling link
        draft.write(starting_text(task))
        write(f"Wrote {file}, with the question in it.")


@dataclass(slots=True)
class WatchedFile:
    """A file that is graded at each save. The unchanged starting text is not an answer."""

    services: Services
    place: "Place"
    task: Rewrite
    file: Path
    hints: int = 0
    graded: "Graded | None" = None
    passed: bool = False

    def run(self) -> int:
        """Grade until the learner types q or the input ends. Return 0 after a pass, or the last grade's exit code.

        A save is graded once the file is unchanged between two checks, since editors save in steps.
        """
        start_file(self.task, self.file, self.services.write)
        try:
            graded_at = last_seen = self._modified_ns()
            self._grade_save()
            while (line := self.services.read_soon()) is not None and (key := _first_letter(line)) != "q":
                self._run_key(key)
                if (modified := self._modified_ns()) not in {graded_at, 0} and modified == last_seen:
                    graded_at = modified
                    self._grade_save()
                last_seen = modified
        except KeyboardInterrupt:
            self.services.write("")
        if self.passed:
            return 0
        return StudyError.exit_code if self.graded is None else exit_code(self.graded)

    def _modified_ns(self) -> int:
        try:
            return self.file.stat().st_mtime_ns
        except OSError:  # between the two halves of an editor's save
            return 0

    def _grade_save(self) -> None:
        try:
            if read_answer(self.file) == starting_text(self.task):
                self.services.write(f"Nothing is filled in yet. {_KEYS}")
                return
            is_repeat = self.graded is not None
            if not is_repeat:
                self.services.tell("starting ...")  # a worker takes seconds
            answer = grade_file(self.place, self.task, self.file, self.services.seed(), again=is_repeat)
        except (UsageError, BadDataError) as error:
            self.services.write(str(error))
            return
        is_right = isinstance(answer.graded.judgment.verdict, Correct)
        self.services.begin_report(clears=self.graded is not None, rings=is_right)
        self.services.write(report(answer.graded, self.file, ascii_only=self.services.ascii_only()))
        self.services.write(_KEYS)
        self.graded = answer.graded
        self.passed = self.passed or is_right
        answer.log(self.services.store)

    def _run_key(self, key: str) -> None:
        hints = self.task.hints
        match key:
            case "":
                pass
            case "h" if self.hints < len(hints):
                self.services.write(f"Hint {self.hints + 1} of {len(hints)}: {hints[self.hints]}")
                self.hints += 1
            case "h":
                self.services.write("That was the last hint.")
            case "s":
                self.services.write(solution_after(self.task.solution, passed=self.passed))
            case _:
                self.services.write(_KEYS)


def _first_letter(line: str) -> str:
    """Return the first letter of a command such as `h`, `hint` or `:hint`."""
    return line.strip().removeprefix(":")[:1].lower()


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
        return WatchedFile(services, place, task, file).run()
