"""The learner's folders on Linux, by the XDG rules where they are plain.

platformdirs knows every rule of every system, and takes 6 ms to import.
"""

import os
import sys

NAME = "studykit"


def data_home() -> str | None:
    """The folder of the learner's data; None where platformdirs has to tell."""
    return _home("XDG_DATA_HOME", ".local/share")


def config_home() -> str | None:
    """The folder of the learner's configuration; None where platformdirs has to tell."""
    return _home("XDG_CONFIG_HOME", ".config")


def _home(variable: str, below: str) -> str | None:
    home, named = os.environ.get("HOME", ""), os.environ.get(variable, "")
    linux = sys.platform == "linux" and "ANDROID_ROOT" not in os.environ
    if not linux or not home.startswith("/") or named != named.strip() or (named and not named.startswith("/")):
        return None
    return f"{named or os.path.join(home, below)}/{NAME}"  # noqa: PTH118 - pathlib takes longer than a prompt may
