"""Measure a class at work: 500 learners sync with one PostgreSQL server, which restarts in the middle.

Each learner has a file and a role, answers some cards and syncs, again and again, and once more at the end.
`--learners`, `--seconds` and `--think` (seconds between two syncs of one learner) scale it. At the end it prints
how many answers were lost or doubled, which must be none.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from postgresql_server import Server, running
from stores import opened_now

from studykit.cards.card import CardId
from studykit.classroom.class_server import server_url
from studykit.classroom.learner_log import exchange_with_class, opened_log
from studykit.classroom.membership import Membership
from studykit.classroom.roster import MemberKind, RosterLine
from studykit.errors import StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store

PROCESSES, CARDS, ANSWERS = 4, 200, 5
DURABLE = ("-c", "fsync=on", "-c", "max_connections=700")


def main() -> None:
    """Run the benchmark, or one of its driver processes."""
    if sys.argv[1:2] == ["drive"]:
        drive(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("learners", 500), ("seconds", 60), ("think", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with running(*DURABLE) as server, tempfile.TemporaryDirectory(prefix="study-class-") as folder:
        names = [f"learner{number}" for number in range(options.learners)]
        set_up(server, names)
        times = meetings(server, names, options.seconds, options.think, Path(folder))
    cut = statistics.quantiles(times, n=100)
    print(f"{len(times)} syncs, p50 {cut[49] * 1000:.0f} ms, p99 {cut[98] * 1000:.0f} ms")


def address(url: str, name: str) -> str:
    """Return the address of the class's database for a role."""
    return url.replace("/postgres?", "/course?").replace("//study@", f"//{name}@")


def set_up(server: Server, names: list[str]) -> None:
    """Create the class's database, with a role for each learner."""
    with server.connect() as connection:
        connection.execute("CREATE DATABASE course")
    members = Membership(server_url(address(server.url, "study")))
    members.create()
    start = time.monotonic()
    members.add([RosterLine(name, MemberKind.STUDENT) for name in names], passwords=False)
    members.close()
    print(f"{len(names)} roles made in {time.monotonic() - start:.1f} s")


def meetings(server: Server, names: list[str], seconds: int, think: int, folder: Path) -> list[float]:
    """Let learners sync in several processes, restart the server half-way, and return the seconds of each sync."""
    opened_now(folder / "template.db").close()
    files = [folder / f"{number}.json" for number in range(PROCESSES)]
    go = folder / "go"
    words = [str(go), str(seconds), str(think)]
    drivers = [
        subprocess.Popen(
            [sys.executable, __file__, "drive", server.url, str(file), *words, *names[number::PROCESSES]]
        )
        for number, file in enumerate(files)
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
    answered = {number for report in reports for number in report["answered"]}
    check(server, answered, sum(report["refused"] for report in reports))
    return [took for report in reports for took in report["times"]]


def sync(store: Store, where: str) -> float:
    """Sync with the class as `study sync` does, and return the seconds that it took."""
    start = time.monotonic()
    with opened_log(server_url(where)) as log:
        exchange_with_class(store, log, "laptop", now=int(time.time() * 1e6))
    return time.monotonic() - start


def drive(url: str, file: str, go: str, seconds: str, think: str, *names: str) -> None:
    """Run one process with a thread and a file for each learner."""
    numbers, refused, times = list[int](), list[str](), list[float]()
    folder = Path(file).parent

    def study(name: str, end: float) -> None:
        random, where = Random(name), address(url, name)
        number = int(name.removeprefix("learner")) * 100_000
        with opened_now(folder / f"{name}.db") as store:
            time.sleep(random.uniform(0, int(think)))
            while time.time() < end:
                for _ in range(ANSWERS):
                    number += 1
                    card = CardId(f"card-{random.randrange(CARDS)}")
                    store.log.record(EventKind.ANSWER, card, grade=Grade(random.randrange(6)), took_ms=number)
                    numbers.append(number)
                try:
                    times.append(sync(store, where))
                except StudyError as error:
                    refused.append(str(error))
                time.sleep(random.uniform(0, 2 * int(think)))
            sync(store, where)

    for name in names:
        shutil.copyfile(folder / "template.db", folder / f"{name}.db")
    Path(file).with_suffix(".ready").touch()
    while not Path(go).exists():
        time.sleep(0.1)
    end = time.time() + int(seconds)
    threads = [threading.Thread(target=study, args=(name, end)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if refused:
        print(f"  refused, such as: {refused[0][:100]}")
    Path(file).write_text(json.dumps({"answered": numbers, "refused": len(refused), "times": times}))


def check(server: Server, answered: set[int], refused: int) -> None:
    """Print how many of the learners' answers the server has lost, doubled or mixed up, and exit with 1 if any."""
    with server.connect("course") as connection:
        logged = [row[0] for row in connection.execute("SELECT took_ms FROM event")]
        query = "SELECT took_ms FROM event WHERE learner <> 'learner' || took_ms / 100000"
        mixed = len(connection.execute(query).fetchall())
    missing, doubled = len(answered - set(logged)), len(logged) - len(set(logged))
    print(
        f"{len(answered)} answers, {refused} syncs refused: {missing} answers lost, {doubled} doubled, "
        f"{mixed} under another's name"
    )
    if missing or doubled or mixed:
        sys.exit(1)


if __name__ == "__main__":
    main()
