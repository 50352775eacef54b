"""Answer `study due --short` fast enough for a shell prompt, without Typer, SQLAlchemy and most dataclasses."""

import sys

from studykit.cli.context import Context
from studykit.errors import BadDataError, BusyError, StudyError
from studykit.store.address import LEARNER
from studykit.store.due_count import count_due
from studykit.store.readonly import SQLITE_ERRORS, connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from studykit.scheduling.agenda import Agenda


def agenda_words(agenda: "Agenda") -> str:
    """Return what is due and to repeat in a few words, or else the new cards, or "" for an empty agenda."""
    return _due(len(agenda.due), len(agenda.drill)) or (f"{len(agenda.new)} new" if agenda.new else "")


def _due(due: int, drill: int) -> str:
    return ", ".join(f"{count} {word}" for count, word in ((due, "due"), (drill, "to repeat")) if count)


def short(context: Context) -> int | None:
    """Write the prompt's words and return the exit code, or None if it needs the whole program."""
    try:
        words = _words(context)
    except (BadDataError, BusyError) as error:
        return in_a_word(error)
    if words:
        sys.stdout.write(f"{words}\n")
    return None if words is None else 0


def in_a_word(error: StudyError) -> int:
    """Write `unreadable` for damaged data and nothing for other errors, and return the exit code."""
    if isinstance(error, BadDataError):
        sys.stdout.write("unreadable\n")
    return error.exit_code


def _words(context: Context) -> str | None:
    """Return words for what is due or new, or None if the database is not a readable file of this version."""
    if (connection := connect(context.address.path, waiting_seconds=1)) is None:
        return None
    try:
        connection.execute("BEGIN")  # so that both counts are of one state
        counts = count_due(connection, context.learner or LEARNER, context.today())
        return _due(*counts) or _new_cards(context, connection)
    except SQLITE_ERRORS as error:
        from studykit.store.database import database_error

        raise database_error(context.address.name, error) from error
    finally:
        connection.close()


def _new_cards(context: Context, connection: "Connection") -> str:
    """Return words for the new cards that the day may still bring, such as `3 new`, or ""."""
    from io import StringIO

    from studykit.cli.study_plan import new_a_day, new_of_decks
    from studykit.store.schedule import Schedule
    from studykit.store.sqlite import SqliteDatabase

    connection.execute("COMMIT")
    quiet = context.writing_to(stderr=StringIO())  # remarks would disturb a prompt
    schedule = Schedule(SqliteDatabase(quiet.address.file, connection), quiet.learner or LEARNER, None)
    return agenda_words(schedule.agenda(quiet.today(), new=new_a_day(quiet), of_decks=new_of_decks(quiet)))
