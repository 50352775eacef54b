"""The lives of a grade, an answer and a snippet: which files of ours each passes on its way, in order.

    python tests/support/lives.py [grade] [answer] [snippet] [--calls]

Each is lived once on a pseudo-terminal, by the program itself in one process under `sys.setprofile`:

- a grade: from the key `3` of `study review` being read until its event is committed;
- an answer: from the end of a line of `study exercise time.train_days` being read until its event is committed;
- a snippet: from the entry of `study grade rewrite.split_heads FILE` until the verdict is printed, with a warm
  worker; what the sandbox's children do is theirs.

A file is entered when a function of it is called or has the word again. What runs while a module of ours or of
the catalogue is imported is left out, and so is what dataclasses generate. The stack comes up where a function
calls one of a higher floor.
"""

import contextlib
import functools
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

from live import Live, environ_of
from rooms import FLOOR, ROOT, package_of

LIVES = ("grade", "answer", "snippet")
OURS = tuple(f"{(ROOT / folder).resolve()}{os.sep}" for folder in ("studykit", "graders"))
CONTENT = f"{(ROOT / 'exercises').resolve()}{os.sep}"
TRAIN_DAYS = ("time.train_days", "--set", "N=70B", "D=15T", "G=1024", "hw=H100 SXM", "mfu=0.5", "--seed", "1")
SNIPPET = "from einops import rearrange\ndef f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
DECK = "Q: question {0} {{#card-{0}}}\nA: answer {0}\n\n"


class Step(NamedTuple):
    """From one function of ours to the next, by a call or on the way back from one."""

    way: str  # call or back
    source: str  # FILE:FUNCTION
    target: str


@dataclass(frozen=True, slots=True)
class Life:
    """What was passed on the way."""

    name: str
    steps: Sequence[Step]

    @property
    def files(self) -> list[str]:
        """Files entered, in the order of their first time."""
        return list(dict.fromkeys(file_of(step.target) for step in self.steps))

    @property
    def calls_upward(self) -> list[Step]:
        """Calls of a function on a higher floor, each pair of functions once."""
        calls = dict.fromkeys(step for step in self.steps if step.way == "call" and step.source)
        return [step for step in calls if _floor(step.target) > _floor(step.source)]


def file_of(function: str) -> str:
    """The file of FILE:FUNCTION."""
    return function.partition(":")[0]


def _floor(function: str) -> int:
    module = file_of(function).removesuffix(".py").replace("/", ".")
    return FLOOR[package_of(module if module.startswith("studykit") else f"studykit.{module}")]


class Trail:
    """The steps since the mark at which a life begins, written down at the mark at which it ends."""

    def __init__(self, life: str, database: Path, report: Path) -> None:
        self._life, self._database, self._report = life, database, report
        self._steps: list[Step] | None = None
        self._printed = 0  # steps before the last thing that was printed
        self._importing = 0
        self._log: sqlite3.Connection | None = None
        self._events: int | None = None

    @contextlib.contextmanager
    def followed(self) -> Iterator[None]:
        """Follow this thread; a snippet's life ends with the last thing that was printed in here."""
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)
            if self._life == "snippet":
                self._write((self._steps or [])[: self._printed])

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        file = frame.f_code.co_filename
        if event.startswith("c_"):
            self._library(frame, event, argument)
        elif not file.startswith((*OURS, CONTENT)):
            return
        elif frame.f_code.co_name == "<module>":
            self._importing += 1 if event == "call" else -1
        elif file.startswith(CONTENT):
            return
        elif not self._importing:
            self._step(frame, event)

    def _step(self, frame: FrameType, event: str) -> None:
        if (
            self._life == "snippet"
            and self._steps is None
            and "/cli/commands/grade.py" in frame.f_code.co_filename
        ):
            self._steps = [] if frame.f_code.co_name == "grade" else None
        if self._steps is None:
            return
        here, there = _named(frame), _named(_below(frame))
        self._steps.append(Step("call", there, here) if event == "call" else Step("back", here, there))

    def _library(self, frame: FrameType, event: str, argument: object) -> None:
        owner = getattr(argument, "__self__", None)
        if self._life == "snippet":
            if event == "c_call" and owner is sys.stdout and getattr(argument, "__name__", "") == "write":
                self._printed = len(self._steps or [])
        elif event == "c_return" and argument is os.read:
            self._steps = [Step("back", "", _named(frame))]
            self._events = self._count()
        elif event == "c_return" and isinstance(owner, sqlite3.Connection | sqlite3.Cursor):
            self._look()

    def _look(self) -> None:
        """A life is over as soon as another connection sees its event."""
        if self._steps is not None and self._events is not None and self._count() > self._events:
            self._write(self._steps)
            self._steps = None
            self._life = "over"

    def _count(self) -> int:
        sys.setprofile(None)
        try:
            self._log = self._log or sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)
            return int(self._log.execute("SELECT count(*) FROM event").fetchone()[0])
        except sqlite3.OperationalError:  # there is no database yet
            return 0
        finally:
            sys.setprofile(self._profile)

    def _write(self, steps: Sequence[Step]) -> None:
        part = self._report.with_suffix(".part")
        part.write_text("".join("\t".join(step) + "\n" for step in steps))
        part.rename(self._report)


