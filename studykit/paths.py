"""Where studykit's own folders are, installed or in a checkout, and where a learner's files live.

A shell prompt asks for the learner's folders, so nothing is imported here before it is needed: on Linux the XDG
rules answer where they are plain, because platformdirs, which knows every system, takes 6 ms to import.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

NO_DECKS = frozenset(("readme", "changelog", "license", "contributing", "claude", "agents"))
"""Markdown files of these names are about a folder, for people or for programs; none is a deck."""
NO_FOLDERS = frozenset(("node_modules", "__pycache__", "venv"))
"""Folders in which nobody keeps decks or exercises."""
_NAME = "studykit"
_PACKAGE = os.path.dirname(os.path.realpath(__file__))


def migrations() -> "Path":
    """Return the Alembic environment: `alembic/` in a checkout."""
    return _shipped("migrations", "alembic")


def decks() -> "Path":
    """Return the folder of the decks that ship with studykit."""
    return _shipped("decks", "decks")


def exercises() -> "Path":
    """Return the folder of the catalogue that ships with studykit."""
    return _shipped("exercises", "exercises")


def database() -> "Path":
    """Return the default path of the learner's log."""
    if (folder := data_home()) is not None:
        return _path(folder, "study.db")
    from platformdirs import user_data_path

    return user_data_path(_NAME, appauthor=False) / "study.db"


def config() -> "Path":
    """Return the default path of the learner's configuration file."""
    if (folder := config_home()) is not None:
        return _path(folder, "config.toml")
    from platformdirs import user_config_path

    return user_config_path(_NAME, appauthor=False) / "config.toml"


def copies() -> "Path":
    """Return the learner's folder of decks, where a shipped one is copied to when it is edited."""
    return database().parent / "decks"


def expanded(path: "str | Path") -> "Path":
    """Expand the `~` of a path, or leave it if there is no such user."""
    return _path(os.path.expanduser(path))


def data_home() -> str | None:
    """Return the folder of the learner's data, or None if platformdirs decides."""
    return _home("XDG_DATA_HOME", ".local/share")


def config_home() -> str | None:
    """Return the folder of the learner's configuration, or None if platformdirs decides."""
    return _home("XDG_CONFIG_HOME", ".config")


def _home(variable: str, below: str) -> str | None:
    home, named = os.environ.get("HOME", ""), os.environ.get(variable, "")
    linux = sys.platform == "linux" and "ANDROID_ROOT" not in os.environ
    if not linux or not home.startswith("/") or named != named.strip() or (named and not named.startswith("/")):
        return None
    return f"{named or os.path.join(home, below)}/{_NAME}"


def _shipped(installed_as: str, in_checkout: str) -> "Path":
    installed = _path(_PACKAGE, installed_as)
    return installed if installed.is_dir() else _path(os.path.dirname(_PACKAGE), in_checkout)


def _path(*parts: str) -> "Path":
    from pathlib import Path

    return Path(*parts)
