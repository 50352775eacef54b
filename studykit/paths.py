"""Where studykit's own folders are, installed or in a checkout, and where a learner's files live."""

from pathlib import Path

from studykit.home import NAME, config_home, data_home

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
    if (folder := data_home()) is not None:
        return Path(folder) / "study.db"
    from platformdirs import user_data_path  # noqa: PLC0415 - see `studykit.home`

    return user_data_path(NAME, appauthor=False) / "study.db"


def config() -> Path:
    """The learner's configuration file when nothing else is said."""
    if (folder := config_home()) is not None:
        return Path(folder) / "config.toml"
    from platformdirs import user_config_path  # noqa: PLC0415 - as above

    return user_config_path(NAME, appauthor=False) / "config.toml"


def copies() -> Path:
    """The learner's folder of decks, where a shipped one is copied to when it is edited."""
    return database().parent / "decks"


def _folder(installed_as: str, in_checkout: str) -> Path:
    shipped = _PACKAGE / installed_as
    return shipped if shipped.is_dir() else _PACKAGE.parent / in_checkout
