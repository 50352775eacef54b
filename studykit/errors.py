"""Define the errors that a command ends with, each with the exit code that scripts rely on.

A message is one or two sentences: what is wrong with the quoted input and where (`path:line`), then what to do. A
command stands on its own line.
"""


class StudyError(Exception):
    """Raised if a command fails. Each kind of failure is a subclass with its own exit code."""

    exit_code = 1

    def __init__(self, message: str = "", command: str = "") -> None:
        colon = "" if message.endswith((".", "?")) else ":"
        super().__init__(f"{message}{colon}\n  {command}" if command else message)
        self.message, self.command = message, command

    @property
    def in_one_line(self) -> str:
        """Return the message with the command behind it, if there is one."""
        return f"{self.message} `{self.command}`" if self.command else self.message


class UsageError(StudyError):
    """Raised if a command was called in the wrong way."""

    exit_code = 2


class NotFoundError(StudyError):
    """Raised if something that was named, such as a deck, a card or a file, does not exist."""

    exit_code = 3


class BusyError(StudyError):
    """Raised if another process keeps the database locked."""

    exit_code = 4


class BadDataError(StudyError):
    """Raised if data, such as a deck, an answer, a setting or a database, is invalid or cannot be parsed."""

    exit_code = 5


class MissingError(StudyError):
    """Raised if something is missing or does not work here, such as torch, a GPU or an editor."""

    exit_code = 6


def line_in(error: BaseException, file: str) -> int:
    """Return the innermost line of `file` in an error's traceback, or its line in a SyntaxError, or 0."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else line
        trace = trace.tb_next
    return line
