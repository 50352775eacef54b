"""Find and read the submissions below a folder, which are untrusted files."""

import os
import re
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

MAX_SUBMISSION_BYTES = 1 << 16  # answers have at most 20,000 characters
_NO_SUBMISSION = "__init__.py"
_MISNAMED = re.compile(r"(.+?)\.(?:py(?:w|3|thon)?(?:\W.*)?|ipynb)", re.IGNORECASE | re.DOTALL)
"""What seems to be an answer, such as `B.PY`, `d.py.txt` or a notebook."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Hold everything needed to grade one answer on any machine."""

    name: str  # path of the file below the folder, decoded by `os.fsdecode`
    exercise: str
    source: str
    seed: int
    fingerprint: str  # changes whenever grading again could give another result


@dataclass(frozen=True, slots=True)
class BatchTask:
    """Describe how to grade a folder."""

    exercise: Rewrite | None  # None: the name of each file says which
    seed: int
    terms: str  # the program's version, the device, the budget


@dataclass(frozen=True, slots=True)
class FolderNames:
    """List the names below a folder, each list in order."""

    answers: list[str]  # Python files, and misnamed ones, which a student should hear about
    folders: list[str]  # unreadable folders, and links to folders, which are not followed
    others: list[str]  # files that are not graded


def submission_names(folder: Path) -> FolderNames:
    """Sort the entries below a folder into answers, skipped folders and others."""
    answers: list[Path] = []
    folders: list[Path] = []
    others: list[Path] = []
    for entry in entries_below(folder, lambda entry: entry.name != "__pycache__", quiet=True):
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            folders += [] if os.access(path, os.R_OK) else [path]
        elif entry.name.endswith(".py") and entry.name != _NO_SUBMISSION:
            answers.append(path)
        elif os.path.isdir(path):  # noqa: PTH112 - a link to a folder, which may lead anywhere
            folders.append(path)
        elif not entry.name.startswith(".") and entry.name != _NO_SUBMISSION:
            others.append(path)
    graded = set(answers)
    answers += (
        misnamed := [path for path in others if _MISNAMED.fullmatch(path.name) and _renamed(path) not in graded]
    )
    rest = set(others).difference(misnamed)
    return FolderNames(_names(folder, answers), _names(folder, folders), _names(folder, rest))


def _renamed(path: Path) -> Path:
    """Return the path that a misnamed answer should have."""
    return path.with_name(_MISNAMED.sub(r"\1.py", path.name))


def _names(folder: Path, paths: Iterable[Path]) -> list[str]:
    return sorted((str(path.relative_to(folder)) for path in paths), key=os.fsencode)


def read_submission(folder: Path, name: str, task: BatchTask) -> Submission | str:
    """Read a submission, or return a sentence that says why it cannot be graded."""
    display_name = shown_name(name)
    if not name.endswith(".py"):
        return f"{display_name} is not a Python file. Hand in {shown_name(_renamed(Path(name)).name)}."
    try:
        data = read_below(folder, name, MAX_SUBMISSION_BYTES)
        exercise = task.exercise or rewrite_named(REWRITES + shown_name(Path(name).stem).removeprefix(REWRITES))
        source = data.decode("utf-8-sig")
    except NotOrdinaryError as error:
        return f"{display_name} {error}. Hand in a Python file."
    except OSError as error:
        return f"{display_name} cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        return f"{display_name} is not text in UTF-8. Hand in a Python file."
    except (NotFoundError, BadDataError, UsageError) as error:
        return str(error)
    terms = f"{exercise.id}\0{exercise.version}\0judge {JUDGE}\0{task.terms}\0".encode()
    mark = blake2b(terms + data, digest_size=16).hexdigest()
    return Submission(name, exercise.id, source, task.seed, mark)
