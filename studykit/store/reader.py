"""What a store can tell: agenda, memories, history, statistics."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from studykit.cards.card import CardId
from studykit.scheduling.agenda import NEW_A_DAY, Agenda
from studykit.scheduling.events import Event
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.replay import CardMarks, Tally
from studykit.store import sql
from studykit.store.agenda_query import read_agenda
from studykit.store.caches import Disagreement, disagreements, outcomes, read_marks
from studykit.store.card_table import Shelf
from studykit.store.connection import Handle, one, rows, streamed
from studykit.store.rows import event_of

if TYPE_CHECKING:
    from studykit.scheduling.stats import Stats, Streak


class Reader(Shelf):
    """The part of a store that changes nothing."""

    def agenda(self, day: date, *, new: int = NEW_A_DAY, decks: Collection[str] = ()) -> Agenda:
        """Due, new and drill cards of a study day, in order; `new` is how many new cards a day may bring."""
        with self._link.reading() as connection:
            return read_agenda(_query(connection), self._learner, day, new=new, decks=decks)

    def ahead(self, day: date, *, decks: Collection[str] = ()) -> tuple[CardId, ...]:
        """Known cards that are not yet due, soonest first: what a cram can ask."""
        with self._link.reading() as connection:
            found = rows(connection, sql.AHEAD, learner=self._learner, day=day.toordinal())
            return tuple(CardId(row[0]) for row in found if not decks or row[2] in decks)

    def memories(self, cards: Iterable[CardId] | None = None) -> dict[CardId, Memory]:
        """Memories of these cards, or of all that have one."""
        with self._link.reading() as connection:
            if cards is None:
                found = rows(connection, sql.MEMORIES, learner=self._learner)
                return {CardId(row[0]): memory_of(row[1:]) for row in found}
            each = {card: one(connection, sql.MEMORY, learner=self._learner, card=card) for card in cards}
            return {card: memory_of(row[1:]) for card, row in each.items() if row is not None}

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Every event of a card in order, under the ids that it had before as well."""
        with self._link.reading() as connection:
            former = {row[0]: row[1] for row in rows(connection, sql.RELINKS, learner=self._learner)}
            named: list[str] = [card]
            while (last := former.get(named[-1])) is not None and last not in named:
                named.append(last)
            found = [
                row
                for name in named
                for row in rows(connection, sql.CARD_EVENTS, learner=self._learner, card=name)
            ]
        return tuple(sorted(map(event_of, found), key=lambda event: (event.moment, event.id)))

    def log(self) -> Iterable[Event]:
        """Every event of the learner in order, one at a time."""
        with self._link.reading(apart=True) as connection:
            for row in streamed(connection, sql.LOG, learner=self._learner):
                yield event_of(row)

    def undoable(self, last: int = 1) -> tuple[Event, ...]:
        """The newest events that can be taken back, newest first."""
        with self._link.reading() as connection:
            return tuple(self._undoables(connection, last))

    def showings(self, template: str | None = None, last: int = 5) -> tuple[Event, ...]:
        """The newest events with an exercise, newest first; of one template if named."""
        with self._link.reading() as connection:
            taken_back = {row[0] for row in rows(connection, sql.UNDONE, learner=self._learner)}
            text = sql.SHOWINGS if template is None else sql.SHOWINGS_OF
            found: list[Event] = []
            for row in rows(connection, text, learner=self._learner, template=template):
                if len(found) == last:
                    break
                if str(UUID(bytes=bytes(row[0]))) not in taken_back:
                    found.append(event_of(row))
        return tuple(found)

    def family(self, name: str) -> tuple[Event, ...]:
        """Every event with an exercise of a family, such as `bet`, in order and without what was taken back."""
        span = {"first": f"{name}.", "last": f"{name}/"}  # the sign after the full stop
        with self._link.reading() as connection:
            taken_back = {row[0] for row in rows(connection, sql.UNDONE, learner=self._learner)}
            found = (event_of(row) for row in rows(connection, sql.SHOWINGS_LIKE, learner=self._learner, **span))
            return tuple(event for event in found if str(event.id) not in taken_back)

    def marks(self) -> Mapping[CardId, CardMarks]:
        """What is set by hand on each card that has something set: suspended, buried for a day, flagged."""
        with self._link.reading() as connection:
            return {CardId(card): mark for card, mark in read_marks(connection, self._learner).items()}

    def flagged(self, card: CardId) -> bool:
        """Whether the learner flagged the card."""
        with self._link.reading() as connection:
            row = one(connection, sql.FLAGGED, learner=self._learner, card=card)
        return row is not None and bool(row[0])

    def stats(self, day: date) -> "Stats":
        """The learner's statistics as of a study day."""
        from studykit.scheduling.stats import stats

        who = {"learner": self._learner}
        with self._link.reading() as connection:
            return stats(
                day,
                tallies={row[0]: Tally(*row[1:]) for row in rows(connection, sql.TALLIES, **who)},
                standings=list(rows(connection, sql.STANDINGS, **who)),
                due=[(row[0], row[1]) for row in rows(connection, sql.DUE_DAYS, **who)],
                outcomes=list(outcomes(connection, self._learner)),
            )

    def streak(self, day: date) -> "Streak":
        """Study days in a row up to this one."""
        from studykit.scheduling.stats import streak

        with self._link.reading() as connection:
            days = [row[0] for row in rows(connection, sql.TALLIES, learner=self._learner)]
        return streak(days, day.toordinal())

    def begun(self) -> bool:
        """Whether the learner has answered anything ever."""
        with self._link.reading() as connection:
            return any(True for _ in rows(connection, sql.TALLIES, learner=self._learner))

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where the caches differ from a replay of the log; empty when all is well."""
        with self._link.reading() as connection:
            return tuple(disagreements(connection, self._learner))

    def quick_check(self) -> tuple[str, ...]:
        """What the database finds wrong with itself; PostgreSQL sees to that on its own."""
        if self._link.dialect != "sqlite":
            return ()
        with self._link.reading() as connection:
            told = [row[0] for row in rows(connection, sql.QUICK_CHECK)]
        return tuple(sentence for sentence in told if sentence != "ok")

    def events(self) -> int:
        """How many events the learner's log holds."""
        with self._link.reading() as connection:
            row = one(connection, sql.COUNT_EVENTS, learner=self._learner)
        return int(row[0]) if row else 0

    # Inside a transaction

    def _undoables(self, connection: Handle, last: int) -> list[Event]:
        found: list[Event] = []
        for row in rows(connection, sql.UNDOABLE, learner=self._learner):
            if len(found) == last:
                break
            event = event_of(row)
            if one(connection, sql.IS_UNDONE, learner=self._learner, target=str(event.id)) is None:
                found.append(event)
        return found


def _query(connection: Handle) -> Callable[[str, Mapping[str, object]], Iterable[tuple[Any, ...]]]:
    return lambda query, values: rows(connection, query, **values)
