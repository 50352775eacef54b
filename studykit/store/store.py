"""The store: everything that is remembered for a learner, in one database.

Each part has methods that take and give the program's own values. No SQL and no driver in here.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, tzinfo
from types import TracebackType
from typing import TYPE_CHECKING

from studykit.scheduling.fsrs import named
from studykit.store import sql
from studykit.store.card_table import CardTable, DeckUpdate, is_current, replace_cards
from studykit.store.event_log import EventLog
from studykit.store.rows import settings_starting
from studykit.store.schedule import Schedule
from studykit.store.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from studykit.store.card_search import CardSearch
    from studykit.store.ceiling_table import CeilingTable
    from studykit.store.sync_table import SyncTable

_OPEN_PREFIX = "open "  # before the names of settings


class Store(AbstractContextManager["Store"]):
    """The database of one learner at one installation. Not for two threads at once."""

    def __init__(
        self,
        database: SqliteDatabase,
        *,
        learner: str,
        clock: Callable[[], datetime],
        zone_name: str,
        zone: tzinfo,
        origin: str | None,
        scheduler: str | None = None,
    ) -> None:
        self._database = database
        self.name = database.name
        """The database as messages call it."""
        self.learner = learner
        row = database.first(sql.SETTING, {"learner": learner, "name": sql.SCHEDULER})
        made_by = str(row[0]) if row else ""
        fsrs = named(made_by if scheduler is None else scheduler)
        self.log = EventLog(
            database, learner, clock=clock, zone_name=zone_name, zone=zone, origin=origin, fsrs=fsrs
        )
        self.schedule = Schedule(database, learner, fsrs)
        self.rescheduled = scheduler not in {None, made_by}
        """Whether another scheduler than the last one took over, which made all memories again."""
        self.cards = CardTable(database, learner)
        if self.rescheduled:
            self.schedule.rebuild()

    def update_decks(self, update: DeckUpdate) -> bool:
        """Write the decks, all or nothing. Return False if another process was quicker."""
        with self._database.writing() as connection:
            if not is_current(connection, self.learner, update.seen):
                return False
            self.log.relink(connection, update.moves)
            replace_cards(connection, self.learner, update)
        return True

    @property
    def sync(self) -> "SyncTable":
        """Return what other machines were given of the log."""
        from studykit.store.sync_table import SyncTable

        return SyncTable(self._database, self.learner)

    @property
    def ceilings(self) -> "CeilingTable":
        """Return the most that each compute device reached."""
        from studykit.store.ceiling_table import CeilingTable

        return CeilingTable(self._database, self.learner)

    @property
    def search(self) -> "CardSearch":
        """Return the search for cards by words, fields and numbers."""
        from studykit.store.card_search import CardSearch

        return CardSearch(self._database, self.learner)

    def first_time(self, name: str, value: str) -> bool:
        """Return whether this value is new under this name, and remember it."""
        which = {"learner": self.learner, "name": f"told {name}"}
        row = self._database.first(sql.SETTING, which)
        if (row[0] if row is not None else "") == value:
            return False
        with self._database.writing() as connection:
            connection.execute(sql.PUT_SETTING, {**which, "value": value})
        return True

    def keep(self, name: str, value: str) -> None:
        """Keep a text under a name until it is empty: of what is open, which is not in the log yet."""
        which = {"learner": self.learner, "name": f"{_OPEN_PREFIX}{name}"}
        with self._database.writing() as connection:
            connection.execute(sql.PUT_SETTING if value else sql.DROP_SETTING, {**which, "value": value})

    def kept(self) -> dict[str, str]:
        """Return what is kept, by name."""
        return settings_starting(self._database, self.learner, _OPEN_PREFIX)

    def checkpoint(self) -> None:
        """Do now, while the learner is not waiting, what would make a later answer slow."""
        self._database.checkpoint()

    def problems(self) -> tuple[str, ...]:
        """List what the database finds wrong with itself."""
        return self._database.problems()

    def close(self) -> None:
        """Let the database go."""
        self._database.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
