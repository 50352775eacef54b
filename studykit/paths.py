"""Find studykit's own folders, installed or in a checkout, and the learner's files.

A shell prompt imports this module, so it imports little. On Linux it applies the usual XDG rules itself, because
platformdirs, which knows every system, takes 6 ms to import.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

DECK_ENDINGS = frozenset((".md", ".markdown"))
_NO_DECKS = frozenset(("readme", "changelog", "license", "contributing", "claude", "agents"))
"""Names of Markdown files that describe a folder and are not decks."""
NO_FOLDERS = frozenset(("node_modules", "__pycache__", "venv"))
"""Names of folders that never contain decks or exercises."""
_NAME = "studykit"
_PACKAGE = os.path.dirname(os.path.realpath(__file__))


def migrations() -> "Path":
    """Return the Alembic environment: `alembic/` in a checkout."""
    return _shipped_folder("migrations", "alembic")


def decks() -> "Path":
    """Return the folder of the decks that ship with studykit."""
    return _shipped_folder("decks", "decks")


def exercises() -> "Path":
    """Return the folder of the catalogue that ships with studykit."""
    return _shipped_folder("exercises", "exercises")


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
    """Return the folder to which a shipped deck is copied when the learner edits it."""
    return database().parent / "decks"


def expanded(path: "str | Path") -> "Path":
    """Expand `~` in a path, unless it names an unknown user."""
    return _path(os.path.expanduser(path))


def of_setting(text: str, config_file: "Path") -> "Path":
    """Return the path that a setting names. A relative one starts at the folder of the configuration file."""
    return (config_file.parent / expanded(text)).absolute()


def is_deck(name: str) -> bool:
    """Return whether a file of this name is a deck."""
    stem, ending = os.path.splitext(name)
    return ending.lower() in DECK_ENDINGS and stem.lower() not in _NO_DECKS


def data_home() -> str | None:
    """Return the folder of the learner's data, or None if platformdirs decides."""
    return _home("XDG_DATA_HOME", ".local/share")


def config_home() -> str | None:
    """Return the folder of the learner's configuration, or None if platformdirs decides."""
    return _home("XDG_CONFIG_HOME", ".config")


def _home(variable: str, below: str) -> str | None:
    home, base = os.environ.get("HOME", ""), os.environ.get(variable, "")
    is_linux = sys.platform == "linux" and "ANDROID_ROOT" not in os.environ
    if not is_linux or not home.startswith("/") or base != base.strip() or (base and not base.startswith("/")):
        return None
    return f"{base or os.path.join(home, below)}/{_NAME}"


def _shipped_folder(installed_as: str, in_checkout: str) -> "Path":
    folder = _path(_PACKAGE, installed_as)
    return folder if folder.is_dir() else _path(os.path.dirname(_PACKAGE), in_checkout)


def _path(*parts: str) -> "Path":
    from pathlib import Path

    return Path(*parts)
