"""List the project's files that a grade, an answer and a snippet pass through, in order.

    python tests/support/lives.py [grade] [answer] [snippet]

Each of these lives is run once on a pseudo-terminal, by the program in one process under `sys.setprofile`:

- a grade: from the key `3` of `study review` being read until its event is committed;
- an answer: from the end of a line of `study exercise time.train_days` being read until its event is committed;
- a snippet: from the entry of `study grade rewrite.split_heads FILE` until the verdict is printed, with a warm
  worker; what the sandbox's children do is not recorded.

A file is entered when a function of it is called or goes on. What runs while a module of ours or of the catalogue
is imported is left out, and so is what dataclasses generate.
"""

import contextlib
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from live import Live, environ_of
from rooms import ROOT

LIVES = ("grade", "answer", "snippet")
OURS = tuple(f"{(ROOT / folder).resolve()}{os.sep}" for folder in ("studykit", "graders"))
CONTENT = f"{(ROOT / 'exercises').resolve()}{os.sep}"
TRAIN_DAYS = ("time.train_days", "--set", "N=70B", "D=15T", "G=1024", "hw=H100 SXM", "mfu=0.5", "--seed", "1")
SNIPPET = "from einops import rearrange\ndef f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
DECK = "Q: question {0} {{#card-{0}}}\nA: answer {0}\n\n"


class Trail:
    """Record the files entered between the start and the end of a life, and write their names to a file."""

    def __init__(self, life: str, database: Path, report: Path) -> None:
        self._life, self._database, self._report = life, database, report
        self._entered: list[str] | None = None
        self._printed = 0  # files entered before the last thing that was printed
        self._importing = 0
        self._log: sqlite3.Connection | None = None
        self._events: int | None = None

    @contextlib.contextmanager
    def followed(self) -> Iterator[None]:
        """Record the files that this thread enters. A snippet's life ends with the last line printed here."""
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)
            if self._life == "snippet":
                self._write((self._entered or [])[: self._printed])

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
            self._enter(frame if event == "call" else frame.f_back)

    def _enter(self, frame: FrameType | None) -> None:
        while frame is not None and not frame.f_code.co_filename.startswith(OURS):
            frame = frame.f_back
        if frame is None:
            return
        file = frame.f_code.co_filename
        if self._life == "snippet" and self._entered is None and frame.f_code.co_name == "grade":
            self._entered = [] if file.endswith("/cli/commands/grade.py") else None
        if self._entered is not None and self._entered[-1:] != [file]:
            self._entered.append(file)

    def _library(self, frame: FrameType, event: str, argument: object) -> None:
        owner = getattr(argument, "__self__", None)
        if self._life == "snippet":
            if event == "c_call" and owner is sys.stdout and getattr(argument, "__name__", "") == "write":
                self._printed = len(self._entered or [])
        elif event == "c_return" and argument is os.read:
            self._entered = [frame.f_code.co_filename]
            self._events = self._count()
        elif event == "c_return" and isinstance(owner, sqlite3.Connection | sqlite3.Cursor):
            self._look()

    def _look(self) -> None:
        """Write the names of the files entered so far, once another connection sees the event."""
        if self._entered is not None and self._events is not None and self._count() > self._events:
            self._write(self._entered)
            self._entered = None
            self._life = "over"

    def _count(self) -> int:
        sys.setprofile(None)
        try:
            self._log = self._log or sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)
            return int(self._log.execute("SELECT count(*) FROM event").fetchone()[0])
        except sqlite3.OperationalError:  # the database is not made yet
            return 0
        finally:
            sys.setprofile(self._profile)

    def _write(self, entered: Sequence[str]) -> None:
        part = self._report.with_suffix(".part")
        files = dict.fromkeys(str(Path(file).resolve().relative_to(ROOT)) for file in entered)
        part.write_text("\n".join(files))
        part.rename(self._report)


def files_of(name: str) -> list[str]:
    """Run one life in a temporary folder, and return the files entered, in order."""
    # The folder's path is short enough for a socket.
    with tempfile.TemporaryDirectory(prefix="study-life-", dir="/tmp") as temporary:
        folder = Path(temporary)
        (folder / "mine.md").write_text("".join(DECK.format(number) for number in range(1, 6)))
        (folder / "mine.py").write_text(SNIPPET)
        report = folder / "files"
        if name == "snippet":
            _run(name, folder, ["-m", "studykit"])  # makes the database and starts the worker
        _run(name, folder, [__file__, "--live", name, str(folder / "study.db"), str(report)])
        return report.read_text().splitlines()


def _run(name: str, folder: Path, command: Sequence[str]) -> None:
    """Type the keys of a life on a pseudo-terminal."""
    words = {
        "grade": ("review", "mine"),
        "answer": ("exercise", *TRAIN_DAYS),
        "snippet": ("grade", "rewrite.split_heads", str(folder / "mine.py")),
    }[name]
    environ = {**environ_of(folder), "XDG_RUNTIME_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    del environ["STUDYKIT_NOW"]  # the machine's own clock, as on any day
    with Live([sys.executable, *command, *words], environ) as live:
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


def _live(name: str, database: str, report: str, *words: str) -> None:
    """Run the program while recording the files that it enters."""
    from studykit.__main__ import main

    sys.argv = ["study", *words]
    with Trail(name, Path(database), Path(report)).followed():
        main()


def main() -> None:
    if sys.argv[1:2] == ["--live"]:
        _live(*sys.argv[2:])
    names = [name for name in LIVES if name in sys.argv] or LIVES
    for name in names:
        files = files_of(name)
        rows = [f"  {number:2} {file}\n" for number, file in enumerate(files, start=1)]
        sys.stdout.write(f"{name}: {len(files)} files\n{''.join(rows)}\n")


if __name__ == "__main__":
    main()
