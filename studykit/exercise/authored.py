"""Exercises of other authors: installed packages, and folders as long as each is what was trusted."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.exercise.entry import Exercise

GROUP = "studykit.exercises"
"""Entry points of this group name modules with `EXERCISES`; installing a package is trusting it."""
MOST_BYTES = 5_000_000
"""A folder of exercises is small; more than this is a mistake, such as a home folder."""


def files(folder: Path) -> dict[str, bytes]:
    """The Python files directly in a folder, by name; refused when there is no such folder or none in it."""
    if not folder.is_dir():
        raise NotFoundError(f"there is no folder {folder}")
    try:
        found = {path.name: path.read_bytes() for path in sorted(folder.glob("*.py"))}
    except OSError as error:
        raise BadDataError(f"{error.filename} cannot be read: {error.strerror}") from None
    if not found:
        raise NotFoundError(f"there is no Python file in {folder}")
    if sum(map(len, found.values())) > MOST_BYTES:
        raise BadDataError(f"{folder} holds more than {MOST_BYTES // 10**6} MB of Python; name a smaller folder")
    return found


def fingerprint(found: dict[str, bytes]) -> str:
    """A hash of names and contents."""
    total = hashlib.sha256()
    for name, content in sorted(found.items()):
        total.update(f"{name}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


class Trusted:
    """The folders that the learner has looked at, and what was in them then."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> dict[str, str]:
        """Fingerprint by folder; empty where nothing is trusted or the file is damaged."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(folder): str(mark) for folder, mark in found.items()} if isinstance(found, dict) else {}

    def holds(self, folder: Path, found: dict[str, bytes]) -> bool:
        """Whether this folder is trusted with just this content."""
        return self.read().get(str(folder.resolve())) == fingerprint(found)

    def add(self, folder: Path) -> dict[str, bytes]:
        """Trust a folder as it is now; gives the files that this covers."""
        found = files(folder)
        self._write({**self.read(), str(folder.resolve()): fingerprint(found)})
        return found

    def remove(self, folder: Path) -> bool:
        """Trust it no more; whether it was."""
        known = self.read()
        if known.pop(str(folder.resolve()), None) is None:
            return False
        self._write(known)
        return True

    def _write(self, known: dict[str, str]) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
        fresh.replace(self.file)


def available(folders: Iterable[Path], known: Trusted, tell: Callable[[str], None]) -> Iterator[Exercise]:
    """The exercises of trusted folders and of installed packages; what cannot be had is told, and left out."""
    for folder in folders:
        try:
            found = files(folder)
            if known.holds(folder, found):
                for module in load(folder, found):
                    yield from exercises(module)
            else:
                how = "is not trusted" if str(folder.resolve()) not in known.read() else "has changed since"
                tell(f"exercises: {folder} {how}; read it, then: study exercise trust {folder}")
        except StudyError as error:
            tell(f"exercises: {error}")
    yield from _of_packages(tell)


def _of_packages(tell: Callable[[str], None]) -> Iterator[Exercise]:
    from importlib import metadata

    for entry in metadata.entry_points(group=GROUP):
        try:
            yield from exercises(entry.load())
        except Exception as error:  # noqa: BLE001 - a package of another author may raise anything
            tell(f"exercises: {entry.value} cannot be loaded: {type(error).__name__}: {error}")


def load(folder: Path, found: dict[str, bytes]) -> tuple[ModuleType, ...]:
    """The modules of a trusted folder, run from the very bytes that were compared; refused with path and line."""
    return tuple(_module(folder / name, content) for name, content in sorted(found.items()))


def _module(path: Path, content: bytes) -> ModuleType:
    module = ModuleType(f"studykit_authored.{path.stem}")
    module.__file__ = str(path)
    try:
        exec(compile(content, str(path), "exec"), module.__dict__)  # noqa: S102 - the learner trusted these bytes
    except SyntaxError as error:
        raise BadDataError(f"{path}:{error.lineno or 1}: {error.msg}") from None
    except Exception as error:  # noqa: BLE001 - an author's file may raise anything
        raise BadDataError(f"{path}:{_line(error, path)}: {type(error).__name__}: {error}") from None
    return module


def _line(error: BaseException, path: Path) -> int:
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def exercises(module: ModuleType) -> Sequence[Exercise]:
    """What a module offers."""
    found: Sequence[Exercise] = getattr(module, "EXERCISES", ())
    return found


def line_of(module: ModuleType, exercise_id: str) -> int:
    """The line on which an exercise's id stands in its file."""
    lines: Iterable[str] = Path(str(module.__file__)).read_text(encoding="utf-8", errors="replace").splitlines()
    return next((number for number, text in enumerate(lines, start=1) if exercise_id in text), 1)
