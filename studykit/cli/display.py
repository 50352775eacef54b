"""Open a Ui, on a screen or in plain lines, and write reports and summaries, for several verbs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.cli.exit import INTERRUPTED
from studykit.errors import StudyError, UsageError
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.exercise.kind import Report
    from studykit.exercise.services import Services
    from studykit.picture import Picture
    from studykit.review.progress import RunReport
    from studykit.scheduling.events import Event
    from studykit.terminal.plain_ui import PlainUi
    from studykit.terminal.review_summary import NextSteps
    from studykit.terminal.screen import Screen
    from studykit.ui import Ui

AGAIN_OR_END = "m: retry missed questions   any other key: end"
_RETRY_OR_UNDO = "m: retry missed questions   u: undo the last answer   any other key: end"
WIDEST = 100  # columns of running text; longer lines are hard to read
_COLUMNS = 80  # if the terminal does not tell its width
_PICTURE = 78  # columns of a picture
_NO_MACROS: Mapping[str, str] = {}


def plain_reason(context: Context, *, plain: bool = False) -> str:
    """Return what turns on plain mode, or "" for a screen. Raise UsageError for a screen without a terminal."""
    from studykit.terminal import mode

    setting = context.section("ui")["mode"]
    return mode.plain_reason(context.environ, terminal=context.interactive, plain=plain, setting=setting)


def markdown_lines(context: Context, markdown: str, macros: Mapping[str, str] = _NO_MACROS) -> list[str]:
    """Format Markdown for standard output, wrapped on a terminal and in plain lines elsewhere."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.markdown.render import plain_lines, render
    from studykit.terminal.spans import paint

    style = context.style
    notation = Notation(ascii=style.ascii, macros=macros)
    if not context.on_terminal:
        return [context.spelled(line) for line in plain_lines(markdown, notation)]
    columns = min(WIDEST, context.columns or WIDEST)
    return [paint(line, color=style.color, ascii=style.ascii) for line in render(markdown, columns, notation)]


def edit_text(context: Context, text: str) -> str | None:
    """Open the editor on code, and return the new code, or None if unchanged. Raise MissingError if that fails."""
    from studykit.cli import editor

    return editor.edit_text(editor.chosen(context), text, ".py")


def services(context: Context, *, plain: bool = False) -> "Services":
    """Return the services that exercises need. They open the store and the Ui at their first use."""
    from studykit.exercise.services import Services

    return Services(
        open_store=lambda: context.store,
        read_decks=partial(context.refreshed_store, quiet=True),
        open_drafts=lambda: context.drafts,
        seed=context.seed,
        now=context.now,
        today=context.today,
        settings=context.section,
        open_ui=partial(open_ui, context, plain=plain),
        open_worker=context.open_worker,
        typed_permission=lambda: context.typed_permission,
        file_permission=lambda flag: context.file_permission(flag=flag),
        end_run=partial(end_run, context, plain=plain),
        write=context.write,
        tell=context.tell,
        in_a_line=partial(in_a_line, context),
        ascii_only=lambda: context.style.ascii,
    )


def write_report(context: Context, report: "Report", *, json: bool = False, plain: bool = False) -> None:
    """Write a report as JSON, or in words and pictures. Plain mode describes pictures in words."""
    if json:
        context.write_json(report.document)
        return
    if report.text:
        context.write(report.text)
    for picture in report.pictures:
        if lines := _picture_lines(context, picture, plain=plain):
            context.write("\n".join(["", *lines]))
    if report.conclusion:
        context.write(f"\n{report.conclusion}")


def _picture_lines(context: Context, picture: "Picture", *, plain: bool) -> list[str]:
    """Return the lines of a picture, or none if it does not fit."""
    from studykit.terminal.pictures import painted

    if plain:
        return [painted.sentence(picture)]
    return painted.lines(picture, width=min(_PICTURE, context.columns or _PICTURE), ascii=context.style.ascii)


@contextmanager
def open_screen(context: Context) -> Iterator["Screen"]:
    """Open the terminal as a screen, and restore it whatever happens."""
    from studykit.terminal.input.tty import Terminal
    from studykit.terminal.screen import Screen

    with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=True) as terminal:
        yield Screen(terminal, context.style)


@contextmanager
def open_ui(context: Context, *, plain: bool = False) -> Iterator["Ui"]:
    """Open the Ui, and restore the terminal whatever happens."""
    from studykit.terminal.markdown.inline import Notation

    if reason := plain_reason(context, plain=plain):
        yield plain_ui(context, reason)
        return
    from studykit.terminal.screen_ui import ScreenUi

    notation, editor = Notation(ascii=context.style.ascii), partial(edit_text, context)
    with open_screen(context) as screen:
        yield ScreenUi(screen, notation, editor, context.drafts, context.store.checkpoint)


