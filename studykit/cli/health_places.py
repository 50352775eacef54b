"""Whether a log is safe: where it lies, when it was last saved and synced, what would be lost with this disk."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from studykit.cli.backup_run import backups_of, data_folder
from studykit.cli.context import Context
from studykit.cli.health_check import Check
from studykit.cli.places import backup_folder, sync_place
from studykit.errors import StudyError
from studykit.scheduling.study_day import moment_of
from studykit.store.unsafe_place import place_of
from studykit.text import counted, hide_passwords

_HOURS = 3600
_DAYS = 86_400
_LATE_DAYS = 7


def kept(context: Context) -> Iterator[Check]:
    """The doctor's lines on how safe the log is."""
    try:
        yield from _place(context)
        yield _backup(context)
        yield _sync(context)
        yield _at_risk(context)
    except (StudyError, OSError):
        return  # a database or settings that cannot be read have their own lines


def warn_of_place(context: Context, file: Path, why: str) -> None:
    """Tell once that the database lies where it may be damaged."""
    if context.store.first_time("unsafe place", f"{file} {why}"):
        context.tell(f"study: {_warning(file, why)}")


def _warning(file: Path, why: str) -> str:
    return (
        f"the database {file} lies {why}, where it can be damaged. Move it to a folder of this machine alone "
        "(--db or STUDYKIT_DB names it), and let `study sync FOLDER` bring machines together."
    )


def _place(context: Context) -> Iterator[Check]:
    file = context.address.file
    if file is not None and (why := place_of(file)) is not None:
        yield Check("place", ok=False, detail=_warning(file, why), note=True)


def _backup(context: Context) -> Check:
    now = context.now()
    newest = backups_of(context).newest(now)
    if newest is None:
        return Check("backup", ok=False, detail="none yet; make one with: study backup create", note=True)
    name, made = newest
    age = (now - made).total_seconds()
    return Check("backup", ok=age < _LATE_DAYS * _DAYS, detail=f"{_ago(now, made)}: {name}", note=True)


def _sync(context: Context) -> Check:
    met = {place: standing.at for place, standing in context.store.sync.standings().items() if standing.at}
    named = sync_place(context)
    shown = hide_passwords(str(named))
    if not met:
        detail = f"never with {shown}" if named else "with no folder; `study help sync` says how"
        return Check("sync", ok=named is None, detail=detail, note=True)
    place, at = max(met.items(), key=lambda one: one[1])
    return Check("sync", ok=True, detail=f"{_ago(context.now(), moment_of(at))} with {place}")


def _at_risk(context: Context) -> Check:
    """Which events stand on this disk alone, by what the places that can be read now hold."""
    ids = context.store.log.ids()
    total, errors = len(ids), list[str]()
    places = sorted({*context.store.sync.standings(), str(sync_place(context) or "")} - {""})
    for read in (*(partial(_ids_at, context, place) for place in places), partial(_ids_in_second_folder, context)):
        try:
            ids -= read() if ids else set()
        except StudyError as error:
            errors.append(str(error))
    if not ids:
        return Check("at risk", ok=True, detail="every event is in another place as well")
    here = "disk" if context.address.file else "server"
    detail = f"{counted(len(ids), 'event')} of {total:,} on this {here} alone"
    hint = "`study backup create --to FOLDER` on another disk, or `study sync FOLDER`, saves them"
    return Check("at risk", ok=False, detail="; ".join([detail, hint, *errors]), note=True)


def _ids_at(context: Context, place: str) -> set[bytes]:
    """The events of a folder or a server where machines meet; StudyError if it cannot be read."""
    from studykit.cli.sync_run import transport_to

    with transport_to(context, place if "://" in place else Path(place)) as transport:
        return {event.id.bytes for batch in transport.everything() for event in batch.events}


def _ids_in_second_folder(context: Context) -> set[bytes]:
    """The events of the newest backup in the folder of the setting, if that is on another disk."""
    from studykit.backup.restore import event_ids

    folder = backup_folder(context)
    file = context.address.file
    if folder is None or not folder.is_dir():
        return set()
    newest = backups_of(context, folder).newest(context.now())
    same_disk = file is not None and file.exists() and file.stat().st_dev == folder.stat().st_dev
    return set() if newest is None or same_disk else event_ids(folder / newest[0], data_folder(context))


def _ago(now: datetime, then: datetime) -> str:
    seconds = (now - then).total_seconds()
    if seconds < _HOURS:
        return f"{counted(max(0, int(seconds // 60)), 'minute')} ago"
    if seconds < 2 * _DAYS:
        return f"{counted(int(seconds // _HOURS), 'hour')} ago"
    return f"{counted(int(seconds // _DAYS), 'day')} ago"
