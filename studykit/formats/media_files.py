"""Collect the media files that decks link to, each under one name, for an export."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

from studykit.errors import StudyError
from studykit.formats.anki_package import is_known_media, is_plain_name
from studykit.ordinary_file import NotOrdinaryError, read_named, read_ordinary

MAX_MEDIA_BYTES = 200_000_000  # bytes of a file


@dataclass(slots=True)
class MediaFiles:
    """Map names to files. `lacking` has the links that lead to no file, and the names of unreadable files."""

    files: dict[str, Path] = field(default_factory=dict)
    lacking: list[str] = field(default_factory=list)
    _names: dict[Path, str] = field(default_factory=dict)

    def name(self, link: str, folder: Path, root: Path) -> str | None:
        """Return the name of a file that a deck in `folder` links to, or None if `root` has no such media file."""
        if "://" in link or link.startswith(("//", "#", "data:")):
            return None
        source = unquote(link)
        path = root / source[2:] if source.startswith("@/") else folder / source
        try:
            path = path.resolve()
            inside = path.is_relative_to(root.resolve()) and path.is_file() and is_known_media(path.name)
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside or not is_plain_name(path.name):
            self.lacking.append(link)
            return None
        return self._names.get(path) or self._new_name(path)

    def data(self, name: str) -> bytes:
        """Return the content of a named file, empty if it can no longer be read."""
        try:
            return read_ordinary(self.files[name], MAX_MEDIA_BYTES)
        except (OSError, NotOrdinaryError):
            self.lacking.append(name)
            return b""

    def copy(self, folder: Path, names: Iterable[str]) -> None:
        """Write files into a folder under their names."""
        for name in names:
            data = read_named(self.files[name], MAX_MEDIA_BYTES, "Nothing was imported.", StudyError)
            (folder / name).write_bytes(data)

    def _new_name(self, path: Path) -> str:
        name = path.name
        if name.casefold() in map(str.casefold, self.files):  # some systems ignore case
            mark = sha256(str(path).encode("utf-8", "replace")).hexdigest()[:8]
            name = f"{path.stem}-{mark}{path.suffix}"
        self.files[name] = path
        self._names[path] = name
        return name
