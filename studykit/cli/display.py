"""The way this run talks with its learner: the terminal and the face that verbs put exercises to."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from studykit.errors import MissingError
from studykit.terminal import mode
from studykit.terminal.mode import Choice, Mode, Style
from studykit.ui import Face

_WIDEST = 100  # columns; longer lines are hard to read
_NO_MACROS: Mapping[str, str] = {}

if TYPE_CHECKING:
    from studykit.cli.context import World


def settings(world: "World", section: str) -> Mapping[str, object]:
    """A section of the learner's configuration; empty where there is none."""
    found = getattr(world, "config", {}).get(section, {})
    return found if isinstance(found, Mapping) else {}


def choice(world: "World", *, plain: bool = False, asked: str | None = None) -> Choice:
    """The mode for this run; UsageError where it needs a terminal and there is none."""
    setting = str(settings(world, "ui").get("mode", "auto"))
    terminal = world.stdin.isatty() and world.stdout.isatty()
    return mode.chosen(world.environ, terminal=terminal, plain=plain, mode=asked, setting=setting)


def style(world: "World") -> Style:
    """Colours and signs for this run."""
    ui = settings(world, "ui")
    encoding = getattr(world.stdout, "encoding", None) or "ascii"
    return mode.style(
        world.environ,
        encoding=encoding,
        glyphs=str(ui.get("glyphs", "auto")),
        colour=str(ui.get("color", "auto")),
    )


def drawn(world: "World", markdown: str, macros: Mapping[str, str] = _NO_MACROS) -> list[str]:
    """Markdown as lines for standard output: laid out on a terminal, told in plain lines elsewhere."""
    from studykit.terminal.ansi import paint
    from studykit.terminal.markdown.inline import Manner
    from studykit.terminal.markdown.layout import render, told

    look = style(world)
    manner = Manner(ascii=look.ascii, macros=macros)
    if not world.stdout.isatty():
        return told(markdown, manner)
    import shutil

    columns = min(_WIDEST, shutil.get_terminal_size().columns)
    return [paint(line, colour=look.colour, ascii=look.ascii) for line in render(markdown, columns, manner)]


def edited(world: "World", text: str, suffix: str) -> str | None:
    """The text after the learner's editor has closed; None where nothing changed or there is no editor."""
    from studykit.cli import editor

    try:
        words = editor.command(world.environ, str(settings(world, "editor").get("command", "")))
        return editor.edit_text(words, text, suffix)
    except MissingError as missing:
        world.tell(f"study: {missing}")
        return None


@contextmanager
def open_face(world: "World", *, plain: bool = False, asked: str | None = None) -> Iterator[Face]:
    """A face for an exercise outside the review; the terminal is given back at the end, whatever happens."""
    from studykit.terminal.markdown.inline import Manner

    chosen = choice(world, plain=plain, asked=asked)
    look = style(world)
    manner = Manner(ascii=look.ascii)

    def open_editor(text: str, suffix: str) -> str | None:
        return edited(world, text, suffix)

    if chosen.mode is Mode.PLAIN:
        from studykit.terminal.plain_ui import PlainFace

        world.write(f"[plain mode: on {chosen.why}]")
        yield PlainFace(world.stdin, world.stdout, manner, open_editor)
        return
    from studykit.terminal.inline_ui import InlineFace
    from studykit.terminal.input.tty import Terminal
    from studykit.terminal.screen import Screen
    from studykit.terminal.screen_ui import ScreenFace

    with Terminal(world.stdin.fileno(), world.stdout.fileno(), screen=chosen.mode is Mode.SCREEN) as terminal:
        if chosen.mode is Mode.SCREEN:
            yield ScreenFace(Screen(terminal, look), manner, open_editor)
        else:
            yield InlineFace(terminal, look, manner, open_editor)
