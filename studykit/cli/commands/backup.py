"""Back up everything that is yours, automatically or by command, and restore a backup: `study backup`."""

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.filesize import decimal

from studykit import paths
from studykit.backup.backup_folder import ENDING, UNFINISHED, BackupFolder, newest_in
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, write_result
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.text import counted, is_on, printable, shown_name

if TYPE_CHECKING:
    from studykit.backup.creation import NewBackup
    from studykit.backup.own_files import OwnFiles
    from studykit.backup.restore import UnpackedBackup

EVERY = timedelta(minutes=30)
_FOLDER = "backups"
_HARMFUL = ("editor.command", "sync_folder", "backup_folder", "sandbox.unconfined")
"""Settings that start a program, send the log elsewhere, or open the sandbox."""


Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[BACKUP]", help="A file, a folder of them, or a name from the list; none: the newest."
    ),
]
To = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="A second copy there, on another disk.")]

_MAX_NAME = 40  # characters of a machine's name


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """Hold the result of a restore."""

    backup: "UnpackedBackup"
    files: list[str]
    beside: Path  # folder of files whose places were taken
    before: Path | None  # backup of the state before
    left_out: tuple[str, ...]  # settings that start a program or send the log


def listed(ctx: typer.Context, json: Json = False) -> None:
    """Show the backups, newest first, with what each was made for."""
    context = context_of(ctx)
    backups = backups_of(context)
    rows = [(copy, *_events_and_reason(backups.folder / copy.name)) for copy in backups.copies()]
    documents = []
    lines = [f"{counted(len(rows), 'backup')} in {backups.folder}"]
    for copy, events, reason in rows:
        document = {"name": copy.name, "made": copy.made.isoformat(), "size": copy.size}
        documents.append({**document, "events": events, "reason": reason})
        number = "cannot be read" if events is None else counted(events, "event")
        moment = f"{copy.made.astimezone(context.zone):%Y-%m-%d %H:%M}"
        lines.append(f"  {moment}  {decimal(copy.size, precision=0):>7}  {number:>14}  {reason:<8} {copy.name}")
    file = context.address.file
    earlier = [str(path) for path in sorted(file.parent.glob(f"{file.name}.before-*"))]
    lines += [f"  before a migration: {path}" for path in earlier]
    document = {"folder": str(backups.folder), "backups": documents, "before_migration": earlier}
    write_result(context, document, lines, json=json)


def create(ctx: typer.Context, to: To = None, json: Json = False) -> None:
    """Make a backup now. One file holds your log, decks, exercises and settings."""
    context = context_of(ctx)
    backup, copy = make_backup(context, "asked", paths.expanded(to).absolute() if to else None)
    document = {
        "path": str(backup.path),
        "copy": str(copy) if copy else None,
        "events": backup.events,
        "size": backup.size,
        "left_out": list(backup.left_out),
    }
    size = decimal(backup.size, precision=0)
    lines = [f"{backup.path}: {counted(backup.events, 'event')}, {size}, verified."]
    if copy is not None:
        lines.append(f"The same in {copy}{', on the same disk' if is_on_this_disk(context, copy) else ''}")
    elif (second := backup_folder(context)) is not None and backup.path.parent != second:
        lines.append(f"No copy in {second}, which is not there. Mount its disk, or make the folder.")
    write_result(context, document, lines, json=json)
    for path in () if json else backup.left_out:
        context.tell(f"study: left out of the backup (too large, a link, or not to be read): {shown_name(path)}")


def restore(ctx: typer.Context, backup: Which = None, json: Json = False) -> None:
    """Bring a backup back. The present state becomes a backup first, and no file of yours is overwritten."""
    context = context_of(ctx)
    report = _restore_from(context, backup)
    document = {
        "events": report.backup.events,
        "made": report.backup.manifest.made or None,
        "before": str(report.before) if report.before else None,
        "files": report.files,
        "settings_left_out": list(report.left_out),
    }
    write_result(context, document, _sentences(report), json=json)


def check(ctx: typer.Context, backup: Which = None, json: Json = False) -> None:
    """Unpack and replay backups. It says which would bring everything back."""
    context = context_of(ctx)
    backups = backups_of(context)
    files = [_find(context, backup)] if backup else [backups.folder / copy.name for copy in backups.copies()]
    rows = [(path, *_check_backup(context, path)) for path in files]
    document = {"backups": [{"name": path.name, "ok": ok, "detail": detail} for path, ok, detail in rows]}
    lines = [f"{'ok' if ok else 'NO'}  {path.name}  {detail}" for path, ok, detail in rows]
    write_result(context, document, lines or [f"{backups.folder} holds no backup."], json=json)
    if not all(ok for _, ok, _ in rows):
        raise typer.Exit(1)


