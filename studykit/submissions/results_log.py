"""Save the results of a running batch, a line of JSON each, so that a later run can continue."""

import fcntl
import json
import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from studykit.errors import BusyError, StudyError, UsageError
from studykit.ordinary_file import (
    explaining,
    kind,
    open_ordinary,
    refuse_strangers_links,
    replace_file,
    replacing,
)
from studykit.submissions.grader import Result, checked_result

ENDING = ".graded"
"""Suffix that the log adds to the name of the results file."""


class ResultsLog(AbstractContextManager["ResultsLog"]):
    """Log the results of a batch next to its results file, which one run at a time may write."""

    def __init__(self, results: Path) -> None:
        if not results.name or results.name.endswith(ENDING):
            why = "is not a file name" if not results.name else "is the log of another batch"
            raise UsageError(f"--results {str(results)!r} {why}. Name a file such as results.json.")
        self.results = results
        self.path = results.with_name(results.name + ENDING)
        advice = ". Name another file with --results."
        with ExitStack() as on_error, explaining(f"{results} cannot be written: ", advice, StudyError):
            _check_kind(results)
            self._file = _open(self.path)
            on_error.callback(self._file.close)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BusyError(f"Another run is writing {results}. Wait for it, or name another file.") from None
            if not os.fstat(self._file.fileno()).st_size:
                on_error.callback(self.path.unlink)
            _check_place(results)
            on_error.pop_all()

    def read(self) -> Mapping[tuple[str, str], Result]:
        """Return the results that need not be graded again, by fingerprint and name."""
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):  # a run was killed while it wrote
            self._file.seek(-len(lines.pop()), os.SEEK_END)
            self._file.truncate()
        results: dict[tuple[str, str], Result] = {}
        for line in lines:
            with suppress(ValueError, RecursionError):  # somebody else's line
                result = checked_result(json.loads(line))
                # By name as well, because two files with the same content get different shapes.
                results[result.fingerprint, result.name] = result
        return {key: result for key, result in results.items() if result.fingerprint}

    def add(self, result: Result) -> None:
        """Append a result, and hand it to the operating system before returning."""
        with _keeping(self.path, "Make room"):
            self._file.write(json.dumps(asdict(result)).encode() + b"\n")
            self._file.flush()

    def finish(self, document: str) -> None:
        """Write the results file in one step."""
        with _keeping(self.results, "Make room for it or allow writing there"):
            replace_file(self.results, document.encode())

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # a failed write was reported before
            self._file.close()


class _TrialSucceededError(Exception):
    """Raised to end a trial write without changing the file."""


def _check_kind(results: Path) -> None:
    """Raise OSError if the results file exists and is not an ordinary writable file."""
    refuse_strangers_links(results.parent)
    if os.path.lexists(results):
        # Opening a pipe would block, and another user may have chosen where a link leads.
        if what := kind(results.lstat()):
            raise OSError(0, f"it is {what}")
        # These flags, because the file may have been replaced by a link or a pipe since.
        os.close(os.open(results, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK))


def _check_place(results: Path) -> None:
    """Raise OSError if the results file could not be replaced at the end, before hours of grading."""
    if os.path.lexists(results):
        # In a folder with the sticky bit, such as /tmp, only the owner of a file may replace it.
        info, folder = results.lstat(), results.parent.stat()
        if folder.st_mode & stat.S_ISVTX and os.geteuid() not in {0, info.st_uid, folder.st_uid}:
            raise OSError(0, "it belongs to another user")
    with suppress(_TrialSucceededError), replacing(results):
        raise _TrialSucceededError


def _open(path: Path) -> BinaryIO:
    """Open the results so far. Raise OSError if another user may have written them."""
    # O_APPEND, because a write at a fixed offset would leave a hole if somebody truncated the file meanwhile.
    opened = open_ordinary(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    file, folder = os.fstat(opened), path.parent.stat()
    is_shared = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if is_shared and file.st_uid not in {os.geteuid(), folder.st_uid}:
        os.close(opened)
        raise OSError(0, f"{path} is another user's")
    return os.fdopen(opened, "r+b")


def _keeping(path: Path, what_to_do: str) -> AbstractContextManager[None]:
    """Turn an OSError into a StudyError that says what to do and that the results are saved."""
    advice = f". Results so far are saved. {what_to_do} and run it again."
    return explaining(f"{path} cannot be written: ", advice, StudyError)
