"""Which way to talk with a learner: a screen of its own or plain lines."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from studykit.errors import UsageError
from studykit.text import is_on


class Mode(StrEnum):
    """The two ways."""

    SCREEN = "screen"
    PLAIN = "plain"


class Style(NamedTuple):
    """What this terminal can show."""

    colour: bool = False
    ascii: bool = False


class Choice(NamedTuple):
    """The mode and who turned it on, for the line that announces it."""

    mode: Mode
    why: str


def choose_mode(
    environ: Mapping[str, str],
    *,
    terminal: bool,
    plain: bool = False,
    mode: str | None = None,
    setting: str = "auto",
) -> Choice:
    """The mode by flag, environment and setting; UsageError where it needs a terminal and has none."""
    choice = _choice(environ, terminal=terminal, plain=plain, mode=mode, setting=setting)
    if choice.mode is not Mode.PLAIN and not terminal:
        raise UsageError("this needs a terminal on both ends; add --plain to answer by lines, through a pipe too.")
    return choice


def _choice(environ: Mapping[str, str], *, terminal: bool, plain: bool, mode: str | None, setting: str) -> Choice:
    if plain:
        return Choice(Mode.PLAIN, "via flag")
    if mode is not None:
        return Choice(_mode_of(mode, "--mode"), "via flag")
    if is_on(environ.get("STUDYKIT_PLAIN")):
        return Choice(Mode.PLAIN, "via env")
    if setting != "auto":
        return Choice(_mode_of(setting, "the setting ui.mode"), "via config")
    if terminal and environ.get("TERM", "dumb") == "dumb":
        return Choice(Mode.PLAIN, "because TERM is dumb")
    return Choice(Mode.SCREEN, "by default")


def _mode_of(mode: str, where: str) -> Mode:
    try:
        return Mode(mode)
    except ValueError:
        raise UsageError(f"{where} is {mode!r}; give screen or plain.") from None