def _events_and_reason(path: Path) -> tuple[int | None, str]:
    from studykit.backup.archive import read_manifest

    try:
        manifest = read_manifest(path)
    except StudyError:
        return None, ""
    return manifest.events, manifest.reason


def _check_backup(context: Context, path: Path) -> tuple[bool, str]:
    from studykit.backup.restore import unpack_backup

    folder = data_folder(context)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work:
            backup = unpack_backup(path, Path(work))
    except StudyError as error:
        return False, str(error)
    except OSError as error:
        why = f"A backup is checked by unpacking it in {folder}, which cannot be written ({error.strerror})"
        raise StudyError(f"{why}. Make room there, or name a database elsewhere with --db.") from None
    return True, f"{counted(backup.events, 'event')}, {counted(len(backup.manifest.parts), 'file')}"


def _sentences(report: RestoreReport) -> list[str]:
    from studykit.backup.archive import SETTINGS

    manifest, files = report.backup.manifest, report.files
    whence = f", as of {manifest.made} on {manifest.machine}" if manifest.made else ""
    lines = [f"Brought back: {counted(report.backup.events, 'event')}{whence}."]
    put_back = [name for name in files if not Path(name).is_relative_to(report.beside)]
    if put_back:
        lines.append(f"{counted(len(put_back), 'file')} put back: decks, exercises, settings.")
    if report.left_out:
        lines.append(
            f"Left out, as they start a program or send your log: {', '.join(report.left_out)}. If what "
            f"{report.beside / SETTINGS} says of them is yours, set them again: study config set NAME VALUE"
        )
    if report.beside.exists():
        lines.append(f"Files whose place is taken, or where only you should put one, lie in {report.beside}")
    if report.before is not None:
        lines.append(f"What was here before is kept: {report.before}")
    return lines


def back_up_if_due(context: Context, reason: str) -> None:
    """Make a backup if one is due. Report only failures, and never interrupt the learner."""
    if not is_on(context.environ.get("STUDYKIT_BACKUP", "1")):
        return
    try:
        if context.address.file.is_file() and _is_due(context, reason):
            make_backup(context, reason)
    except StudyError as error:
        context.tell(f"study: {error}")
    except KeyboardInterrupt:
        context.tell("study: the backup was left out; everything you answered is saved.")


def _is_due(context: Context, reason: str) -> bool:
    newest = backups_of(context).newest(now := context.now())
    if newest is None or now - newest[1] >= EVERY:
        return True
    if reason == "session":
        return False
    from studykit.backup.archive import read_manifest

    return read_manifest(backups_of(context).folder / newest[0]).events != context.store.log.count()


def make_backup(context: Context, reason: str, to: Path | None = None) -> "tuple[NewBackup, Path | None]":
    """Make a backup, and copy it to `to`, or to the folder of the setting if that exists.

    Return the backup and its copy, or None for a copy that was not made. If the database cannot be written, that
    folder gets the backup itself. Raise StudyError if none is named then.
    """
    from studykit.backup import creation

    store = context.store  # brings the database up to date, or says what is wrong with it
    second_folder, source_copy = to or backup_folder(context), context.copy_of_unwritable
    if source_copy is not None and second_folder is None:
        raise StudyError(
            f"{store.name} or its folder cannot be written. Name another folder", "study backup create --to FOLDER"
        )
    backups = backups_of(context, second_folder if source_copy else None)
    file = source_copy or context.address.file
    backup = creation.make_backup(file, _own_files(context), backups, now=context.now(), reason=reason)
    backups.prune(context.now(), backup.path.name)
    if second_folder is None or source_copy or not (to or second_folder.is_dir()):
        return backup, None
    copy = creation.copy_to(backup.path, second_folder)
    backups_of(context, second_folder).prune(context.now(), backup.path.name)
    return backup, copy


def _restore_from(context: Context, name: str | None) -> RestoreReport:
    """Back up the present state, and replace it by that of a backup."""
    from studykit.backup.creation import sweep
    from studykit.backup.restore import install, put_back, unpack_backup

    backup = _find(context, name)
    file = context.address.file
    data = data_folder(context)
    now = context.now()
    beside = data / f"restored-{now:%Y%m%dT%H%M%S}"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(data)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=data) as work:
            unpacked_backup = unpack_backup(backup, Path(work))
            present = None
            with suppress(BadDataError):  # of a state that cannot be read
                present = make_backup(context, "restore")[0].path if file.exists() else None
            before = install(unpacked_backup.database, file, now, sound=present is not None) or present
            settings, left_out = _harmless_settings(unpacked_backup)
            files = put_back(unpacked_backup, _own_files(context), settings, beside)
            if str(context.config_file) not in files:
                left_out = ()
            return RestoreReport(unpacked_backup, files, beside, before, left_out)
    except OSError as error:
        raise StudyError(
            f"{error.filename or data} cannot be written ({error.strerror}). Allow that or make room, "
            "and try again."
        ) from error


