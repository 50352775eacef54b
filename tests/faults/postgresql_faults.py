"""Cause faults while machines sync with a class's server: in a process, its connection, the server."""

import time
from collections import Counter
from random import Random

from answering import sync
from answers import Outcome, Round, complaint, judged
from postgresql_server import Server
from sqlite_faults import ANSWERS, wait_for_the_first
from stores import opened_now

from studykit.classroom.class_server import server_url
from studykit.classroom.membership import Membership
from studykit.classroom.roster import MemberKind, RosterLine
from studykit.scheduling.event_kinds import EventKind

MACHINES = 3
TERMINATE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'course' AND usename <> 'study'"
)


class PostgresqlFaults:
    """Cause faults around one server, with a new student in each round."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._rounds = 0
        self._owner = server.empty("course")
        members = Membership(server_url(self._owner))
        members.create()
        members.close()

    def killed(self, round_: Round) -> Outcome:
        """Kill a process while it answers and syncs."""
        address = self._address()
        process = round_.answering(str(round_.database), 1, 100_000, STUDY_FAULT_SERVER=address)
        wait_for_the_first(round_, 1)
        time.sleep(round_.random.uniform(0, 2))
        process.kill()
        return self._judged(round_, [1], address, complaint(process))

    def together(self, round_: Round) -> Outcome:
        """Sync several machines of one student at once, with clocks that are off by days."""
        address = self._address()
        firsts = [1 + 100_000 * number for number in range(MACHINES)]
        processes = [
            round_.answering(self._file(round_, first), first, ANSWERS, "steps", STUDY_FAULT_SERVER=address)
            for first in firsts
        ]
        wrong = [line for process in processes for line in complaint(process)]
        return self._judged(round_, firsts, address, wrong)

    def cut_off(self, round_: Round) -> Outcome:
        """End the connection again and again while a process syncs."""
        address = self._address()
        process = round_.answering(str(round_.database), 1, 5 * ANSWERS, STUDY_FAULT_SERVER=address)
        wait_for_the_first(round_, 1)
        while process.poll() is None:
            time.sleep(_pause(round_.random))
            with self._server.connect() as connection:
                connection.execute(TERMINATE)
        return self._judged(round_, [1], address, complaint(process))

    def restarted(self, round_: Round) -> Outcome:
        """Stop and restart the server twice while a process syncs."""
        address = self._address()
        process = round_.answering(str(round_.database), 1, 100_000, STUDY_FAULT_SERVER=address)
        wait_for_the_first(round_, 1)
        for how in ("immediate", "fast"):
            time.sleep(_pause(round_.random))
            self._server.stop(how)
            self._server.start()
        time.sleep(0.5)
        process.kill()
        return self._judged(round_, [1], address, complaint(process))

    def _address(self) -> str:
        """Add another student and return their address."""
        self._rounds += 1
        student = RosterLine(f"student{self._rounds}", MemberKind.STUDENT)
        members = Membership(server_url(self._owner))
        members.add([student], passwords=False)
        members.close()
        return self._owner.replace("//study@", f"//{student.login}@")

    @staticmethod
    def _file(round_: Round, first: int) -> str:
        file = round_.folder / f"{first}.db"
        file.write_bytes(round_.template)
        return str(round_.database if first == 1 else file)

    def _judged(self, round_: Round, firsts: list[int], address: str, wrong: list[str]) -> Outcome:
        """Judge each machine's file, the server's log, and what a new machine gets by syncing."""
        outcome = Outcome(wrong=wrong)
        student = address.partition("//")[2].partition("@")[0]
        with self._server.connect("course") as connection:
            rows = connection.execute("SELECT took_ms FROM event WHERE learner = %s", [student]).fetchall()
        there = {row[0] for row in rows}
        everything = list[int]()
        for first in firsts:
            lines = round_.lines(first)
            file = str(round_.database) if first == 1 else str(round_.folder / f"{first}.db")
            outcome.add(judged(file, lines))
            answered = [int(line.split()[1]) for line in lines if line.startswith("answer")]
            synced = max((int(line.split()[1]) for line in lines if line.startswith("synced")), default=0)
            outcome.lost += sum(number <= synced and number not in there for number in answered)
            everything += answered
            with opened_now(file) as store:
                sync(store, address)
        fresh = round_.folder / "fresh.db"
        fresh.write_bytes(round_.template)
        with opened_now(fresh) as store:
            sync(store, address)
            times = Counter(event.took_ms for event in store.log.events() if event.kind is EventKind.ANSWER)
        outcome.lost += sum(number not in times for number in everything)
        outcome.wrong += [f"answer {number} came {count} times" for number, count in times.items() if count > 1]
        return outcome


def _pause(random: Random) -> float:
    return random.choice((0.02, 0.1, 0.3)) * random.uniform(0.5, 2)
