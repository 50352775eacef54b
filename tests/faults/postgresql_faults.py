"""What can happen to answers on a PostgreSQL server: to the process, to its connection, to the server."""

import time
from random import Random

from answers import Outcome, Round, complaint, judged
from postgresql_server import Server
from sqlite_faults import ANSWERS, PROCESSES, wait_for_the_first

TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'course'"


class PostgresqlFaults:
    """Faults around one server; each round has a learner of its own."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._rounds = 0
        with server.connect() as connection:
            connection.execute("CREATE DATABASE course")
        self._url = server.url.replace("/postgres?", "/course?")

    def killed(self, round_: Round) -> Outcome:
        """A process is killed while it answers."""
        learner = self._learner()
        process = round_.answering(self._url, 1, 100_000, STUDY_FAULT_LEARNER=learner)
        wait_for_the_first(round_, 1)
        time.sleep(round_.random.uniform(0, 0.3))
        process.kill()
        wrong = complaint(process)
        return self._judged(round_, [1], learner, wrong)

    def together(self, round_: Round) -> Outcome:
        """Several processes answer at once, with clocks that are set by days."""
        learner = self._learner()
        firsts = [1 + 100_000 * number for number in range(PROCESSES)]
        processes = [
            round_.answering(self._url, first, ANSWERS, "steps", STUDY_FAULT_LEARNER=learner) for first in firsts
        ]
        wrong = [line for process in processes for line in complaint(process)]
        return self._judged(round_, firsts, learner, wrong)

    def cut_off(self, round_: Round) -> Outcome:
        """The server ends the connection again and again while a process answers."""
        learner = self._learner()
        process = round_.answering(self._url, 1, 5 * ANSWERS, STUDY_FAULT_LEARNER=learner)
        wait_for_the_first(round_, 1)
        while process.poll() is None:
            time.sleep(_pause(round_.random))
            with self._server.connect() as connection:
                connection.execute(TERMINATE)
        return self._judged(round_, [1], learner, complaint(process))

    def restarted(self, round_: Round) -> Outcome:
        """The server is stopped at once and started again while a process answers."""
        learner = self._learner()
        process = round_.answering(self._url, 1, 100_000, STUDY_FAULT_LEARNER=learner)
        wait_for_the_first(round_, 1)
        for how in ("immediate", "fast"):
            time.sleep(_pause(round_.random))
            self._server.stop(how)
            self._server.start()
        time.sleep(0.5)
        process.kill()
        wrong = complaint(process)
        return self._judged(round_, [1], learner, wrong)

    def _learner(self) -> str:
        self._rounds += 1
        return f"learner-{self._rounds}"

    def _judged(self, round_: Round, firsts: list[int], learner: str, wrong: list[str]) -> Outcome:
        words = [line for first in firsts for line in round_.said(first)]
        outcome = judged(self._url, words, alone=len(firsts) == 1, learner=learner)
        outcome.wrong += wrong
        return outcome


def _pause(random: Random) -> float:
    return random.choice((0.02, 0.1, 0.3)) * random.uniform(0.5, 2)
