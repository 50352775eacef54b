"""A run of `study` as seen from outside: environment, options, clock, zone, seed, settings, and its streams.

A shell prompt looks at them too, so nothing slow (dataclasses, pathlib, typing) is imported here before somebody
asks for it.
"""

import os
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cached_property, partial

from studykit import paths
from studykit.errors import StudyError, UsageError
from studykit.scheduling.study_day import EARLIEST, LATEST, study_day
from studykit.store.address import Address
from studykit.text import fitted, hide_passwords, is_on, json_text, printable, terminal_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Self, TextIO
    from zoneinfo import ZoneInfo

    import typer

    from studykit.sandbox.worker import Worker
    from studykit.terminal.mode import Style

_LINE_START = "\r\x1b[2K"  # of a line that is emptied
_LONGEST_NAME = 63
_LARGEST_CONFIG = 100_000
_GREY, _GREY_ENDS = ("vt1", "vt2", "vt3", "vt4", "vt5"), ("-m", "-mono")
"""How the names of terminals without colours begin and end."""


SAID = "studykit.options."
"""Where the options said so far stand in the `meta` that Typer's contexts of one command line share."""


class Surroundings:
    """Everything outside of the program that a verb may ask for; nothing deeper asks the machine."""

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
        self.environ = environ
        self.db = db
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.bar_shown = (
            False  # whether standard error shows a progress bar now, which a message takes the place of
        )
        self._learner_named = learner or environ.get("STUDYKIT_LEARNER") or None
        self._config_named = config or environ.get("STUDYKIT_CONFIG") or None

    @classmethod
    def from_environment(
        cls, db: str | None = None, config: str | None = None, learner: str | None = None
    ) -> "Self":
        """The surroundings of this process; `db`, `config` and `learner` are what the options of that name say."""
        refuse_password(db)
        named = db or os.environ.get("STUDYKIT_DB") or None
        return cls(os.environ, named, sys.stdin, sys.stdout, sys.stderr, config=config, learner=learner)

    @classmethod
    def of_command_line(cls, ctx: "typer.Context") -> "Self":
        """The surroundings of this run, with the options that were given before or after the verb."""
        return cls.from_environment(*(ctx.meta.get(f"{SAID}{name}") for name in ("db", "config", "learner")))

    def writing_to(self, *, stdout: "TextIO | None" = None, stderr: "TextIO | None" = None) -> "Self":
        """The same surroundings with other streams to write to."""
        streams = self.stdin, stdout or self.stdout, stderr or self.stderr
        return type(self)(self.environ, self.db, *streams, config=self._config_named, learner=self._learner_named)

    def now(self) -> datetime:
        """The moment, aware and in UTC; `STUDYKIT_NOW` (ISO 8601) stands in for the clock in tests and docs."""
        fixed = self.environ.get("STUDYKIT_NOW")
        return self.moment(fixed, "STUDYKIT_NOW") if fixed else datetime.now(UTC)

    @property
    def clock(self) -> "Callable[[], datetime]":
        """What tells `now`; the machine's own clock unless `STUDYKIT_NOW` stands in for it."""
        return self.now if self.environ.get("STUDYKIT_NOW") else partial(datetime.now, UTC)

    def moment(self, text: str, named: str) -> datetime:
        """An ISO 8601 moment as written by the learner in `named`; without an offset it is local time."""
        try:
            read = datetime.fromisoformat(text)
        except ValueError:
            message = f"{named} is {text!r}, which is no ISO 8601 moment such as 2026-11-23T08:30:00+01:00."
            raise UsageError(message) from None
        if not EARLIEST <= read.date() < LATEST:
            raise UsageError(f"{named} is {text!r}; give a moment between {EARLIEST.year} and {LATEST.year}.")
        return (read if read.tzinfo else read.replace(tzinfo=self.zone)).astimezone(UTC)

    @cached_property
    def zone_name(self) -> str:
        """The learner's IANA zone: `TZ`, else the machine's, else UTC."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        named = self.environ.get("TZ", "").lstrip(":")
        if not named:
            named = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
        try:
            return ZoneInfo(named).key if named else "UTC"
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return "UTC"

    @cached_property
    def zone(self) -> "ZoneInfo":
        """The learner's zone."""
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.zone_name)

    def today(self) -> date:
        """The study day of this moment."""
        return study_day(self.now(), self.zone)

    def seed(self) -> int:
        """`STUDYKIT_SEED`, or a fresh seed below 2**31."""
        fixed = self.environ.get("STUDYKIT_SEED")
        if not fixed:
            return int.from_bytes(os.urandom(4)) >> 1
        try:
            return int(fixed)
        except ValueError:
            raise UsageError(f"STUDYKIT_SEED is {fixed!r}; give a whole number.") from None

    @cached_property
    def address(self) -> Address:
        """Where the learner's database is."""
        if self.db:
            return Address(self.db)
        if (folder := paths.data_home()) is not None:
            return Address(f"{folder}/study.db")
        return Address(str(paths.database()))

    @property
    def config_file(self) -> "Path":
        """The learner's configuration file, which need not exist."""
        if not self._config_named:
            return paths.config()
        from pathlib import Path

        path = Path(os.path.expanduser(self._config_named))
        if str(path).startswith("~"):
            raise UsageError(f"{path} names no user of this machine: give another path with --config.")
        return path

    @cached_property
    def config(self) -> Mapping[str, object]:
        """Every setting by section, defaults filled in; what the file says in vain is told, once."""
        from studykit.config import unknown_settings

        settings = self._settings
        for sentence in unknown_settings(self.config_file):
            self.tell(f"study: {sentence}")
        return settings

    @cached_property
    def _settings(self) -> Mapping[str, object]:
        from studykit.config import read_config

        return read_config(self.config_file)

    def section(self, name: str) -> Mapping[str, object]:
        """A section of the learner's configuration."""
        section = self.config[name]
        return section if isinstance(section, Mapping) else {}

    @cached_property
    def learner(self) -> str | None:
        """Whose log it is, by option, environment or setting; None where nobody says."""
        named = self._learner_named or self._learner_set()
        if named is not None and not (named.isprintable() and named.strip() and len(named) <= _LONGEST_NAME):
            raise UsageError(
                f"{named[:_LONGEST_NAME]!r} is no learner's name: give 1 to {_LONGEST_NAME} characters."
            )
        return named

    def _learner_set(self) -> str | None:
        """The setting, without reading the whole file as TOML where it cannot be in there."""
        folder = paths.config_home()
        usual = str(self.config_file) if folder is None else f"{folder}/config.toml"
        file = os.path.expanduser(self._config_named or usual)
        if not os.path.isfile(file):
            return None
        try:
            with open(file, "rb") as opened:
                if b"learner" not in opened.read(_LARGEST_CONFIG):
                    return None
            return str(self._settings["learner"]) or None
        except (OSError, StudyError):  # told by what needs the file
            return None

    def open_worker(self, backend: str, *, wrapped: bool = True) -> "Worker":
        """This user's warm worker for torch or numpy, or a private one where `STUDYKIT_WORKER=0` says so.

        With bubblewrap around it where that works, unless it is not to be `wrapped`.
        """
        from studykit.sandbox.worker import open_worker

        runtime = self.worker_folder
        return open_worker(backend=backend, shared=runtime is not None, runtime=runtime, wrapped=wrapped)

    @property
    def worker_folder(self) -> "Path | None":
        """Where this user's warm worker is to be found; None where it is to be a private one."""
        from studykit.sandbox.worker import runtime_folder

        shared = self.environ.get("STUDYKIT_WORKER", "1") != "0"
        return runtime_folder(self.environ.get("XDG_RUNTIME_DIR")) if shared else None

    @property
    def interactive(self) -> bool:
        """Whether a learner sits at a terminal: there is one at both ends."""
        return self.stdin.isatty() and self.stdout.isatty()

    def confirm(self, question: str) -> bool:
        """Ask on the terminal; anything but yes is a no."""
        self.stdout.write(f"{question} [y/N] ")
        self.stdout.flush()
        return self.stdin.readline().strip().lower() in {"y", "yes"}

    @property
    def typed_in(self) -> bool:
        """Whether a learner types what is read."""
        return self.stdin.isatty()

    @property
    def on_terminal(self) -> bool:
        """Whether results are written to a terminal."""
        return self.stdout.isatty()

    @property
    def messages_on_terminal(self) -> bool:
        """Whether messages are written to a terminal."""
        return self.stderr.isatty()

    @property
    def columns(self) -> int | None:
        """The columns of the terminal that results are written to, those of COLUMNS first; None without either."""
        named = self.environ.get("COLUMNS", "")
        return int(named) if named.isdecimal() and int(named) else terminal_columns(self.stdout)

    @property
    def terminal_size(self) -> tuple[int, int]:
        """Columns and lines of the terminal that results are written to; 80 and 24 where there is none."""
        from shutil import get_terminal_size

        size = get_terminal_size()
        return self.columns or size.columns, size.lines

    @cached_property
    def style(self) -> "Style":
        """The colours and signs that may be written, by environment, settings and the output's encoding."""
        return style_of(
            self.environ,
            encoding=getattr(self.stdout, "encoding", None) or "ascii",
            glyphs=str(self._look.get("glyphs", "auto")),
            colour=str(self._look.get("color", "auto")),
        )

    @property
    def plain(self) -> bool:
        """Whether the learner wants sentences in the place of drawings, wherever they are written."""
        asked = is_on(self.environ.get("STUDYKIT_PLAIN")) or self._look.get("mode") == "plain"
        return asked or (self.on_terminal and self.environ.get("TERM", "dumb") == "dumb")

    @property
    def _look(self) -> Mapping[str, object]:
        """The settings of what is shown; none where the file cannot be read, which is told by what needs it."""
        try:
            section = self._settings["ui"]
        except StudyError:
            return {}
        return section if isinstance(section, Mapping) else {}

    def write(self, text: str, *, widest: int | None = None) -> None:
        """Print a result, broken between words where a terminal is narrower; what it quotes cannot drive one."""
        room = self.columns if self.on_terminal else None
        narrowest = min((columns for columns in (room, widest) if columns), default=None)
        self.stdout.write(fitted(self.spelled(text), narrowest) + "\n")

    def tell(self, text: str) -> None:
        """Print a message that is not the result, on standard error."""
        told = fitted(self.spelled(text), terminal_columns(self.stderr))
        self.stderr.write(f"{_LINE_START if self.bar_shown else ''}{told}\n")

    def spelled(self, text: str) -> str:
        """The text as it may be written: nothing drives a terminal, signs are spelled where only ASCII may be."""
        text = printable(text)
        if text.isascii() or not self.style.ascii:
            return text
        from studykit.terminal.glyphs import plain_signs

        return plain_signs(text)

    def write_json(self, document: Mapping[str, object]) -> None:
        """Print one JSON document, its schema version first."""
        self.copy(json_text({"schema": 1, **document}))

    def copy(self, text: str) -> None:
        """Print what another program reads, or what was painted for a terminal, to the letter."""
        self.stdout.write(text + "\n")


def refuse_password(address: str | None) -> None:
    """UsageError for a password in an address on a command line, where every process list shows it."""
    if address and hide_passwords(address) != address:
        raise UsageError(
            f"{hide_passwords(address)} has a password, which everybody on this machine could read: "
            "put it into ~/.pgpass (a line HOST:PORT:DATABASE:ROLE:PASSWORD, chmod 600) and leave it out here."
        )


def style_of(environ: Mapping[str, str], *, encoding: str, glyphs: str = "auto", colour: str = "auto") -> "Style":
    """Colours and signs by environment and setting; a terminal that cannot encode the signs gets ASCII."""
    from studykit.terminal.mode import Style

    off = environ.get("NO_COLOR") or is_on(environ.get("STUDYKIT_NO_COLOR")) or colour == "never"
    asked = environ.get("STUDYKIT_GLYPHS") or glyphs
    terminal = environ.get("TERM", "")
    grey = colour != "always" and (terminal.startswith(_GREY) or terminal.endswith(_GREY_ENDS))
    only_ascii = asked == "ascii" or (asked != "unicode" and not _encodes(encoding))
    return Style(colour=not off and not grey, ascii=only_ascii)


def _encodes(encoding: str) -> bool:
    try:
        "✓⠿─".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True
