"""Reading one line or one choice by single keys; who draws is passed in."""

from collections.abc import Callable, Mapping

from studykit.terminal.input.keys import Key, KeyReader
from studykit.terminal.input.line_editor import Draft, History, typed
from studykit.ui import Command, Quit, Reply
from studykit.ui import Line as Typed

LEAVE = "q"


def with_leaving(commands: Mapping[str, str]) -> Mapping[str, str]:
    """The commands and the one to leave by, which is always there; where its word is empty it is not shown."""
    return {key: word for key, word in {**commands, LEAVE: commands.get(LEAVE, "quit")}.items() if word}


def read_line(
    keys: KeyReader,
    draw: Callable[[Draft], None],
    *,
    history: tuple[str, ...] = (),
    scroll: Callable[[str], None] = lambda _: None,
) -> str | None:
    """The line that was ended by Enter; None on Esc, and on Ctrl-D where nothing was typed."""
    draft, walk = Draft(), History(history)
    while True:
        draw(draft)
        key = keys.read() or Key("unknown")
        if key.name == "enter":
            return draft.text
        if key.name == "esc" or (key.name == "ctrl-d" and not draft.text):
            return None
        if key.name in ("pgup", "pgdn"):
            scroll(key.name)
        draft = walk.walked(typed(draft, key), key.name)


def said(text: str | None, commands: Mapping[str, str]) -> Reply:
    """What a line means: a command by its key alone, leaving, or an answer."""
    if text is None or text.strip() == LEAVE:
        return Quit()
    if text.strip() in commands:
        return Command(text.strip())
    return Typed(text)


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
