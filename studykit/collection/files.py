"""Find and read deck files on disk, and describe why some cannot be read."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from studykit.cards.problem import Problem, Severity
from studykit.ordinary_file import NotOrdinaryError, TooLargeError, entries_below, read_ordinary
from studykit.paths import NO_FOLDERS, is_deck
from studykit.text import shown_name

MAX_DECK_BYTES = 20_000_000  # bytes of a deck file
_MAX_ENTRIES = 100_000  # looked at below one folder
_MACROS = "macros.tex"
_COPY = re.compile(r" \([^()]*conflicted copy[^()]*\)|\.sync-conflict-[\w-]+|_conflict-\d[\w-]*", re.IGNORECASE)
"""Dropbox, Syncthing and Nextcloud add this to the name of the losing copy in a conflict."""
_LOST = "this is a conflict copy of {}, and is not read. Take what you need from it, then delete it."
_NOWHERE = "this link leads nowhere. Put back what it leads to, or delete it."
_OUT = (
    "this link leads out of its folder of decks, and is not followed. Name what it leads to: study deck add PATH"
)


class Origin(IntEnum):
    """Rank the kinds of decks. Among cards with one id, that of the lowest rank is used."""

    OWN = 0  # configured, or named in the environment
    COPIED = 1  # in the learner's folder, as a shipped deck is when it is edited
    SHIPPED = 2


@dataclass(frozen=True, slots=True)
class Source:
    """Hold the path of a deck file or of a folder of decks, and its origin."""

    path: Path
    origin: Origin


@dataclass(frozen=True, slots=True)
class DeckPath:
    """Hold a deck file's path, its time and size, and the folder that `@/` stands for in it."""

    path: str
    root: str
    origin: Origin
    mtime_ns: int
    size: int
    place: tuple[int, int] = (0, 0)  # device and inode: one file, whatever links lead to it


@dataclass(frozen=True, slots=True)
class DeckPaths:
    """Hold the deck files of all sources. `missing` are sources that do not exist at the moment."""

    files: tuple[DeckPath, ...]
    problems: tuple[Problem, ...]
    missing: tuple[str, ...]
    warnings: tuple[Problem, ...] = ()  # shown when decks are checked; no action needed


class TooManyError(OSError):
    """Raised for a folder with more entries than a folder of decks has."""


def discover(sources: Sequence[Source]) -> DeckPaths:
    """List all deck files, each once, own ones first. A copy hides the shipped file of its name."""
    files: dict[tuple[int, int], DeckPath] = {}
    problems: list[Problem] = []
    warnings: list[Problem] = []
    missing: list[str] = []
    # Of several paths to one file the first one counts, so own sources come before shipped ones.
    for source in sorted(sources, key=lambda source: source.origin):
        path = os.path.abspath(os.path.expanduser(source.path))  # resolve() would follow links
        try:
            for entry in _deck_paths(path, source.origin):
                # Bytes that are not UTF-8 become lone surrogates, which databases refuse.
                if any("\ud800" <= sign <= "\udfff" for sign in entry.path):
                    problems.append(Problem(shown_name(entry.path), 1, "its name is not UTF-8. Rename it."))
                elif isinstance(entry, DeckPath):
                    files.setdefault(entry.place, entry)
                else:
                    (warnings if entry.severity is Severity.WARNING else problems).append(entry)
        except OSError as error:
            if source.origin is Origin.COPIED and isinstance(error, FileNotFoundError):
                continue
            missing.append(path)
            problems.append(Problem(path, 1, _unreadable(error, path)))
    copies = {os.path.basename(file.path) for file in files.values() if file.origin is Origin.COPIED}
    readable = [
        file
        for file in files.values()
        if file.origin is not Origin.SHIPPED or os.path.basename(file.path) not in copies
    ]
    return DeckPaths(tuple(readable), tuple(problems), tuple(missing), tuple(warnings))


