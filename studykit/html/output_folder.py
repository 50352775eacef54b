"""Write files to the author's folder, all or none. Remove only files that an export made."""

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
_MAX_FILE_BYTES = 1 << 30  # of an existing file
_MAX_RECORD_BYTES = 16 << 20  # enough for a hundred thousand files
_RECORD_MODE = 0o644


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """List the files that were written, unchanged and removed."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]


def write(folder: Path, files: Mapping[str, bytes], *, keep: bool = False) -> FolderChanges:
    """Write the files to the folder, but never over a file that somebody else wrote or edited.

    Files of earlier exports that this one does not have are removed, unless `keep` is set. The record lists files
    before they are written, so that a killed export can be repeated.
    """
    old_record = _read_record(folder)
    _refuse_foreign_files(folder, files, old_record)
    old_contents = {name: content for name in files if (content := _read(folder / name)) is not None}
    new_contents = {name: content for name, content in files.items() if old_contents.get(name) != content}
    obsolete = set() if keep or _is_writable_by_others(folder / MADE) else old_record.keys() - files.keys()
    stale = sorted(name for name in obsolete if _hash_of(folder / name) in old_record[name])
    new_hashes = {name: {_hash(content)} for name, content in files.items()}
    record = {**(old_record if keep else {}), **new_hashes}
    if new_contents or stale:
        transition = {
            name: old_record.get(name, set()) | new_hashes.get(name, set()) for name in {*old_record, *new_hashes}
        }
        _replace_all(folder, {MADE: _record(transition), **new_contents})
        for name in stale:
            (folder / name).unlink(missing_ok=True)
    if new_contents or stale or record != old_record:
        _replace_all(folder, {MADE: _record(record)})
    unchanged = tuple(sorted(files.keys() - new_contents.keys()))
    return FolderChanges(tuple(sorted(new_contents)), unchanged, tuple(stale))


def _is_writable_by_others(record: Path) -> bool:
    """Return whether other users may write a record, who could then list the owner's files in it."""
    return os.path.lexists(record) and bool(record.lstat().st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _record(hashes: Mapping[str, set[str]]) -> bytes:
    """Encode each file with its hash, or with the old and the new hash while files are replaced."""
    marks = {name: marks[0] if len(marks := sorted(hashes[name])) == 1 else marks for name in sorted(hashes)}
    return json.dumps({"schema": 1, "made": marks}, indent=1).encode() + b"\n"


def _replace_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a draft of every file, and rename the drafts only when all of them are complete.

    A file's draft always has the same name, so that the next export removes what a killed one left.
    """
    drafts: dict[Path, Path] = {}
    try:
        for name, content in files.items():
            target = folder / name
            make_folder(target.parent)
            draft = target.with_name(f".{target.name}.part")
            drafts[draft] = target
            with fresh_file(draft, max_mode=_RECORD_MODE if name == MADE else 0o666) as file:
                file.write(content)
        for draft, target in drafts.items():
            draft.replace(target)
    except OSError as error:
        raise StudyError(f"{folder} cannot be written: {error.strerror}. Choose another folder with -o.") from None
    finally:
        for draft in drafts:
            with suppress(OSError):  # for a folder of that name, which the error above reports
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
    is_unedited = present is not None and (present == content or _hash(present) in (marks or ()))
    return is_unedited or (marks is not None and path.is_symlink())


def _read_record(folder: Path) -> dict[str, set[str]]:
    """Read the names of the last export's files, each with the hashes that it may have.

    A record of another owner is ignored, because it could list files that the learner wrote.
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
        if marks and _is_inside(name) and not leads_out(folder, name):
            record[name] = marks
    return record


def _is_inside(name: str) -> bool:
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
