"""The way this run talks with its learner: the terminal and the way that verbs put exercises to it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from studykit.errors import MissingError
from studykit.terminal import mode
from studykit.terminal.mode import Choice, Mode, Style
from studykit.ui import Ui

_WIDEST = 100  # columns; longer lines are hard to read
_NO_MACROS: Mapping[str, str] = {}

if TYPE_CHECKING:
    from studykit.cli.context import Context


def settings(context: "Context", section: str) -> Mapping[str, object]:
    """A section of the learner's configuration; empty where there is none."""
    found = getattr(context, "config", {}).get(section, {})
    return found if isinstance(found, Mapping) else {}


def choice(context: "Context", *, plain: bool = False, asked: str | None = None) -> Choice:
    """The mode for this run; UsageError where it needs a terminal and there is none."""
    setting = str(settings(context, "ui").get("mode", "auto"))
    terminal = context.stdin.isatty() and context.stdout.isatty()
    return mode.chosen(context.environ, terminal=terminal, plain=plain, mode=asked, setting=setting)


def style(context: "Context") -> Style:
    """Colours and signs for this run."""
    look = settings(context, "ui")
    encoding = getattr(context.stdout, "encoding", None) or "ascii"
    return mode.style(
        context.environ,
        encoding=encoding,
        glyphs=str(look.get("glyphs", "auto")),
        colour=str(look.get("color", "auto")),
    )


def drawn(context: "Context", markdown: str, macros: Mapping[str, str] = _NO_MACROS) -> list[str]:
    """Markdown as lines for standard output: laid out on a terminal, told in plain lines elsewhere."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.markdown.render import plain_lines, render
    from studykit.terminal.spans import paint

    look = style(context)
    notation = Notation(ascii=look.ascii, macros=macros)
    if not context.stdout.isatty():
        return plain_lines(markdown, notation)
    import shutil

    columns = min(_WIDEST, shutil.get_terminal_size().columns)
    return [paint(line, colour=look.colour, ascii=look.ascii) for line in render(markdown, columns, notation)]


def edited(context: "Context", text: str, suffix: str) -> str | None:
    """The text after the learner's editor has closed; None where nothing changed or there is no editor."""
    from studykit.cli import editor

    try:
        words = editor.command(context.environ, str(settings(context, "editor").get("command", "")))
        return editor.edit_text(words, text, suffix)
    except MissingError as missing:
        context.tell(f"study: {missing}")
        return None


@contextmanager
def open_ui(context: "Context", *, plain: bool = False, asked: str | None = None) -> Iterator[Ui]:
    """The learner's side of an exercise outside the review; the terminal is given back whatever happens."""
    from studykit.terminal.markdown.inline import Notation

    chosen = choice(context, plain=plain, asked=asked)
    look = style(context)
    notation = Notation(ascii=look.ascii)

    def open_editor(text: str, suffix: str) -> str | None:
        return edited(context, text, suffix)

    if chosen.mode is Mode.PLAIN:
        from studykit.terminal.plain_ui import PlainUi

        context.write(f"[plain mode: on {chosen.why}]")
        yield PlainUi(context.stdin, context.stdout, notation, open_editor)
        return
    from studykit.terminal.inline_ui import InlineUi
    from studykit.terminal.input.tty import Terminal
    from studykit.terminal.screen import Screen
    from studykit.terminal.screen_ui import ScreenUi

    with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=chosen.mode is Mode.SCREEN) as terminal:
        if chosen.mode is Mode.SCREEN:
            yield ScreenUi(Screen(terminal, look), notation, open_editor)
        else:
            yield InlineUi(terminal, look, notation, open_editor)
