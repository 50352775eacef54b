"""What can go wrong for a learner, each with the exit code that scripts rely on.

A message is one sentence: what was found, where (`path:line`), what to do next. A command stands on its own line.
"""


class StudyError(Exception):
    """An honest no: nothing found, something failed, problems to fix."""

    exit_code = 1

    def __init__(self, message: str = "", command: str = "") -> None:
        colon = "" if message.endswith((".", "?")) else ":"
        super().__init__(f"{message}{colon}\n  {command}" if command else message)
        self.message, self.command = message, command


class UsageError(StudyError):
    """The command was called in a way that it does not understand."""

    exit_code = 2


class NotFoundError(StudyError):
    """There is no deck, card or exercise of that name."""

    exit_code = 3


class BusyError(StudyError):
    """Another process held the database past the waiting time."""

    exit_code = 4


class BadDataError(StudyError):
    """A deck, an answer or a database does not parse."""

    exit_code = 5


class MissingError(StudyError):
    """Something is not installed here: torch, a GPU, an editor."""

    exit_code = 6


def line_in(error: BaseException, file: str) -> int:
    """The line of a file at which an error arose; 0 where none of its frames is of that file."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else line
        trace = trace.tb_next
    return line
