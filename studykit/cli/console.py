"""Write to the streams of a run, and return how wide they are and whether they are terminals.

A shell prompt imports this module, so slow imports stand in the methods that need them.
"""

import os
import sys
from collections.abc import Mapping
from functools import cached_property

from studykit.text import fitted, is_on, json_text, printable, terminal_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from studykit.terminal.mode import Style

_LINE_START = "\r\x1b[2K"  # erases the line


def runnable(command: str, environ: Mapping[str, str]) -> str:
    """Return a command line of `study` that works in this shell, even if `study` is not on PATH."""
    from shutil import which

    folder, _, name = sys.argv[0].rpartition(os.sep)
    is_module = name == "__main__.py" and folder.endswith("studykit")
    if not (is_module or name == "study") or which("study", path=environ.get("PATH")):
        return command
    program = f"{sys.executable} -m studykit" if is_module else sys.argv[0]
    return program + command.removeprefix("study")


class Console:
    """Hold standard input, output and error of a run."""

    def __init__(self, environ: Mapping[str, str], stdin: "TextIO", stdout: "TextIO", stderr: "TextIO") -> None:
        self.environ = environ
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.has_bar = False  # on standard error now, which the next message replaces

    @property
    def look(self) -> Mapping[str, object]:
        """Return the settings of the section `ui`, of which a bare console has none."""
        return {}

    @property
    def interactive(self) -> bool:
        """Return whether input and output are terminals."""
        return self.stdin.isatty() and self.stdout.isatty()

    @property
    def typed_in(self) -> bool:
        """Return whether the input is a terminal."""
        return self.stdin.isatty()

    @property
    def on_terminal(self) -> bool:
        """Return whether results are written to a terminal."""
        return self.stdout.isatty()

    @property
    def messages_on_terminal(self) -> bool:
        """Return whether messages are written to a terminal."""
        return self.stderr.isatty()

    @property
    def columns(self) -> int | None:
        """Return the columns for results, from COLUMNS or the terminal, or None without either."""
        columns = self.environ.get("COLUMNS", "")
        return int(columns) if columns.isdecimal() and int(columns) else terminal_columns(self.stdout)

    @property
    def terminal_size(self) -> tuple[int, int]:
        """Return columns and lines of the terminal for results, or 80 and 24 without one."""
        from shutil import get_terminal_size

        size = get_terminal_size()
        return self.columns or size.columns, size.lines

    @cached_property
    def style(self) -> "Style":
        """Return which colors and signs may be written, by environment, settings and encoding."""
        from studykit.terminal.mode import style_of

        return style_of(
            self.environ,
            encoding=getattr(self.stdout, "encoding", None) or "ascii",
            glyphs=str(self.look.get("glyphs", "auto")),
            color=str(self.look.get("color", "auto")),
        )

    @property
    def plain(self) -> bool:
        """Return whether to write sentences instead of drawings."""
        setting = is_on(self.environ.get("STUDYKIT_PLAIN")) or self.look.get("mode") == "plain"
        return setting or (self.on_terminal and self.environ.get("TERM", "dumb") == "dumb")

    def command(self, words: str) -> str:
        """Return a command line of `study` that works in this shell."""
        return runnable(words, self.environ)

    def confirm(self, question: str) -> bool:
        """Ask on the terminal, and return whether the answer is yes."""
        self.stdout.write(f"{question} [y/N] ")
        self.stdout.flush()
        return self.stdin.readline().strip().lower() in {"y", "yes"}

    def write(self, text: str, *, widest: int | None = None) -> None:
        """Print a result without control characters, wrapped at the terminal's width and at `widest` columns."""
        room = self.columns if self.on_terminal else None
        narrowest = min((columns for columns in (room, widest) if columns), default=None)
        self.copy(fitted(self.spelled(text), narrowest))

    def tell(self, text: str) -> None:
        """Print a message that is not the result, on standard error."""
        message = fitted(self.spelled(text), terminal_columns(self.stderr))
        self.stderr.write(f"{_LINE_START if self.has_bar else ''}{message}\n")

    def spelled(self, text: str) -> str:
        """Return the text without control characters, and in ASCII where other characters cannot be shown."""
        text = printable(text)
        if text.isascii() or not self.style.ascii:
            return text
        from studykit.terminal.glyphs import plain_signs

        return plain_signs(text)

    def write_json(self, document: Mapping[str, object]) -> None:
        """Print a JSON document that begins with its schema version."""
        self.copy(json_text({"schema": 1, **document}))

    def copy(self, text: str) -> None:
        """Print a text unchanged, for another program or already painted for a terminal."""
        self.stdout.write(text + "\n")
