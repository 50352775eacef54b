"""One run of `study`: its surroundings with the learner's store and decks, opened when they are asked for.

Made once by a verb and passed inward. A shell prompt makes one too, so nothing slow is imported here before
somebody asks for it.
"""

from functools import cached_property, partial

from studykit import paths
from studykit.cli.exit import close_at_exit, report_at_exit
from studykit.cli.surroundings import Surroundings
from studykit.errors import BadDataError, StudyError
from studykit.store.address import LEARNER
from studykit.text import is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import ClassVar

    from studykit.cli.study_plan import StudyPlan
    from studykit.collection.collection import Collection
    from studykit.sandbox.confinement import Permission
    from studykit.scheduling.events import Event
    from studykit.store.store import Store
    from studykit.store.typed_drafts import TypedDrafts

_MENTIONED = 3  # cards that may be the same; `study check` lists them all


class Context(Surroundings):
    """Surroundings, store, decks and what the settings ask of them."""

    after_recording: "ClassVar[Callable[[Context], None] | None]" = None
    """What follows a run that recorded something; `studykit.cli.app` sets it for the whole program."""

    @cached_property
    def typed_permission(self) -> "Permission":
        """Whether what is typed in this run may run outside the sandbox; asked once at most."""
        from studykit.sandbox.confinement import Permission

        setting = str(self.section("sandbox")["unconfined"])
        return Permission.of_typed(partial(self.open_worker, wrapped=False), setting)

    def file_permission(self, *, flag: bool) -> "Permission":
        """Whether a file on the command line may run outside the sandbox."""
        from studykit.sandbox.confinement import Permission

        return Permission.of_file(partial(self.open_worker, wrapped=False), flag=flag)

    @property
    def new_a_day(self) -> int:
        """How many new cards this day may bring: those of every day or of a plan, and those asked for beyond."""
        from studykit.cli.study_plan import more_new

        plan = self.plan
        usual = int(str(self.section("review")["new_per_day"])) if plan is None else plan.new
        return usual + more_new(self.side_file("more"), self.today())

    @property
    def plan(self) -> "StudyPlan | None":
        """The plan that reviews follow today; None also once its exam has come or its backlog is gone."""
        from studykit.cli.study_plan import read_plan

        plan = read_plan(self.side_file("plan"))
        if plan is None:
            return None
        ended = self.reviews_today <= plan.reviews if plan.exam is None else self.today() >= plan.exam
        return None if ended else plan

    @property
    def reviews_today(self) -> int:
        """How many reviews this day has, those that are done included; 0 when none is left."""
        today, schedule = self.today(), self.store.schedule
        if not (left := len(schedule.agenda(today, new=0).due)):
            return 0
        tally = schedule.tally(today)
        return left + tally.young + tally.mature

    @property
    def new_of_decks(self) -> "dict[str, int]":
        """How many new cards a day single decks may bring, by id or name; on a day of more, all they have."""
        from studykit.cli.study_plan import more_new

        said = self.config["new_per_deck"]
        if not said or not isinstance(said, list) or more_new(self.side_file("more"), self.today()):
            return {}
        pairs = (text.rpartition("=") for text in said)
        return {name.strip().casefold(): int(count) for name, _, count in pairs if count.strip().isdecimal()}

    def side_file(self, ending: str) -> "Path":
        """The path of a small file of this database and its learner, such as their plan."""
        learner = self.store.learner if self.address.path is None else self.learner or LEARNER
        return self.address.side_file(ending, learner)

    @property
    def wants_course(self) -> bool:
        """Whether any of the decks that ship is wanted."""
        return is_on(str(self.config["course"]))

    @property
    def practice_command(self) -> str:
        """What to type when nothing is left to review: an exercise of the course, or a new card without it."""
        return "study exercise napkin-math" if self.wants_course else "study add"

    @property
    def leech_from(self) -> int:
        """Lapses from which a card is a leech; more than any card has where none is wanted."""
        return int(str(self.section("review")["leech_lapses"])) or 10**9

    @property
    def scheduler(self) -> str | None:
        """The name of the scheduler that the settings ask for, empty for SM-2; None where they cannot be read."""
        try:
            settings = self._settings
        except StudyError:  # told by what needs it; what the database has goes on
            return None
        if settings["scheduler"] == "sm2-text":
            return ""
        from studykit.config import scheduler_name

        return scheduler_name(settings)

    @cached_property
    def store(self) -> "Store":
        """The learner's store, opened and brought up to date at the first use, one for the whole run."""
        from studykit.store.opening import open_store

        store = open_store(
            self.address,
            learner=self.learner,
            clock=self.clock,
            zone_name=self.zone_name,
            zone=self.zone,
            scheduler=self.scheduler,
        )
        close_at_exit(lambda: self._leave(store))
        if store.rescheduled:
            self.tell(f"study: {store.schedule.scheduler} plans your reviews from now on; your log is as it was.")
        return store

    def _leave(self, store: "Store") -> None:
        """Close a store, after what is to be done where something was recorded."""
        try:
            if store.log.recorded and Context.after_recording is not None:
                Context.after_recording(self)
        finally:
            store.close()

    @cached_property
    def drafts(self) -> "TypedDrafts":
        """What the learner began to type and did not end."""
        from studykit.store.typed_drafts import TypedDrafts

        return TypedDrafts(self.address.side_file("typed"), self.store.learner)

    @cached_property
    def collection(self) -> "Collection":
        """The learner's decks: those of STUDYKIT_DECKS and of the configuration, then the ones that ship."""
        from studykit.collection.collection import Collection, sources

        hidden, order = self.config.get("hidden_decks", []), self.config.get("deck_order", [])
        return Collection(
            self.store,
            sources(self.environ, self.config, self.config_file),
            copies=paths.copies(),
            hidden=hidden if isinstance(hidden, list) else (),
            course=str(self.config["course"]),
            order=order if isinstance(order, list) else (),
        )

    def forget_collection(self) -> None:
        """Let the configuration and the decks be looked at again: this run has changed them."""
        for name in ("config", "_settings", "collection"):
            self.__dict__.pop(name, None)

    def reopen_store(self) -> "Store":
        """The store as the settings ask for it now; the one before is closed at the end."""
        self.__dict__.pop("store", None)
        return self.store

    def refreshed_store(self, *, quiet: bool = False) -> "Store":
        """The store with the decks as they are now; what of them cannot be read is told, and all else is served.

        A file of which nothing can be read is told when all is done, and is a failure.
        """
        if self.store.read_only:  # somebody else's, as they left it
            return self.store
        had_decks = bool(self.store.cards.deck_files())
        changes = self.collection.refresh(None if quiet else self._watch_decks)
        if quiet:
            return self.store
        if had_decks and str(changes):
            self.tell(f"decks: {changes}")
        for pair in changes.likely[:_MENTIONED]:
            self.tell(f"decks: {pair.sentence()}")
        if changes.problems:
            if changes.refused:
                report_at_exit(BadDataError(changes.complaint()))
            else:
                self.tell(f"study: {changes.complaint()}")
        return self.store

    def _watch_decks(self, parts: int) -> "AbstractContextManager[Callable[[int], object]]":
        """A bar while decks that changed are read."""
        from studykit.cli.progress_bar import counting

        return counting(self, "reading decks", parts)

    def tell_future(self) -> None:
        """Tell what is dated in the future: its cards wait for that day, and only the learner can say why."""
        if events := self.store.log.ahead():
            self.tell(future_sentence(events))

    def refreshed_collection(self) -> "Collection":
        """The collection with the decks as they are now."""
        self.refreshed_store()
        return self.collection


context_of = Context.of_command_line
"""A verb's context, with the options that were given before or after the verb."""


def future_sentence(events: "Sequence[Event]") -> str:
    """What to say of events that are dated in the future, the latest first."""
    from studykit.text import counted

    dated = f"{counted(len(events), 'event')} of your log dated in the future, up to {events[0].day}"
    return f"{dated}: set the clock right, or take them back with `study undo --future`."
