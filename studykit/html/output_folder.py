"""Files put into the author's folder: all or none, and only what an export made is ever taken away."""

import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from studykit.errors import StudyError
from studykit.ordinary_file import (
    NotOrdinaryError,
    TooLargeError,
    fresh_file,
    leads_out,
    make_folder,
    read_ordinary,
)

MADE = ".studykit-export.json"
_MAX_FILE_BYTES = 1 << 30  # of a file that was there before
_MAX_RECORD_BYTES = 16 << 20  # a hundred thousand files
_RECORD_MODE = 0o644


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """What became of the folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def write(folder: Path, files: Mapping[str, bytes], *, keep: bool = False) -> FolderChanges:
    """Put the files into the folder without overwriting any that is not as an export left it.

    What earlier exports made there and this one did not is removed, unless `keep` is set. The record names files
    before they are there, so that an export that is killed can be made again.
    """
    record_before = _read_record(folder)
    _refuse_foreign_files(folder, files, record_before)
    present = {name: content for name in files if (content := _read(folder / name)) is not None}
    changed = {name: content for name, content in files.items() if present.get(name) != content}
    gone = set() if keep or _is_open(folder / MADE) else record_before.keys() - files.keys()
    stale = sorted(name for name in gone if _hash_of(folder / name) in record_before[name])
    coming = {name: {_hash(content)} for name, content in files.items()}
    record = {**(record_before if keep else {}), **coming}
    if changed or stale:
        meanwhile = {
            name: record_before.get(name, set()) | coming.get(name, set()) for name in {*record_before, *coming}
        }
        _replace_all(folder, {MADE: _record(meanwhile), **changed})
        for name in stale:
            (folder / name).unlink(missing_ok=True)
    if changed or stale or record != record_before:
        _replace_all(folder, {MADE: _record(record)})
    same = tuple(sorted(files.keys() - changed.keys()))
    return FolderChanges(tuple(sorted(changed)), same, tuple(stale))


def _is_open(record: Path) -> bool:
    """Return whether others may write a record too, and name the owner's files in it."""
    return os.path.lexists(record) and bool(record.lstat().st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _record(hashes: Mapping[str, set[str]]) -> bytes:
    """Encode each file with its hash, or with both hashes while files are replaced."""
    marks = {name: marks[0] if len(marks := sorted(hashes[name])) == 1 else marks for name in sorted(hashes)}
    return json.dumps({"schema": 1, "made": marks}, indent=1).encode() + b"\n"


def write_new(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put files into a folder where none of them may exist yet."""
    _refuse_foreign_files(folder, files, {})
    _replace_all(folder, files)


def _replace_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write every file aside first, and rename them only when all of them are complete.

    A file's draft has one name: what a killed process left is removed by the next.
    """
    aside: dict[Path, Path] = {}
    try:
        for name, content in files.items():
            target = folder / name
            make_folder(target.parent)
            draft = target.with_name(f".{target.name}.part")
            aside[draft] = target
            with fresh_file(draft, max_mode=_RECORD_MODE if name == MADE else 0o666) as file:
                file.write(content)
        for draft, target in aside.items():
            draft.replace(target)
    except OSError as error:
        raise StudyError(f"{folder} cannot be written: {error.strerror}. Choose another folder with -o.") from None
    finally:
        for draft in aside:
            with suppress(OSError):  # a folder of that name is in the way, and said
                draft.unlink(missing_ok=True)


def _refuse_foreign_files(folder: Path, files: Mapping[str, bytes], hashes: Mapping[str, set[str]]) -> None:
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder} is a file. Give -o a folder.")
    for name, content in files.items():
        path = folder / name
        if leads_out(folder, name):
            raise StudyError(
                f"{path.parent} leads out of {folder}. Move it away or choose another folder with -o."
            )
        if path.exists() and not _may_go(path, content, hashes.get(name)):
            what = "was changed since its export" if name in hashes else "was not made by studykit"
            raise StudyError(f"{path} {what}. Move it away or choose another folder with -o.")


def _may_go(path: Path, content: bytes, marks: set[str] | None) -> bool:
    """Return whether a file can be removed without loss: it is as an export left it, or only a link."""
    present = _read(path)
    is_as_it_was = present is not None and (present == content or _hash(present) in (marks or ()))
    return is_as_it_was or (marks is not None and path.is_symlink())


def _read_record(folder: Path) -> dict[str, set[str]]:
    """Read the names of the last export's files, each with the hashes that it may have.

    Somebody else's record is ignored: it could name files that the learner wrote.
    """
    try:
        document = json.loads(read_ordinary(folder / MADE, _MAX_RECORD_BYTES, own=True))["made"]
    except TooLargeError as error:
        raise StudyError(f"{folder / MADE} {error}. Remove it or choose another folder with -o.") from None
    except (OSError, NotOrdinaryError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    if not isinstance(document, dict):
        return {}
    record = {}
    for name, entry in document.items():
        marks = {mark for mark in (entry if isinstance(entry, list) else [entry]) if isinstance(mark, str)}
        if marks and _inside(name) and not leads_out(folder, name):
            record[name] = marks
    return record


def _inside(name: str) -> bool:
    path = Path(name)
    return not path.is_absolute() and ".." not in path.parts and name != MADE


def _hash_of(path: Path) -> str:
    content = _read(path)
    return "" if content is None else _hash(content)


def _read(path: Path) -> bytes | None:
    try:
        return read_ordinary(path, _MAX_FILE_BYTES)
    except (OSError, ValueError, NotOrdinaryError):
        return None


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()
