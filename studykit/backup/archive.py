"""Read and write a backup file: a zip archive with a manifest of each part's name, size and SHA-256.

Archives are not trusted. Names are checked before anything is unpacked, and sizes during unpacking.
"""

import io
import json
import math
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, BinaryIO

from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import NotOrdinaryError, read_ordinary
from studykit.store.untrusted_file import PACKED_BY, is_file, opened_archive
from studykit.text import printable

KIND = "studykit-backup"
DATABASE, SETTINGS = "study.db", "config.toml"
_MANIFEST = "manifest.json"
_MAX_MANIFEST_BYTES = 20_000_000
_MAX_VALUES = 600_000  # of the manifest: some four for each part
_JSON_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # its brackets and commas do not count
_MAX_PARTS = 50_000
_MAX_FOLDER_DEPTH = 64  # nested folders
_MAX_EVENTS = 2**63
_MAX_ORIGINS = 1_000_000
_MAX_UNPACKED_BYTES = 8_000_000_000  # bytes unpacked
MAX_FILE_BYTES = 20_000_000  # bytes of one that is packed with the log
_PACKED_TIMES = 300  # deflate shrinks an empty database by this factor, and a zip bomb by about a thousand
_FREE_BYTES = 100_000_000  # unpacked bytes that are allowed at any ratio
_CHUNK = 1 << 20
_PART = re.compile(r"(?:decks|copies|exercises)/\d{1,6}(?:/[^/\\\0]+)+")


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """Hold the name, size and checksum of a file in the archive."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BackupSource:
    """Record where a deck, a folder of decks or a folder of exercises was. `~` is the home folder."""

    kind: str  # decks, copies or exercises
    number: int
    place: str
    folder: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """Describe the content of a backup."""

    made: str  # ISO 8601
    reason: str
    machine: str
    events: int
    home: str = ""
    parts: tuple[ArchivePart, ...] = ()
    origins: tuple[BackupSource, ...] = ()

    def to_json(self) -> str:
        """Return the manifest as JSON."""
        return json.dumps({"kind": KIND, "schema": 1, **asdict(self)}, ensure_ascii=False, indent=1)


def write_archive(target: Path, files: Sequence[tuple[str, Path]], manifest: Manifest) -> list[str]:
    """Write an archive of the files and their manifest, and check that it reads back.

    Leave out files that cannot be read, such as another user's among the learner's decks, and return their names.
    """
    parts, left_out = [], []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, path in files:
            try:
                # The size of a part is not known in advance.
                with _source(name, path) as source, archive.open(name, "w", force_zip64=True) as part:
                    parts.append(ArchivePart(name, *_copy(source, part)))
            except NotOrdinaryError:
                left_out.append(printable(str(path)))
        archive.writestr(_MANIFEST, replace(manifest, parts=tuple(parts)).to_json())
    with zipfile.ZipFile(target) as archive:
        if (bad_part := archive.testzip()) is not None:
            raise StudyError(f"{target} does not read back as it was written ({bad_part}). Check that disk.")
        _check_names(archive, _manifest(archive, target), target)
    return left_out


def _source(name: str, path: Path) -> BinaryIO:
    """Open a file to pack. Read it whole first, unless it is the database.

    A part that fails halfway could not be removed from the archive again.
    """
    if name == DATABASE:
        return path.open("rb")
    try:
        return io.BytesIO(read_ordinary(path, MAX_FILE_BYTES, follow=True))
    except OSError as error:
        raise NotOrdinaryError from error


def _copy(source: IO[bytes], target: IO[bytes], max_bytes: float = math.inf) -> tuple[int, str]:
    """Copy bytes, and return their number and SHA-256. Stop soon after `max_bytes`."""
    digest, size = sha256(), 0
    while size <= max_bytes and (chunk := source.read(_CHUNK)):
        digest.update(chunk)
        target.write(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def read_manifest(path: Path) -> Manifest:
    """Read an archive's manifest, or raise BadDataError if studykit did not make it."""
    with _open_archive(path) as archive:
        return _manifest(archive, path)


def unpack(path: Path, folder: Path) -> Manifest:
    """Unpack every part into an empty folder. Raise BadDataError if one differs from the manifest."""
    with _open_archive(path) as archive:
        manifest = _manifest(archive, path)
        _check_names(archive, manifest, path)
        _check_room(manifest, path, folder)
        for part in manifest.parts:
            target = folder / part.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(part.name) as source, target.open("xb") as file:
                # A part that is larger than it says ends early, before it fills the disk.
                copied = _copy(source, file, part.size)
            if copied != (part.size, part.sha256):
                name = printable(part.name)
                raise BadDataError(f"{path} is damaged: {name} is not what was saved. Choose another backup.")
    return manifest


