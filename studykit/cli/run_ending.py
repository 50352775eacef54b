"""The end of a run of exercises or a quiz: its lines, and the key that goes through the misses again."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from studykit.cli.context import Context

if TYPE_CHECKING:
    from studykit.review.run_report import RunReport
    from studykit.terminal.review_summary import NextSteps

_COLUMNS = 80  # where a terminal does not say how wide it is
AGAIN_OR_END = "m goes through the missed again, any other key ends"
AGAIN = "m goes through the missed again, u undoes the last answer, any other key ends"


def end_run(context: Context, report: "RunReport", *, by_keys: bool) -> bool:
    """Write how the run went; whether its misses are wanted again: one key, where there are keys."""
    from studykit.terminal.run_summary import run_lines

    write_rows(context, run_lines(report, next_steps(context)), plain=not by_keys)

    def undone() -> str:
        from studykit.exercise.run_ui import undone_words

        return undone_words(context.store.log.undo())

    return report.again and bool(report.missed) and by_keys and misses_again(context, undone)


def write_rows(context: Context, rows: Sequence[str], *, plain: bool = False) -> None:
    """Write the lines of an end, in colour and broken under their own beginning where a terminal shows them."""
    from studykit.terminal.review_summary import highlighted
    from studykit.terminal.spans import paint

    for row in rows:
        if plain or not context.on_terminal:
            context.write(row)
            continue
        for line in highlighted(row, context.columns or _COLUMNS):
            context.copy(paint(line, colour=context.style.colour, ascii=context.style.ascii))


def misses_again(context: Context, undone: Callable[[], str] | None = None) -> bool:
    """Whether the learner asks for the misses by a key; `undone` takes back an answer first, and says so."""
    told = AGAIN if undone is not None else AGAIN_OR_END
    while (key := key_at_end(context, told)) == "u" and undone is not None:
        context.write(undone())
    return key == "m"


def key_at_end(context: Context, told: str = AGAIN) -> str:
    """The key that was pressed after an end with misses: m, u or another one."""
    from studykit.terminal.input.tty import Terminal

    context.write(told)
    try:
        with Terminal(context.stdin.fileno(), context.stdout.fileno(), screen=False) as terminal:
            pressed = terminal.keys.read()
    except KeyboardInterrupt:
        return ""
    return pressed.name if pressed is not None else ""


def next_steps(context: Context) -> "NextSteps":
    """Cards of tomorrow, and the streak if it is wanted."""
    from studykit.terminal.review_summary import NextSteps

    schedule, today = context.store.schedule, context.today()
    due = schedule.agenda(today + timedelta(days=1), new=0).due
    streak = schedule.streak(today).current if context.section("ui")["streak"] else None
    return NextSteps(len(due), streak)
