"""Read a line key by key or a choice by one key, and parse the line as an answer or a command.

In a line every letter is text, and a command begins with a colon. The functions that draw are passed in, so
nothing here depends on a screen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from studykit.terminal.input.keys import HangupError, Key, KeyReader
from studykit.terminal.spans import cell_count, clean
from studykit.ui import Command, Line, Quit, Reply

LEAVE = "q"
BACK = "back"
"""Command that goes back by one level: out of a sub-step, a field or a line."""
AS_LEFT = "as you left it; ctrl-u clears the line, and so does a colon"
_PAUSE_S = 0.5  # without a key, after which the draft is saved
_COLON_HINT = "To begin an answer with a colon, type two."
_COMMAND = re.compile(r":[A-Za-z]*")
_COMMAND_AND_MORE = re.compile(r":([A-Za-z]+)\s.+", re.DOTALL)
_WORD_BEFORE = re.compile(r"\w+\W*$")
_WORD_AFTER = re.compile(r"\W*\w+")


@dataclass(frozen=True, slots=True)
class LineBuffer:
    """Hold a text, its cursor from 0 to the text's length, and the `kill_buffer` that Ctrl-Y inserts."""

    text: str = ""
    cursor: int = 0
    kill_buffer: str = ""

    @classmethod
    def of(cls, text: str, kill_buffer: str = "") -> "LineBuffer":
        """Return a buffer with the cursor at its end."""
        return cls(text, len(text), kill_buffer)

    @property
    def shown(self) -> "LineBuffer":
        """Return the buffer on one row, with signs for line ends."""
        return replace(self, text=self.text.replace("\n", "↵"))

    @property
    def before(self) -> str:
        """Return the text before the cursor."""
        return self.text[: self.cursor]

    @property
    def after(self) -> str:
        """Return the text after the cursor."""
        return self.text[self.cursor :]

    def visible_parts(self, cells: int) -> tuple[str, str]:
        """Return the text before and after the cursor, cut to a number of cells. `<` marks a cut at the start."""
        before, after = self.before, self.after
        if cell_count(before + after) <= cells:
            return before, after
        from rich.cells import set_cell_size

        if cell_count(before) > cells:
            before = "<" + set_cell_size(before[::-1], cells - 1)[::-1]
        return before, set_cell_size(after, min(cell_count(after), max(0, cells - cell_count(before))))

    def moved(self, cursor: int) -> "LineBuffer":
        """Return the buffer with its cursor moved, but not beyond the text."""
        return replace(self, cursor=min(max(cursor, 0), len(self.text)))

    def typed(self, text: str) -> "LineBuffer":
        """Insert text at the cursor."""
        return replace(self, text=self.before + text + self.after, cursor=self.cursor + len(text))

    def cut(self, start: int, end: int, *, keep: bool = True) -> "LineBuffer":
        """Cut a part of the text, into the kill buffer unless `keep` is False."""
        start, end = max(0, start), min(end, len(self.text))
        part = self.text[start:end]
        return LineBuffer(self.text[:start] + self.text[end:], start, part if keep and part else self.kill_buffer)


def _word_start(buffer: LineBuffer) -> int:
    match = _WORD_BEFORE.search(buffer.before)
    return match.start() if match else 0


def _word_end(buffer: LineBuffer) -> int:
    match = _WORD_AFTER.match(buffer.text, buffer.cursor)
    return match.end() if match else len(buffer.text)


_EDITS: Mapping[str, Callable[[LineBuffer], LineBuffer]] = {
    "backspace": lambda line: line.cut(line.cursor - 1, line.cursor, keep=False) if line.cursor else line,
    **dict.fromkeys(("delete", "ctrl-d"), lambda line: line.cut(line.cursor, line.cursor + 1, keep=False)),
    "ctrl-w": lambda line: line.cut(line.before.rstrip().rfind(" ") + 1, line.cursor),
    "ctrl-u": lambda line: line.cut(0, line.cursor),
    "ctrl-k": lambda line: line.cut(line.cursor, len(line.text)),
    "ctrl-y": lambda line: line.typed(line.kill_buffer),
    "alt-d": lambda line: line.cut(line.cursor, _word_end(line)),
    "alt-backspace": lambda line: line.cut(_word_start(line), line.cursor),
    **dict.fromkeys(("left", "ctrl-b"), lambda line: line.moved(line.cursor - 1)),
    **dict.fromkeys(("right", "ctrl-f"), lambda line: line.moved(line.cursor + 1)),
    **dict.fromkeys(("home", "ctrl-a"), lambda line: line.moved(0)),
    **dict.fromkeys(("end", "ctrl-e"), lambda line: line.moved(len(line.text))),
    **dict.fromkeys(("alt-b", "ctrl-left", "alt-left"), lambda line: line.moved(_word_start(line))),
    **dict.fromkeys(("alt-f", "ctrl-right", "alt-right"), lambda line: line.moved(_word_end(line))),
}
"""Edits by Readline's usual keys."""


def after_key(buffer: LineBuffer, key: Key, *, lines: bool = False) -> LineBuffer:
    """Return the line after one key. Unknown keys change nothing. With `lines`, pastes keep line ends."""
    if key.text:
        return buffer.typed(clean(key.text).strip("\n") if lines else clean(key.text).replace("\n", " "))
    edit = _EDITS.get(key.name)
    return edit(buffer) if edit is not None else buffer


