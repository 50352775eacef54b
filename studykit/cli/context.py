"""Define a run of `study`: environment, options, clock, zone, seed, settings and streams, with store and decks.

A verb makes it once and passes it on, so that other packages need not ask the machine. A shell prompt makes one
too, so slow imports (dataclasses, pathlib, typing) stand in the methods that need them.
"""

import os
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cached_property, partial

from studykit import paths
from studykit.cli.console import Console
from studykit.cli.exit import close_at_exit, report_at_exit
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.scheduling.study_day import EARLIEST, LATEST, study_day
from studykit.store.address import LEARNER, Address
from studykit.text import hide_passwords, is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any, ClassVar, Self, TextIO
    from zoneinfo import ZoneInfo

    import typer

    from studykit.collection.collection import Collection
    from studykit.sandbox.confinement import Permission
    from studykit.sandbox.worker import Worker
    from studykit.store.store import Store
    from studykit.store.typed_drafts import TypedDrafts

OPTIONS = "studykit.options."
"""Prefix of the given options in the `meta` that the contexts of one command line share."""
_MAX_NAME = 63  # characters of a learner's name
_MAX_CONFIG = 100_000  # bytes
_REWORDED_SHOWN = 3  # cards that may be the same; `study deck relink` lists them all


class Context(Console):
    """Give a verb its clock, settings, database and decks. The last three are opened at their first use."""

    after_recording: "ClassVar[Callable[[Context], None] | None]" = None
    """Called after a run that recorded something. `studykit.cli.app` sets it."""

    def __init__(
        self,
        environ: Mapping[str, str],
        db: str | None,
        stdin: "TextIO",
        stdout: "TextIO",
        stderr: "TextIO",
        *,
        config: str | None = None,
        learner: str | None = None,
    ) -> None:
        super().__init__(environ, stdin, stdout, stderr)
        self.db = db
        self._learner_name = learner or environ.get("STUDYKIT_LEARNER") or None
        self._config_path = config or environ.get("STUDYKIT_CONFIG") or None

    @classmethod
    def from_environment(
        cls, db: str | None = None, config: str | None = None, learner: str | None = None
    ) -> "Self":
        """Return the context of this process. `db`, `config` and `learner` are options of those names."""
        refuse_password(db)
        address = db or os.environ.get("STUDYKIT_DB") or None
        return cls(os.environ, address, sys.stdin, sys.stdout, sys.stderr, config=config, learner=learner)

    def writing_to(self, *, stdout: "TextIO | None" = None, stderr: "TextIO | None" = None) -> "Self":
        """Return the same context with other streams to write to."""
        streams = self.stdin, stdout or self.stdout, stderr or self.stderr
        return type(self)(self.environ, self.db, *streams, config=self._config_path, learner=self._learner_name)

    def now(self) -> datetime:
        """Return the present in UTC, with a time zone. `STUDYKIT_NOW` (ISO 8601) replaces the clock in tests."""
        text = self.environ.get("STUDYKIT_NOW")
        return self.moment(text, "STUDYKIT_NOW") if text else datetime.now(UTC)

    @property
    def clock(self) -> "Callable[[], datetime]":
        """Return a function that returns the present, as `now` does."""
        return self.now if self.environ.get("STUDYKIT_NOW") else partial(datetime.now, UTC)

    def moment(self, text: str, named: str) -> datetime:
        """Parse an ISO 8601 moment, local without an offset, or raise a UsageError that begins with `named`."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            message = f"{named} is {text!r}. Give an ISO 8601 moment such as 2026-11-23T08:30:00+01:00."
            raise UsageError(message) from None
        if not EARLIEST <= moment.date() < LATEST:
            raise UsageError(f"{named} is {text!r}. Give a moment between {EARLIEST.year} and {LATEST.year}.")
        return (moment if moment.tzinfo else moment.replace(tzinfo=self.zone)).astimezone(UTC)

    @cached_property
    def zone_name(self) -> str:
        """Return the learner's IANA zone: `TZ`, else the machine's, else UTC."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        zone = self.environ.get("TZ", "").lstrip(":")
        if not zone:
            zone = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
        try:
            return ZoneInfo(zone).key if zone else "UTC"
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return "UTC"

    @cached_property
    def zone(self) -> "ZoneInfo":
        """Return the learner's zone."""
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.zone_name)

    def today(self) -> date:
        """Return the present study day."""
        return study_day(self.now(), self.zone)

    def seed(self) -> int:
        """Return `STUDYKIT_SEED`, or a fresh seed below 2**31."""
        text = self.environ.get("STUDYKIT_SEED")
        if not text:
            return int.from_bytes(os.urandom(4)) >> 1
        try:
            return int(text)
        except ValueError:
            raise UsageError(f"STUDYKIT_SEED is {text!r}. Give a whole number.") from None

    @cached_property
    def address(self) -> Address:
        """Return where the learner's database is."""
        return Address(self.db or paths.database())

    @property
    def config_file(self) -> "Path":
        """Return the learner's configuration file, which need not exist."""
        from pathlib import Path

        path = os.path.expanduser(self._config_path or paths.config())
        if path.startswith("~"):
            raise UsageError(f"{path!r} names an unknown user. Give another path with --config.")
        return Path(path)

    @cached_property
    def config(self) -> "Mapping[str, Any]":
        """Return every setting by section, with defaults. Unknown ones in the file are reported once."""
        from studykit.config import unknown_settings

        settings = self._settings
        for sentence in unknown_settings(self.config_file):
            self.tell(f"study: {sentence}")
        return settings

    @cached_property
    def _settings(self) -> "Mapping[str, Any]":
        from studykit.config import read_config

        return read_config(self.config_file)

    def section(self, name: str) -> "Mapping[str, Any]":
        """Return a section of the learner's configuration."""
        section: Mapping[str, Any] = self.config[name]
        return section

    @cached_property
    def learner(self) -> str | None:
        """Return the learner's name from option, environment or setting, or None."""
        name = self._learner_name or self._learner_setting()
        if name is not None and not (name.isprintable() and name.strip() and len(name) <= _MAX_NAME):
            raise UsageError(
                f"{name[:_MAX_NAME]!r} is not a valid learner's name. Give 1 to {_MAX_NAME} printable characters."
            )
        return name

    def _learner_setting(self) -> str | None:
        """Return the learner's name in the settings, or None. A file that does not mention one is not parsed."""
        file = os.path.expanduser(self._config_path or paths.config())
        if not os.path.isfile(file):
            return None
        try:
            with open(file, "rb") as config:
                if b"learner" not in config.read(_MAX_CONFIG):
                    return None
            return str(self._settings["learner"]) or None
        except (OSError, StudyError):  # reported by what needs the file
            return None

    def open_worker(self, backend: str, *, wrapped: bool = True) -> "Worker":
        """Return the worker that this user's runs share, or a private one if `STUDYKIT_WORKER=0`.

        It runs in bubblewrap where that works, unless `wrapped` is False.
        """
        from studykit.sandbox.worker import open_worker

        runtime = self.worker_folder
        return open_worker(backend=backend, shared=runtime is not None, runtime=runtime, wrapped=wrapped)

    @property
    def worker_folder(self) -> "Path | None":
        """Return the folder of the worker that this user's runs share, or None for a private one."""
        from studykit.sandbox.worker import runtime_folder

        is_shared = self.environ.get("STUDYKIT_WORKER", "1") != "0"
        return runtime_folder(self.environ.get("XDG_RUNTIME_DIR")) if is_shared else None

    @property
    def look(self) -> "Mapping[str, Any]":
        """Return the settings of `ui`, or none if the file cannot be read, which other code reports."""
        try:
            section: Mapping[str, Any] = self._settings["ui"]
        except StudyError:
            return {}
        return section

    @cached_property
    def typed_permission(self) -> "Permission":
        """Return whether typed code may run outside the sandbox, asking at most once."""
        from studykit.sandbox.confinement import Permission

        setting = self.section("sandbox")["unconfined"]
        return Permission.of_typed(partial(self.open_worker, wrapped=False), setting)

    def file_permission(self, *, flag: bool) -> "Permission":
        """Return whether a file on the command line may run outside the sandbox."""
        from studykit.sandbox.confinement import Permission

        return Permission.of_file(partial(self.open_worker, wrapped=False), flag=flag)

    def side_file(self, ending: str) -> "Path":
        """Return the path of a small file next to the database, such as the learner's plan."""
        return self.address.side_file(ending, self.learner or LEARNER)

    @property
    def wants_course(self) -> bool:
        """Return whether the learner uses any shipped deck."""
        return is_on(self.config["course"])

    @property
    def practice_command(self) -> str:
        """Return the command to suggest if nothing is due: the course's exercises, or `study add` without them."""
        return "study exercise napkin-math" if self.wants_course else "study add"

    @property
    def leech_from(self) -> int:
        """Return the lapses that make a leech, or more than any card has if the setting is 0."""
        return self.section("review")["leech_lapses"] or 10**9

    @property
    def scheduler(self) -> str | None:
        """Return the scheduler's name from the settings, "" for SM-2, or None if they cannot be read."""
        try:
            settings = self._settings
        except StudyError:  # reported by what needs it; the database keeps its scheduler
            return None
        from studykit.config import scheduler_name

        return scheduler_name(settings)

    def open_store(self, address: "Address | str", **identity: str | None) -> "Store":
        """Open a store with this run's clock, zone and scheduler. The caller closes it."""
        from studykit.store.opening import open_store

        return open_store(
            address,
            clock=self.clock,
            zone_name=self.zone_name,
            zone=self.zone,
            scheduler=self.scheduler,
            **identity,
        )

    @cached_property
    def store(self) -> "Store":
        """Open and migrate the learner's store, or a copy if it cannot be written, once for the whole run."""
        copy = self.copy_of_unwritable
        store = self.open_store(self.address if copy is None else str(copy), learner=self.learner)
        close_at_exit(lambda: self._close_store(store))
        if copy is not None:
            store.name = self.address.name
            store.log.refusal = (
                f"{store.name} is on a disk that cannot be written, so nothing was saved. Make it writable, or "
                "name another database with --db."
            )
            self.tell(f"study: {store.name} cannot be written; no answer and no change of a deck is kept.")
        if store.rescheduled:
            self.tell(f"study: {store.schedule.scheduler} plans your reviews from now on; your log is as it was.")
        return store

    @cached_property
    def copy_of_unwritable(self) -> "Path | None":
        """Return a copy of a database whose file or folder is not writable, as SQLite writes to both, or None."""
        file = self.address.path
        if not os.path.isfile(file) or not os.access(file, os.R_OK):
            return None
        if os.access(file, os.W_OK) and os.access(os.path.dirname(os.path.abspath(file)), os.W_OK):
            return None
        from pathlib import Path
        from tempfile import TemporaryDirectory

        from studykit.store.recovery import copy_with_log

        folder = TemporaryDirectory(prefix="study-")
        close_at_exit(folder.cleanup)
        copy = Path(folder.name, "study.db")
        copy_with_log(Path(file), copy)
        copy.chmod(0o600)  # the original may be read-only
        return copy

    def _close_store(self, store: "Store") -> None:
        """Close the store, after a call of `after_recording` if something was recorded."""
        try:
            if store.log.recorded and Context.after_recording is not None:
                Context.after_recording(self)
        finally:
            store.close()

    @cached_property
    def drafts(self) -> "TypedDrafts":
        """Return the learner's unfinished lines."""
        from studykit.store.typed_drafts import TypedDrafts

        return TypedDrafts(self.address.side_file("typed"), self.store.learner)

    @cached_property
    def collection(self) -> "Collection":
        """Return the learner's decks: of STUDYKIT_DECKS and the configuration, then the shipped ones."""
        from studykit.collection.collection import Collection, sources

        return Collection(
            self.store,
            sources(self.environ, self.config, self.config_file),
            copies=paths.copies(),
            hidden=self.config["hidden_decks"],
            course=self.config["course"],
            order=self.config["deck_order"],
        )

    def forget_collection(self) -> None:
        """Forget the configuration and the decks after a change, so that they are read again when needed."""
        for name in ("config", "_settings", "collection"):
            self.__dict__.pop(name, None)

    def refreshed_store(self, *, quiet: bool = False) -> "Store":
        """Return the store after reading changed decks. Unreadable notes are reported, and all others are used.

        An unreadable file is reported as a failure at the end of the run. With `quiet`, nothing is reported.
        """
        had_decks = bool(self.store.cards.deck_files())
        changes = self.collection.refresh(None if quiet else self._watch_decks)
        if quiet:
            return self.store
        if had_decks and str(changes):
            self.tell(f"decks: {changes}")
        for pair in changes.likely[:_REWORDED_SHOWN]:
            self.tell(f"decks: {pair.sentence()}")
        if changes.problems:
            if changes.refused:
                report_at_exit(BadDataError(changes.complaint()))
            else:
                self.tell(f"study: {changes.complaint()}")
        return self.store

    def _watch_decks(self, parts: int) -> "AbstractContextManager[Callable[[int], object]]":
        """Show a bar while changed decks are read."""
        from studykit.cli.progress_bar import counting

        return counting(self, "reading decks", parts)

    def refreshed_collection(self) -> "Collection":
        """Return the collection after reading changed decks."""
        self.refreshed_store()
        return self.collection


def context_of(ctx: "typer.Context") -> Context:
    """Return the context of a verb, with the options that were given before or after it."""
    return Context.from_environment(*(ctx.meta.get(f"{OPTIONS}{name}") for name in ("db", "config", "learner")))


def refuse_password(address: str | None) -> None:
    """Raise UsageError for a password in an address on a command line, which process lists show."""
    if address and hide_passwords(address) != address:
        raise UsageError(
            f"{hide_passwords(address)} has a password, which everybody on this machine could read. "
            "Put it into ~/.pgpass (a line HOST:PORT:DATABASE:ROLE:PASSWORD, chmod 600) and leave it out here."
        )