def _below(frame: FrameType) -> FrameType | None:
    """The nearest frame of ours under a frame."""
    below = frame.f_back
    while below is not None and not below.f_code.co_filename.startswith(OURS):
        below = below.f_back
    return below


def _named(frame: FrameType | None) -> str:
    return _function(frame.f_code) if frame is not None else ""


@functools.cache
def _function(code: CodeType) -> str:
    return f"{Path(code.co_filename).resolve().relative_to(ROOT)}:{code.co_qualname}"


def lived(name: str) -> Life:
    """One life, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="study-life-", dir="/tmp") as made:  # short enough for a socket
        folder = Path(made)
        (folder / "mine.md").write_text("".join(DECK.format(number) for number in range(1, 6)))
        (folder / "mine.py").write_text(SNIPPET)
        report = folder / "steps"
        if name == "snippet":
            _run(name, folder, ["-m", "studykit"])  # makes the database and starts the worker
        _run(name, folder, [__file__, "--live", name, str(folder / "study.db"), str(report)])
        steps = [Step(*row.split("\t")) for row in report.read_text().splitlines()]
    return Life(name, steps)


def _run(name: str, folder: Path, command: Sequence[str]) -> None:
    """Do by hand what the life is about."""
    words = {
        "grade": ("review", "mine"),
        "answer": ("exercise", *TRAIN_DAYS),
        "snippet": ("grade", "rewrite.split_heads", str(folder / "mine.py")),
    }[name]
    environ = {**environ_of(folder), "XDG_RUNTIME_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    del environ["STUDYKIT_NOW"]  # the machine's own clock, as on any day
    live = Live([sys.executable, *command, *words], environ)
    try:
        if name == "grade":
            live.see("question 1")
            live.press(" ", "answer 1")
            live.press("3", "question 2")
            live.send("q")
        elif name == "answer":
            live.see("MFU")
            live.send("144 days")
            live.see("144 days")
            live.press("\r", "right: 143.9 days")
        live.ends()
    finally:
        live.close()


def _live(name: str, database: str, report: str, *words: str) -> None:
    """The program itself, followed."""
    from studykit.__main__ import main

    sys.argv = ["study", *words]
    with Trail(name, Path(database), Path(report)).followed():
        main()


def told(life: Life, *, calls: bool) -> str:
    """Files in order; with `calls` every step between two files."""
    rows = [f"{life.name}: {len(life.files)} files, {len(life.calls_upward)} calls upward"]
    rows += [f"  {number:2} {file}" for number, file in enumerate(life.files, start=1)]
    rows += [f"  up: {step.source} -> {step.target}" for step in life.calls_upward]
    if calls:
        between = (step for step in life.steps if file_of(step.source) != file_of(step.target))
        rows += [f"  {step.way} {step.source} -> {step.target}" for step in between]
    return "\n".join(rows) + "\n"


def main() -> None:
    if sys.argv[1:2] == ["--live"]:
        _live(*sys.argv[2:])
    names = [name for name in LIVES if name in sys.argv] or LIVES
    for name in names:
        sys.stdout.write(told(lived(name), calls="--calls" in sys.argv) + "\n")


if __name__ == "__main__":
    main()
