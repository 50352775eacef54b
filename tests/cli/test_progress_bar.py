"""Test the progress bar: only on a terminal, with the time left, and removed at the end."""

import fcntl
import io
import os
import pty
import re
import struct
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest
from shell import context_in

from studykit.cli import progress_bar
from studykit.cli.context import Context
from studykit.cli.progress_bar import ProgressBar, progress
from studykit.text import duration

PATIENCE_S = 5.0


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, TextIO]]:
    """Yield both ends of a terminal of 100 columns, to read and to write. A bar appears at once."""
    monkeypatch.setattr(progress_bar, "_SOON_S", 0.0)
    output, result = pty.openpty()
    fcntl.ioctl(result, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.set_blocking(output, False)
    with os.fdopen(result, "w", encoding="utf-8") as stream:
        yield output, stream
    os.close(output)


def context(tmp_path: Path, stderr: TextIO, **environ: str) -> Context:
    surroundings = {"TERM": "xterm", "STUDYKIT_GLYPHS": "unicode"} | environ
    return context_in(tmp_path, **surroundings).writing_to(stderr=stderr)


def wait_for(seen: int, pattern: str) -> str:
    """Read output until the pattern matches, and return it."""
    text, end = "", time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            text += os.read(seen, 65536).decode()
        except BlockingIOError:
            time.sleep(0.01)
        if re.search(pattern, text):
            return text
    raise AssertionError(f"{pattern} never came: {text[-200:]!r}")


def test_terminal_shows_progress_and_time_left(tmp_path: Path, terminal: tuple[int, TextIO]) -> None:
    output, stream = terminal

    with progress(context(tmp_path, stream), "importing \x1b[31m[red]cards[/red]", 400) as bar:
        wait_for(output, "0 of 400")
        bar.advance(120)
        drawing = wait_for(output, r"120 of 400, \d+ s left")
    gone = wait_for(output, r"\x1b\[2K")

    assert "importing [31m[red]cards[/red] ━" in re.sub(r"\x1b\[[\d;]*m", "", drawing)
    assert "\x1b[?25" not in drawing + gone  # a run that is killed would leave no cursor


def test_work_whose_length_nobody_knows_shows_the_time(tmp_path: Path, terminal: tuple[int, TextIO]) -> None:
    output, stream = terminal

    with progress(context(tmp_path, stream, STUDYKIT_GLYPHS="ascii"), "starting torch"):
        drawing = wait_for(output, r"starting torch.*\d s")

    assert drawing.isascii()


def test_plain_mode_gets_lines(tmp_path: Path, terminal: tuple[int, TextIO]) -> None:
    output, stream = terminal

    with progress(context(tmp_path, stream, STUDYKIT_PLAIN="1"), "importing", 400) as bar:
        drawing = wait_for(output, "importing: 0 of 400\r\n")
        bar.reach(3)

    assert "\x1b" not in drawing


def test_a_pipe_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bar, "_SOON_S", 0.0)
    stderr = io.StringIO()

    with progress(context(tmp_path, stderr), "importing", 400) as bar:
        time.sleep(0.05)
        bar.advance()

    assert stderr.getvalue() == ""


def test_short_work_is_silent(
    tmp_path: Path, terminal: tuple[int, TextIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    output, stream = terminal
    monkeypatch.setattr(progress_bar, "_SOON_S", PATIENCE_S)
    began = time.monotonic()

    with progress(context(tmp_path, stream), "importing", 400) as bar:
        bar.advance()

    with pytest.raises(BlockingIOError):
        os.read(output, 1)
    assert time.monotonic() - began < PATIENCE_S / 2


def test_an_error_ends_the_bar_and_goes_on(tmp_path: Path, terminal: tuple[int, TextIO]) -> None:
    output, stream = terminal

    def interrupted() -> None:
        with progress(context(tmp_path, stream), "importing", 400):
            wait_for(output, "0 of 400")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    wait_for(output, r"\x1b\[2K")


def test_a_bar_says_its_state_in_words() -> None:
    bar = ProgressBar("grading", None)

    assert bar.sentence == "grading ..."
    bar.reach(1200, 4000, "grading, 3 passed")
    bar.advance(34)
    assert bar.sentence == "grading, 3 passed: 1,234 of 4,000"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (119, "119 s"), (150, "2 min"), (8000, "2.2 h"), (432_000, "5 days")]
)
def test_time_left_has_one_unit(seconds: float, words: str) -> None:
    assert duration(seconds) == words
