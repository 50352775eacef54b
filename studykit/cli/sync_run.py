"""Meeting other machines in a folder: asked for by name, or by itself around a review."""

from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cli.context import Context
from studykit.cli.places import machine_name, sync_folder
from studykit.errors import StudyError, UsageError
from studykit.scheduling.study_day import microseconds

if TYPE_CHECKING:
    from studykit.sync.exchange import ExchangeReport


def sync_with(context: Context, folder: Path, *, again: bool = False) -> "ExchangeReport":
    """Unite the log with those in a folder."""
    from studykit.sync.exchange import exchange
    from studykit.sync.folder import FolderTransport

    def save() -> None:
        from studykit.cli.backup_run import back_up_if_due

        back_up_if_due(context, "sync")

    transport = FolderTransport(folder, context.store.log.origin, machine_name(context))
    now = microseconds(context.now())
    return exchange(context.store, transport, now=now, again=again, before_taking=save)


def named_folder(context: Context, named: str | None) -> Path:
    """The folder to meet in: the one named, made where only it is missing, or the configured one."""
    if named is None:
        folder = sync_folder(context)
        if folder is None:
            raise UsageError(
                "there is no folder to sync with: name one, or set one with `study config set sync_folder`."
            )
        return folder
    folder = paths.expanded(named).absolute()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder} is no folder to sync with ({error.strerror}): name one that is there."
        ) from None
    return folder


def sync_quietly(context: Context, told: set[str]) -> None:
    """Sync around a review and tell in a line what there is to tell; a failure never stands in its way.

    `told` is what was said before in this run, which is not said again.
    """
    folder = sync_folder(context)
    if folder is None:
        return
    try:
        done = sync_with(context, folder)
    except StudyError as error:
        lines = [f"not synced: {error}"]
    else:
        lines = [done.sentence()] if done.took or done.gave.reviews or done.gave.others else []
        lines += told_remarks(done)
    for line in lines:
        if line not in told:
            context.tell(f"sync: {line}")
    told.update(lines)


def told_remarks(done: "ExchangeReport") -> list[str]:
    """What else a learner should know of an exchange."""
    renamed = f"another machine wrote under this one's name; this one is {done.new_origin} from now on."
    return [*done.remarks, *([renamed] if done.new_origin else [])]
