"""Reading a line or a choice by single keys: the text while it is typed, and what the ended line means.

Who draws is passed in; nothing here knows a screen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from studykit.terminal.input.keys import Key, KeyReader
from studykit.terminal.spans import clean
from studykit.ui import Command, Line, Quit, Reply

LEAVE = "q"


@dataclass(frozen=True, slots=True)
class LineBuffer:
    """Text and the place of the cursor in it, from 0 to its length."""

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> "LineBuffer":
        """A buffer with the cursor at its end."""
        return cls(text, len(text))


def after_key(buffer: LineBuffer, key: Key) -> LineBuffer:
    """The line after one key; keys that mean nothing here change nothing."""
    before, after = buffer.text[: buffer.cursor], buffer.text[buffer.cursor :]
    if key.text:
        before += clean(key.text).replace("\n", " ")
    else:
        match key.name:
            case "backspace":
                before = before[:-1]
            case "delete":
                after = after[1:]
            case "ctrl-w":
                words, _, _ = before.rstrip().rpartition(" ")
                before = f"{words} " if words else ""
            case "ctrl-u":
                before = ""
            case "ctrl-k":
                after = ""
            case _:
                return LineBuffer(buffer.text, _moved(buffer, key.name))
    return LineBuffer(before + after, len(before))


def _moved(buffer: LineBuffer, name: str) -> int:
    match name:
        case "left" | "ctrl-b":
            return max(0, buffer.cursor - 1)
        case "right" | "ctrl-f":
            return min(len(buffer.text), buffer.cursor + 1)
        case "home" | "ctrl-a":
            return 0
        case "end" | "ctrl-e":
            return len(buffer.text)
        case _:
            return buffer.cursor


class History:
    """Earlier lines, walked with up and down; what was being typed stays at the bottom."""

    def __init__(self, lines: tuple[str, ...] = ()) -> None:
        self._lines = [*lines, ""]
        self._place = len(lines)

    def walked(self, buffer: LineBuffer, name: str) -> LineBuffer:
        """The line that up or down brings; the same line for other keys and at the ends."""
        step = {"up": -1, "ctrl-p": -1, "down": 1, "ctrl-n": 1}.get(name, 0)
        place = self._place + step
        if not step or not 0 <= place < len(self._lines):
            return buffer
        if self._place == len(self._lines) - 1:
            self._lines[-1] = buffer.text
        self._place = place
        return LineBuffer.of(self._lines[place])


def with_leaving(commands: Mapping[str, str]) -> Mapping[str, str]:
    """The commands and the one to leave by, which is always there; where its word is empty it is not shown."""
    return {key: word for key, word in {**commands, LEAVE: commands.get(LEAVE, "quit")}.items() if word}


def read_line(
    keys: KeyReader,
    draw: Callable[[LineBuffer], None],
    *,
    history: tuple[str, ...] = (),
    scroll: Callable[[str], None] = lambda _: None,
) -> str | None:
    """The line that was ended by Enter; None on Esc, and on Ctrl-D where nothing was typed."""
    buffer, walk = LineBuffer(), History(history)
    while True:
        draw(buffer)
        key = keys.read() or Key("unknown")
        if key.name == "enter":
            return buffer.text
        if key.name == "esc" or (key.name == "ctrl-d" and not buffer.text):
            return None
        if key.name in ("pgup", "pgdn"):
            scroll(key.name)
        buffer = walk.walked(after_key(buffer, key), key.name)


def reply_to(text: str | None, commands: Mapping[str, str]) -> Reply:
    """What a line means: a command by its key alone, leaving, or an answer."""
    if text is None or text.strip() == LEAVE:
        return Quit()
    if text.strip() in commands:
        return Command(text.strip())
    return Line(text)


def read_choice(
    keys: KeyReader,
    draw: Callable[[], None],
    options: Mapping[str, str],
    *,
    scroll: Callable[[str], None] = lambda _: None,
) -> str | None:
    """The key of an option; None when the learner leaves by q, Esc or Ctrl-D."""
    while True:
        draw()
        key = keys.read() or Key("unknown")
        if key.name in ("pgup", "pgdn"):
            scroll(key.name)
        pressed = {"space": " ", "enter": "\r"}.get(key.name, key.name)
        for candidate in (key.name, pressed):
            if candidate in options:
                return candidate
        if key.name in (LEAVE, "esc", "ctrl-d"):
            return None
