"""Test keys over a pseudo-terminal: none is lost or invented, and no read waits for a terminal that is gone."""

import os
import pty
import termios
import tty
from collections.abc import Iterator
from threading import Timer

import pytest

from studykit.terminal.input.keys import HangupError, Key, KeyReader, decode
from studykit.terminal.input.line_editor import History, LineBuffer, after_key


@pytest.fixture
def ends() -> Iterator[list[int]]:
    """Open a pseudo-terminal in cbreak mode, and yield its master and slave."""
    master, slave = pty.openpty()
    tty.setcbreak(slave, termios.TCSANOW)
    descriptors = [master, slave]
    yield descriptors
    for descriptor in descriptors:
        os.close(descriptor)


def names(reader: KeyReader, count: int) -> list[str]:
    return [(reader.read(timeout=10) or Key("nothing")).name for _ in range(count)]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        (" 3 3", ["space", "3", "space", "3"]),
        ("\x1b[Aé12\x1b[6~", ["up", "é", "1", "2", "pgdn"]),
        ("\x1b", ["esc"]),
    ],
)
def test_typed_ahead_burst_is_read_key_by_key(ends: list[int], typed: str, keys: list[str]) -> None:
    os.write(ends[0], typed.encode())
    reader = KeyReader(ends[1], escape_seconds=0.01)

    assert names(reader, len(keys)) == keys
    assert reader.read(timeout=0.01) is None


def test_keys_typed_so_far_can_be_dropped(ends: list[int]) -> None:
    reader = KeyReader(ends[1])
    os.write(ends[0], b"ab")
    assert names(reader, 1) == ["a"]  # the b is in the reader's own hands

    os.write(ends[0], b"cd")
    reader.forget()
    os.write(ends[0], b"e")

    assert names(reader, 1) == ["e"]


def test_split_escape_sequence_is_one_key(ends: list[int]) -> None:
    reader = KeyReader(ends[1], escape_seconds=1)
    os.write(ends[0], b"\x1b")
    rest = Timer(0.05, os.write, (ends[0], b"[A"))
    rest.start()

    assert names(reader, 1) == ["up"]
    rest.join()


def test_a_paste_is_one_key_with_its_text(ends: list[int]) -> None:
    os.write(ends[0], b"\x1b[200~q\r6*7e9\x1b[201~x")
    reader = KeyReader(ends[1])

    assert reader.read(timeout=10) == Key("paste", "q\n6*7e9")
    assert names(reader, 1) == ["x"]


def test_a_poke_wakes_a_read(ends: list[int]) -> None:
    reader = KeyReader(ends[1])
    reader.poke("redraw")

    assert names(reader, 1) == ["redraw"]


def test_dropped_interrupt_is_raised_by_next_read(ends: list[int]) -> None:
    reader = KeyReader(ends[1])
    with pytest.raises(KeyboardInterrupt):
        reader.interrupt()

    with pytest.raises(KeyboardInterrupt):
        reader.read(timeout=10)
    assert reader.read(timeout=0) is None


def test_a_terminal_that_is_gone_ends_the_read(ends: list[int]) -> None:
    reader = KeyReader(ends[1])
    os.close(ends[0])
    ends[0] = os.open(os.devnull, os.O_RDONLY)

    with pytest.raises(HangupError):
        reader.read()


def test_a_closed_pipe_ends_the_read() -> None:
    read_end, write_end = os.pipe()
    os.close(write_end)

    with pytest.raises(HangupError):
        KeyReader(read_end).read()
    os.close(read_end)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x03", "ctrl-c"),
        (b"\x04", "ctrl-d"),
        (b"\r", "enter"),
        (b"\x7f", "backspace"),
        (b"\x1bOP", "unknown"),
        (b"\x1b[1;5C", "ctrl-right"),
        (b"\x1b[1;3D", "alt-left"),
        (b"\x1bOd", "ctrl-left"),
        (b"\x1bb", "alt-b"),
        (b"\x1b\x7f", "alt-backspace"),
        (b"\x1b\xc3\xa9", "alt-é"),
        (b"\x1b\x1b", "esc"),
        (b"\xff", "unknown"),
    ],
)
def test_a_sequence_is_named(data: bytes, key: str) -> None:
    decoded = decode(data, complete=True)

    assert decoded is not None
    assert decoded[0].name == key


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[", b"\x1b[1;5", b"\x1b\xc3", b"\xc3", b"\xf0\x9f"])
def test_half_a_key_waits_for_the_rest(data: bytes) -> None:
    assert decode(data, complete=False) is None


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["x"], "6*70Bx"),
        (["backspace"], "6*70"),
        (["home", "9"], "96*70B"),
        (["left", "delete"], "6*70"),
        (["ctrl-a", "ctrl-k"], ""),
        (["left", "ctrl-u"], "B"),
        (["home", "left", "backspace"], "6*70B"),
        (["pgup"], "6*70B"),
        (["left", "ctrl-d"], "6*70"),
        (["alt-b", "ctrl-k"], "6*"),
        (["ctrl-left", "x"], "6*x70B"),
        (["home", "alt-f", "x"], "6x*70B"),
        (["home", "ctrl-right", "alt-d"], "6"),
        (["home", "alt-d"], "*70B"),
        (["alt-backspace"], "6*"),
        (["ctrl-u", "ctrl-y", "ctrl-y"], "6*70B6*70B"),
        (["ctrl-w", "backspace", "ctrl-y"], "6*70B"),
        (["alt-x", "alt-q"], "6*70B"),
        (["ctrl-u", *"80 GB", "ctrl-w"], "80 "),
    ],
)
def test_editing_keys_change_the_line(keys: list[str], text: str) -> None:
    draft = LineBuffer.of("6*70B")
    for key in keys:
        draft = after_key(draft, Key(key, key if len(key) == 1 else ""))

    assert draft.text == text


def test_paste_keeps_lines_in_a_multiline_answer() -> None:
    buffer = after_key(LineBuffer(), Key("paste", "\ndef f(x):\n    return x\n"), lines=True)

    assert buffer.text == "def f(x):\n    return x"
    assert buffer.shown.text == "def f(x):↵    return x"
    assert after_key(buffer.moved(9), Key("backspace"), lines=True).text == "def f(x)\n    return x"


def test_paste_becomes_one_line_without_control_characters() -> None:
    assert after_key(LineBuffer(), Key("paste", "a\nb\x1b[0m")).text == "a b�[0m"


def test_history_keys_walk_earlier_lines_and_back() -> None:
    history = History(("first", "second"))

    up = history.walked(LineBuffer.of("new"), "up")
    further = history.walked(up, "up")
    down = history.walked(history.walked(further, "down"), "down")

    assert (up.text, further.text, down.text) == ("second", "first", "new")
