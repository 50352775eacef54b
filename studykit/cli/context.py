"""The world as one run of `study` sees it: clock, zone, seed, environment, standard streams.

Made once by a verb and passed inward; nothing deeper asks the machine.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from zoneinfo import ZoneInfo

from studykit import paths
from studykit.cli import clock
from studykit.cli.exit import at_the_end
from studykit.cli.wrap import fitted
from studykit.errors import UsageError
from studykit.scheduling.agenda import NEW_A_DAY
from studykit.scheduling.study_day import study_day
from studykit.text import printable

if TYPE_CHECKING:
    from studykit.collection.collection import Collection
    from studykit.store.store import Store


@dataclass(frozen=True)
class Context:
    """Everything from outside that a verb may ask for."""

    environ: Mapping[str, str]
    db: str | None
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO

    @classmethod
    def from_environment(cls, db: str | None = None) -> "Context":
        """The world of this process; `db` is the learner's `--db`."""
        return cls(os.environ, db or os.environ.get("STUDYKIT_DB") or None, sys.stdin, sys.stdout, sys.stderr)

    def now(self) -> datetime:
        """The moment, aware and in UTC; `STUDYKIT_NOW` (ISO 8601) stands in for the clock in tests and docs."""
        return clock.now(self.environ, self.zone)

    def moment(self, text: str, named: str) -> datetime:
        """An ISO 8601 moment as written by the learner in `named`; without an offset it is local time."""
        return clock.moment(text, named, self.zone)

    @cached_property
    def zone_name(self) -> str:
        """The learner's IANA zone: `TZ`, else the machine's, else UTC."""
        return clock.zone_name(self.environ)

    @cached_property
    def zone(self) -> ZoneInfo:
        """The learner's zone."""
        return ZoneInfo(self.zone_name)

    def today(self) -> date:
        """The study day of this moment."""
        return study_day(self.now(), self.zone)

    @property
    def database(self) -> str:
        """The path or URL of the learner's database."""
        if self.db:
            return self.db
        return str(paths.database())

    @property
    def config_file(self) -> Path:
        """The learner's configuration file, which need not exist."""
        named = self.environ.get("STUDYKIT_CONFIG")
        return Path(named).expanduser() if named else paths.config()

    @cached_property
    def config(self) -> Mapping[str, object]:
        """Every setting by section, defaults filled in; what the file says in vain is told, once."""
        from studykit.config import read_config, unknown

        settings = read_config(self.config_file)
        for sentence in unknown(self.config_file):
            self.tell(f"study: {sentence}")
        return settings

    @property
    def new_a_day(self) -> int:
        """How many new cards a day may bring."""
        review = self.config["review"]
        return int(review["new_per_day"]) if isinstance(review, Mapping) else NEW_A_DAY

    @cached_property
    def store(self) -> "Store":
        """The learner's store, opened and brought up to date at the first use, one for the whole run."""
        from studykit.store.opening import open_store

        store = open_store(self.database, clock=self.now, zone_name=self.zone_name, zone=self.zone)
        at_the_end(store.close)
        return store

    @cached_property
    def collection(self) -> "Collection":
        """The learner's decks: those of STUDYKIT_DECKS and of the configuration, then the ones that ship."""
        from studykit.collection.collection import Collection, sources

        hidden = self.config.get("hidden_decks", [])
        return Collection(
            self.store,
            sources(self.environ, self.config, self.config_file),
            copies=paths.copies(),
            hidden=hidden if isinstance(hidden, list) else (),
        )

    def seed(self) -> int:
        """`STUDYKIT_SEED`, or a fresh seed below 2**31."""
        fixed = self.environ.get("STUDYKIT_SEED")
        if not fixed:
            return int.from_bytes(os.urandom(4)) >> 1
        try:
            return int(fixed)
        except ValueError:
            raise UsageError(f"STUDYKIT_SEED is {fixed!r}; give a whole number.") from None

    def write(self, text: str) -> None:
        """Print a result, broken between words where a terminal is narrower; what it quotes cannot drive one."""
        self.stdout.write(fitted(printable(text), self.stdout) + "\n")

    def tell(self, text: str) -> None:
        """Print a message that is not the result, on standard error."""
        self.stderr.write(fitted(printable(text), self.stderr) + "\n")

    def write_json(self, document: Mapping[str, object]) -> None:
        """Print one JSON document, its schema version first."""
        import json

        self.copy(json.dumps({"schema": 1, **document}, ensure_ascii=False, indent=2))

    def copy(self, text: str) -> None:
        """Print what another program reads, or what was painted for a terminal, to the letter."""
        self.stdout.write(text + "\n")
