"""`study due --short` on the way that a shell prompt can afford: no Typer, no SQLAlchemy, mostly no dataclass."""

import os
import sqlite3
import sys

from studykit.cli.context import Context
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


def short(context: Context) -> int | None:
    """The exit code, the prompt's words written; None where it needs the whole program."""
    if count := _counted(context):
        sys.stdout.write(f"{_due(count)}\n")
        return 0
    return _at_a_glance(context)


def _counted(context: Context) -> int:
    """What is due in a file that can be read at once; 0 also where it is for the rest of the program to look."""
    if "://" in context.database:
        return 0
    day = context.today()
    connection = connect(os.path.expanduser(context.database), waiting_seconds=1)
    if connection is None:
        return 0
    try:
        connection.execute("BEGIN")
        return count_due(connection.execute, "me", day)
    except sqlite3.Error:
        return 0
    finally:
        connection.close()


def _at_a_glance(context: Context) -> int | None:
    """When nothing is due, new cards are told, as many as a day may still bring."""
    from io import StringIO

    from studykit.store.snapshot import snapshot

    quiet = context.writing_to(stderr=StringIO())  # a prompt is no place for remarks
    with snapshot(quiet.database) as seen:
        if seen is None:
            return None
        said = brief(seen.agenda(quiet.today(), new=quiet.new_a_day))
    if said:
        quiet.write(said)
    return 0
