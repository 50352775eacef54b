"""Choose the tests that can run on this machine, and list the others in the first lines of a run."""

import functools
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from devices import cpu_worker
from hypothesis import HealthCheck, settings
from machines import empty_database
from postgresql_server import programs, server
from shell import context, on_terminal, study
from stores import Clock, opened

from studykit.cards import parser, query
from studykit.cards.card import Deck
from studykit.cards.front_matter import Macros
from studykit.cards.problem import Problem
from studykit.collection import reread
from studykit.sandbox import bubblewrap
from studykit.sandbox.worker import Worker, open_worker, runtime_folder
from studykit.store.store import Store

__all__ = ["context", "cpu_worker", "on_terminal", "server", "study"]  # fixtures

# The same examples on every run, without a database of old ones and without a clock: a machine that is busy or a
# lucky draw must not decide whether a change lands. `STUDYKIT_TEST_FUZZ=1` draws afresh.
os.environ.setdefault("STUDYKIT_BACKUP", "0")  # a backup after each run is for the tests that ask for it

settings.register_profile(
    "steady",
    max_examples=50,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("fuzz", deadline=None, database=None, max_examples=1000)
settings.load_profile("fuzz" if os.environ.get("STUDYKIT_TEST_FUZZ") else "steady")

collect_ignore: list[str] = []


if importlib.util.find_spec("torch") is None:
    collect_ignore += [
        "gpu/test_gpu_parts.py",
        "gpu/test_recordings.py",
        "graders/test_gpu.py",
        "graders/test_measure.py",
        "graders/test_counting.py",
        "graders/test_edits.py",
        "graders/test_rewrites.py",
        "sandbox/test_cheats.py",
    ]
_POSTGRESQL = programs() if importlib.util.find_spec("psycopg") else None
if _POSTGRESQL is None:
    collect_ignore += [
        f"classroom/test_{name}.py" for name in ("class", "class_logs", "manual_class", "server", "upgrade")
    ]
_BUBBLEWRAP = bubblewrap.works("numpy")
if not _BUBBLEWRAP:
    collect_ignore.append("sandbox/test_bubblewrap.py")


def pytest_configure(config: pytest.Config) -> None:
    """Make one runtime folder for a whole run, so its processes share a warm worker as a learner's commands do."""
    if not hasattr(config, "workerinput"):  # else xdist's first process has made one
        folder = tempfile.mkdtemp(prefix="study-tests-", dir="/tmp")  # short enough for a socket
        os.environ["XDG_RUNTIME_DIR"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of many short processes compiles the program
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))  # a worker without a socket leaves


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests marked `thorough`, which repeat others at more cost, unless STUDYKIT_TEST_ALL is set."""
    if os.environ.get("STUDYKIT_TEST_ALL"):
        return
    costly = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=costly)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes `-n auto` starts: two per core, because tests sometimes wait, but at most 8."""
    return min(2 * (os.cpu_count() or 1), 8)


@pytest.fixture(scope="session", autouse=True)
def _repeated_parses_cached() -> Iterator[None]:
    """Parse each deck once a process: thousands of tests open a fresh home, which reads all that ship."""
    parse = functools.lru_cache(maxsize=64)(parser.parse_deck)

    def parse_deck(text: str, path: str, macros: Macros = ()) -> tuple[Deck, list[Problem]]:
        deck, problems = parse(text, path, macros)
        return deck, problems.copy()

    with pytest.MonkeyPatch.context() as patch:
        for module in (parser, reread):
            patch.setattr(module, "parse_deck", parse_deck)
        patch.setattr(query, "searchable", functools.lru_cache(maxsize=2000)(query.searchable))
        yield


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands at `stores.NOW` until the test moves it."""
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """Open a new store `study.db` that goes by `clock`."""
    with opened(tmp_path / "study.db", clock, origin="here") as store:
        yield store


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a new database that tests copy."""
    return empty_database(tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """Open a worker without bubblewrap: the first layer holds alone."""
    with open_worker(backend="numpy", shared=False, wrapped=False) as opened:
        yield opened


@pytest.fixture
def torch_worker() -> Iterator[Worker]:
    """Yield the warm worker of this run. It imports torch once, and each test has its own children."""
    runtime = runtime_folder(os.environ["XDG_RUNTIME_DIR"])  # private where others start one
    with open_worker(backend="torch", runtime=runtime) as worker:
        yield worker


@pytest.fixture
def runtime() -> Iterator[Path]:
    """Make a folder with a name short enough for AF_UNIX. An idle worker ends when its socket is gone."""
    with tempfile.TemporaryDirectory(prefix="study-test-", dir="/tmp") as folder:
        yield Path(folder)


def pytest_report_header() -> list[str]:
    """Say whether the tests of PostgreSQL and bubblewrap run."""
    return [
        f"PostgreSQL: {_POSTGRESQL or 'no server programs or no psycopg here, its tests are left out'}",
        f"bubblewrap: {'works' if _BUBBLEWRAP else 'missing or not allowed here, its tests are left out'}",
    ]
