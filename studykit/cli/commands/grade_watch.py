"""Watching a file: graded again at each save, until the learner has had enough."""

import select
import sys
import time
from pathlib import Path

from studykit.cli.commands.grade import exit_code, report
from studykit.cli.context import Context
from studykit.cli.services import services
from studykit.errors import UsageError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct
from studykit.graders.host.place import Place, place_for
from studykit.practice.rewrites import grade_file, starting_text

_LOOK_S = 0.2
_KEYS = "Save the file to grade it again; type h Enter for a hint, s Enter for solutions, q Enter to leave."


def watch_file(context: Context, task: Rewrite, file: Path, device: str | None = None) -> int:
    """Grade the file at each save; the exit code of its last grade, 0 once it has passed."""
    if not file.exists():
        file.write_text(starting_text(task), encoding="utf-8")
        context.write(f"Wrote {file}, with the question in it.")
    with place_for(services(context).open_worker, device) as place:
        return _Watch(context, place, task, file).run()


class _Watch:
    def __init__(self, context: Context, place: Place, task: Rewrite, file: Path) -> None:
        self.context, self.place, self.task, self.file = context, place, task, file
        self.hints = 0
        self.code = 1
        self.passed = False

    def run(self) -> int:
        try:
            seen = self._seen()
            self._grade()
            while self._goes_on():
                if (now := self._seen()) not in {seen, 0}:
                    seen = now
                    self._grade()
        except KeyboardInterrupt:
            self.context.write("")
        return 0 if self.passed else self.code

    def _seen(self) -> int:
        try:
            return self.file.stat().st_mtime_ns
        except OSError:  # between the two halves of an editor's save
            return 0

    def _grade(self) -> None:
        began = time.monotonic()
        handed = services(self.context)
        try:
            answer = grade_file(handed, self.place, self.task, self.file, began)
        except UsageError as error:
            self.context.write(str(error))
            return
        graded = answer.graded
        report(self.context, graded, self.file, watched=True)
        self.context.write(_KEYS)
        self.context.stdout.flush()
        self.code = exit_code(graded)
        self.passed = self.passed or isinstance(graded.judgment.verdict, Correct)
        answer.log(handed)

    def _goes_on(self) -> bool:
        """Wait a moment for a typed command; False when the learner leaves or the input ends."""
        try:
            ready, _, _ = select.select([self.context.stdin], [], [], _LOOK_S)
        except (OSError, ValueError, TypeError):  # an input that cannot be waited for
            ready = [sys.stdin]
        if not ready:
            return True
        line = self.context.stdin.readline()
        match line.strip():
            case "q":
                return False
            case "h":
                self.context.write(f"Hint: {self.task.hints[min(self.hints, len(self.task.hints) - 1)]}")
                self.hints += 1
            case "s":
                self.context.write(self.task.solution if self.passed else "The solution is shown after a pass.")
            case _:
                pass
        self.context.stdout.flush()
        return bool(line)
