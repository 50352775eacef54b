"""The submissions below a folder: files that are not trusted."""

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

MAX_SUBMISSION_BYTES = 1 << 16
"""Of a submission, which has 20,000 characters at most."""
_NO_SUBMISSION = "__init__.py"
_MEANT = re.compile(r"(.+?)\.(?:py(?:\W.*)?|ipynb)", re.IGNORECASE | re.DOTALL)


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


@dataclass(frozen=True, slots=True)
class FolderNames:
    """Names below a folder, each in order."""

    answers: list[str]  # Python files, and files that were meant as one: a student's
    folders: list[str]  # that are not or cannot be entered
    others: list[str]  # files that are not graded


def submission_names(folder: Path) -> FolderNames:
    """Sort what is below a folder. Hidden files are not answers."""
    answers: list[Path] = []
    folders: list[Path] = []
    others: list[Path] = []
    for entry in entries_below(folder, lambda entry: entry.name != "__pycache__", quiet=True):
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            folders += [] if os.access(path, os.R_OK) else [path]
        elif entry.name.endswith(".py") and entry.name != _NO_SUBMISSION:
            answers.append(path)
        elif os.path.isdir(path):  # noqa: PTH112 - a link to one, wherever that leads
            folders.append(path)
        elif not entry.name.startswith(".") and entry.name != _NO_SUBMISSION:
            others.append(path)
    graded = set(answers)
    answers += (misnamed := [path for path in others if _is_misnamed(path) and _renamed(path) not in graded])
    rest = set(others).difference(misnamed)
    return FolderNames(_names(folder, answers), _names(folder, folders), _names(folder, rest))


def _is_misnamed(path: Path) -> bool:
    """Return whether a file was meant as an answer: `B.PY`, `d.py.txt`, a notebook."""
    return _MEANT.fullmatch(path.name) is not None


def _renamed(path: Path) -> Path:
    """Return the path that a misnamed answer should have."""
    return path.with_name(_MEANT.sub(r"\1.py", path.name))


def _names(folder: Path, paths: Iterable[Path]) -> list[str]:
    return sorted((str(path.relative_to(folder)) for path in paths), key=os.fsencode)


def read_submission(folder: Path, name: str, task: BatchTask) -> Submission | str:
    """Read the file of this name, or return a sentence on why it cannot be graded."""
    display_name = shown_name(name)
    if not name.endswith(".py"):
        return f"{display_name} is not graded: hand in {shown_name(_renamed(Path(name)).name)}, a Python file."
    try:
        data = read_below(folder, name, MAX_SUBMISSION_BYTES)
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
