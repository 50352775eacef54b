"""Run a PostgreSQL server for a test, in a temporary folder, reached by a socket in it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import psycopg


NOBODY = 65534
START_TRIES = 400
PATIENCE_SECONDS = 0.05


def programs() -> Path | None:
    """Return the folder of PostgreSQL's server programs, or None if they are missing."""
    initdb = shutil.which("initdb")
    folders = [Path(initdb).resolve().parent] if initdb else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


def unprivileged() -> list[str]:
    """Return a command prefix that gives up root and ends the server with the tests, or [] without `setpriv`."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return []
    drop = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    return [setpriv, *drop, "--pdeathsig", "INT"]


class Server:
    """Run a PostgreSQL server that can be stopped and started again."""

    def __init__(self, folder: Path, programs_folder: Path, *options: str) -> None:
        self._folder, self._programs, self._options = folder, programs_folder, options
        self.url = f"postgresql+psycopg://study@/postgres?host={folder}"
        self._running: subprocess.Popen[bytes] | None = None
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        initdb = [str(programs_folder / "initdb"), "-D", "data", "-A", "trust", "-U", "study", "-E", "UTF8"]
        process = self._started([*initdb, "--no-sync"])
        if process.wait(timeout=60):
            raise RuntimeError("PostgreSQL's initdb failed.")

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        import psycopg

        command = [
            str(self._programs / "postgres"),
            "-D",
            "data",
            "-k",
            str(self._folder),
            "-h",
            "",
            "-F",
            *self._options,
        ]
        self._running = self._started(command)
        for _ in range(START_TRIES):
            try:
                self.connect().close()
            except psycopg.OperationalError:
                try:
                    code = self._running.wait(timeout=PATIENCE_SECONDS)
                except subprocess.TimeoutExpired:
                    continue
                raise RuntimeError(f"The PostgreSQL server ended with exit code {code}.") from None
            else:
                return
        raise RuntimeError("The PostgreSQL server did not start in time.")

    def stop(self, how: str = "fast") -> None:
        """Stop the server, `fast` or `immediate`, which leaves recovery to the next start."""
        if self._running is None:
            return
        self._running.send_signal({"fast": 2, "immediate": 3}[how])
        try:
            self._running.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait(timeout=10)
        self._running = None

    def connect(self, database: str = "postgres") -> "psycopg.Connection[tuple[object, ...]]":
        """Connect as the server's owner."""
        import psycopg

        return psycopg.connect(
            host=str(self._folder), user="study", dbname=database, connect_timeout=5, autocommit=True
        )

    def empty(self, database: str, *roles: str) -> str:
        """Create an empty database of this name, drop these roles, and return the database's address."""
        with self.connect() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
            for role in roles:
                connection.execute(f"DROP ROLE IF EXISTS {role}")
            connection.execute(f"CREATE DATABASE {database}")
        return self.url.replace("/postgres?", f"/{database}?")

    def _started(self, command: list[str]) -> "subprocess.Popen[bytes]":
        quiet = subprocess.DEVNULL
        environ = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
        return subprocess.Popen(
            [*unprivileged(), *command], cwd=self._folder, env=environ, stdout=quiet, stderr=quiet
        )


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Yield a server for the tests of one file."""
    with running() as found:
        yield found


@contextmanager
def running(*options: str) -> Iterator[Server]:
    """Run a server with these options until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="study-pg-", dir="/tmp"))  # short enough for a socket
    where = programs()
    if where is None:
        raise RuntimeError("The server programs of PostgreSQL are missing. Install PostgreSQL.")
    server = None
    try:
        server = Server(folder, where, *options)
        server.start()
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