def plain_ui(context: Context, reason: str) -> "PlainUi":
    """Return the Ui in plain lines, after a line that says why it is plain."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.plain_ui import PlainUi

    context.write(f"[plain mode: on {reason}]")
    notation, editor = Notation(ascii=context.style.ascii), partial(edit_text, context)
    return PlainUi(context.stdin, context.stdout, notation, editor, context.store.checkpoint)


def interrupted(context: Context, command: str, answers: int | None = None, remaining: int = 0) -> int:
    """Report after Ctrl-C that `answers` (else this process's) are saved, and return the exit code.

    `remaining` is the number of questions left, if known.
    """
    from studykit.scheduling.event_kinds import EventKind

    counts = context.store.log.recorded
    if answers is None:
        answers = max(0, counts[EventKind.PRACTICE])
    text = f"{counted(answers, 'answer')} saved"
    if bets := max(0, counts[EventKind.BET]):  # each is written down before it is measured
        text = f"{counted(bets, 'bet')} written down, {answers} measured and scored"
    text += f", {remaining} left" if remaining else ""
    return report_stop(
        context, f"{text}.", "What you typed last is kept." if context.drafts.unfinished else "", command
    )


def report_stop(context: Context, message: str, draft: str, command: str) -> int:
    """Report what is saved after Ctrl-C, with the command that goes on, and return the exit code."""
    context.tell(" ".join(filter(None, (message, draft))) + (f"\nNext: {command}" if command else ""))
    return INTERRUPTED


def in_a_line(context: Context, markdown: str) -> str:
    """Format Markdown as one line of text, with formulas in signs, and pictures and recordings by their names."""
    from studykit.terminal.markdown.inline import Notation
    from studykit.terminal.markdown.render import one_line_text

    return one_line_text(markdown, Notation(ascii=context.style.ascii))


def end_run(context: Context, report: "RunReport", *, plain: bool = False) -> str:
    """Write the summary of a run, and return the key pressed after misses (`m` retries, `u` undoes), or ""."""
    from studykit.terminal.review_summary import run_lines

    by_keys = not plain_reason(context, plain=plain)
    last_row = [report.message] if by_keys and report.message else []  # plain mode has printed it already
    write_rows(context, [*last_row, *run_lines(report, next_steps(context))], plain=not by_keys)
    if not by_keys:
        return ""
    return key_at_end(context) if report.missed else ""


def write_rows(context: Context, rows: Sequence[str], *, plain: bool = False) -> None:
    """Write the lines of a summary, on a terminal in color and with hanging indents."""
    from studykit.terminal.review_summary import highlighted
    from studykit.terminal.spans import paint

    for row in rows:
        if plain or not context.on_terminal:
            context.write(row)
            continue
        for line in highlighted(row, context.columns or _COLUMNS):
            context.copy(paint(line, color=context.style.color, ascii=context.style.ascii))


def key_at_end(context: Context, hint: str = _RETRY_OR_UNDO) -> str:
    """Wait for a key at the end of a run with misses, and return its name, such as m or u."""
    from studykit.terminal.input.tty import Terminal

    has_room = (context.columns or _COLUMNS) >= len(hint)
    context.write(hint if has_room else hint.replace("   ", "\n"))
    try:
        with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=False) as terminal:
            key = terminal.keys.read()
    except KeyboardInterrupt:
        return ""
    return key.name if key is not None else ""


def next_steps(context: Context) -> "NextSteps":
    """Return the number of cards due tomorrow, the streak if it is shown, and the next command."""
    from studykit.cli.study_plan import todays_agenda
    from studykit.terminal.review_summary import NextSteps

    schedule, today = context.store.schedule, context.today()
    agenda = todays_agenda(context)
    # As the forecast counts: a card that is due today is not tomorrow's as well.
    tomorrow = len(schedule.agenda(today + timedelta(days=1), new=0).due) - len(agenda.due)
    streak = schedule.streak(today).current if context.section("ui")["streak"] else None
    command = "study review" if agenda.left else context.practice_command
    return NextSteps(tomorrow, streak, next_command=context.command(command), runnable=context.command)


def replace_output(path: Path, text: str, *, mode: int | None = None) -> int:
    """Write a text to a file that an option names, and return its size in bytes, or raise StudyError."""
    from studykit.ordinary_file import explaining, replace_file

    data = text.encode()
    with explaining(f"{path} cannot be written: ", ". Choose another file.", StudyError):
        refuse_own_file(path)
        replace_file(path, data, mode=mode)
    return len(data)


_OWN_ENDINGS = {".md": "may be a deck", ".toml": "may hold settings"}


def refuse_own_file(path: Path) -> None:
    """Raise UsageError for an existing deck, settings file or database, which no output may replace."""
    with suppress(OSError):  # of a name that the system refuses, which whoever writes the file reports
        if path.is_file():
            with path.open("rb") as file:
                is_database = file.read(16).startswith(b"SQLite format 3")
            if what := "is a database" if is_database else _OWN_ENDINGS.get(path.suffix.casefold()):
                raise UsageError(f"{path} {what}, so it is not replaced. Choose another file.")


def future_sentence(events: "Sequence[Event]") -> str:
    """Return a remark on events that are dated in the future. The first of `events` is the latest."""
    problem = f"{counted(len(events), 'event')} of your log dated in the future, up to {events[0].day}"
    return f"{problem}: set the clock right, or take them back with `study undo --future`."
