"""Keep one log on every machine, through a shared folder or a class's server: `study sync`."""

import os
import pwd
import shlex
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cli.commands.backup import back_up_if_due, folder_setting, machine_name
from studykit.cli.context import Context, context_of, refuse_password
from studykit.cli.options import Json, full_path, write_result
from studykit.errors import StudyError, UsageError
from studykit.ordinary_file import explaining, make_folder
from studykit.scheduling.study_day import microseconds
from studykit.store.address import LEARNER, is_url
from studykit.text import hide_passwords, shown_name

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from studykit.classroom.learner_log import LearnerLog
    from studykit.sync.exchange import ExchangeReport
    from studykit.sync.folder import FolderTransport

Folder = Annotated[
    str | None,
    typer.Argument(metavar="[FOLDER|URL]", help="Where your machines meet; else the setting sync_folder."),
]
Again = Annotated[bool, typer.Option("--again", help="Read everything anew, and give again what was damaged.")]

New = Annotated[bool, typer.Option("--new", help="Start a folder anew that was synced before and is empty now.")]


def sync(
    ctx: typer.Context, folder: Folder = None, again: Again = False, new: New = False, json: Json = False
) -> None:
    """Merge your log with your other machines', through a folder in a cloud, git or on a USB stick.

    An address such as postgresql://you@host/course meets your class: what you recorded goes there, too.

    Do it on each machine, in any order, as often as you like. `study config set sync_folder FOLDER` does it at
    each review; `study help sync` says what is in the folder.
    """
    context = context_of(ctx)
    ask = context.interactive and not json
    place = _named_place(context, folder)
    if isinstance(place, Path):
        _check_mounted(context, place, ask=ask, new=new)
        if folder is not None or new:
            with explaining(f"{place} cannot be used to sync (", "). Name a folder that exists.", UsageError):
                make_folder(place, parents=False)
    report = _sync_with(context, place, again=again, ask=ask)
    document = {
        "folder": hide_passwords(str(place)),
        "took": [{"name": name, **asdict(share)} for name, share in report.took.items()],
        "gave": asdict(report.gave),
        "remarks": list(report.remarks),
        "new_origin": report.new_origin or None,
    }
    write_result(context, document, [f"{report.sentence()}."], json=json)
    for remark in () if json else _remarks(report):
        context.tell(f"study: {remark}")


def _sync_with(context: Context, place: Path | str, *, again: bool = False, ask: bool = False) -> "ExchangeReport":
    """Merge the log with those in a folder, or with the learner's rows on a server.

    Raise StudyError for a folder of another learner, unless with `ask` they say that both are theirs.
    """
    now, save = microseconds(context.now()), partial(back_up_if_due, context, "sync")
    if isinstance(place, Path):
        from studykit.sync.exchange import exchange

        transport = transport_to(context, place)
        _check_learner(context, transport, ask=ask)
        return exchange(context.store, transport, now=now, again=again, before_taking=save)
    from studykit.classroom.learner_log import exchange_with_class

    with class_log(place) as log:
        return exchange_with_class(context.store, log, machine_name(context), now=now, before_taking=save)


def transport_to(context: Context, folder: Path) -> "FolderTransport":
    """Return the transport between this machine and a sync folder."""
    from studykit.sync.folder import FolderTransport

    return FolderTransport(folder, context.store.log.origin, machine_name(context), _learner_name(context))


def class_log(address: str) -> "AbstractContextManager[LearnerLog]":
    """Open the learner's log on a class's server."""
    from studykit.classroom.class_server import server_url
    from studykit.classroom.learner_log import opened_log

    return opened_log(server_url(address))


def _check_learner(context: Context, folder: "FolderTransport", *, ask: bool) -> None:
    """Raise StudyError for the log of another learner, unless this one says that both are theirs."""
    other = folder.other_learner
    if not other:
        return
    sentence = f"{shown_name(folder.place)} holds the log of {other}, and you are {_learner_name(context)}."
    if not ask:
        hint = "Name another folder, or, if both names are yours, run this once in a terminal"
        raise StudyError(f"{sentence} {hint}", f"study sync {shlex.quote(folder.place)}")
    context.write(sentence)
    if not context.confirm("Are both names yours? Yes unites the two logs for good."):
        raise StudyError("Nothing was synced. Name another folder.")
    folder.add_learner()


def _named_place(context: Context, name: str | None) -> Path | str:
    """Return the folder or server to sync with, from the command line or the settings."""
    if name is None:
        place = sync_place(context)
        if place is None:
            raise UsageError("Name a folder to sync with, or set one", "study config set sync_folder FOLDER")
        return place
    refuse_password(name)
    if is_url(name):
        if not name.startswith("postgresql"):
            raise UsageError(
                f"{name!r} is not a place to sync with. Name a folder, or a class such as postgresql://you@host/course."
            )
        return name
    return full_path(paths.expanded(name))


def _check_mounted(context: Context, folder: Path, *, ask: bool = False, new: bool = False) -> None:
    """Refuse a folder that was synced before and has no log now, unless the learner starts it anew."""
    from studykit.sync.folder import is_empty

    if new or not context.store.sync.standing(str(folder)).positions or not is_empty(folder):
        return
    # The mount point of a stick that is not there: filled anew, both copies of the log would be on one disk.
    sentence = f"{shown_name(str(folder))} was synced before and is {'empty' if folder.is_dir() else 'gone'} now."
    if not ask:
        command = f"study sync {shlex.quote(str(folder))} --new"
        raise StudyError(f"{sentence} Mount its disk, or start it anew", command)
    context.write(sentence)
    if not context.confirm("Its disk may not be mounted. Start it anew?"):
        raise StudyError("Nothing was synced. Mount the disk of the folder first.")


def sync_quietly(context: Context, messages: set[str], *, at_end: bool) -> None:
    """Sync around a review and report it in a line, without ever stopping the review.

    `messages` are those of this run so far, which are not repeated. A failure is reported only at the end.
    """
    place = sync_place(context)
    if place is None:
        return
    try:
        if isinstance(place, Path):
            _check_mounted(context, place)
        report = _sync_with(context, place)
    except StudyError as error:
        command = f": {error.command}" if error.command else ""
        lines = [f"not synced: {error.message}{command}"] if at_end else []
    else:
        lines = [report.sentence()] if report.took or report.gave.reviews or report.gave.others else []
        lines += _remarks(report)
    for line in lines:
        if line not in messages:
            context.tell(f"sync: {line}")
    messages.update(lines)


def _remarks(report: "ExchangeReport") -> list[str]:
    """Return the remarks on a sync, and this machine's new name if it got one."""
    rename_remark = f"another machine wrote under this one's name; this one is {report.new_origin} from now on."
    return [*report.remarks, *([rename_remark] if report.new_origin else [])]


def sync_place(context: Context) -> Path | str | None:
    """Return the folder or server to sync with at each review. A folder need not exist."""
    place = str(context.config["sync_folder"])
    return place if is_url(place) else folder_setting(context, "sync_folder")


def _learner_name(context: Context) -> str:
    """Return the learner's name, or this user's login."""
    if context.learner:
        return context.learner
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a user of a container without an entry
        return LEARNER
