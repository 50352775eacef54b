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
    """Return the folder of the Alembic environment, which is `alembic/` in a checkout."""
    return _shipped_folder("migrations", "alembic")


def decks() -> "Path":
    """Return the folder of the decks that ship with studykit."""
    return _shipped_folder("decks", "decks")


def exercises() -> "Path":
    """Return the folder of the exercise catalogue that ships with studykit."""
    return _shipped_folder("exercises", "exercises")


def database() -> str:
    """Return the default path of the learner's database."""
    return _home("XDG_DATA_HOME", ".local/share", "user_data_dir") + "/study.db"


def config() -> str:
    """Return the default path of the learner's configuration file."""
    return _home("XDG_CONFIG_HOME", ".config", "user_config_dir") + "/config.toml"


def copies() -> "Path":
    """Return the folder to which a shipped deck is copied when the learner edits it."""
    return _path(database()).with_name("decks")


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


def _home(variable: str, below: str, function: str) -> str:
    """Return a folder of the learner by XDG's rules, or by a function of platformdirs where those do not apply."""
    home, base = os.environ.get("HOME", ""), os.environ.get(variable, "")
    is_linux = sys.platform == "linux" and "ANDROID_ROOT" not in os.environ
    if is_linux and home.startswith("/") and base == base.strip() and (not base or base.startswith("/")):
        return f"{base or os.path.join(home, below)}/{_NAME}"
    import platformdirs

    return str(getattr(platformdirs, function)(_NAME, appauthor=False))


def _shipped_folder(installed_as: str, in_checkout: str) -> "Path":
    folder = _path(_PACKAGE, installed_as)
    return folder if folder.is_dir() else _path(os.path.dirname(_PACKAGE), in_checkout)


def _path(*parts: str) -> "Path":
    from pathlib import Path

    return Path(*parts)