def _harmless_settings(backup: "UnpackedBackup") -> tuple[Path | None, tuple[str, ...]]:
    """Copy a backup's settings without the harmful ones, and return the copy and the names left out.

    In the settings and the copy, folders of the backup's home directory become those of this one. Return None and
    no names if the backup has no readable settings, or if a harmful one would stay.
    """
    from studykit.backup.archive import SETTINGS
    from studykit.config import change_config, read_config, setting_named, value_at

    settings = backup.folder / SETTINGS
    copy = settings.with_name(f"{SETTINGS}.harmless")
    try:
        _move_home(settings, backup.manifest.home)
        shutil.copyfile(settings, copy)
        usual = {name: setting_named(name).default for name in _HARMFUL}
        harmful = tuple(name for name in usual if value_at(read_config(copy), name) != usual[name])
        change_config(copy, lambda _: {name: usual[name] for name in harmful})
        stays = any(value_at(read_config(copy), name) != usual[name] for name in usual)
    except (FileNotFoundError, BadDataError):
        return None, ()
    return (None, ()) if stays else (copy, harmful)


def _move_home(settings: Path, old: str) -> None:
    """Change the folders in settings of another home directory to those in this one."""
    from studykit.config import read_config, write_config
    from studykit.text import texts

    home = str(Path.home().absolute())
    if old in {"", home}:
        return
    config = read_config(settings)
    for name in ("decks", "exercises"):
        before = texts(config, name)
        folders = [home + text.removeprefix(old) if text.startswith(f"{old}/") else text for text in before]
        if folders != before:
            write_config(settings, name, folders)


def _find(context: Context, name: str | None) -> Path:
    """Return the backup named by its path, its folder or its name in the list, or the newest one."""
    if name is None:
        return _newest(context)
    path = paths.expanded(name)
    if path.is_dir():
        if newest := newest_in(path):
            return newest
        raise NotFoundError(f"{path} holds no backup. Name a backup file or another folder.")
    places = [path, *(folder / path.name for folder in _folders(context) if path.name == name)]
    for place in (*places, *(candidate.with_name(candidate.name + ENDING) for candidate in places)):
        if place.is_file():
            return place
    raise NotFoundError(f"{name!r} is not a backup. Name a backup file, or list the backups", "study backup list")


def _newest(context: Context) -> Path:
    for folder in _folders(context):
        if newest := backups_of(context, folder).newest(context.now()):
            return folder / newest[0]
        if any_of := newest_in(folder):
            return any_of
    raise NotFoundError(f"{_folders(context)[0]} holds no backup. Name a backup file, or a folder of backups.")


def _folders(context: Context) -> list[Path]:
    second = backup_folder(context)
    return [backups_of(context).folder, *([second] if second else [])]


def backups_of(context: Context, folder: Path | None = None) -> BackupFolder:
    """Return the folder of backups: the one next to the database, or another one."""
    name = context.address.file.stem
    return BackupFolder(folder or data_folder(context) / _FOLDER, name, machine_name(context))


def data_folder(context: Context) -> Path:
    """Return the folder of the database."""
    return context.address.file.absolute().parent


def _own_files(context: Context) -> "OwnFiles":
    """Return the learner's files besides the log."""
    from studykit.backup.own_files import OwnFiles
    from studykit.cli.authors import folders, trusted
    from studykit.collection.collection import sources
    from studykit.collection.files import Origin

    try:
        config = context.config
    except StudyError:
        config = {}  # unreadable settings must not prevent a backup
    own = sources(context.environ, config, context.config_file)
    return OwnFiles(
        home=Path.home().absolute(),
        settings=context.config_file,
        copies=paths.copies(),
        decks=[source.path for source in own if source.origin is Origin.OWN],
        exercises=folders(context) if config else [],
        trusted=[Path(folder) for folder in trusted(context).read()],
        programs=[Path(paths.config()).parent, Path(paths.database()).parent],
    )


def backup_folder(context: Context) -> Path | None:
    """Return the folder on another disk that gets every backup too. It need not exist."""
    return folder_setting(context, "backup_folder")


def folder_setting(context: Context, name: str) -> Path | None:
    """Return the folder that a setting names, or None if it is empty."""
    folder = str(context.config[name])
    return paths.of_setting(folder, context.config_file) if folder else None


def is_on_this_disk(context: Context, place: Path) -> bool:
    """Return whether a place exists and is on the disk of the log."""
    try:
        return context.address.file.stat().st_dev == place.stat().st_dev
    except OSError:
        return False


def machine_name(context: Context) -> str:
    """Return this machine's name: from its setting, else its host name."""
    name = str(context.config["machine_name"]) or os.uname().nodename.partition(".")[0]
    return printable(name, _MAX_NAME).replace("\n", " ").strip() or "a machine"


COMMANDS = {"list": listed, "create": create, "restore": restore, "check": check}
