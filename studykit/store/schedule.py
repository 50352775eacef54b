"""Read memories, marks and daily counts, and compute agendas and statistics from them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from studykit.cards.card import CardId, Kind
from studykit.errors import BadDataError
from studykit.scheduling.agenda import NEW_A_DAY, Agenda, DeckLimit, arrange
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.review_rule import MATURE
from studykit.scheduling.sm2 import PROFILE
from studykit.store import sql
from studykit.store.database import Advance, counted_rows
from studykit.store.due_count import read_today
from studykit.store.rows import known_memory, mark_of, tally_of, undone
from studykit.store.sqlite import LearnerRows, SqliteDatabase

if TYPE_CHECKING:
    from studykit.scheduling.distributions import AnswerCounts, CardSpread, StudyYear
    from studykit.scheduling.fsrs import Fsrs
    from studykit.scheduling.log_figures import LogFigures
    from studykit.scheduling.mastery import Mastery
    from studykit.scheduling.prediction import SchedulerComparison
    from studykit.scheduling.replay import CardMarks, Tally
    from studykit.scheduling.stats import Dashboard, DeckCounts, Stats, Streak
    from studykit.store.database import Row

_NO_LIMITS: Mapping[str, int] = {}


class Schedule(LearnerRows):
    """Compute what is due for one learner, the state of each card, and statistics."""

    def __init__(self, database: SqliteDatabase, learner: str, fsrs: "Fsrs | None") -> None:
        super().__init__(database, learner)
        self.fsrs = fsrs

    def agenda(
        self,
        day: date,
        *,
        new: int = NEW_A_DAY,
        cards: Collection[str] | None = None,
        of_decks: Mapping[str, int] = _NO_LIMITS,
    ) -> Agenda:
        """Return the due, new and drilled cards of a study day, in order. `new` limits the new cards.

        `cards` are those to choose from, None for all. `of_decks` limits the new cards per day of a deck with the
        decks below it, by id or lower-case name.
        """
        with self._database.reading() as connection:
            who = {"learner": self._learner, "day": day.toordinal()}
            limit = max(0, new - sum(row[0] for row in connection.execute(sql.INTRODUCED, who)))
            return arrange(
                day,
                self._rows(sql.DUE, day=day.toordinal()),
                # SQLite finds the new cards in order while they are read, and this stops at the limit.
                connection.execute(sql.NEW, who) if limit else (),
                read_today(connection, self._learner, day.toordinal()),
                limit=limit,
                cards=cards,
                limits=self._limits(day, of_decks) if of_decks and limit else (),
            )

    def ahead(self, day: date, cards: Collection[str] | None = None) -> tuple[CardId, ...]:
        """Return known cards that are not due yet, soonest first, for a cram."""
        rows = self._rows(sql.AHEAD, day=day.toordinal())
        return tuple(CardId(row[0]) for row in rows if cards is None or row[0] in cards)

    def memory(self, card: CardId) -> Memory | None:
        """Return the memory of a card, or None if it is new."""
        row = self._first(sql.MEMORY, card=card)
        return memory_of(known_memory(card, row[1:])) if row else None

    def memories(self, cards: Iterable[CardId] | None = None) -> dict[CardId, Memory]:
        """Return the memories of these cards, or of all that have one."""
        if cards is None:
            rows = self._rows(sql.MEMORIES)
            return {CardId(row[0]): memory_of(known_memory(row[0], row[1:])) for row in rows}
        with self._database.reading():
            return {card: memory for card in cards if (memory := self.memory(card)) is not None}

    def marks(self) -> "Mapping[CardId, CardMarks]":
        """Map each marked card to its marks: suspended, buried for a day, flagged."""
        return {CardId(row[0]): mark_of(row) for row in self._rows(sql.MARKS)}

    def flagged(self, card: CardId) -> bool:
        """Return whether the learner flagged the card."""
        row = self._first(sql.MARK, card=card)
        return row is not None and mark_of(row).flagged

    def tally(self, day: date) -> "Tally":
        """Return the tally of a study day."""
        return tally_of(self._first(sql.TALLY, day=day.toordinal()))

    def stats(self, day: date) -> "Stats":
        """Return the learner's statistics as of a study day."""
        from studykit.scheduling.stats import stats

        with self._database.reading():
            standings, gone_cards = self._standings()
            return stats(
                day,
                tallies=self._tallies(),
                standings=standings,
                gone=gone_cards,
                due=self._rows(sql.DUE_DAYS),
                outcomes=self._outcomes(),
                hard=self._rows(sql.HARDEST),
            )

    def dashboard(
        self, day: date, *, new: int = NEW_A_DAY, of_decks: Mapping[str, int] = _NO_LIMITS
    ) -> "Dashboard":
        """Return the learner's figures of a study day. `new` and `of_decks` are as for `agenda`."""
        from studykit.scheduling.activity import activity
        from studykit.scheduling.stats import Dashboard, forecast, slip_counts, streak

        with self._database.reading():
            agenda = self.agenda(day, new=new, of_decks=of_decks)
            tallies = self._tallies()
            return Dashboard(
                agenda=agenda,
                decks=self._deck_counts(agenda),
                activity=activity(tallies, day),
                streak=streak(tallies.keys(), day.toordinal()),
                forecast=forecast(day, self._rows(sql.DUE_DAYS)),
                slips=slip_counts(self._outcomes()),
                begun=bool(tallies),
            )

    def unseen(self, cards: Collection[str] | None = None) -> int:
        """Count the new cards that are not suspended, among `cards` if given."""
        rows = self._rows(sql.UNSEEN)
        return sum(cards is None or row[0] in cards for row in rows)

    def met_decks(self) -> list[str]:
        """Return the ids of the decks in which the learner knows a card."""
        return [row[0] for row in self._rows(sql.MET_DECKS)]

    def deck_counts(self, day: date) -> "tuple[DeckCounts, ...]":
        """Count each deck's new, known, due and suspended cards. Decks come in course order."""
        with self._database.reading():
            return self._deck_counts(self.agenda(day))

    def answer_counts(self) -> "AnswerCounts":
        """Count answers by hour and grade."""
        from studykit.scheduling.distributions import answer_counts

        rows = self._rows(sql.ANSWERS)
        return answer_counts((row[0], row[1], tally_of(row[1:])) for row in rows)

    def year(self, day: date) -> "StudyYear":
        """Summarize the year up to a study day, by day, week and month."""
        from studykit.scheduling.distributions import study_year

        return study_year(self._tallies(), day)

    def spread(self) -> "CardSpread":
        """Return the distribution of cards over intervals, eases and stabilities."""
        from studykit.scheduling.distributions import card_spread

        return card_spread(self._rows(sql.SPREAD))

    def verdicts(self) -> dict[str, set[str]]:
        """Return the verdicts that exercises of each template ended with."""
        counts: Counter[tuple[str, str]] = Counter()
        for template, verdict, _, times in self._outcomes():
            counts[template, verdict] += times
        verdicts: dict[str, set[str]] = {}
        for (template, verdict), count in counts.items():
            if count > 0:
                verdicts.setdefault(template, set()).add(verdict)
        return verdicts

    def tries(self, objective_of: "Callable[[str], str | None]") -> dict[str, tuple[int, int]]:
        """Count each objective's last tries, as (right at once, all). A template's `objective_of` may be None."""
        from studykit.scheduling.mastery import objective_tries

        with self._database.reading() as connection:
            rows = connection.execute(sql.TRIES, {"learner": self._learner})
            undone_ids = undone(connection, self._learner)
            return objective_tries(rows, undone_ids, objective_of)

    def mastery(
        self, day: date, fsrs: "Fsrs", objective_of: "Callable[[str], str | None]", advance: Advance = None
    ) -> "tuple[Mastery, ...]":
        """Return the mastery of each objective on a study day. `advance` counts the events read."""
        from studykit.scheduling.mastery import doubt_of, mastery
        from studykit.scheduling.plan import fitted

        tries = self.tries(objective_of)
        rows = self._rows(sql.OBJECTIVE_CARDS)
        cards = [(row[0], row[1], row[2] == Kind.EXERCISE) for row in rows]
        if not cards and not tries:  # reading the log below may take seconds
            return ()
        figures = self.log_figures(fsrs, day, advance)
        curve = fitted(fsrs, figures.seen)
        doubt = doubt_of(curve, figures.seen)
        return mastery(cards, figures.memories, (curve, doubt), day.toordinal(), tries)

    def streak(self, day: date) -> "Streak":
        """Return the learner's streak up to a study day."""
        from studykit.scheduling.stats import streak

        return streak(self._tallies().keys(), day.toordinal())

    def moved(self) -> dict[CardId, CardId]:
        """Map each relinked card id to its replacement."""
        rows = self._rows(sql.RELINKS)
        moves = [(CardId(new), CardId(old)) for new, old in rows]
        last: dict[CardId, CardId] = {}
        since: dict[CardId, CardId] = {}  # the same, but as of the moment of each relink
        for new, old in reversed(moves):
            since[old] = since.get(new, new)
            last.setdefault(old, since[old])
        return {old: new for old, new in last.items() if new != old}

    def disagreements(self, advance: Advance = None) -> tuple[str, ...]:
        """Name the cached values that differ from a replay of the log. `advance` counts the events read."""
        from studykit.store.caches import disagreements

        with self._database.reading() as connection:
            return tuple(disagreements(connection, self._learner, self.fsrs, advance))

    @property
    def scheduler(self) -> str:
        """Return the name of the scheduler."""
        return PROFILE if self.fsrs is None else self.fsrs.name

    def comparison(
        self, fsrs: "Fsrs", day: date, days: int, advance: Advance = None
    ) -> "tuple[SchedulerComparison, dict[str, list[int]]]":
        """Compare how well SM-2 and FSRS predict the whole log, and count the reviews to come under each.

        The counts are by scheduler, one for each of `days` days from `day` on. `advance` counts the events read.
        """
        from studykit.scheduling.log_figures import by_sm2
        from studykit.scheduling.prediction import compare, load

        with self._database.reading() as connection:
            rows = counted_rows(connection.execute(sql.REPLAY, {"learner": self._learner}), advance)
            comparison, memories = compare(rows, undone(connection, self._learner), fsrs)
            live = {row[0] for row in self._rows(sql.LIVE)}
        cards, first = [memory for card, memory in memories.items() if card in live], day.toordinal()
        by_fsrs = load(cards, first, days, fsrs)
        return comparison, {PROFILE: load(map(by_sm2, cards), first, days, None), FSRS: by_fsrs}

    def log_figures(self, fsrs: "Fsrs", day: date, advance: Advance = None) -> "LogFigures":
        """Return the figures that a plan needs from the whole log: memories under FSRS, pace, recall."""
        from studykit.scheduling.log_figures import read

        with self._database.reading() as connection:
            rows = counted_rows(connection.execute(sql.REPLAY, {"learner": self._learner}), advance)
            return read(rows, undone(connection, self._learner), fsrs, day.toordinal())

    def rebuild(self, advance: Advance = None) -> None:
        """Rebuild the caches from the log."""
        from studykit.store.caches import rebuild

        with self._database.writing() as connection:
            rebuild(connection, self._learner, self.fsrs, advance)

    def _limits(self, day: date, of_decks: Mapping[str, int]) -> Iterator[DeckLimit]:
        """Yield the remaining limit of new cards today for each limited deck with the decks below it."""
        introduced: dict[str, int] = dict(self._rows(sql.INTRODUCED_OF_DECKS, day=day.toordinal()))
        names = {row[0]: row[1].casefold() for row in self._rows(sql.DECK_NAMES)}
        for limited, a_day in of_decks.items():
            id_or_name = {limited, names.get(limited, limited)}
            decks = frozenset(
                deck
                for deck, name in names.items()
                if not id_or_name.isdisjoint((deck, name))
                or any(name.startswith(f"{each}::") for each in id_or_name)
            )
            yield DeckLimit(decks, a_day - sum(introduced.get(deck, 0) for deck in decks))

    def _tallies(self) -> "dict[int, Tally]":
        from studykit.scheduling.replay import Tally

        return {row[0]: Tally(*row[1:]) for row in self._rows(sql.TALLIES)}

    def _standings(self) -> "tuple[list[Row], list[Row]]":
        return self._rows(sql.STANDINGS, mature=MATURE), self._rows(sql.GONE, mature=MATURE)

    def _deck_counts(self, agenda: Agenda) -> "tuple[DeckCounts, ...]":
        from studykit.scheduling.stats import DeckCounts, known_cards

        known = known_cards(*self._standings())
        set_aside: dict[str, int] = dict(self._rows(sql.SET_ASIDE))
        return tuple(
            DeckCounts(deck, cards, known.get(deck, 0), set_aside.get(deck, 0), agenda.decks.get(deck, 0))
            for deck, cards in self._rows(sql.DECK_SIZES)
        )

    def _outcomes(self) -> list[tuple[str, str, str, int]]:
        """Return template, verdict, slips and count of exercises. An undone one comes again with count -1."""
        with self._database.reading() as connection:
            undone_rows = [self._first(sql.OUTCOME, id=id_) for id_ in undone(connection, self._learner)]
            outcomes = [_outcome(row, row[3]) for row in self._rows(sql.OUTCOMES)]
        return [*outcomes, *(_outcome(row, -1) for row in undone_rows if row is not None)]


def _outcome(row: "Row", times: int) -> tuple[str, str, str, int]:
    """Return template, verdict, slips and count. Raise BadDataError for values of a wrong type."""
    template, verdict, slips = (text or "" for text in row[:3])
    if not isinstance(template, str) or not isinstance(verdict, str) or not isinstance(slips, str):
        raise BadDataError("The log holds an invalid exercise. Check it", "study doctor --fix")
    return template, verdict, slips, times
