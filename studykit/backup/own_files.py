"""Collect a learner's own files besides the log: decks, exercises and settings, and where they were."""

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from studykit import paths
from studykit.backup.archive import MAX_FILE_BYTES, SETTINGS, BackupSource, is_part, is_place
from studykit.cards.markdown import MEDIA_TYPES, linked_files
from studykit.ordinary_file import entries_below, leads_out
from studykit.text import printable

_TEXTS = {*paths.DECK_ENDINGS, ".tex", ".toml", ".txt", ".json"}
_PICTURES = {ending for ending, kind in MEDIA_TYPES.items() if kind.startswith("image/")}
_BESIDE_DECKS = frozenset({"macros.tex", "symbols.toml"})
_MAX_TOTAL_BYTES = 200_000_000  # bytes of all
_MAX_FILES = 20_000
_MAX_NAME_BYTES = 1_000  # far below the system's limit, because it is unpacked below a longer path
_MAX_NAMES_BYTES = 4_000_000  # of all names, because the size of the manifest is limited
_is_file = os.path.isfile  # returns False for a path in a closed folder, where Path.is_file raises an error


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """Hold the paths of a learner's own files. Missing ones are skipped."""

    home: Path
    settings: Path
    copies: Path  # the folder of decks that were copied when they were edited
    decks: Sequence[Path] = ()
    exercises: Sequence[Path] = ()
    trusted: Collection[Path] = ()  # of exercises, resolved: those that the learner has looked at
    programs: Sequence[Path] = ()  # folders that belong only to the program


@dataclass(slots=True)
class Packing:
    """Collect the files of a backup with their names there, and the files that it leaves out."""

    files: list[tuple[str, Path]] = field(default_factory=list)
    origins: list[BackupSource] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    size: int = 0  # bytes of the files
    names: int = 0  # bytes of their names


def endings(kind: str) -> set[str]:
    """Return the suffixes of files of decks or of exercises. A backup skips other files."""
    return _TEXTS | _PICTURES | ({".py"} if kind == "exercises" else set())


def is_of_decks(name: str) -> bool:
    """Return whether a file of this name is part of decks: cards, macros, symbols or a picture."""
    return paths.is_deck(name) or name in _BESIDE_DECKS or is_picture(name)


def is_picture(name: str) -> bool:
    """Return whether a file of this name is a picture that decks can show."""
    return Path(name).suffix.lower() in _PICTURES


def packing(own: OwnFiles) -> Packing:
    """Return all of a learner's own files. Places that cannot be read are listed as left out."""
    result = Packing()
    if _is_file(own.settings):
        _add(result, SETTINGS, own.settings)
    groups = (("copies", [own.copies]), ("decks", own.decks), ("exercises", own.exercises))
    for kind, places in groups:
        for place in dict.fromkeys(paths.expanded(place).absolute() for place in places):
            try:
                if place.exists():
                    _add_place(result, own, kind, place)
            except OSError:
                result.left_out.append(printable(str(place)))
    return result


def _add_place(target: Packing, own: OwnFiles, kind: str, place: Path) -> None:
    number = len(target.origins)
    origin = f"~/{place.relative_to(own.home)}" if place.is_relative_to(own.home) else str(place)
    if not is_place(origin):
        target.left_out.append(printable(origin))
        return
    root = place if place.is_dir() else place.parent
    target.origins.append(BackupSource(kind, number, origin, folder=place.is_dir()))
    for file in _walk(place, endings(kind)) if place.is_dir() else _with_pictures(place):
        steps = file.relative_to(root).as_posix()
        if file != place and (file.is_symlink() or (root != place and leads_out(root, steps))):
            target.left_out.append(printable(str(file)))
        else:
            _add(target, f"{kind}/{number}/{steps}", file)


def _add(target: Packing, name: str, file: Path) -> None:
    size, length = file.stat().st_size, len(os.fsencode(name))
    is_too_large = (
        size > MAX_FILE_BYTES or target.size + size > _MAX_TOTAL_BYTES or len(target.files) >= _MAX_FILES
    )
    is_too_long = length > _MAX_NAME_BYTES or target.names + length > _MAX_NAMES_BYTES
    if is_too_large or is_too_long or not is_part(name):
        target.left_out.append(printable(str(file)))
        return
    target.files.append((name, file))
    target.size += size
    target.names += length


def _walk(folder: Path, suffixes: Collection[str]) -> Iterator[Path]:
    """Yield files of decks and exercises below a folder. Hidden ones are skipped."""
    for entry in entries_below(folder, lambda entry: is_kept(entry.name), quiet=True):
        if is_kept(entry.name) and Path(entry.name).suffix.lower() in suffixes and _is_file(Path(entry.path)):
            yield Path(entry.path)


def is_kept(step: str) -> bool:
    """Return whether a file or folder of this name may be part of a learner's decks or exercises."""
    return not step.startswith(".") and step not in paths.NO_FOLDERS


def _with_pictures(deck: Path) -> Iterator[Path]:
    """Yield a deck file, its folder's macros, and the pictures that it shows from its own folder."""
    if not stat.S_ISREG(deck.stat().st_mode):
        return
    text = deck.read_bytes()[:MAX_FILE_BYTES].decode(errors="replace")
    yield deck
    if (macros := deck.with_name("macros.tex")).is_file():
        yield macros
    for steps in dict.fromkeys(Path(unquote(link).removeprefix("@/")) for link in linked_files(text)):
        picture = deck.parent / steps
        is_inside = not steps.is_absolute() and ".." not in steps.parts
        if is_inside and is_picture(steps.name) and _is_file(picture):
            yield picture
