"""Choose how to talk with a learner, on a full screen or in plain lines, and which signs and colors to use."""

from collections.abc import Mapping
from dataclasses import dataclass

from studykit.errors import UsageError
from studykit.text import is_on


@dataclass(frozen=True, slots=True)
class Style:
    """Say whether colors may be used, and whether only ASCII can be shown."""

    color: bool = False
    ascii: bool = False


def plain_reason(environ: Mapping[str, str], *, terminal: bool, plain: bool = False, setting: str = "auto") -> str:
    """Return what turns on plain mode, or "" for a screen. Raise UsageError for a screen without a terminal."""
    if plain:
        return "via flag"
    if is_on(environ.get("STUDYKIT_PLAIN")):
        return "via env"
    if setting == "plain":
        return "via config"
    if not terminal:
        raise UsageError(
            "This needs a terminal for input and output. Add --plain to answer line by line, also through a pipe."
        )
    return "because TERM is dumb" if setting == "auto" and environ.get("TERM", "dumb") == "dumb" else ""


def style_of(environ: Mapping[str, str], *, encoding: str, glyphs: str = "auto", color: str = "auto") -> Style:
    """Choose colors and signs by environment and settings, else by what the terminal can show."""
    off = environ.get("NO_COLOR") or is_on(environ.get("STUDYKIT_NO_COLOR")) or color == "never"
    signs = environ.get("STUDYKIT_GLYPHS") or glyphs
    only_ascii = signs == "ascii" or (signs != "unicode" and not _encodes(encoding))
    return Style(color=not off, ascii=only_ascii)


def _encodes(encoding: str) -> bool:
    try:
        "✓⠿─".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True
