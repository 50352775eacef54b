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
    return _new_cards(db)


def _counted(db: str | None) -> int:
    """What is due in a file that can be read at once; 0 also where it is for the rest of the program to look."""
    if db is None and (home := data_home()) is not None:
        db = f"{home}/study.db"
    if db is None or (connection := _opened(db)) is None:
        return 0
    zone = ZoneInfo(clock.zone_name(os.environ))
    try:
        return count_due(connection, "me", study_day(clock.now(os.environ, zone), zone))
    except sqlite3.Error:
        return 0
    finally:
        connection.close()


def _new_cards(db: str | None) -> int | None:
    """When nothing is due, new cards are told, as many as a day may still bring."""
    from dataclasses import replace
    from io import StringIO

    from studykit.cli.context import Context
    from studykit.store.schedule import read_agenda

    context = replace(Context.from_environment(db), stderr=StringIO())  # a prompt is no place for remarks
    if (connection := _opened(context.database)) is None:
        return None
    try:
        words = brief(read_agenda(connection, "me", context.today(), new=context.new_a_day))
    finally:
        connection.close()
    if words:
        context.write(words)
    return 0


def _opened(database: str) -> sqlite3.Connection | None:
    """One state of a database; None where it is no file of this version that can be read at once."""
    if "://" in database:
        return None
    connection = connect(os.path.expanduser(database), waiting_seconds=1)
    if connection is not None:
        connection.execute("BEGIN")
    return connection
