"""Store how far the exchange with each shared place has come."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from studykit.scheduling.events import LATEST_MOMENT, Event
from studykit.store import sql
from studykit.store.rows import event_of
from studykit.store.sqlite import LearnerRows

_NAME_PREFIX = "sync "


@dataclass(frozen=True, slots=True)
class SyncState:
    """Record how far the exchange with one place has come."""

    positions: Mapping[str, Any]  # how far each file of a folder was read
    size: int = 0  # events in the log at the end of the last exchange, all of which the place had then
    last: str = ""  # newest id among them with this machine's origin
    at: int = 0  # microseconds UTC of the last exchange


class SyncTable(LearnerRows):
    """Read and write how far one learner's exchange with each place has come."""

    def standing(self, place: str) -> SyncState:
        """Return the state of exchange with a place, or an empty one for an unknown place."""
        row = self._first(sql.SETTING, name=f"{_NAME_PREFIX}{place}")
        return _standing(row[0] if row else "")

    def standings(self) -> dict[str, SyncState]:
        """Return the state of exchange with every place."""
        return {place: _standing(text) for place, text in self._settings(_NAME_PREFIX).items()}

    def give(self, place: str, work: Callable[[], SyncState]) -> None:
        """Call `work` to send what the place lacks, with the log locked, and store the state that it returns."""
        with self._database.writing() as connection:
            which = {"learner": self._learner, "name": f"{_NAME_PREFIX}{place}"}
            connection.execute(sql.PUT_SETTING, {**which, "value": json.dumps(asdict(work()))})

    def own_after(self, origin: str, last: str) -> list[Event]:
        """Return the events of an origin recorded after the one with id `last`, or all if `last` is empty."""
        rows = self._rows(sql.OWN_EVENTS_AFTER, origin=origin, last=UUID(last).bytes if last else b"")
        return list(map(event_of, rows))


def _standing(text: str) -> SyncState:
    """Parse a stored state. Return an empty one if it is invalid, so that everything is exchanged again."""
    try:
        values = json.loads(text or "{}")
        positions, last = dict(values["positions"]), values["last"]
        if last:
            UUID(last)
        size, at = int(values["size"]), int(values["at"])
        if not 0 <= at <= LATEST_MOMENT:
            return SyncState({})
        return SyncState(positions, size, str(last), at)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return SyncState({})
