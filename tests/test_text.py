"""Check how untrusted text is shown on a terminal."""

import io
import json
import os

import pytest

from studykit.cli.context import Context
from studykit.html import card_html
from studykit.terminal import spans
from studykit.text import NEVER_WRITTEN, json_text, printable, shown_name


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


def test_output_loses_only_terminal_controls() -> None:
    out, err = io.StringIO(), io.StringIO()
    context = Context(os.environ, None, io.StringIO(), out, err)

    context.write("a \x1b[31mcard")
    context.tell("a \x1b[2Jdeck")

    assert (out.getvalue(), err.getvalue()) == ("a [31mcard\n", "a [2Jdeck\n")


def test_json_escapes_terminal_controls() -> None:
    document = {"".join(map(chr, NEVER_WRITTEN)): ["\x9b2J", "a\tb\n", "é ✓", "half \ud800"]}

    text = json_text(document)

    assert json.loads(text) == document
    assert printable(text) == text
    assert "é ✓" in text
    assert r"\u009b2J" in text


def test_every_json_answer_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    Context.from_environment().write_json({"name": "\x9b2J\u202e\x7f"})

    assert r'"name": "\u009b2J\u202e\u007f"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("caf\udce9.py", r"caf\xe9.py"),
        ("a\nb", r"a\nb"),
        (r"a\nb", r"a\\nb"),
        ("é", "é"),
        ("\u202e", r"\u202e"),
        ("\xa0", r"\u00a0"),
        ("\udca0", r"\xa0"),
    ],
)
def test_a_name_is_spelled_one_way_only(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_marks_of_hebrew_and_arabic_stay() -> None:
    text = "\u05e9\u05dc\u05d5\u05dd\u200f (a)\u200e"

    assert printable(text) == spans.clean(text) == card_html.clean(text) == text


@pytest.mark.parametrize("sign", sorted(NEVER_WRITTEN), ids=hex)
def test_sign_of_the_table_is_written_nowhere(sign: int) -> None:
    text = f"a{chr(sign)}b"

    assert printable(text) == "ab"
    assert card_html.clean(text) == "a\ufffdb"
    assert chr(sign) not in spans.clean(text)
    assert chr(sign) not in json_text({"text": text})
