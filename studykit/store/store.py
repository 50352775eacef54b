"""Give access to all that one database stores for a learner, in the program's own values: no SQL, no driver."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from studykit.store import sql
from studykit.store.card_table import CardTable, DeckUpdate, is_current, replace_cards
from studykit.store.ceiling_table import CeilingTable
from studykit.store.event_log import EventLog
from studykit.store.schedule import Schedule
from studykit.store.sqlite import LearnerRows, SqliteDatabase

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs
    from studykit.store.card_search import CardSearch
    from studykit.store.sync_table import SyncTable

_OPEN_PREFIX = "open "  # before the names of settings


class Store(LearnerRows, AbstractContextManager["Store"]):
    """Give access to the database of one learner at one installation. Not thread-safe."""

    def __init__(
        self, database: SqliteDatabase, learner: str, log: EventLog, fsrs: "Fsrs | None", *, rescheduled: bool
    ) -> None:
        super().__init__(database, learner)
        self.name = str(database.file)
        """The database's path for messages."""
        self.learner = learner
        self.log = log
        self.schedule = Schedule(database, learner, fsrs)
        self.cards = CardTable(database, learner)
        self.ceilings = CeilingTable(database, learner)
        self.rescheduled = rescheduled
        """Whether the scheduler changed, so that all memories had to be rebuilt."""
        if rescheduled:
            self.schedule.rebuild()

    def update_decks(self, update: DeckUpdate) -> bool:
        """Write changed decks in one transaction. Return False if another process changed them first."""
        with self._database.writing() as connection:
            if not is_current(connection, self.learner, update.seen):
                return False
            self.log.relink(connection, update.moves)
            replace_cards(connection, self.learner, update)
        return True

    @property
    def sync(self) -> "SyncTable":
        """Return the state of the exchange with other machines."""
        from studykit.store.sync_table import SyncTable

        return SyncTable(self._database, self.learner)

    @property
    def search(self) -> "CardSearch":
        """Return the search for cards by words, fields and numbers."""
        from studykit.store.card_search import CardSearch

        return CardSearch(self._database, self.learner)

    def first_time(self, name: str, value: str) -> bool:
        """Return whether a value differs from the one stored under a name, and store it."""
        which = {"learner": self.learner, "name": f"told {name}"}
        row = self._database.first(sql.SETTING, which)
        if (row[0] if row is not None else "") == value:
            return False
        with self._database.writing() as connection:
            connection.execute(sql.PUT_SETTING, {**which, "value": value})
        return True

    def keep(self, name: str, value: str) -> None:
        """Store the state of an unfinished task under a name, or remove it if `value` is empty."""
        which = {"learner": self.learner, "name": f"{_OPEN_PREFIX}{name}"}
        with self._database.writing() as connection:
            connection.execute(sql.PUT_SETTING if value else sql.DROP_SETTING, {**which, "value": value})

    def kept(self) -> dict[str, str]:
        """Return the states of all unfinished tasks, by name."""
        return self._settings(_OPEN_PREFIX)

    def checkpoint(self) -> None:
        """Do deferred work of the database. Call it while the learner reads, because it takes milliseconds."""
        self._database.checkpoint()

    def problems(self) -> tuple[str, ...]:
        """List what the database finds wrong with itself."""
        return self._database.problems()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __exit__(self, *_: object) -> None:
        self.close()
