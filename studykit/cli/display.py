"""The way this run talks with its learner: the terminal, and the way that verbs put exercises to it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.cli.exit import INTERRUPTED
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.practice.kind import Report
    from studykit.practice.services import Services
    from studykit.review.run_report import RunReport
    from studykit.terminal.mode import Choice
    from studykit.ui import Ui

_WIDEST = 100  # columns; longer lines are hard to read
_PICTURE = 78  # columns of a picture, where there are as many
_MOMENT_S = 0.2
_NO_MACROS: Mapping[str, str] = {}


def choice(context: Context, *, plain: bool = False, asked: str | None = None) -> "Choice":
    """The mode for this run; UsageError where it needs a terminal and there is none."""
    from studykit.terminal import mode

    setting = str(context.section("ui")["mode"])
    return mode.choose_mode(
        context.environ, terminal=context.interactive, plain=plain, mode=asked, setting=setting
    )


def markdown_lines(context: Context, markdown: str, macros: Mapping[str, str] = _NO_MACROS) -> list[str]:
    """Markdown as lines for standard output: laid out on a terminal, told in plain lines elsewhere."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.markdown.render import plain_lines, render
    from studykit.terminal.spans import paint

    style = context.style
    notation = Notation(ascii=style.ascii, macros=macros)
    if not context.on_terminal:
        return [context.spelled(line) for line in plain_lines(markdown, notation)]
    columns = min(_WIDEST, context.columns or _WIDEST)
    return [paint(line, colour=style.colour, ascii=style.ascii) for line in render(markdown, columns, notation)]


def edit_text(context: Context, text: str, suffix: str) -> str | None:
    """The text after the learner's editor has closed, None where nothing changed; MissingError without one."""
    from studykit.cli import editor

    return editor.edit_text(editor.chosen(context), text, suffix)


def services(context: Context) -> "Services":
    """What a practice is handed; the store and the Ui are opened when it first asks for them."""
    from functools import partial

    from studykit.practice.services import Services

    return Services(
        open_store=lambda: context.store,
        open_drafts=lambda: context.drafts,
        seed=context.seed,
        now=context.now,
        today=context.today,
        settings=context.section,
        open_ui=partial(open_ui, context),
        open_worker=context.open_worker,
        typed_permission=lambda: context.typed_permission,
        file_permission=lambda flag: context.file_permission(flag=flag),
        end_run=partial(_end_run, context),
        begin_report=partial(begin_report, context),
        write=context.write,
        tell=context.tell,
        read_soon=partial(read_soon, context),
        ascii_only=lambda: context.style.ascii,
    )


def begin_report(context: Context, *, clears: bool, rings: bool) -> None:
    """Clear the terminal for a report, or ring its bell; a pipe gets neither."""
    if context.on_terminal:
        clears = clears and context.environ.get("TERM", "dumb") != "dumb"
        context.stdout.write(("\a" if rings else "") + ("\x1b[H\x1b[2J" if clears else ""))


def _end_run(context: Context, report: "RunReport", *, plain: bool = False, asked: str | None = None) -> bool:
    """How a run went; what tells it is loaded at its end."""
    from studykit.cli.run_ending import end_run

    return end_run(context, report, by_keys=has_keys(context, plain=plain, asked=asked))


def has_keys(context: Context, *, plain: bool = False, asked: str | None = None) -> bool:
    """Whether this run is talked with by single keys, not by lines."""
    from studykit.terminal.mode import Mode

    return choice(context, plain=plain, asked=asked).mode is not Mode.PLAIN


def read_soon(context: Context) -> str | None:
    """The line that was typed within a moment, mostly none and so empty; None where the input has ended."""
    import select

    context.stdout.flush()
    try:
        ready, _, _ = select.select([context.stdin], [], [], _MOMENT_S)
    except (OSError, ValueError, TypeError):  # an input that cannot be waited for
        ready = [context.stdin]
    if not ready:
        return ""
    line = context.stdin.readline()
    return line.strip() if line else None


def write_report(context: Context, report: "Report", *, json: bool = False, plain: bool = False) -> None:
    """A report as JSON, or in words and pictures; pictures in words too where lines are read aloud."""
    if json:
        context.write_json(report.document)
        return
    if report.text:
        context.write(report.text)
    for picture in report.pictures:
        if drawn := _drawn(context, picture, plain=plain):
            context.write("\n".join(["", *drawn]))
    if report.conclusion:
        context.write(f"\n{report.conclusion}")


def _drawn(context: Context, picture: "Picture", *, plain: bool) -> list[str]:
    """Lines of a picture; none where there is no room for it."""
    from studykit.terminal.pictures import painted

    if plain:
        return [painted.sentence(picture)]
    return painted.lines(picture, width=min(_PICTURE, context.columns or _PICTURE), ascii=context.style.ascii)


@contextmanager
def open_ui(context: Context, *, plain: bool = False, asked: str | None = None) -> Iterator["Ui"]:
    """The learner's side of an exercise outside the review; the terminal is given back whatever happens."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.mode import Mode

    chosen = choice(context, plain=plain, asked=asked)
    style = context.style
    notation = Notation(ascii=style.ascii)

    def open_editor(text: str, suffix: str) -> str | None:
        return edit_text(context, text, suffix)

    if chosen.mode is Mode.PLAIN:
        from studykit.terminal.plain_ui import PlainUi

        context.write(f"[plain mode: on {chosen.why}]")
        yield PlainUi(context.stdin, context.stdout, notation, open_editor)
        return
    from studykit.terminal.input.tty import Terminal
    from studykit.terminal.screen import Screen
    from studykit.terminal.screen_ui import ScreenUi

    with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=True) as terminal:
        yield ScreenUi(Screen(terminal, style), notation, open_editor, context.drafts)


def interrupted(context: Context, again: str) -> int:
    """One line on what is saved where Ctrl-C ended a practice or a quiz; the exit code."""
    from studykit.scheduling.events import EventKind

    recorded = context.store.log.recorded
    answers = max(0, recorded[EventKind.PRACTICE] + recorded[EventKind.QUIZ])
    saved = f"{counted(answers, 'answer')} saved"
    if bets := max(0, recorded[EventKind.BET]):  # each is written down before it is measured
        saved = f"{counted(bets, 'bet')} written down, {answers} measured and scored"
    kept = " What you typed is kept." if context.drafts.unfinished else ""
    context.tell(f"{saved}.{kept} Go on with: {again}")
    return INTERRUPTED


def in_a_line(context: Context, markdown: str) -> str:
    """Markdown as words on a line: formulas in signs, pictures and recordings by their names."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.markdown.render import one_line_text

    return one_line_text(markdown, Notation(ascii=context.style.ascii))
