"""What settings say of places beyond the database: where machines meet, where copies go, this one's name."""

import os
import pwd
from pathlib import Path

from studykit import paths
from studykit.cli.context import Context
from studykit.store.address import LEARNER, is_url
from studykit.text import printable

_LONGEST_NAME = 40


def sync_place(context: Context) -> Path | str | None:
    """The folder to sync with at each review, which need not be there, or the address of a server."""
    said = str(context.config["sync_folder"])
    return said if is_url(said) else _folder(context, "sync_folder")


def backup_folder(context: Context) -> Path | None:
    """The folder on another disk that gets every backup too; it need not be there."""
    return _folder(context, "backup_folder")


def machine_name(context: Context) -> str:
    """What this machine is called: by its setting, else by its host name."""
    said = str(context.config["machine_name"]) or os.uname().nodename.partition(".")[0]
    return printable(said, _LONGEST_NAME).replace("\n", " ").strip() or "a machine"


def learner_name(context: Context) -> str:
    """Return whose log this is: the learner's name where one is set, else this user's login."""
    if context.learner:
        return context.learner
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container's user
        return LEARNER


def _folder(context: Context, setting: str) -> Path | None:
    """A relative one starts at the configuration file."""
    said = str(context.config[setting])
    return (context.config_file.parent / paths.expanded(said)).absolute() if said else None