def _check_names(archive: zipfile.ZipFile, manifest: Manifest, path: Path) -> None:
    """Raise BadDataError for links, for paths out of the folder, and for parts not named once in the manifest."""
    infos = [info for info in archive.infolist() if info.filename != _MANIFEST]
    names = [part.name for part in manifest.parts]
    strange = [name for name in names if not is_part(name)]
    odd = [info.filename for info in infos if not is_file(info) or info.flag_bits & 1]
    if strange or odd or sorted(names) != sorted(info.filename for info in infos) or len(set(names)) != len(names):
        culprit = printable((strange or odd or ["other files than its manifest names"])[0], 80)
        raise BadDataError(
            f"{path} is not a backup made by studykit, because it holds {culprit}. Name another file."
        )


def is_part(name: str) -> bool:
    """Return whether a part of a backup may have this name."""
    if name in {DATABASE, SETTINGS}:
        return True
    steps = name.split("/")
    is_below = _PART.fullmatch(name) is not None and len(steps) <= _MAX_FOLDER_DEPTH
    return is_below and printable(name) == name and not {".", ".."} & set(steps)


def is_place(place: str) -> bool:
    """Return whether a manifest may name this place as the origin of files."""
    return printable(place) == place and place.count("/") <= _MAX_FOLDER_DEPTH // 2


def _check_room(manifest: Manifest, path: Path, folder: Path) -> None:
    size = sum(part.size for part in manifest.parts)
    needed_bytes = 2 * size  # each file is copied to its place from where it was unpacked
    if size > _MAX_UNPACKED_BYTES or size > _FREE_BYTES + _PACKED_TIMES * path.stat().st_size:
        raise BadDataError(f"{path} would unpack to {size:,} bytes, too many for its size. Choose another backup.")
    if needed_bytes > shutil.disk_usage(folder).free:
        raise StudyError(
            f"{path} needs {needed_bytes:,} bytes of room on the disk of {folder}. Make room and try again."
        )


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    try:
        with archive.open(_MANIFEST) as file:
            text = file.read(_MAX_MANIFEST_BYTES + 1)
        bare = _JSON_TEXT.sub(b"", text)
        # Each value takes a few bytes in the file but about a hundred as an object, so they are counted first.
        values = sum(bare.count(mark) for mark in (b",", b"[", b"{"))
        fits = len(text) <= _MAX_MANIFEST_BYTES and values <= _MAX_VALUES
        return _read_manifest(json.loads(text if fits else b""), path)
    except (KeyError, ValueError, TypeError, RecursionError):
        raise BadDataError(f"{path} is not a backup made by studykit. Name another file.") from None


def _read_manifest(document: Mapping[str, Any], path: Path) -> Manifest:
    if document["kind"] != KIND:
        raise ValueError("The manifest is not one of a backup.")
    if document["schema"] != 1:
        raise BadDataError(f"{path} was made by a newer studykit. Upgrade this one to restore it.")
    origins = tuple(_origin(row) for row in document["origins"])
    if len({origin.number for origin in origins}) != len(origins):
        raise ValueError("Two origins have the same number.")
    return Manifest(
        made=printable(str(document["made"]), 40),
        reason=printable(str(document["reason"]), 40),
        machine=printable(str(document["machine"]), 40),
        events=_whole(document["events"], -1, _MAX_EVENTS),
        home=printable(str(document.get("home", ""))),
        parts=tuple(
            ArchivePart(str(row["name"]), _whole(row["size"], 0, _MAX_UNPACKED_BYTES), str(row["sha256"]))
            for row in document["parts"]
        ),
        origins=origins,
    )


def _origin(row: Mapping[str, Any]) -> BackupSource:
    kind, place = str(row["kind"]), str(row["place"])
    if kind not in {"decks", "copies", "exercises"} or not is_place(place):
        raise ValueError(f"{kind!r} from {place!r} is not a valid origin.")
    return BackupSource(kind, _whole(row["number"], 0, _MAX_ORIGINS), place, bool(row["folder"]))


def _whole(value: object, minimum: int, maximum: int) -> int:
    if type(value) is not int or not minimum <= value <= maximum:
        raise ValueError(f"{value!r} is not a whole number from {minimum:,} to {maximum:,}.")
    return value


@contextmanager
def _open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    error = BadDataError(f"{path} is not a backup, or it is damaged. Name another file.")
    with opened_archive(path, error) as archive:
        infos = archive.infolist()
        if len(infos) > _MAX_PARTS or any(info.compress_type not in PACKED_BY for info in infos):
            raise error
        yield archive
