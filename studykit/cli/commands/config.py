"""`study config`: show, locate and change settings."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Annotated

import typer

from studykit import paths
from studykit.cards.card import CardId
from studykit.cli import suggest
from studykit.cli.context import Context, context_of
from studykit.cli.options import DryRun, Json, Yes, write_result
from studykit.config import SETTINGS, SettingValue, parse, scheduler_name, setting_named, value_at, write_config
from studykit.errors import UsageError
from studykit.scheduling.sm2 import PROFILE
from studykit.store.schedule import Schedule
from studykit.text import counted, did_you_mean

Name = Annotated[
    str, typer.Argument(metavar="KEY", help="Such as review.new_per_day.", autocompletion=suggest.settings)
]
Text = Annotated[str, typer.Argument(metavar="VALUE", help="The new value.")]

_BACK_HINT = "back with: study config set course on"
PLANNING = {"scheduler", "fsrs.retention", "fsrs.parameters"}
"""Settings that move due days."""
_PATHS = {"decks", "exercises", "sync_folder", "backup_folder"}
_WINDOWS = (7, 30)  # days


def path(ctx: typer.Context, json: Json = False) -> None:
    """Show where the configuration file is; it need not exist."""
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


def put(ctx: typer.Context, key: Name, value: Text, dry_run: DryRun = False, yes: Yes = False) -> None:
    """Change one setting, and leave the rest of the file as it is.

    A change of what plans your reviews is shown first, and confirmed on a terminal.
    """
    context = context_of(ctx)
    setting = setting_named(key)
    if setting.name == "course":
        _check_course(context, value)
    new_value = parse(setting, value)
    for name in (new_value if isinstance(new_value, list) else [str(new_value)]) if setting.name in _PATHS else ():
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):  # it may come later
            paths.expanded(name).lstat()
    if setting.name in PLANNING and not _is_accepted(
        context, setting.name, new_value, ask=not yes and not dry_run
    ):
        context.write("Nothing was changed.")
        return
    if not dry_run:
        write_config(context.config_file, setting.name, new_value)
        if setting.name == "course":
            _serve_course(context)
        if setting.name in PLANNING and not context.address.is_missing:
            context.forget_collection()
            context.reopen_store()  # plans at once and says so, so that no later verb has to


def _serve_course(context: Context) -> None:
    """Apply the setting at once and report its effect, so that no later verb reports missing cards."""
    if context.address.is_missing:
        context.forget_collection()
        if not context.wants_course:
            context.write(f"The course is hidden; {_BACK_HINT}")
        return
    before = len(context.store.cards.ids())
    context.forget_collection()
    after = len(context.refreshed_store(quiet=True).cards.ids())
    if after < before:
        context.write(f"{counted(before - after, 'card')} hidden, progress kept; {_BACK_HINT}")
    elif after > before:
        context.write(f"{counted(after - before, 'card')} served again, with what you know of them.")


def _is_accepted(context: Context, name: str, value: SettingValue, *, ask: bool) -> bool:
    """Show the effect of another scheduler, and return whether it is accepted. Keeping one needs no question."""
    scheduler = _scheduler_with(context.config, name, value)
    if scheduler == context.scheduler or context.address.is_missing:
        return True
    for line in _moves(context.store.schedule, scheduler, context.today()):
        context.write(line)
    if not ask or not context.interactive:
        return True
    return context.confirm("Change it?")


def _scheduler_with(settings: Mapping[str, object], name: str, value: object) -> str:
    """Return the scheduler's name once one of its settings is changed."""
    section, _, last = name.rpartition(".")
    if not section:
        return scheduler_name({**settings, name: value})
    own = settings.get(section)
    return scheduler_name({**settings, section: {**(own if isinstance(own, Mapping) else {}), last: value}})


def _moves(schedule: Schedule, scheduler: str, today: date) -> Iterator[str]:
    """Yield lines on what another scheduler would move."""
    now = {card: memory.due.toordinal() for card, memory in schedule.memories().items()}
    then = schedule.due_days_by(scheduler)
    if not now:
        return
    earlier = sum(then[card] < day for card, day in now.items() if card in then)
    later = sum(then[card] > day for card, day in now.items() if card in then)
    same = len(now) - earlier - later
    cards = counted(len(now), "card")
    yield f"{scheduler or PROFILE} for {cards}: {earlier} earlier, {later} later, {same} on the same day."
    loads = (
        f"in {days} days {_load(then, today, days)} instead of {_load(now, today, days)}" for days in _WINDOWS
    )
    yield f"Due {', '.join(loads)}. The log stays as it is, so a change back brings these days back."


def _load(due: Mapping[CardId, int], today: date, days: int) -> int:
    """Count the cards due within some days from now, overdue ones included."""
    return sum(day < today.toordinal() + days for day in due.values())


def _check_course(context: Context, value: str) -> None:
    """Raise UsageError for a name that no deck of the course has."""
    if value.strip().lower() in {"on", "off"}:
        return
    names = context.collection.course_names()
    for name in (part.strip() for part in value.split(",")):
        if name.casefold() not in {each.casefold() for each in names}:
            raise UsageError(
                f"{name!r} is not a value for course. Use on, off or its decks.{did_you_mean(name, names)}"
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
