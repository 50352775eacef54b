"""Read the archive of an Anki package, and check it before anything of it is used.

An archive is untrusted. Only members with Anki's own names are read, their sizes are limited, and nothing in the
archive decides where a file is written.
"""

import json
import re
import sys
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, cast

from studykit.cards.markdown import MEDIA_TYPES
from studykit.cards.parser import numbered
from studykit.formats.foreign_notes import FormatError
from studykit.formats.protobuf import messages, texts
from studykit.store.untrusted_file import PACKED_BY, is_file, opened_archive
from studykit.text import printable

COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
"""Newest first. Next to a newer one, `collection.anki2` is a decoy with one note that says to update."""
_MEMBER = re.compile(r"collection\.anki2(?:1b?)?|media|meta|\d{1,7}")
_MAGIC = b"\x28\xb5\x2f\xfd"
_MAX_MEMBERS = 300_000
_MAX_COLLECTION_BYTES = 1_500_000_000  # bytes unpacked
_MAX_MEDIA_MAP_BYTES = 60_000_000
_MAX_FILE_BYTES = 200_000_000
_MAX_UNPACKED_BYTES = 8_000_000_000
_PACKED_TIMES = 200  # text and databases shrink by this factor, and a zip bomb by about a thousand
_FREE_BYTES = 50_000_000  # unpacked bytes that are allowed at any ratio
_CHUNK = 1 << 20
OFFICE = frozenset((".xlsx", ".ods", ".docx", ".odt", ".numbers"))
"""Endings of archives that other programs write."""
_MAX_NAME_BYTES = 120
_STRANGE = re.compile(r'[:*?"<>|]')  # not allowed in file names on Windows
_ONLY_ANKI_PLAYS = ".oga .aac .mkv .mov .3gp .avi .mpg .mpeg .spx .flv .m4v"
SOUNDS = (*(end for end, kind in MEDIA_TYPES.items() if kind[:5] != "image"), *_ONLY_ANKI_PLAYS.split())
_MEDIA_SUFFIXES = MEDIA_TYPES.keys() | {*SOUNDS, ".bmp", ".tif", ".tiff", ".ico", ".pdf"}


