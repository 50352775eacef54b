"""Let three machines study for months, with damaged files and clocks, and check that their memory agrees.

    python tests/faults/three_machines.py [--days N] [--seed N] [--rounds N]

Each machine is a process of its own, ended by `kill -9` at a random moment on every third day; its clock is wrong
by days now and then, its database is copied, restored or put back. A synchronizer carries a folder between them,
in part and out of order; they may meet on a stick and a server, too. Exits with 1 if an acknowledged event is
lacking on a machine or in a place, or if the machines differ in anything, down to the last card.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from fleet import CloudTransport, Fleet, differences
from machines import START, Machine

from studykit.sync import folder as folder_module
from studykit.sync.exchange import exchange

EVENTS_PER_SEGMENT = 50  # events of a file: many files in a short time
LONGEST_LIFE = 0.5  # seconds that a machine lives which is to be killed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=120)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--life", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    folder_module.EVENTS_PER_SEGMENT = EVENTS_PER_SEGMENT
    if chosen.life:
        return _live(*chosen.life)
    failed = 0
    for seed in range(chosen.seed, chosen.seed + chosen.rounds):
        with tempfile.TemporaryDirectory() as home:
            failed += _round(Path(home), chosen.days, seed)
    return int(failed > 0)


def _round(home: Path, days: int, seed: int) -> int:
    """Return how many events and states are wrong after one fleet of machines has studied for so many days."""
    random = Random(seed)
    fleet = Fleet(home, random)
    for day in range(days):
        _day_of_processes(fleet, day, random)
    fleet.settle()
    lacking, wrong = fleet.lacking(), differences(fleet.machines)
    fleet.close()
    sys.stdout.write(
        f"seed {seed}: {days} days, {len(fleet.machines)} machines, {len(fleet.recorded)} acknowledged, "
        f"{fleet.kills} kills, {len(lacking)} lack events, {len(wrong)} differences\n"
    )
    sys.stdout.writelines(f"  {text}\n" for text in [*lacking, *wrong][:10])
    sys.stdout.flush()
    return len(lacking) + len(wrong)


def _day_of_processes(fleet: Fleet, day: int, random: Random) -> None:
    """Let some machines live a day as processes."""
    fleet.close()
    for machine in random.sample(fleet.machines, random.randint(1, len(fleet.machines))):
        if random.random() < 0.1:
            machine.wrong_by = timedelta(days=random.randint(-9, 9))
        machine.now = START + timedelta(days=day)
        acknowledged, killed = _day(machine, day, random)
        fleet.recorded.update(UUID(text).bytes for text in acknowledged)
        fleet.kills += killed
    fleet.open()
    fleet.have_a_mishap()
    fleet.carry()


def _day(machine: Machine, day: int, random: Random) -> tuple[list[str], bool]:
    """Return the events that a machine acknowledged on a day, and whether it was killed."""
    words = [str(machine.home), str(day), str(machine.wrong_by.days), str(random.randrange(2**31))]
    output = machine.home / "acknowledged"
    doomed = random.random() < 1 / 3
    with output.open("w") as file:
        process = subprocess.Popen([sys.executable, __file__, "--life", *words], stdout=file)
        try:
            process.wait(0.25 + random.uniform(0, LONGEST_LIFE) if doomed else 60)
        except subprocess.TimeoutExpired:
            process.kill()
    code = process.wait()
    if code not in {0, -9} or (code and not doomed):
        raise SystemExit(f"{machine.device} ended with {code} on day {day}")
    return output.read_text().split("\n")[:-1], code == -9


def _live(home: str, day: str, wrong_by: str, seed: str) -> int:
    """Study and sync by turns as one machine, and print each event once it is recorded."""
    random = Random(int(seed))
    wrong = timedelta(days=int(wrong_by))
    machine = Machine(Path(home), Path(home).name, Path(), wrong_by=wrong, draws_origin=True)
    machine.now = START + timedelta(days=int(day))
    for _ in range(random.randrange(1, 5)):
        for _ in range(random.randrange(6)):
            event = machine.study(random)
            machine.now += timedelta(seconds=random.randrange(90))
            if event is not None:
                sys.stdout.write(f"{event.id}\n")
                sys.stdout.flush()
        if random.random() < 0.7:
            exchange(machine.store, CloudTransport(machine), now=int(machine.now.timestamp() * 1_000_000))
    machine.store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
