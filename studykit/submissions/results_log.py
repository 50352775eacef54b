"""The results of a batch on disk while it runs: a line of JSON for each, so that a second run goes on."""

import fcntl
import json
import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
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
"""Behind the name of the file that the results are written to in the end."""


class ResultsLog(AbstractContextManager["ResultsLog"]):
    """The results of a running batch, next to its results file: one run at a time, unwritable files refused."""

    def __init__(self, results: Path) -> None:
        if not results.name or results.name.endswith(ENDING):
            why = "is not a file" if not results.name else "is where another batch keeps what it has graded"
            raise UsageError(f"--results {results} {why}; name a file such as results.json.")
        self.results = results
        self.path = results.with_name(results.name + ENDING)
        try:
            _check_kind(results)
            self._file = _opened(self.path)
        except OSError as error:
            raise StudyError(_unwritable(results, error)) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise BusyError(f"another run writes {results} now; wait for it, or name another file.") from None
        try:
            _check_place(results)
        except OSError as error:
            if not os.fstat(self._file.fileno()).st_size:
                self.path.unlink()
            self._file.close()
            raise StudyError(_unwritable(results, error)) from None

    def read(self) -> Mapping[str, Result]:
        """Return the results that need no second grade, by fingerprint and name."""
        self._file.seek(0)
        lines = self._file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):  # a run was killed while it wrote
            self._file.seek(-len(lines.pop()), os.SEEK_END)
            self._file.truncate()
        results = (_result(line) for line in lines)
        return {key(one.fingerprint, one.name): one for one in results if one is not None and one.fingerprint}

    def add(self, result: Result) -> None:
        """Write a result. It has left this process when this returns."""
        with _keeping(self.path, "make room"):
            self._file.write(json.dumps(asdict(result)).encode() + b"\n")
            self._file.flush()

    def finish(self, document: str) -> None:
        """Write the whole document in one step."""
        with _keeping(self.results, "mend that"):
            replace_file(self.results, document.encode())

    def close(self) -> None:
        """Close the file. A failed write was reported before."""
        with suppress(OSError):
            self._file.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def key(fingerprint: str, name: str) -> str:
    """Return what identifies a kept result. Two files of one content are drawn different shapes."""
    return f"{fingerprint} {name}"


class _TriedError(Exception):
    """A file could be written, and is to stay as it is."""


def _check_kind(results: Path) -> None:
    """Raise OSError if the results cannot be an ordinary writable file."""
    refuse_strangers_links(results.parent)
    if os.path.lexists(results):
        # Opening a pipe would wait; someone else may have chosen where a link leads.
        if what := kind(results.lstat()):
            raise OSError(0, f"it is {what}")
        os.close(os.open(results, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK))  # it may be another one by now


def _check_place(results: Path) -> None:
    """Raise OSError if the results could not replace the file in the end, by one run at a time."""
    if os.path.lexists(results):
        info, folder = results.lstat(), results.parent.stat()
        if folder.st_mode & stat.S_ISVTX and os.geteuid() not in {0, info.st_uid, folder.st_uid}:
            raise OSError(0, "it is somebody else's")
    with suppress(_TriedError), replacing(results):
        raise _TriedError


def _opened(path: Path) -> BinaryIO:
    """Open the results so far. OSError if others left them."""
    # Appended to, so that one who cuts the file meanwhile leaves no hole that takes the next line with it.
    opened = open_ordinary(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    if what := _left_by_others(os.fstat(opened), path.parent.stat()):
        os.close(opened)
        raise OSError(0, f"{path} is {what}")
    return os.fdopen(opened, "r+b")


def _left_by_others(found: os.stat_result, folder: os.stat_result) -> str:
    """Explain that others may write to the folder too, so that results there may be forged."""
    shared = folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return "somebody else's" if shared and found.st_uid not in {os.geteuid(), folder.st_uid} else ""


def _unwritable(results: Path, error: OSError) -> str:
    return f"{results} cannot be written: {error.strerror}. Name another file with --results."


def _keeping(path: Path, what_to_do: str) -> AbstractContextManager[None]:
    """Refuse a file that cannot be written, and say that the grades are kept."""
    advice = f". What is graded so far is kept: {what_to_do} and run it again."
    return explaining(f"{path} cannot be written: ", advice, StudyError)


def _result(line: bytes) -> Result | None:
    try:
        return checked_result(json.loads(line))
    except (ValueError, RecursionError):
        return None