def read_text(path: str) -> tuple[str, str, Problem | None]:
    """Return the text and digest of a deck file, and its problem if it cannot be read or decoded."""
    from hashlib import blake2b

    try:
        data = read_ordinary(path, MAX_DECK_BYTES, follow=True)
    except TooLargeError:
        return "", "", Problem(path, 1, f"the file is larger than {MAX_DECK_BYTES // 10**6} MB. Split it.")
    except NotOrdinaryError:
        return "", "", Problem(path, 1, "this is not a file. Name a deck file or a folder of them.")
    except OSError as error:
        return "", "", Problem(path, 1, _unreadable(error, path))
    try:
        return data.decode("utf-8"), blake2b(data, digest_size=16).hexdigest(), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = f"byte 0x{data[error.start]:02X} is not UTF-8. Save the file as UTF-8."
        return "", "", Problem(path, line, wrong)


def macro_files(path: str, root: str) -> Iterator[str]:
    """Yield every `macros.tex` that a deck sees: in `root`, and in each folder from there down to its own.

    A link that leads out of the root is skipped, unless the deck is a link as well.
    """
    folder = Path(path).parent
    folders_above = [above for above in folder.parents if above.is_relative_to(root)]
    for each in (*reversed(folders_above), folder):
        file = os.path.join(each, _MACROS)
        if os.path.isfile(file) and (os.path.islink(path) or not _leads_out(file, root)):
            yield file


def _deck_paths(path: str, origin: Origin) -> Iterator[DeckPath | Problem]:
    try:
        status = os.stat(path)
    except ValueError as error:  # a NUL in it
        raise FileNotFoundError(2, "no such path") from error
    if stat.S_ISDIR(status.st_mode):
        yield from _below(path, origin)
    else:
        yield _deck_path(path, os.path.dirname(path), origin, status)


def _below(root: str, origin: Origin) -> Iterator[DeckPath | Problem]:
    """Yield deck files below a folder by name, and problems. Links to folders or out of it are not followed."""
    for number, entry in enumerate(entries_below(root, _is_looked_at), start=1):
        if number > _MAX_ENTRIES:
            raise TooManyError(0, f"more than {_MAX_ENTRIES:,} entries")
        if not _is_looked_at(entry) or entry.is_dir(follow_symlinks=False):
            continue
        may_be_deck = is_deck(entry.name)
        original = _COPY.sub("", entry.path)
        if may_be_deck and entry.is_symlink() and not os.path.exists(entry.path):
            yield Problem(entry.path, 1, _NOWHERE, Severity.WARNING)
        elif may_be_deck and original != entry.path and os.path.isfile(original):
            yield Problem(entry.path, 1, _LOST.format(os.path.basename(original)), Severity.WARNING)
        elif entry.is_symlink() and _leads_out(entry.path, root):
            if may_be_deck or entry.name == _MACROS:
                yield Problem(entry.path, 1, _OUT)
            elif entry.is_dir():
                yield Problem(entry.path, 1, _OUT, Severity.WARNING)
        elif may_be_deck and entry.is_file():
            yield _deck_path(entry.path, root, origin, entry.stat())


def _is_looked_at(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.name not in NO_FOLDERS


def _leads_out(path: str, root: str) -> bool:
    """Return whether a path is a link that ends outside a folder. The folder may be a link itself."""
    if not os.path.islink(path):
        return False
    return not os.path.realpath(path).startswith(os.path.join(os.path.realpath(root), ""))


def _deck_path(path: str, root: str, origin: Origin, status: os.stat_result) -> DeckPath:
    return DeckPath(path, root, origin, status.st_mtime_ns, status.st_size, (status.st_dev, status.st_ino))


def _unreadable(error: OSError, path: str) -> str:
    match error:
        case FileNotFoundError():
            return f"this deck does not exist. Put it back, {_without(path)}"
        case TooManyError():
            return f"the folder holds {error.strerror}. Name the folder that the decks are in."
        case _:
            return f"it cannot be read ({error.strerror}). Allow it, {_without(path)}"


def _without(path: str) -> str:
    return f"or take it out of STUDYKIT_DECKS, or run: study deck remove {path}"
