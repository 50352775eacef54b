"""Backups of this learner's things: made by themselves from time to time, asked for, and brought back."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from studykit import paths
from studykit.backup.backup_folder import ENDING, UNFINISHED, BackupFolder, newest_in
from studykit.cli.context import Context
from studykit.cli.places import backup_folder, machine_name
from studykit.errors import BadDataError, NotFoundError, StudyError
from studykit.text import is_on

if TYPE_CHECKING:
    from studykit.backup.creation import NewBackup
    from studykit.backup.own_files import OwnFiles
    from studykit.backup.restore import RestoredFiles, UnpackedBackup

EVERY = timedelta(minutes=30)
_FOLDER = "backups"
_HARMFUL = ("editor.command", "sync_folder", "backup_folder", "sandbox.unconfined")
"""They start a program, send the log elsewhere, or open the sandbox."""


class RestoreReport(NamedTuple):
    """What a restore did."""

    backup: "UnpackedBackup"
    files: "RestoredFiles"
    beside: Path  # where files lie whose place was taken
    before: Path | None  # what holds the state that was there before
    added: int | None  # events that a server did not have; None for a file
    left_out: tuple[str, ...]  # settings that start a program or send the log


def back_up_if_due(context: Context, reason: str) -> None:
    """A backup if one is due; told only where it fails, and never in the way of what a learner does."""
    if not is_on(context.environ.get("STUDYKIT_BACKUP", "1")):
        return
    try:
        file = context.address.file
        if file is not None and file.is_file() and _is_due(context, reason):
            create(context, reason)
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


def create(context: Context, reason: str, to: Path | None = None) -> "tuple[NewBackup, Path | None]":
    """One more backup, and where else it lies: in `to`, or in the folder of the setting if that is there."""
    from studykit.backup.creation import Occasion, copy_to, make_backup

    occasion = Occasion(context.now(), reason, machine_name(context))
    store = context.store  # brings the database up to date, or says what is wrong with it
    backups = backups_of(context)
    made = make_backup(context.address.file or store, own_files(context), backups, occasion)
    backups.prune(context.now(), made.path.name)
    other = to or backup_folder(context)
    if other is None or not (to or other.is_dir()):
        return made, None
    copy = copy_to(made.path, other)
    backups_of(context, other).prune(context.now(), made.path.name)
    return made, copy


def restore_from(context: Context, named: str | None) -> RestoreReport:
    """Let a backup's state be the present one, which becomes a backup first."""
    import tempfile

    from studykit.backup.creation import sweep
    from studykit.backup.restore import add_to, install, put_back, unpacked

    backup = find(context, named)
    file = context.address.file
    data = data_folder(context)
    now = context.now()
    beside = data / f"restored-{now:%Y%m%dT%H%M%S}"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(data)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=data) as work:
            opened = unpacked(backup, Path(work))
            added = before = None
            if file is None:
                added = add_to(context.store, opened.database)
            else:
                kept = _present(context, file)
                before = install(opened.database, file, now, sound=kept is not None) or kept
            settings, left_out = _harmless(opened)
            files = put_back(opened, own_files(context), settings, beside)
            if str(context.config_file) not in files.written:
                left_out = ()
            return RestoreReport(opened, files, beside, before, added, left_out)
    except OSError as error:
        raise StudyError(f"{error.filename or data} cannot be written ({error.strerror}). Try again.") from error


def _harmless(backup: "UnpackedBackup") -> tuple[Path | None, tuple[str, ...]]:
    """A copy of a backup's settings without the harmful ones, and their names; None where they cannot be read.

    The settings and the copy name folders of this home: once put in place they need no further change.
    """
    import shutil

    from studykit.backup.archive import SETTINGS
    from studykit.config import change_config, read_config, setting_named, value_at

    settings = backup.folder / SETTINGS
    copy = settings.with_name(f"{SETTINGS}.harmless")
    try:
        _move_home(settings, backup.manifest.home)
        shutil.copyfile(settings, copy)
        usual = {name: setting_named(name).default for name in _HARMFUL}
        found = tuple(name for name in usual if value_at(read_config(copy), name) != usual[name])
        change_config(copy, lambda _: {name: usual[name] for name in found})
        stays = any(value_at(read_config(copy), name) != usual[name] for name in usual)
    except (FileNotFoundError, BadDataError):
        return None, ()
    return (None, ()) if stays else (copy, found)


