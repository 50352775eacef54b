"""The most that each compute device reached, kept until it is measured again."""

from collections.abc import Mapping
from dataclasses import dataclass

from studykit.store import sql
from studykit.store.sqlite import SqliteDatabase


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that a compute device reached, in SI units, and when it was measured (microseconds UTC)."""

    value: float
    measured: int


class CeilingTable:
    """What one learner measured, by device and by the name of what was measured."""

    def __init__(self, database: SqliteDatabase, learner: str) -> None:
        self._database = database
        self._learner = learner

    def of(self, device: str) -> dict[str, Ceiling]:
        """Return what a device reached, by the name of what was measured."""
        which = {"learner": self._learner, "device": device}
        return {row[0]: Ceiling(row[1], row[2]) for row in self._database.rows(sql.CEILINGS, which)}

    def newest(self) -> str:
        """Return the device that was measured last, or ""."""
        rows = self._database.rows(sql.NEWEST_CEILING, {"learner": self._learner})
        return next((str(row[0]) for row in rows), "")

    def put(self, device: str, ceilings: Mapping[str, Ceiling]) -> None:
        """Keep what a device reached, in place of what it reached before."""
        with self._database.writing() as connection:
            for name, ceiling in ceilings.items():
                which = {"learner": self._learner, "device": device, "name": name}
                values = {"value": ceiling.value, "measured": ceiling.measured}
                connection.execute(sql.PUT_CEILING, {**which, **values})
