"""The submissions below a folder: files that are not trusted."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.exercise.catalog import REWRITES, rewrite_named
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.judge import JUDGE
from studykit.ordinary_file import NotOrdinaryError, entries_below, read_below
from studykit.text import shown_name

MOST_BYTES = 1 << 16
"""Of a submission, which has 20,000 characters at most."""
_NO_SUBMISSION = "__init__.py"


@dataclass(frozen=True, slots=True)
class Submission:
    """One answer: all that grading it needs, and nothing of the machine that it was found on."""

    name: str  # of its file below the folder, as `os.fsdecode` has it
    exercise: str
    source: str
    seed: int
    fingerprint: str  # the same as long as grading it again could not tell more


@dataclass(frozen=True, slots=True)
class BatchTask:
    """What a folder is graded for: one rewrite, or by each file's name; and where, which a fingerprint holds."""

    exercise: Rewrite | None
    seed: int
    terms: str  # the program's version, the device, the budget


def submission_names(folder: Path) -> tuple[list[str], list[str]]:
    """Names of the Python files below a folder in order, and of folders that are not or cannot be entered."""
    found: list[Path] = []
    left_out: list[Path] = []
    for entry in entries_below(folder, lambda _: True, quiet=True):
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            left_out += [] if os.access(path, os.R_OK) else [path]
        elif entry.name.endswith(".py") and entry.name != _NO_SUBMISSION:
            found.append(path)
        elif os.path.isdir(path):  # noqa: PTH112 - a link to one, wherever that leads
            left_out.append(path)
    return _names(folder, found), _names(folder, left_out)


def _names(folder: Path, paths: Iterable[Path]) -> list[str]:
    return sorted((str(path.relative_to(folder)) for path in paths), key=os.fsencode)


def read_submission(folder: Path, name: str, task: BatchTask) -> Submission | str:
    """The file of this name; a sentence on why it cannot be graded, which is never raised."""
    display_name = shown_name(name)
    try:
        data = read_below(folder, name, MOST_BYTES)
        exercise = task.exercise or rewrite_named(REWRITES + shown_name(Path(name).stem).removeprefix(REWRITES))
        source = data.decode("utf-8-sig")
    except NotOrdinaryError as error:
        return f"{display_name} {error}; hand in a Python file."
    except OSError as error:
        return f"{display_name} cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        return f"{display_name} is not text; an answer is a Python file in UTF-8."
    except (NotFoundError, BadDataError, UsageError) as error:
        return str(error)
    terms = f"{exercise.id}\0{exercise.version}\0judge {JUDGE}\0{task.terms}\0".encode()
    mark = blake2b(terms + data, digest_size=16).hexdigest()
    return Submission(name, exercise.id, source, task.seed, mark)
