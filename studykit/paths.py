"""Where studykit's own folders are, installed or in a checkout, and where a learner's files live."""

import os
import sys
from pathlib import Path

_NAME = "studykit"
_PACKAGE = Path(__file__).resolve().parent


def migrations() -> Path:
    """The Alembic environment: `alembic/` in a checkout."""
    return _folder("migrations", "alembic")


def decks() -> Path:
    """The decks that ship with studykit."""
    return _folder("decks", "decks")


def exercises() -> Path:
    """The catalogue that ships with studykit."""
    return _folder("exercises", "exercises")


def database() -> Path:
    """The learner's log when nothing else is said."""
    folder = _simple_home("XDG_DATA_HOME", ".local/share")
    if folder is None:
        from platformdirs import user_data_path  # noqa: PLC0415 - see there

        folder = user_data_path(_NAME, appauthor=False)
    return folder / "study.db"


def config() -> Path:
    """The learner's configuration file when nothing else is said."""
    folder = _simple_home("XDG_CONFIG_HOME", ".config")
    if folder is None:
        from platformdirs import user_config_path  # noqa: PLC0415 - as above

        folder = user_config_path(_NAME, appauthor=False)
    return folder / "config.toml"


def copies() -> Path:
    """The learner's folder of decks, where a shipped one is copied to when it is edited."""
    return database().parent / "decks"


def _simple_home(variable: str, below: str) -> Path | None:
    """Our folder on Linux; None where the rule is not so plain, for platformdirs to tell, whose import is 6 ms."""
    home, named = os.environ.get("HOME", ""), os.environ.get(variable, "")
    linux = sys.platform == "linux" and "ANDROID_ROOT" not in os.environ
    if not linux or not home.startswith("/") or named != named.strip() or (named and not named.startswith("/")):
        return None
    return Path(named or f"{home}/{below}") / _NAME


def _folder(installed_as: str, in_checkout: str) -> Path:
    shipped = _PACKAGE / installed_as
    return shipped if shipped.is_dir() else _PACKAGE.parent / in_checkout
