"""`study backup`: copies of everything that is yours, made by themselves, and one brought back by a command."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.backup.archive import SETTINGS
from studykit.cli import suggest
from studykit.cli.backup_run import (
    RestoreReport,
    backups_of,
    create,
    data_folder,
    earlier_copies,
    find,
    restore_from,
)
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, verb_group
from studykit.errors import StudyError
from studykit.text import counted, shown_name

if TYPE_CHECKING:
    from studykit.backup.retention import Copy

Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[BACKUP]",
        help="A file, a folder of them, or a name from the list; none: the newest.",
        autocompletion=suggest.backups,
    ),
]
To = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="A second copy there, on another disk.")]

_KILO = 1000


def register(app: typer.Typer) -> None:
    """Add the verb."""
    group = verb_group("Keep copies of your log, decks, exercises and settings, and bring one back.")
    group.command("list")(listed)
    group.command("create")(create_)
    group.command("restore")(restore)
    group.command("check")(check)
    group.command("prune")(prune)
    app.add_typer(group, name="backup")


def listed(ctx: typer.Context, json: Json = False) -> None:
    """Show the backups, newest first, with what each was made for."""
    context = context_of(ctx)
    backups = backups_of(context)
    rows = [(copy, *_said(backups.folder / copy.name)) for copy in backups.copies()]
    earlier = earlier_copies(context)
    if json:
        context.write_json(
            {
                "folder": str(backups.folder),
                "backups": [
                    {
                        "name": copy.name,
                        "made": copy.made.isoformat(),
                        "size": copy.size,
                        "events": events,
                        "reason": reason,
                    }
                    for copy, events, reason in rows
                ],
                "before_migration": [str(path) for path in earlier],
            }
        )
        return
    context.write(f"{counted(len(rows), 'backup')} in {backups.folder}")
    for copy, events, reason in rows:
        number = "cannot be read" if events is None else counted(events, "event")
        context.write(f"  {_moment(context, copy)}  {_size(copy.size):>7}  {number:>14}  {reason:<8} {copy.name}")
    for path in earlier:
        context.write(f"  before a migration: {path}")


def create_(ctx: typer.Context, to: To = None, json: Json = False) -> None:
    """Make a backup now: one file that brings back log, own decks, own exercises and settings."""
    context = context_of(ctx)
    made, copy = create(context, "asked", paths.expanded(to).absolute() if to else None)
    if json:
        context.write_json(
            {
                "path": str(made.path),
                "copy": str(copy) if copy else None,
                "events": made.events,
                "size": made.size,
                "left_out": list(made.left_out),
            }
        )
        return
    context.write(f"{made.path}: {counted(made.events, 'event')}, {_size(made.size)}, read back and replayed.")
    if copy is not None:
        context.write(f"The same in {copy}")
    for left in made.left_out:
        context.tell(f"study: left out of the backup (too large, a link, or not to be read): {shown_name(left)}")


def restore(ctx: typer.Context, backup: Which = None, json: Json = False) -> None:
    """Bring a backup back; the present state becomes a backup first, and no file of yours is overwritten."""
    context = context_of(ctx)
    done = restore_from(context, backup)
    if json:
        context.write_json(
            {
                "events": done.backup.events,
                "made": done.backup.manifest.made or None,
                "added": done.added,
                "before": str(done.before) if done.before else None,
                "files": done.files.written,
                "settings_left_out": list(done.left_out),
            }
        )
        return
    for sentence in _told(done):
        context.write(sentence)


def check(ctx: typer.Context, backup: Which = None, json: Json = False) -> None:
    """Unpack, open and replay every backup, or one, and say which would bring everything back."""
    context = context_of(ctx)
    backups = backups_of(context)
    chosen = [find(context, backup)] if backup else [backups.folder / copy.name for copy in backups.copies()]
    rows = [(path, *_checked(context, path)) for path in chosen]
    if json:
        context.write_json(
            {"backups": [{"name": path.name, "ok": ok, "detail": detail} for path, ok, detail in rows]}
        )
    else:
        for path, ok, detail in rows:
            context.write(f"{'ok' if ok else 'NO'}  {path.name}  {detail}")
        if not rows:
            context.write(f"There is no backup in {backups.folder}.")
    if not all(ok for _, ok, _ in rows):
        raise typer.Exit(1)


def prune(ctx: typer.Context, json: Json = False) -> None:
    """Remove backups that need not stay: all of two days do, then one a day, a week, a month, for a year."""
    context = context_of(ctx)
    backups = backups_of(context)
    gone = backups.prune(context.now())
    left = backups.copies()
    if json:
        context.write_json({"removed": [copy.name for copy in gone], "kept": [copy.name for copy in left]})
    else:
        context.write(f"{counted(len(gone), 'backup')} removed, {len(left)} kept.")


def _said(path: Path) -> tuple[int | None, str]:
    from studykit.backup.archive import read_manifest

    try:
        manifest = read_manifest(path)
    except StudyError:
        return None, ""
    return manifest.events, manifest.reason


def _checked(context: Context, path: Path) -> tuple[bool, str]:
    from studykit.backup.backup_folder import UNFINISHED
    from studykit.backup.restore import unpacked

    folder = data_folder(context)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work:
            opened = unpacked(path, Path(work))
    except StudyError as error:
        return False, str(error)
    except OSError as error:
        why = f"{folder} cannot be written ({error.strerror}): a backup is checked by unpacking it there"
        raise StudyError(f"{why}. Make room or set STUDYKIT_DB.") from None
    return True, f"{counted(opened.events, 'event')}, {counted(len(opened.manifest.parts), 'file')}"


def _told(done: RestoreReport) -> list[str]:
    manifest, files = done.backup.manifest, done.files
    whence = f", as of {manifest.made} on {manifest.machine}" if manifest.made else ""
    lines = [f"Brought back: {counted(done.backup.events, 'event')}{whence}."]
    if done.added is not None:
        lines = [f"Added {done.added:,} of {counted(done.backup.events, 'event')}{whence}: the others were there."]
    put_back = [name for name in files.written if not Path(name).is_relative_to(done.beside)]
    if put_back:
        lines.append(f"{counted(len(put_back), 'file')} put back: decks, exercises, settings.")
    if done.left_out:
        lines.append(
            f"Left out, as they start a program or send your log: {', '.join(done.left_out)}. If what "
            f"{done.beside / SETTINGS} says of them is yours, set them again: study config set NAME VALUE"
        )
    if done.beside.exists():
        lines.append(f"Files whose place is taken, or where only you should put one, lie in {done.beside}")
    if done.before is not None:
        lines.append(f"What was here before is kept: {done.before}")
    return lines


def _moment(context: Context, copy: "Copy") -> str:
    return copy.made.astimezone(context.zone).strftime("%Y-%m-%d %H:%M")


def _size(size: int) -> str:
    for unit in ("B", "kB", "MB"):
        if size < _KILO:
            return f"{size} {unit}"
        size = round(size / _KILO)
    return f"{size} GB"
