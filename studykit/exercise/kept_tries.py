"""Wrong tries at a question that is still open: on disk as they are made, so that a killed process loses none."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from studykit.cards.card import CardId
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.memory import Grade

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.store.store import Store


class KeptTry(NamedTuple):
    """An entry of the log that is to be made when its question is left."""

    card: str
    showing: Showing
    grade: Grade | None = None
    took_ms: int = 0


class KeptTries:
    """The tries at one question. They are beside the log until it is left: closed, it has one entry instead."""

    def __init__(self, services: "Services", name: str) -> None:
        """`name` is the card's, or the exercise's where there is no card."""
        self._services = services
        self._name = name
        self._kept: Sequence[KeptTry] = ()

    def keep(self, tries: Sequence[KeptTry]) -> None:
        """Write down all tries until now."""
        self._kept = tries
        moment = self._services.now().isoformat()
        self._services.store.keep(self._name, json.dumps([moment, tries]))

    def log(self) -> None:
        """Log them, for the question is left open."""
        _record(self._services.store, self._kept, None)
        self.drop()

    def drop(self) -> None:
        """Forget them: the question is closed, or they were taken back."""
        if self._kept:
            self._services.store.keep(self._name, "")
        self._kept = ()


def log_lost(services: "Services") -> None:
    """Log what a killed process had kept."""
    for name, text in services.store.kept().items():
        moment, tries = json.loads(text)
        _record(services.store, [_try(one) for one in tries], datetime.fromisoformat(moment))
        services.store.keep(name, "")


def _record(store: "Store", tries: Sequence[KeptTry], at: datetime | None) -> None:
    for one in tries:
        store.log.record(
            EventKind.PRACTICE,
            CardId(one.card),
            grade=one.grade,
            took_ms=one.took_ms,
            showing=one.showing,
            at=at,
        )


def _try(fields: Sequence[Any]) -> KeptTry:
    card, showing, grade, took_ms = fields
    shown = Showing._make(showing)
    shown = shown._replace(slips=tuple(shown.slips))
    return KeptTry(card, shown, None if grade is None else Grade(grade), took_ms)
