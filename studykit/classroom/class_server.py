"""Connect to the server of a class and run transactions on it. psycopg is imported only when connecting."""

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import URL, exc, make_url

from studykit.errors import BadDataError, MissingError, StudyError
from studykit.store.database import database_error, known_revision
from studykit.store.readonly import WAITING_SECONDS
from studykit.text import hide_passwords

if TYPE_CHECKING:
    import psycopg

Row: TypeAlias = tuple[Any, ...]
Connection: TypeAlias = "psycopg.Connection[Row]"

REVISION = "1001"
"""The version that `class.sql` creates. Not below 1000: those are SQLite files, which count from 0001."""
_SHOWN_OPTIONS = frozenset({"host", "port", "user", "dbname", "sslmode", "connect_timeout"})
_SET_LOCK_TIMEOUT = "SELECT set_config('lock_timeout', %s, true)"
"""Set for the transaction only: behind a pooler the session belongs to others too."""
_TABLES = """
SELECT coalesce(bool_or(relname = 'alembic_version'), false), count(*) > 0
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
"""
_VERSION = "SELECT version_num FROM public.alembic_version"
_ROLE = """
SELECT current_user, row_security_active('event'),
    pg_has_role(to_regrole(quote_ident(current_database() || '_staff')), 'MEMBER')
"""


def server_url(address: str) -> URL:
    """Return the URL of a class's database, or raise StudyError."""
    try:
        url = make_url(address)
    except (exc.ArgumentError, ValueError):  # ValueError: the port is not a number
        url = None
    if url is None or url.get_backend_name() != "postgresql":
        safe_address = hide_passwords(address)
        raise StudyError(
            f"{safe_address!r} is not the address of a PostgreSQL database. Name the class's, such as "
            "postgresql://host/course."
        )
    return url.set(drivername="postgresql+psycopg")


def shown_url(url: URL) -> str:
    """Return the URL for messages, without its driver, its password and options that may hold one."""
    options = {name: value for name, value in url.query.items() if name in _SHOWN_OPTIONS}
    return hide_passwords(url.set(drivername="postgresql", query=options).render_as_string(hide_password=True))


class Server:
    """Hold a connection to a class's database."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.name = shown_url(url)
        """The database's URL for messages."""
        self._connection = self._connect()

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a read-only transaction that sees one state of the database."""
        return self._transaction(reads=True)

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a transaction, and commit it at the end or roll it back on an error."""
        return self._transaction(reads=False)

    def version(self) -> str | None:
        """Return the class table's version, None without one. Raise BadDataError if another program's or newer."""
        with self.reading() as connection:
            (versioned, occupied) = connection.execute(_TABLES).fetchone() or (False, False)
            if not versioned and occupied:
                raise BadDataError(f"{self.name} is a database of another program. Name another one.")
            row = connection.execute(_VERSION).fetchone() if versioned else None
        return known_revision(row[0] if row else "", self.name, REVISION) if versioned else None

    def check_version(self) -> None:
        """Raise StudyError unless the database holds a class of this version."""
        version = self.version()
        if version is None:
            raise StudyError(
                f"{self.name} does not hold a class yet. Its owner can make one with", "study class create"
            )
        if version != REVISION:
            message = f"{self.name} was made by an earlier studykit. Ask its owner to upgrade it"
            raise StudyError(message, "study class create")

    def role(self) -> tuple[str, bool, bool]:
        """Return the role connected, whether row policies apply to it, and whether it is on the staff."""
        with self.reading() as connection:
            name, confined, staff = connection.execute(_ROLE).fetchone() or ("", True, False)
        return str(name), bool(confined), bool(staff)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _connect(self) -> Connection:
        with self._errors():
            import psycopg

            # It warns of each error that it passes over behind the one that it raises, which ours reports.
            logging.getLogger("psycopg").setLevel(logging.ERROR)
            _, options = self.url.get_dialect()().create_connect_args(self.url)
            defaults = {"connect_timeout": max(1, round(WAITING_SECONDS))}
            # Without prepared statements: behind a pooler each transaction may run in another session.
            return psycopg.connect(**{**defaults, **options}, autocommit=True, prepare_threshold=None)

    @contextmanager
    def _transaction(self, *, reads: bool) -> Iterator[Connection]:
        from psycopg import IsolationLevel

        connection = self._connection
        connection.isolation_level = IsolationLevel.REPEATABLE_READ if reads else None
        connection.read_only = reads
        with self._errors(), connection.transaction():
            connection.execute(_SET_LOCK_TIMEOUT, [f"{round(WAITING_SECONDS * 1000)}"])
            yield connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            import psycopg
        except ModuleNotFoundError as error:
            message = f"PostgreSQL needs the package {error.name}. Install it"
            raise MissingError(message, "pip install 'studykit-srs[postgres]'") from error
        try:
            yield
        except (psycopg.Error, UnicodeDecodeError) as error:
            raise database_error(self.name, error) from error
