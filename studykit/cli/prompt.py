"""`study due --short` on the way that a shell prompt can afford: no Typer, no SQLAlchemy, mostly no dataclass."""

import sqlite3
import sys

from studykit.cli.context import Context
from studykit.errors import BadDataError, BusyError, StudyError
from studykit.store.address import LEARNER
from studykit.store.due_count import count_due
from studykit.store.readonly import SQLITE_ERRORS, connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from studykit.scheduling.agenda import Agenda


def agenda_words(agenda: "Agenda") -> str:
    """A word or two on an agenda, empty when it is."""
    if count := len(agenda.due) + len(agenda.drill):
        return _due(count)
    return f"{len(agenda.new)} new" if agenda.new else ""


def _due(count: int) -> str:
    return f"{count} due"


def short(context: Context) -> int | None:
    """The exit code, the prompt's words written; None where it needs the whole program."""
    try:
        if count := _counted(context):
            sys.stdout.write(f"{_due(count)}\n")
            return 0
        return _new_cards(context)
    except (BadDataError, BusyError) as error:
        return in_a_word(error)


def in_a_word(error: StudyError) -> int:
    """The exit code of an error, told as a prompt can bear it: `unreadable`, or nothing at all."""
    if isinstance(error, BadDataError):
        sys.stdout.write("unreadable\n")
    return error.exit_code


def _counted(context: Context) -> int:
    """What is due in a file that can be read at once; 0 also where it is for the rest of the program to look."""
    if (connection := _opened(context)) is None:
        return 0
    try:
        return count_due(connection, context.learner or LEARNER, context.today())
    except SQLITE_ERRORS as error:
        raise _told(context, error) from error
    finally:
        connection.close()


def _new_cards(context: Context) -> int | None:
    """When nothing is due, write how many new cards the day may still bring."""
    from io import StringIO

    from studykit.cli.study_plan import new_a_day, new_of_decks
    from studykit.store.schedule import read_agenda

    quiet = context.writing_to(stderr=StringIO())  # a prompt is no place for remarks
    if (connection := _opened(quiet)) is None:
        return None
    try:
        words = agenda_words(
            read_agenda(
                connection,
                quiet.learner or LEARNER,
                quiet.today(),
                new=new_a_day(quiet),
                of_decks=new_of_decks(quiet),
            )
        )
    except SQLITE_ERRORS as error:
        raise _told(quiet, error) from error
    finally:
        connection.close()
    if words:
        quiet.write(words)
    return 0


def _told(context: Context, error: Exception) -> StudyError:
    from studykit.store.database import database_error

    return database_error(context.address.name, error)


def _opened(context: Context) -> sqlite3.Connection | None:
    """One state of a database; None unless it is a file of this version that can be read at once."""
    if context.address.path is None:
        return None
    connection = connect(context.address.path, waiting_seconds=1)
    if connection is not None:
        connection.execute("BEGIN")  # which looks at nothing yet
    return connection
