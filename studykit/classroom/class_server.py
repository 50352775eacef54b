"""The server of a class: its address, and transactions on it. psycopg is loaded when a connection is made."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import URL, exc, make_url

from studykit.errors import BadDataError, MissingError, StudyError
from studykit.store.database import database_error, known_revision
from studykit.store.readonly import WAITING_SECONDS
from studykit.text import hide_passwords

if TYPE_CHECKING:
    import psycopg

Row: TypeAlias = tuple[Any, ...]
Connection: TypeAlias = "psycopg.Connection[Row]"
Result = TypeVar("Result")

REVISION = "1001"
"""What `class.sql` makes. Files count from 0001: an earlier studykit takes it for a newer one's."""
_HARMLESS = frozenset({"host", "port", "user", "dbname", "sslmode", "connect_timeout"})
_RESTART_SECONDS = 5.0
_RESTART_PAUSE_SECONDS = 0.2
_PATIENCE = "SELECT set_config('lock_timeout', %s, true)"
"""It ends with the transaction: a pooler lends no session."""
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
    except (exc.ArgumentError, ValueError):  # a port that is not a number is the latter
        url = None
    if url is None or url.get_backend_name() != "postgresql":
        shown = hide_passwords(address)
        raise StudyError(
            f"a class lives on a PostgreSQL server, and {shown!r} is not one: name its database, "
            "such as --db postgresql://host/course."
        )
    return url.set(drivername="postgresql+psycopg")


def shown_url(url: URL) -> str:
    """Return the URL as messages have it: without its password, and without options that may hold one."""
    harmless = {name: value for name, value in url.query.items() if name in _HARMLESS}
    return hide_passwords(url.set(query=harmless).render_as_string(hide_password=True))


class Server:
    """A connection to a class's database, made again where it is lost."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.name = shown_url(url)
        """The database as messages call it."""
        with self._errors():
            self._connection = self._connect()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one state of the database."""
        with self._errors(), self._transaction(reads=True) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction and commit it at the end, or roll it back."""
        with self._errors(), self._transaction(reads=False) as connection:
            yield connection

    def repeated(self, work: Callable[[Connection], Result], *, reads: bool = False) -> Result:
        """Return what `work` gives in a transaction, repeated if the server restarts: twice must be as once."""
        import psycopg

        end = time.monotonic() + _RESTART_SECONDS
        with self._errors():
            while True:
                try:
                    if self._connection.closed:
                        self._connection = self._connect()
                    with self._transaction(reads=reads) as connection:
                        return work(connection)
                except psycopg.OperationalError:
                    if not self._connection.closed or time.monotonic() > end:
                        raise
                    time.sleep(_RESTART_PAUSE_SECONDS)

    def version(self) -> str | None:
        """Return the version of the class's table, or None. BadDataError for tables of another program."""
        with self.reading() as connection:
            (versioned, occupied) = connection.execute(_TABLES).fetchone() or (False, False)
            if not versioned and occupied:
                raise BadDataError(f"{self.name} is a database of another program: name another one.")
            row = connection.execute(_VERSION).fetchone() if versioned else None
        return known_revision(row[0] if row else "", self.name, REVISION) if versioned else None

    def check_version(self) -> None:
        """Raise StudyError unless there is a class of this version."""
        version = self.version()
        if version is None:
            raise StudyError(f"there is no class in {self.name} yet. Make one: study class create")
        if version != REVISION:
            hint = "ask its owner to upgrade it with `study class create`"
            raise StudyError(f"{self.name} was made by an earlier studykit: {hint}.")

    def role(self) -> tuple[str, bool, bool]:
        """Return who is connected, whether they see only own rows by policy, and whether they are of the staff."""
        with self.reading() as connection:
            name, confined, staff = connection.execute(_ROLE).fetchone() or ("", True, False)
        return str(name), bool(confined), bool(staff)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def _connect(self) -> Connection:
        """Connect. No session keeps anything: a pooler may lend another one each time."""
        import psycopg

        _, options = self.url.get_dialect()().create_connect_args(self.url)
        patience = {"connect_timeout": max(1, round(WAITING_SECONDS))}
        return psycopg.connect(**{**patience, **options}, autocommit=True, prepare_threshold=None)

    @contextmanager
    def _transaction(self, *, reads: bool) -> Iterator[Connection]:
        from psycopg import IsolationLevel

        connection = self._connection
        connection.isolation_level = IsolationLevel.REPEATABLE_READ if reads else None
        connection.read_only = reads
        with connection.transaction():
            connection.execute(_PATIENCE, [f"{round(WAITING_SECONDS * 1000)}"])
            yield connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            import psycopg
        except ModuleNotFoundError as error:
            message = f"PostgreSQL needs the package {error.name}: pip install 'studykit-srs[postgres]'."
            raise MissingError(message) from error
        try:
            yield
        except (psycopg.Error, UnicodeDecodeError) as error:
            raise database_error(self.name, error) from error