def _move_home(settings: Path, old: str) -> None:
    """Let settings that came from another home name the same folders in this one."""
    from studykit.config import read_config, write_config

    home = str(Path.home().absolute())
    if old in {"", home}:
        return
    config = read_config(settings)
    for name in ("decks", "exercises"):
        said = config[name]
        texts = [str(text) for text in said] if isinstance(said, list) else []
        moved = [home + text.removeprefix(old) if text.startswith(f"{old}/") else text for text in texts]
        if moved != texts:
            write_config(settings, name, moved)


def _present(context: Context, file: Path) -> Path | None:
    """A backup of the present state; None where there is none or it cannot be read."""
    if not file.exists():
        return None
    try:
        return create(context, "restore")[0].path
    except BadDataError:
        return None


def find(context: Context, named: str | None) -> Path:
    """The backup that is named by its path, its folder or its name in the list; the newest one where none is."""
    if named is None:
        return _newest(context)
    path = paths.expanded(named)
    if path.is_dir():
        newest = newest_in(path)
        if newest is None:
            raise NotFoundError(f"there is no backup in {path}. Name a file.")
        return newest
    places = [path, *(folder / path.name for folder in _folders(context) if path.name == named)]
    for place in (*places, *(one.with_name(one.name + ENDING) for one in places)):
        if place.is_file():
            return place
    raise NotFoundError(f"there is no backup {named}. `study backup list` shows them; or name a file.")


def _newest(context: Context) -> Path:
    for folder in _folders(context):
        backups = backups_of(context, folder)
        if (newest := backups.newest(context.now())) is not None:
            return backups.folder / newest[0]
        if folder.is_dir() and (any_of := newest_in(folder)) is not None:
            return any_of
    raise NotFoundError(f"there is no backup in {_folders(context)[0]}. Name a file or a folder.")


def _folders(context: Context) -> list[Path]:
    second = backup_folder(context)
    return [backups_of(context).folder, *([second] if second else [])]


def backups_of(context: Context, folder: Path | None = None) -> BackupFolder:
    """Where backups are kept: beside the database, or in another folder."""
    file, url = context.address.file, context.address.url
    name = file.stem if file else str(url and url.database)
    return BackupFolder(folder or data_folder(context) / _FOLDER, name, machine_name(context))


def data_folder(context: Context) -> Path:
    """The folder of the database, or of the learner's data where that is a server's."""
    file = context.address.file
    return file.absolute().parent if file else paths.database().parent


def earlier_copies(context: Context) -> list[Path]:
    """Databases as they were before each migration."""
    file = context.address.file
    return sorted(file.parent.glob(f"{file.name}.before-*")) if file else []


def own_files(context: Context) -> "OwnFiles":
    """Everything of the learner besides the log."""
    from studykit.backup.own_files import OwnFiles
    from studykit.cli.authors import folders, trusted
    from studykit.collection.collection import sources
    from studykit.collection.files import Origin

    config = _readable_config(context)
    own = sources(context.environ, config, context.config_file)
    return OwnFiles(
        home=Path.home().absolute(),
        settings=context.config_file,
        copies=paths.copies(),
        decks=[source.path for source in own if source.origin is Origin.OWN],
        exercises=folders(context) if config else [],
        trusted=[Path(folder) for folder in trusted(context).read()],
        programs=[paths.config().parent, paths.database().parent],
    )


def _readable_config(context: Context) -> Mapping[str, object]:
    """The settings; none where they cannot be read, which must not stand in a backup's way."""
    try:
        return context.config
    except StudyError:
        return {}
