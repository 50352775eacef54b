"""Answer as a learner, with pauses for checkpoints, in a process that may be killed.

Each answer has a number of its own in `took_ms`. What was acknowledged goes to a file before the next answer, a
line each: `answer NUMBER`, `undo NUMBER LAST`, or `refused` with the sentence.
`answering.py DATABASE ACKNOWLEDGED FIRST COUNT SEED [steps]`: with `steps` the clock jumps by days in some zone.
With `STUDY_FAULT_SERVER`, the address of a class, it syncs after every few answers: `synced NUMBER`, or `refused`.
"""

import os
import sys
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from studykit.cards.card import CardId
from studykit.classroom.class_server import server_url
from studykit.classroom.learner_log import exchange_with_class, opened_log
from studykit.errors import StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.opening import open_store
from studykit.store.store import Store

ZONES = ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York", "Asia/Kathmandu", "Europe/London")
CARDS, UNDONE_ONE_IN, SYNCED_ONE_IN, REFUSALS = 5, 7, 10, 5


class Clock:
    """Act as the machine's clock, or as one that is set forward and back by days."""

    def __init__(self, random: Random, *, steps: bool) -> None:
        self._random, self._steps, self._off = random, steps, timedelta()

    def __call__(self) -> datetime:
        if self._steps and self._random.random() < 0.1:
            self._off = timedelta(days=self._random.uniform(-400, 400))
        return datetime.now(UTC) + self._off


def sync(store: Store, address: str) -> None:
    """Exchange events with the class's server, as `study sync` does."""
    with opened_log(server_url(address)) as log:
        exchange_with_class(store, log, "a machine", now=int(datetime.now(UTC).timestamp() * 1e6))


def answer_all(store: Store, said: int, numbers: range, random: Random) -> None:
    """Answer one card after another, and now and then undo an answer or sync."""
    refused, server = 0, os.environ.get("STUDY_FAULT_SERVER")
    for number in numbers:
        card = CardId(f"card-{random.randrange(CARDS)}")
        try:
            store.log.record(EventKind.ANSWER, card, grade=Grade(random.randrange(6)), took_ms=number)
            os.write(said, f"answer {number}\n".encode())
            if not random.randrange(UNDONE_ONE_IN) and (undone := store.log.undo()) is not None:
                os.write(said, f"undo {undone.target.took_ms} {number}\n".encode())
            if random.randrange(2):
                store.checkpoint()
            if server and not number % SYNCED_ONE_IN:
                sync(store, server)
                os.write(said, f"synced {number}\n".encode())
        except StudyError as error:
            os.write(said, f"refused {error}\n".encode())
            refused += not server
            if refused == REFUSALS:
                return


def main() -> None:
    """Answer cards in the database, as often and with the seed that the arguments say."""
    database, acknowledged, first, count, seed, *rest = sys.argv[1:]
    random = Random(int(seed))
    zone = random.choice(ZONES) if rest else "UTC"
    words = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    clock = Clock(random, steps=bool(rest))
    try:
        with open_store(database, clock=clock, zone_name=zone, zone=ZoneInfo(zone)) as store:
            answer_all(store, words, range(int(first), int(first) + int(count)), random)
    except StudyError as error:
        os.write(words, f"refused {error}\n".encode())


if __name__ == "__main__":
    main()
