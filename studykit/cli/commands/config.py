"""Show, locate and change settings: `study config`."""

from contextlib import suppress
from typing import Annotated

import typer

from studykit import paths
from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, write_result
from studykit.config import SETTINGS, fsrs_of, parse, setting_named, value_at, write_config
from studykit.errors import UsageError
from studykit.store.address import is_url
from studykit.text import did_you_mean

Name = Annotated[
    str, typer.Argument(metavar="KEY", help="Such as review.new_per_day.", autocompletion=suggest.settings)
]
Text = Annotated[str, typer.Argument(metavar="VALUE", help="The new value.")]

PLANNING = {"scheduler", "fsrs.retention", "fsrs.parameters"}
"""Settings that move due days."""
_PATHS = {"decks", "exercises", "sync_folder", "backup_folder"}


def path(ctx: typer.Context, json: Json = False) -> None:
    """Show where the configuration file is, or would be."""
    context = context_of(ctx)
    write_result(context, {"path": str(context.config_file)}, [str(context.config_file)], json=json)


def listed(ctx: typer.Context, json: Json = False) -> None:
    """Show every setting with its value and purpose."""
    context = context_of(ctx)
    values = {key.name: value_at(context.config, key.name) for key in SETTINGS}
    lines = [f"{key.name:<22} {setting_text(values[key.name]):<10} {key.help}" for key in SETTINGS]
    write_result(context, {"settings": values, "keys": value_at(context.config, "keys")}, lines, json=json)


def get(ctx: typer.Context, key: Name, json: Json = False) -> None:
    """Show one setting."""
    context = context_of(ctx)
    value = value_at(context.config, setting_named(key).name)
    write_result(context, {"key": key, "value": value}, [setting_text(value)], json=json)


def put(ctx: typer.Context, key: Name, value: Text) -> None:
    """Change one setting, and leave the rest of the file as it is.

    A relative path starts here, in the folder you are in, and is saved in full.
    """
    context = context_of(ctx)
    setting = setting_named(key)
    if setting.name == "course":
        _check_course(context, value)
    new_value = parse(setting, value)
    if setting.name in _PATHS:
        new_value = [*map(_full_path, new_value)] if isinstance(new_value, list) else _full_path(str(new_value))
    if setting.name in PLANNING:
        fsrs_of({"fsrs": {**context.section("fsrs"), setting.name.removeprefix("fsrs."): new_value}})
    write_config(context.config_file, setting.name, new_value)
    if setting.name in {"course", *PLANNING} and not context.address.is_missing:
        context_of(ctx).refreshed_store(quiet=True)  # so that no later verb reports decks that come or go


def _full_path(text: str) -> str:
    """Make a typed path absolute, unless it begins with `~`. Raise OSError for a name that the system refuses."""
    if not text or is_url(text):
        return text
    path = paths.expanded(text)
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):  # a path that is missing may come later
        path.lstat()
    return text if path.is_absolute() else str(path.absolute())


def _check_course(context: Context, value: str) -> None:
    """Raise UsageError for a name that no deck of the course has."""
    if value.strip().lower() in {"on", "off"}:
        return
    names = context.collection.course_names()
    for name in (part.strip() for part in value.split(",")):
        if name.casefold() not in {each.casefold() for each in names}:
            raise UsageError(
                f"{name!r} is not a value for course. Use on, off or names of decks.{did_you_mean(name, names)}"
            )


def setting_text(value: object) -> str:
    """Format a setting's value for a learner."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return " ".join(map(str, value)) or "[]"
        case None | "":
            return '""'
        case _:
            return str(value)


COMMANDS = {"path": path, "list": listed, "get": get, "set": put}
