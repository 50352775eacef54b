"""The streams of a run: what may be written to them, how wide they are, and whether a learner sits there.

A shell prompt makes one, so nothing slow is imported here before somebody asks for it.
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

_LINE_START = "\r\x1b[2K"  # of a line that is emptied


def runnable(command: str, environ: Mapping[str, str]) -> str:
    """Return a command line of `study` that works in this shell, which may find no `study` on PATH."""
    from shutil import which

    folder, _, name = sys.argv[0].rpartition(os.sep)
    is_module = name == "__main__.py" and folder.endswith("studykit")
    if not (is_module or name == "study") or which("study", path=environ.get("PATH")):
        return command
    program = f"{sys.executable} -m studykit" if is_module else sys.argv[0]
    return program + command.removeprefix("study")


class Console:
    """Standard input, output and error of a run."""

    def __init__(self, environ: Mapping[str, str], stdin: "TextIO", stdout: "TextIO", stderr: "TextIO") -> None:
        self.environ = environ
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.bar_shown = False  # on standard error now: a message takes its place

    @property
    def look(self) -> Mapping[str, object]:
        """Return the settings of what is shown."""
        return {}

    @property
    def interactive(self) -> bool:
        """Return whether a learner sits at a terminal on both ends."""
        return self.stdin.isatty() and self.stdout.isatty()

    @property
    def typed_in(self) -> bool:
        """Return whether a learner types what is read."""
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
        """Return the columns for results, COLUMNS first, or None without a terminal."""
        columns = self.environ.get("COLUMNS", "")
        return int(columns) if columns.isdecimal() and int(columns) else terminal_columns(self.stdout)

    @property
    def terminal_size(self) -> tuple[int, int]:
        """Return columns and lines of the terminal for results, 80 and 24 without one."""
        from shutil import get_terminal_size

        size = get_terminal_size()
        return self.columns or size.columns, size.lines

    @cached_property
    def style(self) -> "Style":
        """Return the colors and signs that may be written, by environment, settings and encoding."""
        from studykit.terminal.mode import style_of

        return style_of(
            self.environ,
            encoding=getattr(self.stdout, "encoding", None) or "ascii",
            glyphs=str(self.look.get("glyphs", "auto")),
            color=str(self.look.get("color", "auto")),
        )

    @property
    def plain(self) -> bool:
        """Return whether the learner asks for sentences instead of drawings."""
        setting = is_on(self.environ.get("STUDYKIT_PLAIN")) or self.look.get("mode") == "plain"
        return setting or (self.on_terminal and self.environ.get("TERM", "dumb") == "dumb")

    def command(self, words: str) -> str:
        """Return a command line of `study` as it works here."""
        return runnable(words, self.environ)

    def confirm(self, question: str) -> bool:
        """Ask on the terminal. Anything but yes is a no."""
        self.stdout.write(f"{question} [y/N] ")
        self.stdout.flush()
        return self.stdin.readline().strip().lower() in {"y", "yes"}

    def write(self, text: str, *, widest: int | None = None) -> None:
        """Print a result, wrapped at a narrow terminal. Quoted text cannot drive the terminal."""
        room = self.columns if self.on_terminal else None
        narrowest = min((columns for columns in (room, widest) if columns), default=None)
        self.copy(fitted(self.spelled(text), narrowest))

    def tell(self, text: str) -> None:
        """Print a message that is not the result, on standard error."""
        message = fitted(self.spelled(text), terminal_columns(self.stderr))
        self.stderr.write(f"{_LINE_START if self.bar_shown else ''}{message}\n")

    def spelled(self, text: str) -> str:
        """Return the text as it may be written: no control signs, and ASCII only where needed."""
        text = printable(text)
        if text.isascii() or not self.style.ascii:
            return text
        from studykit.terminal.glyphs import plain_signs

        return plain_signs(text)

    def write_json(self, document: Mapping[str, object]) -> None:
        """Print one JSON document, its schema version first."""
        self.copy(json_text({"schema": 1, **document}))

    def copy(self, text: str) -> None:
        """Print what another program reads, or what was painted for a terminal, to the letter."""
        self.stdout.write(text + "\n")