class AnkiPackage:
    """Read the collection and the media of an open package."""

    def __init__(self, archive: zipfile.ZipFile, path: Path) -> None:
        self._archive = archive
        self._path = path
        self._max_bytes = min(_MAX_UNPACKED_BYTES, _FREE_BYTES + _PACKED_TIMES * path.stat().st_size)
        self._names = self._check_names()

    def collection_to(self, target: Path) -> None:
        """Write the database with the cards into a file."""
        name = next((name for name in COLLECTIONS if name in self._names), None)
        if name is None:
            raise self.refusal("holds no collection of cards")
        with target.open("xb") as file:
            self._copy(name, file, _MAX_COLLECTION_BYTES)

    def media(self) -> Mapping[str, str]:
        """Map each media file's name to its archive member, or raise FormatError for a broken list or name."""
        if "media" not in self._names:
            return {}
        try:
            entries = self._media_list()
        except (ValueError, RecursionError):
            raise self.refusal("has a list of media that cannot be read") from None
        for name in entries:
            if not is_plain_name(_STRANGE.sub("-", name)):
                raise self.refusal(f"has a media file called {printable(name, 60)!r}")
        return {
            unicodedata.normalize("NFC", name): number for name, number in entries.items() if number in self._names
        }

    def media_files(self) -> Mapping[str, str]:
        """Map each media file's name to one that is valid on every system and unique without regard to case."""
        files: dict[str, str] = {}
        used_names: set[str] = set()
        for name in sorted(self.media(), key=lambda name: (_STRANGE.search(name) is not None, name)):
            plain = Path(_STRANGE.sub("-", name))
            names = numbered(plain.stem, plain.suffix)
            files[name] = next(file for file in names if file.casefold() not in used_names)
            used_names.add(files[name].casefold())
        return files

    def copy_media(self, folder: Path, names: Iterable[str]) -> None:
        """Write media files into a folder, by their names in `media_files`."""
        members, originals = self.media(), {file: name for name, file in self.media_files().items()}
        room = self._max_bytes
        for name in names:
            with (folder / name).open("xb") as file:
                room -= self._copy(members[originals[name]], file, min(_MAX_FILE_BYTES, room))

    def refusal(self, complaint: str) -> FormatError:
        """Return the error for this package. `complaint` follows its path."""
        is_zip = self._path.suffix.lower() == ".zip"
        advice = " Unpack it, then import what is in it." if is_zip else " Export it from Anki again."
        return FormatError(
            f"{self._path} {complaint}: it is not an Anki package, or it is damaged, so nothing was imported."
            f"{advice}"
        )

    def _media_list(self) -> dict[str, str]:
        file = BytesIO()
        self._copy("media", file, _MAX_MEDIA_MAP_BYTES)
        data = file.getvalue()
        if "collection.anki21b" in self._names:
            entries = messages(data, 1)
            return {(texts(entry, 1) or [""])[0]: str(number) for number, entry in enumerate(entries)}
        names = json.loads(data or b"{}")
        if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
            raise ValueError("not a JSON object of names")
        return {name: number for number, name in names.items()}

    def _copy(self, name: str, file: IO[bytes], max_bytes: int) -> int:
        """Copy a member, unpacked if its first bytes say that it is packed, and return its size."""
        size, max_bytes = 0, min(max_bytes, self._max_bytes)
        with self._archive.open(name) as member:
            start = member.read(len(_MAGIC))
            member.seek(0)
            source = _decompress(member) if start == _MAGIC else member
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                if size > max_bytes:
                    raise self.refusal(f"unpacks {name} to more than {max_bytes:,} bytes")
                file.write(chunk)
        return size

    def _check_names(self) -> frozenset[str]:
        infos = self._archive.infolist()
        if len(infos) > _MAX_MEMBERS:
            raise self.refusal(f"holds {len(infos):,} files")
        for info in infos:
            if not _MEMBER.fullmatch(info.filename) or not is_file(info):
                raise self.refusal(f"holds {printable(info.filename, 60)!r}")
            if info.flag_bits & 1:
                raise self.refusal("is encrypted")
            if info.compress_type not in PACKED_BY:
                raise self.refusal(f"has {info.filename} packed in a way that Anki does not know")
        size = sum(info.file_size for info in infos)
        largest = max(infos, key=lambda info: info.file_size, default=None)
        if largest is not None and size > self._max_bytes:
            raise self.refusal(f"would unpack to {size:,} bytes, and its largest file is {largest.filename}")
        names = frozenset(info.filename for info in infos)
        if len(names) != len(infos):
            raise self.refusal("holds a file twice")
        return names


@contextmanager
def opened_package(path: Path) -> Iterator[AnkiPackage]:
    """Open an archive for reading, and raise FormatError for any fault in it."""
    error = FormatError(
        f"{path} is not an Anki package, or it is damaged, so nothing was imported. Export it from Anki again."
    )
    with opened_archive(path, error) as archive:
        yield AnkiPackage(archive, path)


def copy_media(path: Path, folder: Path, names: Iterable[str]) -> None:
    """Write media files of a package into a folder."""
    with opened_package(path) as package:
        package.copy_media(folder, names)


def is_plain_name(name: str) -> bool:
    """Return whether a text is a file name that is short, visible, valid on every system and without a folder."""
    return (
        bool(name.strip(". "))
        and printable(name) == name
        and not set(name) & set('/\\:*?"<>|\n\t')
        and len(name.encode("utf-8", "replace")) <= 2 * _MAX_NAME_BYTES
    )


def is_known_media(name: str) -> bool:
    """Return whether a file name is that of a picture, recording or document that is not hidden."""
    return Path(name).suffix.lower() in _MEDIA_SUFFIXES and not name.startswith(".")


def _decompress(member: IO[bytes]) -> IO[bytes]:
    """Decompress a stream of Zstandard. Python has its own library since 3.14."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return cast("IO[bytes]", zstd.open(member, "rb"))
