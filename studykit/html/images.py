"""Images, sounds and films of a card, carried inside the page: no request ever leaves it."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from studykit.cards.markdown import MEDIA_TYPES, media_type
from studykit.ordinary_file import NotOrdinaryError, TooLargeError, read_ordinary

_IMAGES = [end for end, kind in MEDIA_TYPES.items() if kind.startswith("image/")]
LARGEST_BYTES = 4_000_000
_MAX_NAME_CHARACTERS = 80  # characters of a file name that a message repeats


class ImageError(ValueError):
    """An image that cannot be carried, in words."""


def media_kind(source: str) -> str:
    """The HTML element that shows or plays a file: img, audio or video."""
    kind = media_type(source).partition("/")[0]
    return kind if kind in {"audio", "video"} else "img"


@dataclass(frozen=True, slots=True)
class Images:
    """Find images and media in a deck's folder, or below the collection's root with `@/`; nothing outside it."""

    folder: Path
    root: Path

    def data_url(self, source: str) -> str:
        """The file as a `data:` URL; an SVG is only ever an image there, so its scripts stay asleep."""
        if source.startswith("//") or "://" in source or source.lower().startswith(("data:", "http:", "https:")):
            raise ImageError(f"{_short(source)} is not in the deck's folder; save the file there and use its name")
        path = self._path(unquote(source))
        kind = media_type(path.name)
        if not kind:
            raise ImageError(f"{_short(source)} is not an image; use one of {', '.join(_IMAGES)}")
        return f"data:{kind};base64,{b64encode(_read(path, source)).decode()}"

    def _path(self, source: str) -> Path:
        root = self.root.resolve()
        base = root / source[2:] if source.startswith("@/") else self.folder / source
        try:
            path = base.resolve()
        except (OSError, ValueError, RuntimeError):  # the last is a link to itself, before Python 3.13
            raise ImageError(f"{_short(source)} is not a file name") from None
        if not path.is_relative_to(root):
            raise ImageError(f"{_short(source)} lies outside {root}; copy the file into the deck's folder")
        return path


def _read(path: Path, source: str) -> bytes:
    try:
        return read_ordinary(path, LARGEST_BYTES)
    except TooLargeError:
        message = f"{_short(source)} is larger than {LARGEST_BYTES // 1_000_000} MB; make it smaller"
    except (OSError, ValueError, NotOrdinaryError):
        message = f"there is no {_called(source)} {_short(source)}; add the file or correct its name"
    raise ImageError(message)


def _called(source: str) -> str:
    return {"img": "image"}.get(media_kind(source), media_kind(source))


def _short(source: str) -> str:
    return source if len(source) <= _MAX_NAME_CHARACTERS else source[: _MAX_NAME_CHARACTERS - 3] + "..."
