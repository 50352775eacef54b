"""Three machines study for simulated months with random syncs, kills and clock errors, and end in the same memory.

    python tests/faults/three_machines.py [--days N] [--seed N] [--rounds N]

Each machine is a process of its own, ended by `kill -9` at a random moment on every third day; its clock is wrong
by days now and then. A synchroniser carries the folder between them, in part and out of order. Ends with 1 where
an acknowledged event is lost, or a machine knows anything else than the others, down to the last card.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from fleet import NAMES, a_fleet, carry_all, differences, folder_of, settle
from machines import START, Machine, empty_database

from studykit.sync import folder as folder_module

SEGMENT = 50  # events of a file: many files in a short time
LONGEST_LIFE = 0.5  # seconds that a machine lives which is to be killed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=120)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--life", nargs=5, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.life:
        return _live(*chosen.life)
    failed = 0
    for seed in range(chosen.seed, chosen.seed + chosen.rounds):
        with tempfile.TemporaryDirectory() as home:
            failed += _round(Path(home), chosen.days, seed)
    return int(failed > 0)


def _round(home: Path, days: int, seed: int) -> int:
    """How many things went wrong in one fleet's life."""
    random, acknowledged, kills = Random(seed), set[str](), 0
    empty = empty_database(home)
    for name in NAMES:
        Machine(home / name, name, empty).store.close()
    wrong_by = dict.fromkeys(NAMES, 0)
    for day in range(days):
        for name in random.sample(NAMES, random.randint(1, len(NAMES))):
            if random.random() < 0.1:
                wrong_by[name] = random.randint(-9, 9)
            told, killed = _day(home / name, day, wrong_by[name], random)
            acknowledged.update(told)
            kills += killed
        carry_all([home / name for name in NAMES], random)
    folder_module.SEGMENT = SEGMENT
    fleet = a_fleet(home, empty)
    settle(fleet, random)
    events = {str(event.id) for event in fleet[0].events()}
    lost, wrong = acknowledged - events, differences(fleet)
    for machine in fleet:
        machine.store.close()
    sys.stdout.write(
        f"seed {seed}: {days} days, {len(acknowledged)} acknowledged of {len(events)} events, {kills} kills, "
        f"{len(lost)} lost, {len(wrong)} differences\n"
    )
    sys.stdout.writelines(f"  {told}\n" for told in [*wrong, *sorted(lost)][:10])
    sys.stdout.flush()
    return len(lost) + len(wrong)


def _day(home: Path, day: int, wrong_by: int, random: Random) -> tuple[list[str], bool]:
    """What a machine acknowledged on a day, and whether it was killed."""
    words = [str(home), str(day), str(wrong_by), str(random.randrange(2**31)), str(folder_of(home))]
    told = home / "told"
    doomed = random.random() < 1 / 3
    with told.open("w") as said:
        process = subprocess.Popen([sys.executable, __file__, "--life", *words], stdout=said)
        try:
            process.wait(0.25 + random.uniform(0, LONGEST_LIFE) if doomed else 60)
        except subprocess.TimeoutExpired:
            process.kill()
    code = process.wait()
    if code not in {0, -9} or (code and not doomed):
        raise SystemExit(f"{home.name} ended with {code} on day {day}")
    return told.read_text().split("\n")[:-1], code == -9


def _live(home: str, day: str, wrong_by: str, seed: str, folder: str) -> int:
    """A day of one machine: it studies and syncs by turns, and tells each event once it is recorded."""
    folder_module.SEGMENT = SEGMENT
    random = Random(int(seed))
    machine = Machine(Path(home), Path(home).name, Path(), wrong_by=timedelta(days=int(wrong_by)))
    machine.now = START + timedelta(days=int(day))
    for _ in range(random.randrange(1, 5)):
        for _ in range(random.randrange(6)):
            event = machine.study(random)
            machine.now += timedelta(seconds=random.randrange(90))
            if event is not None:
                sys.stdout.write(f"{event.id}\n")
                sys.stdout.flush()
        if random.random() < 0.7:
            machine.sync(Path(folder))
    machine.store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
