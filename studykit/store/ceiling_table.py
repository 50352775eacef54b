"""Store the highest rates that each compute device reached, until they are measured again."""

from collections.abc import Mapping
from dataclasses import dataclass

from studykit.store import sql
from studykit.store.sqlite import LearnerRows


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Hold the highest rate of a device, in SI units, and when it was measured (microseconds UTC)."""

    value: float
    measured: int


class CeilingTable(LearnerRows):
    """Read and write the rates that one learner measured, by device and name of the measurement."""

    def of(self, device: str) -> dict[str, Ceiling]:
        """Return the highest rates of a device, by name of the measurement."""
        return {row[0]: Ceiling(row[1], row[2]) for row in self._rows(sql.CEILINGS, device=device)}

    def newest(self) -> str:
        """Return the device that was measured last, or "" if there is none."""
        rows = self._rows(sql.NEWEST_CEILING)
        return next((str(row[0]) for row in rows), "")

    def put(self, device: str, ceilings: Mapping[str, Ceiling]) -> None:
        """Store the highest rates of a device, replacing earlier ones."""
        with self._database.writing() as connection:
            for name, ceiling in ceilings.items():
                which = {"learner": self._learner, "device": device, "name": name}
                values = {"value": ceiling.value, "measured": ceiling.measured}
                connection.execute(sql.PUT_CEILING, {**which, **values})
