"""Load other authors' exercises from installed packages, and from folders unchanged since they were trusted.

Trust covers every file in the folder but version history, because its Python files may read or import any of them.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from studykit.errors import BadDataError, NotFoundError, StudyError, line_in
from studykit.exercise.entry import Exercise
from studykit.ordinary_file import (
    NotOrdinaryError,
    TooLargeError,
    entries_below,
    explaining,
    read_ordinary,
    replace_file,
)
from studykit.text import listed, shown_name

GROUP = "studykit.exercises"
"""Entry points of this group name modules with `EXERCISES`; installing a package is trusting it."""
MAX_CODE_BYTES = 5_000_000
"""A folder of exercises is small; more than this is a mistake, such as a home folder."""
MAX_CODE_FILES = 2_000
_HISTORY = frozenset({".git", ".hg", ".svn"})  # changed by looking at it, and never read by an exercise
_TEXTS = ("id", "kind", "set_name", "objective")


def files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files below a folder, or refuse a folder without a Python file at its top.

    The keys are relative names. Types and sizes are checked before reading, and links, pipes and devices refused.
    """
    if not folder.is_dir():
        raise NotFoundError(f"{folder} is not a folder. Name a folder of exercises.")
    try:
        if not any(folder.glob("*.py")):
            raise NotFoundError(f"{folder} has no Python file. Name a folder of exercises.")
        return _read(folder, entries_below(folder, lambda entry: entry.name not in _HISTORY))
    except OSError as error:
        raise BadDataError(f"{error.filename} cannot be read ({error.strerror}). Allow reading it.") from None


def _read(folder: Path, entries: Iterable[os.DirEntry[str]]) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    budget, most = MAX_CODE_BYTES, f"{MAX_CODE_BYTES // 10**6} MB or {MAX_CODE_FILES:,} files"
    too_large = BadDataError(f"{folder} holds more than {most}. Name a smaller folder.")
    for number, entry in enumerate(entries, start=1):
        if number > MAX_CODE_FILES:
            raise too_large
        if entry.is_dir(follow_symlinks=False):
            continue
        try:
            content = contents[str(Path(entry.path).relative_to(folder))] = read_ordinary(entry.path, budget)
        except TooLargeError:
            raise too_large from None
        except NotOrdinaryError as error:
            raise BadDataError(f"{entry.path} {error}. Replace it by an ordinary file, or remove it.") from None
        budget -= len(content)
    return contents


