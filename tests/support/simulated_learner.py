"""A learner of many days, written by the real store with a scripted clock: always the same answers."""

import json
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from studykit.cards.card import Card, CardId, Kind
from studykit.cli.context import Context
from studykit.exercise import catalog
from studykit.exercise.bet.record import OUTCOME
from studykit.exercise.estimate.template import Template
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade

NOW = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
GRADES = (Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY)
WEIGHTS = (9, 8, 68, 15)
HOURS = (7, 8, 8, 8, 12, 18, 19, 19, 21, 22)


class SimulatedLearner:
    """Answers what is due on most days, and practises a little."""

    def __init__(self, context: Context, *, new_a_day: int = 6, seed: int = 336) -> None:
        context.collection.refresh()
        self.store = context.store
        self.new_a_day = new_a_day
        self.chance = random.Random(seed)
        exercises = {exercise.id: exercise for exercise in catalog.every()}
        self.templates = {id_: each for id_, each in exercises.items() if isinstance(each, Template)}
        self.moment = NOW

    def live(self, days: int, until: datetime = NOW) -> None:
        """So many days before `until`, the last one yesterday."""
        for back in range(days, 0, -1):
            if self.chance.random() > 0.12:  # else a day off
                day = (until - timedelta(days=back)).replace(hour=0, minute=0)
                self.moment = day + timedelta(hours=self.chance.choice(HOURS), minutes=self.chance.randrange(60))
                self._day()

    def _day(self) -> None:
        agenda = self.store.schedule.agenda(self.moment.date(), new=self.new_a_day)
        for card in (*agenda.due, *agenda.new):
            grade = self._answer(card)
            while grade.drilled:
                grade = self._answer(card)
        if self.chance.random() < 0.4:
            self._bet()

    def _answer(self, id_: CardId) -> Grade:
        card = self.store.cards.card(id_)
        assert card is not None
        hardness = sum(map(ord, id_)) % 4  # some cards are harder than others
        grade = self.chance.choices(GRADES, [9 * (1 + hardness), *WEIGHTS[1:]])[0]
        self.moment += timedelta(seconds=self.chance.randrange(6, 40))
        took = self.chance.randrange(3, 30) * 1000
        showing = self._showing(card, grade)
        self.store.log.record(EventKind.ANSWER, id_, grade=grade, took_ms=took, showing=showing, at=self.moment)
        return grade

    def _showing(self, card: Card, grade: Grade) -> Showing | None:
        if card.kind is not Kind.EXERCISE or card.task is None:
            return None
        template = self.templates.get(card.task.name)
        slips = [rule.id for rule in template.slips] if template else []
        wrong = grade < Grade.HARD
        slip_ids = (self.chance.choice(slips),) if wrong and slips and self.chance.random() < 0.7 else ()
        verdict = "incorrect" if wrong else "correct"
        return Showing(card.task.name, 1, self.chance.randrange(1000), "{}", "1", verdict, slip_ids)

    def _bet(self) -> None:
        measured = 10 ** self.chance.uniform(-5, -2)
        bet = measured * 10 ** self.chance.gauss(-0.2, 0.4)
        is_inside = self.chance.random() < 0.6
        binds = self.chance.choice(["memory", "compute"])
        bound = self.chance.choice(["memory", "compute"])
        outcome = {
            "bet": bet,
            "measured": measured,
            "binds": [binds],
            "said": bound,
            "covered": is_inside,
            "points": 1,
        }
        showing = Showing("bet.add", 1, 7, json.dumps({OUTCOME: outcome}), f"{bet:g} s", "close")
        self.moment += timedelta(minutes=1)
        self.store.log.record(EventKind.PRACTICE, CardId(""), showing=showing, took_ms=40_000, at=self.moment)


def main(database: str, days: int, environ: dict[str, str]) -> None:
    """Write a database."""
    context = Context(environ, database, sys.stdin, sys.stdout, sys.stderr)
    SimulatedLearner(context).live(days)
    context.store.close()


if __name__ == "__main__":
    import os

    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    main(sys.argv[1], int(sys.argv[2]), {**os.environ, "STUDYKIT_NOW": NOW.isoformat(), "TZ": "UTC"})
