"""How long a learner waits: the prompt, the help, the first question; beside bare Python and Anki's library.

python tests/benchmarks/bench_start.py --cards 100000 --reviews 1000000
"""

import os
import subprocess
import sys

from measure import ANKI, Command, arguments, interleaved, report
from sample import sample

READER = """
import sys
from datetime import date
from studykit.store.readonly import connect
from studykit.store.schedule import read_agenda
agenda = read_agenda(connect(sys.argv[1]), "me", date(2026, 11, 23))
print(agenda.due[0], len(agenda.due), flush=True)
"""
STORE = """
import sys
from datetime import UTC, date, datetime
from studykit.store.opening import open_store
store = open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
agenda = store.schedule.agenda(date(2026, 11, 23))
print(store.cards.card(agenda.due[0]).prompt, len(agenda.due), flush=True)
"""
REVIEW = """
import sys
from studykit.cli.app import run
sys.argv = ["study"]
run(["review", "--plain"])
"""
MEMORY = "\nprint([line for line in open('/proc/self/status') if 'VmHWM' in line][0].split()[1], 'kB at most')"
ANKI_START = """
import sys
from anki.collection import Collection
collection = Collection(sys.argv[1])
queued = collection.sched.get_queued_cards(fetch_limit=1)
print(len(queued.cards))
collection.close()
"""
STUDY = "from studykit.__main__ import main; main()"


def main() -> None:
    options = arguments(__doc__ or "")
    path = sample(options.folder, options.cards, options.reviews)
    python = [sys.executable, "-P"]
    environment = {"STUDYKIT_DB": str(path), "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00", "TZ": "UTC"}
    commands = {
        "python -c pass": Command([*python, "-c", "pass"]),
        "study --help": Command([*python, "-c", STUDY, "--help"]),
        "study due --short": Command([*python, "-c", STUDY, "due", "--short"]),
        "study due --json": Command([*python, "-c", STUDY, "due", "--json"]),
        "study review --plain, first question": Command([*python, "-c", STUDY, "review", "--plain"], b"Question:"),
        "agenda by a reader of the file": Command([*python, "-c", READER, str(path)]),
        "agenda and first card by the store": Command([*python, "-c", STORE, str(path)]),
        "import sqlalchemy": Command([*python, "-c", "import sqlalchemy"]),
    }
    if ANKI:
        words = [ANKI, "-c", ANKI_START, str(options.folder / "start.anki2")]
        commands["Anki's library, first card"] = Command(words)
    timed = interleaved(commands, options.runs, environment)
    base = timed["python -c pass"]
    sys.stdout.write(f"{options.cards} cards, {options.reviews} reviews; ratios to bare Python\n")
    report(list(timed.values()), base)
    for name, code in (("the reader", READER), ("the store", STORE), ("study review --plain", REVIEW)):
        result = subprocess.run(
            [*python, "-c", code + MEMORY, str(path)],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        sys.stdout.write(f"memory of {name}: {result.stdout.splitlines()[-1]}\n")


if __name__ == "__main__":
    main()
