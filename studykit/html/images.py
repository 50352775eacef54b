"""Embed images, sounds and films of a card into the page, so that it makes no requests."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from studykit.cards.markdown import MEDIA_TYPES, media_type
from studykit.cards.wording import excerpt
from studykit.ordinary_file import NotOrdinaryError, TooLargeError, read_ordinary

_IMAGES = [end for end, kind in MEDIA_TYPES.items() if kind.startswith("image/")]
MAX_IMAGE_BYTES = 4_000_000
_SHOWN = 80  # characters of a file name in a message


class ImageError(ValueError):
    """Raised for a file that cannot be embedded."""


def media_kind(source: str) -> str:
    """Return the HTML element that shows or plays a file: img, audio or video."""
    kind = media_type(source).partition("/")[0]
    return kind if kind in {"audio", "video"} else "img"


@dataclass(frozen=True, slots=True)
class Images:
    """Find media in a deck's folder, or below the collection's root with `@/`, but never outside the root."""

    folder: Path
    root: Path

    def data_url(self, source: str) -> str:
        """Return the file as a `data:` URL. An SVG is only ever an image there, so its scripts never run."""
        name = excerpt(source, _SHOWN)
        if source.startswith("//") or "://" in source or source.lower().startswith(("data:", "http:", "https:")):
            raise ImageError(f"{name} is not in the deck's folder; save the file there and use its name")
        path = self._path(unquote(source))
        kind = media_type(path.name)
        if not kind:
            raise ImageError(
                f"{name} is not a file that pages can show; for an image use one of {', '.join(_IMAGES)}"
            )
        try:
            data = read_ordinary(path, MAX_IMAGE_BYTES)
        except TooLargeError:
            raise ImageError(f"{name} is larger than {MAX_IMAGE_BYTES // 1_000_000} MB; make it smaller") from None
        except (OSError, ValueError, NotOrdinaryError):
            raise ImageError(f"{name} cannot be found or read; add the file or correct its name") from None
        return f"data:{kind};base64,{b64encode(data).decode()}"

    def _path(self, source: str) -> Path:
        root = self.root.resolve()
        base = root / source[2:] if source.startswith("@/") else self.folder / source
        try:
            path = base.resolve()
        except (OSError, ValueError, RuntimeError):  # the last is a link to itself, before Python 3.13
            raise ImageError(f"{excerpt(source, _SHOWN)} is not a valid file name; correct it") from None
        if not path.is_relative_to(root):
            raise ImageError(
                f"{excerpt(source, _SHOWN)} lies outside {root}; copy the file into the deck's folder"
            )
        return path