class History:
    """Walk earlier lines with up and down. The line being typed stays at the bottom."""

    def __init__(self, lines: tuple[str, ...] = ()) -> None:
        self._lines = [*lines, ""]
        self._place = len(lines)

    def walked(self, buffer: LineBuffer, name: str) -> LineBuffer:
        """Return the line that up or down brings, or the same line for other keys and at the ends."""
        step = {"up": -1, "ctrl-p": -1, "down": 1, "ctrl-n": 1}.get(name, 0)
        place = self._place + step
        if not step or not 0 <= place < len(self._lines):
            return buffer
        if self._place == len(self._lines) - 1:
            self._lines[-1] = buffer.text
        self._place = place
        return LineBuffer.of(self._lines[place], buffer.kill_buffer)


def shown_commands(commands: Mapping[str, str]) -> dict[str, str]:
    """Return the commands to show at a typed line, with quit. Those without a word are hidden."""
    return {key: word for key, word in {**commands, LEAVE: "quit"}.items() if word}


def _names(commands: Mapping[str, str]) -> dict[str, str]:
    """Map the name of each command to its key, shown ones first."""
    words = {**shown_commands(commands), **commands, LEAVE: "quit"}
    return {(word.split()[0].strip(",.") if word else key).lower(): key for key, word in words.items() if key}


def matching_commands(start: str, commands: Mapping[str, str]) -> list[str]:
    """Return the commands that these letters name or begin: shown ones if there are any, else hidden ones."""
    names = _names(commands)
    if start.lower() in names:
        return [start.lower()]
    possible = [name for name in names if name.startswith(start.lower())]
    shown_names = shown_commands(commands)
    return [name for name in possible if names[name] in shown_names] or possible


def completed(buffer: LineBuffer, commands: Mapping[str, str]) -> LineBuffer:
    """Return the line after Tab, with a command completed as far as it is unambiguous."""
    line = buffer.text.strip()
    if _COMMAND.fullmatch(line):
        possible = matching_commands(line[1:], commands)
        same = takewhile(lambda signs: len(set(signs)) == 1, zip(*possible, strict=False))
        return LineBuffer.of(":" + "".join(sign for sign, *_ in same), buffer.kill_buffer) if possible else buffer
    return buffer


def read_line(
    keys: KeyReader,
    draw: Callable[[LineBuffer], None],
    commands: Mapping[str, str],
    *,
    history: Sequence[str] = (),
    scroll: Callable[[str], None],
    draft: str,
    keep: Callable[[str], None],
    lines: bool = False,
) -> str | None:
    """Return the line that Enter ends, or None on Ctrl-D on an empty line, so that no text is lost.

    On an empty line, space is Enter, and Esc is `:back` if that is a command. `draft` is the text at first. `keep`
    is called with what is typed in each pause and if an exception ends the line.
    """
    buffer, walk = LineBuffer.of(draft), History(tuple(history))
    while True:
        try:
            draw(buffer)
            key = _key(keys, buffer.text, keep)
        except (KeyboardInterrupt, HangupError, SystemExit):  # SystemExit comes from a signal handler
            keep(buffer.text)
            raise
        if key.name == "enter":
            return buffer.text
        if key.text == " " and not buffer.text:
            return ""
        if key.name == "esc" and not buffer.text and BACK in commands:
            return f":{BACK}"
        if key.name == "ctrl-d" and not buffer.text:  # not Esc, as a press by habit would end the session
            return None
        if key.name in ("pgup", "pgdn"):
            scroll(key.name)
        elif key.name == "tab":
            buffer = completed(buffer, commands)
        elif key.text == ":" and buffer.text == draft and not lines:  # a command, not the end of an old line
            buffer = LineBuffer.of(":", draft)
        else:
            buffer = walk.walked(after_key(buffer, key, lines=lines), key.name)


def _key(keys: KeyReader, text: str, keep: Callable[[str], None]) -> Key:
    """Return the next key, and save the text first if no key comes soon."""
    if (key := keys.read(_PAUSE_S)) is not None:
        return key
    keep(text)
    return keys.read() or Key("unknown")


def reply_to(text: str | None, commands: Mapping[str, str]) -> Reply | str:
    """Parse a line as an answer, a command or quit (also for None), or return a message if it is unclear."""
    if text is None:
        return Quit()
    line = text.strip()
    if not line and "" in commands:
        return Command("")
    if line.startswith("::"):
        return Line(text.replace("::", ":", 1))
    if _COMMAND.fullmatch(line):
        return _command(line[1:], commands)
    command = _COMMAND_AND_MORE.fullmatch(line)
    possible = matching_commands(command[1], commands) if command else []
    return f":{possible[0]} must be alone on its line. {_COLON_HINT}" if len(possible) == 1 else Line(text)


def _command(start: str, commands: Mapping[str, str]) -> Reply | str:
    possible = matching_commands(start, commands)
    if len(possible) == 1:
        key = _names(commands)[possible[0]]
        return Quit() if key == LEAVE else Command(key)
    name_list = ", ".join(f":{name}" for name in possible or _names(commands))
    if possible and start:
        return f":{start} may be {name_list}; type one more letter."
    prefix = "" if not start or "help".startswith(start.lower()) else f":{start} is not a command. "
    return f"{prefix}Commands are {name_list}. {_COLON_HINT}"


def read_choice(
    keys: KeyReader,
    draw: Callable[[], None],
    options: Mapping[str, str],
    *,
    scroll: Callable[[str], None] = lambda _: None,
) -> str | None:
    """Return the key of the option that is pressed, or None for q, Esc or Ctrl-D.

    Enter and space press the option whose key is "", if they have no option of their own. Esc, often pressed by
    habit, leaves only if `q` is not an option.
    """
    while True:
        draw()
        key = keys.read() or Key("unknown")
        character = {"space": " ", "enter": "\r"}.get(key.name, key.name)
        for candidate in (key.name, character, *([""] if key.name in ("enter", "space") else [])):
            if candidate in options:
                return candidate
        scroll(key.name)
        if key.name in (LEAVE, "ctrl-d") or (key.name == "esc" and LEAVE not in options):
            return None
