"""A class at work: 500 learners on one PostgreSQL server, each a role, and a restart of the server in the middle.

`--learners`, `--seconds`, `--think` (seconds between two answers of one learner) and `--commands` (learners who
run `study answer` as a command) scale it. It ends with what was lost or doubled, which must be nothing, and the
bytes of a row.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from postgresql_server import Server, running

from studykit.cards.card import CardId
from studykit.classroom.membership import Membership
from studykit.classroom.roster import MemberKind, RosterLine
from studykit.errors import StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.address import Address
from studykit.store.opening import open_store
from studykit.store.store import Store

PROCESSES, AT_ONCE, CARDS = 4, 2, 200
DURABLE = ("-c", "fsync=on", "-c", "max_connections=700")


def main() -> None:
    """Run it, or one process of the driver."""
    if sys.argv[1:2] == ["drive"]:
        drive(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("learners", 500), ("seconds", 60), ("think", 20), ("commands", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with running(*DURABLE) as server, tempfile.TemporaryDirectory(prefix="study-class-") as folder:
        names = [f"learner{number}" for number in range(options.learners)]
        set_up(server, names)
        times = sessions(server, names, options.seconds, options.think, Path(folder))
        tell("answers in sessions that are held", times)
        tell("study answer as a command", commands(server, names[: options.commands], Path(folder)))
        sizes(server)


def address(server: Server, name: str) -> str:
    """The class as one role reaches it."""
    return server.url.replace("/postgres?", "/course?").replace("//study@", f"//{name}@")


def set_up(server: Server, names: list[str]) -> None:
    """A class with all of them."""
    with server.connect() as connection:
        connection.execute("CREATE DATABASE course")
    members = Membership(Address(address(server, "study")))
    members.create()
    start = time.monotonic()
    members.add([RosterLine(name, MemberKind.STUDENT) for name in names], passwords=False)
    members.close()
    print(f"{len(names)} roles made in {time.monotonic() - start:.1f} s")


def sessions(server: Server, names: list[str], seconds: int, think: int, folder: Path) -> list[float]:
    """Learners in several processes, each with a session of its own; the server restarts half-way."""
    parts = [names[number::PROCESSES] for number in range(PROCESSES)]
    files = [folder / f"{number}.json" for number in range(PROCESSES)]
    go = folder / "go"
    drivers = [
        subprocess.Popen(
            [sys.executable, __file__, "drive", server.url, str(file), str(go), str(seconds), str(think), *part]
        )
        for part, file in zip(parts, files, strict=True)
    ]
    while not all(file.with_suffix(".ready").exists() for file in files):
        time.sleep(0.5)
    go.touch()
    time.sleep(seconds / 2)
    start = time.monotonic()
    server.stop()
    server.start()
    print(f"the server was away for {time.monotonic() - start:.1f} s")
    for driver in drivers:
        driver.wait()
    reports = [json.loads(file.read_text()) for file in files]
    check(
        server,
        {number for one in reports for number in one["acknowledged"]},
        sum(one["refused"] for one in reports),
    )
    return [took for one in reports for took in one["times"]]


def drive(url: str, file: str, go: str, seconds: str, think: str, *names: str) -> None:
    """One process: a thread and a session for each learner."""
    numbers, refused, times = list[int](), list[str](), list[float]()

    def opened(name: str) -> Store:
        where = url.replace("/postgres?", "/course?").replace("//study@", f"//{name}@")
        return open_store(where, clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)

    def study(name: str, store: Store, end: float) -> None:
        random = Random(name)
        with store:
            time.sleep(random.uniform(0, int(think)))
            number = int(name.removeprefix("learner")) * 100_000
            while time.time() < end:
                number += 1
                start = time.monotonic()
                try:
                    card = CardId(f"card-{random.randrange(CARDS)}")
                    store.log.record(EventKind.ANSWER, card, grade=Grade(random.randrange(6)), took_ms=number)
                except StudyError as error:
                    refused.append(str(error))
                else:
                    numbers.append(number)
                    times.append(time.monotonic() - start)
                time.sleep(random.uniform(0, 2 * int(think)))

    stores = {name: opened(name) for name in names}
    Path(file).with_suffix(".ready").touch()
    while not Path(go).exists():
        time.sleep(0.1)
    end = time.time() + int(seconds)
    threads = [threading.Thread(target=study, args=(name, store, end)) for name, store in stores.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if refused:
        print(f"  refused, such as: {refused[0][:100]}")
    Path(file).write_text(json.dumps({"acknowledged": numbers, "refused": len(refused), "times": times}))


def check(server: Server, acknowledged: set[int], refused: int) -> None:
    """Hold the log against what was acknowledged."""
    with server.connect("course") as connection:
        logged = [row[0] for row in connection.execute("SELECT took_ms FROM event")]
        mixed = connection.execute(
            "SELECT count(*) FROM event WHERE learner <> 'learner' || took_ms / 100000"
        ).fetchone()
    missing, doubled = len(acknowledged - set(logged)), len(logged) - len(set(logged))
    print(
        f"{len(acknowledged)} answers acknowledged, {refused} refused: {missing} lost, {doubled} doubled, "
        f"{(mixed or (0,))[0]} under another's name"
    )


def commands(server: Server, names: list[str], folder: Path) -> list[float]:
    """`study answer` by itself, a few at once; each learner's first run, which reads the course, is left out."""

    def answer(name: str) -> list[float]:
        home = folder / name
        home.mkdir()
        environ = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home), "STUDYKIT_BACKUP": "0"}
        environ["STUDYKIT_DB"] = address(server, name)
        times = []
        for card in ("six-nd-attention", "gb-gib", "six-nd-symbols"):
            start = time.monotonic()
            command = [sys.executable, "-m", "studykit", "answer", card, "good"]
            result = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
            if result.returncode:
                print(result.stderr)
            times.append(time.monotonic() - start)
        return times[1:]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [times for each in pool.map(answer, names) for times in each]


def tell(what: str, times: list[float]) -> None:
    """Median and the slowest of a hundred."""
    if times:
        cut = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
        print(f"{what}: {len(times)}, p50 {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms")


def sizes(server: Server) -> None:
    """What a row takes with its indexes."""
    with server.connect("course") as connection:
        for table in ("event", "memory", "card", "card_text"):
            row = connection.execute(
                f"SELECT count(*), pg_total_relation_size('{table}') FROM {table}"
            ).fetchone() or (0, 0)
            rows, size = int(str(row[0])), int(str(row[1]))
            print(f"{table}: {rows} rows, {size / max(1, rows):.0f} bytes each with indexes")


if __name__ == "__main__":
    main()
