"""New cards beyond a day's limit: how many were asked for today, and how many wait."""

from studykit import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date
    from pathlib import Path

    from studykit.cli.context import Context
    from studykit.scheduling.agenda import Agenda

_ALL = 10**6  # more than a collection has
_OFFERED = 10  # new cards that are offered at once
_LONGEST = 40  # characters of the file


def _file(database: str) -> "Path":
    """Beside the database; in the learner's folder where the database is no file."""
    return paths.expanded(f"{paths.database() if '://' in database else database}.more")


def asked_for(database: str, day: "date") -> int:
    """How many cards beyond the limit were asked for on a day; 0 on every other day."""
    try:
        with _file(database).open(encoding="ascii") as file:
            on, _, count = file.read(_LONGEST).strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return 0
    return int(count) if on == str(day) and count.isdecimal() else 0


def ask_for(context: "Context", more: int) -> None:
    """Allow so many new cards more today, whatever was used so far; the day remembers it."""
    today, setting = context.today(), context.new_a_day
    introduced = context.store.schedule.stats(today).today.introduced
    extra = asked_for(context.database, today) + max(0, introduced - setting) + more
    _file(context.database).write_text(f"{today} {extra}\n", encoding="ascii")


def waiting(context: "Context", agenda: "Agenda", decks: "Collection[str]" = ()) -> int:
    """New cards that wait because the day's are used; 0 while some of the day's are left."""
    if agenda.new:
        return 0
    everything = context.store.schedule.agenda(context.today(), new=_ALL, decks=decks)
    return len(everything.new)


def sentence(context: "Context", waits: int, names: "Collection[str]" = ()) -> str:
    """How many wait and how to have them now."""
    from studykit.text import counted

    words = " ".join(["study review", *(_quoted(name) for name in names), f"--more {min(waits, _OFFERED)}"])
    used = f"today's {context.new_a_day} are used" if context.new_a_day else "none are planned for today"
    return f"{counted(waits, 'new card')} {'waits' if waits == 1 else 'wait'}, {used}: {words}"


def _quoted(name: str) -> str:
    from shlex import quote

    return quote(name)
