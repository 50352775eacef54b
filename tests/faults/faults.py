"""Run every fault repeatedly until the time is over, and print a table of answers acknowledged and lost.

`tests/faults/run [--seconds N] [--only TEXT] [--seed N]`. Exits with 1 if an acknowledged answer is lost or
anything else is wrong. The seed that it prints repeats the choices, but not the moments of a kill.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import sqlite_faults
from answers import HERE, Outcome, Round
from stores import opened_now

Fault = Callable[[Round], Outcome]
SQLITE: dict[str, Fault] = {
    "SQLite: kill -9": sqlite_faults.killed,
    "SQLite: kill -9, four processes": sqlite_faults.killed_together,
    "SQLite: clock and zone set by days": sqlite_faults.clocks_and_zones,
    "SQLite: a write fails": sqlite_faults.write_error,
    "SQLite: the disk is full": sqlite_faults.full_disk,
    "SQLite: a write is torn": sqlite_faults.torn_write,
    "SQLite: syncing fails": sqlite_faults.failing_sync,
    "SQLite: power cut": sqlite_faults.power_cut,
    "SQLite: syncing lies, power cut": sqlite_faults.lying_sync,
}
CUTTING = {sqlite_faults.power_cut, sqlite_faults.lying_sync}
SHOWN = 5


class Table:
    """Collect the outcomes of each fault."""

    def __init__(self) -> None:
        self.times: dict[str, int] = {}
        self.outcomes: dict[str, Outcome] = {}

    def add(self, name: str, outcome: Outcome, times: int) -> None:
        """Add the outcome of a round."""
        self.times[name] = self.times.get(name, 0) + times
        self.outcomes.setdefault(name, Outcome()).add(outcome)

    @property
    def sound(self) -> bool:
        """Return whether nothing is lost or wrong."""
        return not any(outcome.lost or outcome.wrong for outcome in self.outcomes.values())

    def __str__(self) -> str:
        rows = [f"{'fault':<40} {'times':>7} {'acknowledged':>12} {'lost':>5} {'wrong':>5}"]
        for name, outcome in self.outcomes.items():
            row = f"{name:<40} {self.times[name]:>7,} {outcome.acknowledged:>12,} {outcome.lost:>5} "
            rows.append(f"{row}{len(outcome.wrong):>5}")
            rows += [f"    {sentence}" for sentence in dict.fromkeys(outcome.wrong[:SHOWN])]
        return "\n".join(rows)


@contextmanager
def postgresql() -> Iterator[dict[str, Fault]]:
    """Yield the faults around a server, or none if no server can be started."""
    try:
        import postgresql_server
        from postgresql_faults import PostgresqlFaults
    except ModuleNotFoundError:
        yield {}
        return
    if postgresql_server.programs() is None:
        yield {}
        return
    with postgresql_server.running() as server:
        faults = PostgresqlFaults(server)
        yield {
            "sync with a server: kill -9": faults.killed,
            "sync with a server: three machines": faults.together,
            "sync with a server: connection ended": faults.cut_off,
            "sync with a server: restarted": faults.restarted,
        }


def failing_disk(folder: Path) -> Path | None:
    """Build the library from `disk.c`, or return None without a compiler."""
    compiler = shutil.which("cc") if sys.platform == "linux" else None
    if compiler is None:
        sys.stdout.write("no C compiler here: what needs a failing disk is left out\n")
        return None
    library = folder / "disk.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "disk.c"), "-ldl"]
    subprocess.run(command, check=True)
    return library


def run(faults: dict[str, Fault], seconds: float, random: Random, folder: Path) -> Table:
    """Run every fault in turn until the time is over, each at least once."""
    table = Table()
    disk = failing_disk(folder)
    fresh = folder / "fresh.db"
    opened_now(fresh).close()
    template, end, turns = fresh.read_bytes(), time.monotonic() + seconds, 0
    while faults and (turns < len(faults) or time.monotonic() < end):
        name, fault = list(faults.items())[turns % len(faults)]
        with tempfile.TemporaryDirectory(dir=folder) as place:
            outcome = fault(Round(Path(place), random, disk, template))
        table.add(name, outcome, sqlite_faults.CUTS if fault in CUTTING else 1)
        turns += 1
    return table


def main() -> int:
    """Run the faults and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--only", default="", help="faults whose names contain this")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="study-faults-") as folder, postgresql() as served:
        chosen = {name: fault for name, fault in (SQLITE | served).items() if options.only in name}
        table = run(chosen, options.seconds, Random(options.seed), Path(folder))
    sys.stdout.write(f"{table}\nseed {options.seed}, {time.monotonic() - began:.0f} s\n")
    return 0 if table.sound else 1


if __name__ == "__main__":
    sys.exit(main())
