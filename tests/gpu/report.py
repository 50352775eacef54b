"""Collect the table of a part. Each line is printed and saved as JSON at once, so a limit costs only the rest."""

import json
import platform
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from studykit.sandbox.worker import Worker

Figures = dict[str, Any]  # in SI base units
_WIDTHS = (34, 46, 30)
_SIGNS = {True: "ok", False: "NO", None: ""}
_ERROR_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Line:
    """Hold the result of one check. `ok` is None if nothing was expected."""

    what: str
    found: str
    wanted: str = ""
    ok: bool | None = None
    figures: Figures = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """Collect the lines of one part."""

    part: str
    device: str
    path: Path | None = None  # of the JSON
    say: Callable[[str], None] = print
    lines: list[Line] = field(default_factory=list)
    finished: bool = False

    def head(self) -> None:
        """Print the heading of the table."""
        self.say(f"\n{self.part} on {self.device}")
        self.say(_row("what", "found", "wanted", ""))

    def add(
        self,
        what: str,
        found: str,
        wanted: str = "",
        *,
        ok: bool | None = None,
        figures: dict[str, Any] | None = None,
    ) -> None:
        """Add a line, print it and save it at once."""
        self.lines.append(Line(what, found, wanted, ok, figures or {}))
        self.say(_row(what, found, wanted, _SIGNS[ok]))
        self.write()

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Catch any error of a step, and add a line for it."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever a driver raises: the steps after it are wanted, too
            message = " ".join(f"{type(error).__name__}: {error}".split())[:_ERROR_CHARACTERS]
            self.add(what, message, "no error", ok=False)

    def end(self) -> None:
        """Mark the part as finished, and save it."""
        self.finished = True
        self.write()

    def write(self) -> None:
        """Write the document so far over the previous one."""
        if self.path is not None:
            beside = self.path.with_name(self.path.name + ".new")
            beside.write_text(json.dumps(self.document(), indent=1))
            beside.replace(self.path)

    def document(self) -> dict[str, Any]:
        """Return the part's report as a JSON document."""
        return {
            "part": self.part,
            "device": self.device,
            "finished": self.finished,
            "lines": [asdict(line) for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class PartRun:
    """Hold what a part needs: its device, table, workers, deadline, and whether to run only a sample."""

    device: str  # "cuda" or "cpu"
    table: Table
    open_worker: Callable[..., Worker]  # `wrapped`: with bubblewrap around it where it works, or without
    until: float  # by time.monotonic
    quick: bool = False  # a sample of everything, so that the script is known to run

    @property
    def on_gpu(self) -> bool:
        """Return whether the part runs on a GPU."""
        return self.device == "cuda"

    def some(self, everything: list[Any], few: int) -> list[Any]:
        """Return all items, or the first few in a quick run."""
        return everything[:few] if self.quick else everything

    @property
    def left_s(self) -> float:
        """Return the seconds until the part has to stop."""
        return self.until - time.monotonic()


def machine() -> dict[str, str]:
    """Describe the machine without importing torch."""
    return {
        "kernel": platform.release(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "measured": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def _row(*cells: str) -> str:
    """Format a line of the table. A cell that is too long continues below itself."""
    *wide, sign = cells
    columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(wide, _WIDTHS, strict=True)]
    columns.append([sign])
    height = max(map(len, columns))
    rows = zip(*(column + [""] * (height - len(column)) for column in columns), strict=True)
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, (*_WIDTHS, 2), strict=True)).rstrip()
        for row in rows
    )
