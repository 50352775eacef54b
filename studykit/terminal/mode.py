"""Choose how to talk with a learner, on a full screen or in plain lines, and which signs and colors to use."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from studykit.errors import UsageError
from studykit.text import is_on

_GRAY, _GRAY_ENDS = ("vt1", "vt2", "vt3", "vt4", "vt5"), ("-m", "-mono")
"""Beginnings and ends of the names of terminals without colors."""


class Mode(StrEnum):
    """Name the two modes of a session, a full screen and plain lines."""

    SCREEN = "screen"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Style:
    """Say whether colors may be used, and whether only ASCII can be shown."""

    color: bool = False
    ascii: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Hold the mode, and what turned it on, for the line that announces it."""

    mode: Mode
    why: str


def choose_mode(
    environ: Mapping[str, str], *, terminal: bool, plain: bool = False, setting: str = "auto"
) -> Choice:
    """Choose the mode by flag, environment and setting. Raise UsageError for a screen without a terminal."""
    if plain:
        choice = Choice(Mode.PLAIN, "via flag")
    elif is_on(environ.get("STUDYKIT_PLAIN")):
        choice = Choice(Mode.PLAIN, "via env")
    elif setting != "auto":
        choice = Choice(Mode(setting), "via config")
    elif terminal and environ.get("TERM", "dumb") == "dumb":
        choice = Choice(Mode.PLAIN, "because TERM is dumb")
    else:
        choice = Choice(Mode.SCREEN, "by default")
    if choice.mode is not Mode.PLAIN and not terminal:
        raise UsageError(
            "This needs a terminal for input and output. Add --plain to answer line by line, also through a pipe."
        )
    return choice


def style_of(environ: Mapping[str, str], *, encoding: str, glyphs: str = "auto", color: str = "auto") -> Style:
    """Choose colors and signs by environment and settings, else by what the terminal can show."""
    off = environ.get("NO_COLOR") or is_on(environ.get("STUDYKIT_NO_COLOR")) or color == "never"
    signs = environ.get("STUDYKIT_GLYPHS") or glyphs
    terminal = environ.get("TERM", "")
    gray = color != "always" and (terminal.startswith(_GRAY) or terminal.endswith(_GRAY_ENDS))
    only_ascii = signs == "ascii" or (signs != "unicode" and not _encodes(encoding))
    return Style(color=not off and not gray, ascii=only_ascii)


def _encodes(encoding: str) -> bool:
    try:
        "✓⠿─".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True
