"""Text of strangers on a terminal: what is shown of it."""

import io
import os

import pytest

from studykit.cli.context import Context
from studykit.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\tcolumns\nand a line", "two\tcolumns\nand a line"),
        ("\x1b]0;title\x07", "]0;title"),
        ("\x9b2J\x7f\r", "2J"),
        ("\u202eturned\u2066", "turned"),
        ("half \ud800", "half "),
        ("4\u00a0GB a = 2, 👩‍💻", "4\u00a0GB a = 2, 👩‍💻"),
    ],
)
def test_what_drives_a_terminal_is_left_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_long_text_is_shown_from_its_beginning() -> None:
    assert printable("x" * 100, 10) == "x" * 10


def test_a_verb_shows_what_it_is_given_but_for_what_drives_a_terminal() -> None:
    out, err = io.StringIO(), io.StringIO()
    context = Context(os.environ, None, io.StringIO(), out, err)

    context.write("a \x1b[31mcard")
    context.tell("a \x1b[2Jdeck")

    assert (out.getvalue(), err.getvalue()) == ("a [31mcard\n", "a [2Jdeck\n")
