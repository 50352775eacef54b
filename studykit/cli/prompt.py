"""`study due --short` on the way that a shell prompt can afford: no Typer, no SQLAlchemy, mostly no dataclass."""

import os
import sqlite3
import sys
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from studykit.cli import clock
from studykit.paths import data_home
from studykit.scheduling.study_day import study_day
from studykit.store.due_count import count_due
from studykit.store.readonly import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from studykit.scheduling.agenda import Agenda


def brief(agenda: "Agenda") -> str:
    """A word or two on an agenda, empty when it is."""
    if count := len(agenda.due) + len(agenda.drill):
        return _due(count)
    return f"{len(agenda.new)} new" if agenda.new else ""


def _due(count: int) -> str:
    return f"{count} due"


def short(arguments: Sequence[str]) -> int | None:
    """The exit code, the prompt's words written; None when this is another command or needs the whole program."""
    match arguments:
        case ["due", "--short"]:
            db = None
        case ["due", "--short", "--db", db]:
            pass
        case _:
            return None
    if count := _counted(db or os.environ.get("STUDYKIT_DB") or None):
        sys.stdout.write(f"{_due(count)}\n")
        return 0
    return _at_a_glance(db)


def _counted(db: str | None) -> int:
    """What is due in a file that can be read at once; 0 also where it is for the rest of the program to look."""
    if db is None and (home := data_home()) is not None:
        db = f"{home}/study.db"
    if db is None or "://" in db:
        return 0
    zone = ZoneInfo(clock.zone_name(os.environ))
    day = study_day(clock.now(os.environ, zone), zone)
    connection = connect(os.path.expanduser(db), waiting_seconds=1)
    if connection is None:
        return 0
    try:
        connection.execute("BEGIN")
        return count_due(connection.execute, "me", day)
    except sqlite3.Error:
        return 0
    finally:
        connection.close()


def _at_a_glance(db: str | None) -> int | None:
    """When nothing is due, new cards are told, as many as a day may still bring."""
    from dataclasses import replace
    from io import StringIO

    from studykit.cli.context import Context
    from studykit.store.snapshot import snapshot

    context = replace(Context.from_environment(db), stderr=StringIO())  # a prompt is no place for remarks
    with snapshot(context.database) as seen:
        if seen is None:
            return None
        said = brief(seen.agenda(context.today(), new=context.new_a_day))
    if said:
        context.write(said)
    return 0