def fingerprint(found: dict[str, bytes]) -> str:
    """Return a hash of the names and contents of files."""
    from hashlib import sha256

    total = sha256()
    for name, content in sorted(found.items()):
        total.update(os.fsencode(name) + f"\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


class Trusted:
    """Read and write the file of trusted folders, with the fingerprint that each had when it was trusted."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> dict[str, str]:
        """Return fingerprints by folder, or none if the file is missing or damaged."""
        try:
            marks = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return {str(folder): str(mark) for folder, mark in marks.items()} if isinstance(marks, dict) else {}

    def holds(self, folder: Path, found: dict[str, bytes]) -> bool:
        """Return whether this folder is trusted with exactly this content."""
        return self.read().get(str(folder.resolve())) == fingerprint(found)

    def add(self, folder: Path) -> dict[str, bytes]:
        """Trust a folder's current content, and return its files."""
        contents = files(folder)
        self._save({**self.read(), str(folder.resolve()): fingerprint(contents)})
        return contents

    def remove(self, folder: Path) -> bool:
        """Stop trusting a folder, and return whether it was trusted."""
        marks = self.read()
        if marks.pop(os.path.realpath(folder), None) is None:  # unlike resolve(), also for a link to itself
            return False
        self._save(marks)
        return True

    def _save(self, known: dict[str, str]) -> None:
        with explaining(f"{self.file} cannot be written (", "). Allow writing to it and its folder.", StudyError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.file, f"{json.dumps(known, indent=2)}\n".encode())


def available(
    folders: Iterable[Path],
    known: Trusted,
    tell: Callable[[str], None],
    report: Callable[[StudyError], None],
) -> Iterator[Exercise]:
    """Yield the exercises of trusted folders and installed packages, and report those that fail to load.

    `tell` gets the sentence for a folder that is missing, changed or not trusted, and for a package that fails.
    `report` gets the error for a folder whose files cannot be read or used.
    """
    for folder in folders:
        try:
            contents = files(folder)
            if known.holds(folder, contents):
                for module in load(folder, contents):
                    yield from exercises(module)
            else:
                how = "is not trusted" if str(folder.resolve()) not in known.read() else "has changed since"
                tell(f"exercises: {folder} {how}; read it, then: study exercise trust {folder}")
        except BadDataError as error:
            report(BadDataError(f"Exercises: {error}"))
        except StudyError as error:
            tell(f"exercises: {error}")
    yield from _of_packages(tell)


def _of_packages(tell: Callable[[str], None]) -> Iterator[Exercise]:
    if not any(map(_may_offer, sys.path)):
        return
    from importlib import metadata

    for entry in metadata.entry_points(group=GROUP):
        try:
            yield from exercises(entry.load())
        except Exception as error:  # noqa: BLE001 - a package of another author may raise anything
            tell(f"exercises: {entry.value} cannot be loaded: {type(error).__name__}: {error}")


def _may_offer(place: str) -> bool:
    """Return whether a folder of `sys.path` may hold a package with our entry point, by a quick check."""
    folder = Path(place)
    if folder.is_file():  # an archive, whose packages only a full look can read
        return True
    try:
        entry_points = folder.glob("*.*-info/entry_points.txt")
        return any(GROUP.encode() in file.read_bytes() for file in entry_points)
    except OSError:
        return True


def load(folder: Path, found: dict[str, bytes]) -> tuple[ModuleType, ...]:
    """Run the Python files at the top of a trusted folder, and return their modules.

    `found` holds the bytes that were compared. Raise BadDataError with path and line if a file fails.
    """
    sys.dont_write_bytecode = True  # what a helper's import leaves behind would look like a change
    return tuple(_module(folder / name, content) for name, content in sorted(modules(found).items()))


def modules(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those files of a folder that are run: the Python files at its top."""
    return {name: content for name, content in found.items() if name.endswith(".py") and os.sep not in name}


def files_in_words(found: Mapping[str, bytes]) -> str:
    """List the files that are run, and count the others."""
    run = [shown_name(name) for name in sorted(modules(found))]
    others = len(found) - len(run)
    more = [f"{others} other {'file' if others == 1 else 'files'}"] if others else []
    return listed([*run, *more])


def _module(path: Path, content: bytes) -> ModuleType:
    module = ModuleType(f"studykit_authored.{path.stem}")
    module.__file__ = str(path)
    try:
        exec(compile(content, str(path), "exec"), module.__dict__)  # noqa: S102 - the learner trusted these bytes
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's file may raise anything
        why = error.msg if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
        raise BadDataError(f"{path}:{line_in(error, str(path)) or 1}: {why}") from None
    return module


def exercises(module: ModuleType) -> Sequence[Exercise]:
    """Return a module's EXERCISES, or raise BadDataError if they are not a list of exercises."""
    offered: object = getattr(module, "EXERCISES", ())
    if not isinstance(offered, Sequence) or isinstance(offered, str):
        raise BadDataError(
            f"{_line_named(module)}: EXERCISES is {_type_of(offered)}. Make it a list of exercises."
        )
    try:
        found: Sequence[Exercise] = tuple(offered)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a sequence of an author's may raise anything
        raise BadDataError(f"{_line_named(module)}: EXERCISES raises {type(error).__name__}: {error}") from None
    for one in found:
        texts = all(isinstance(getattr(one, name, None), str) for name in _TEXTS)
        if not texts or not isinstance(getattr(one, "version", None), int):
            why = f"EXERCISES holds {_type_of(one)}, not an exercise. Replace it with one, such as a Template."
            raise BadDataError(f"{_line_named(module)}: {why}")
    return found


def _type_of(value: object) -> str:
    word = type(value).__name__
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def _line_named(module: ModuleType) -> str:
    return f"{module.__file__}:{line_of(module, 'EXERCISES')}"


def line_of(module: ModuleType, exercise_id: str) -> int:
    """Return the number of the first line in a module's file with this text, such as an exercise's id, or 1."""
    lines: Iterable[str] = Path(str(module.__file__)).read_text(encoding="utf-8", errors="replace").splitlines()
    return next((number for number, text in enumerate(lines, start=1) if exercise_id in text), 1)
