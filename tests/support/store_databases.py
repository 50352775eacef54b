"""Places for a store: the tests of what is remembered run on a file, and once more on a PostgreSQL server."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from postgresql_server import Server, programs, running
from stores import opened

MIGRATED = "migrated"

_ON_A_SERVER = pytest.param(
    "postgresql",
    marks=(
        pytest.mark.thorough,
        pytest.mark.skipif(programs() is None, reason="no server programs of PostgreSQL here"),
    ),
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server for the tests of one file."""
    with running() as found:
        yield found


@pytest.fixture(scope="session")
def store_server() -> Iterator[Server]:
    """A server with one database that the program has made; each test has a copy of it."""
    pytest.importorskip("psycopg")
    with running() as server:
        with server.connect() as connection:
            connection.execute(f"CREATE DATABASE {MIGRATED}")
        opened(_address(server, MIGRATED)).close()
        yield server


@pytest.fixture(params=["sqlite", _ON_A_SERVER])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Gives the address of an empty database by a name of the test's own, the same one for the same name."""
    if request.param == "sqlite":
        yield lambda name: str(tmp_path / f"{name}.db")
        return
    server: Server = request.getfixturevalue("store_server")
    made: set[str] = set()

    def address(name: str) -> str:
        if name not in made:
            made.add(name)
            with server.connect() as connection:
                connection.execute(f"CREATE DATABASE {name} TEMPLATE {MIGRATED}")
        return _address(server, name)

    yield address
    with server.connect() as connection:
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _address(server: Server, name: str) -> str:
    return server.url.replace("/postgres?", f"/{name}?")
