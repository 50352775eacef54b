"""Test that lines are broken between words on a terminal, and nowhere else."""

import io
import os
import pty
import struct
import termios
from collections.abc import Iterator
from fcntl import ioctl
from typing import TextIO

import pytest

from studykit.cli.context import Context
from studykit.text import broken, fitted, terminal_columns


@pytest.fixture
def forty_columns() -> Iterator[TextIO]:
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 40, 0, 0))
    with os.fdopen(slave, "w") as stream:
        yield stream
    os.close(master)


def test_a_sentence_is_broken_between_words(forty_columns: TextIO) -> None:
    lines = fitted(
        "Welcome. 268 cards about counting the cost of language models.", terminal_columns(forty_columns)
    )

    assert lines == "Welcome. 268 cards about counting the\ncost of language models."


def test_nothing_is_broken_in_a_pipe() -> None:
    assert fitted("word " * 50, terminal_columns(io.StringIO())) == "word " * 50


def test_line_width_is_limited_in_a_pipe() -> None:
    out = io.StringIO()

    Context({}, None, io.StringIO(), out, io.StringIO()).write("one two three four five six", widest=20)

    assert out.getvalue() == "one two three four\nfive six\n"


def test_a_column_goes_on_below_itself() -> None:
    assert broken("  ease   the one from before the review", 30) == (
        "  ease   the one from before\n         the review"
    )


def test_column_without_room_is_dropped() -> None:
    assert broken("  study exercise napkin-math   estimates with fresh numbers", 40) == (
        "  study exercise napkin-math   estimates\n    with fresh numbers"
    )


def test_path_longer_than_a_line_stays_whole() -> None:
    path = "/home/learner/.local/share/studykit/study.db"

    assert broken(f"Your progress stays in one file: {path}", 40) == f"Your progress stays in one file:\n{path}"


def test_a_per_cent_sign_stays_with_its_number() -> None:
    assert broken("it is at an MFU of 40 % of the peak", 21) == "it is at an MFU of\n40 % of the peak"
    assert broken("is it at an MFU of 40 %? Of the peak", 23) == "is it at an MFU of\n40 %? Of the peak"


def test_painted_lines_are_left_alone() -> None:
    painted = "\x1b[1mbold\x1b[0m " * 20

    assert broken(painted, 40) == painted
