"""Files in untrusted folders: checked before they are read, never written through a link, replaced as a whole."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_KINDS = (
    (stat.S_ISLNK, "a link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_MAX_LINKS = 40  # on one way, as in the kernel


class NotOrdinaryError(Exception):
    """The file is not read: what it is instead of an ordinary one of a fitting size, as the end of a sentence."""


class TooLargeError(NotOrdinaryError):
    """The file is an ordinary one, but larger than it may be."""


def read_ordinary(
    path: str | Path, most_bytes: int, *, follow: bool = False, own: bool = False, folder: int | None = None
) -> bytes:
    """Read an ordinary file. NotOrdinaryError for anything else and for more than `most_bytes`.

    A link is followed only if `follow` is set, and then to an ordinary file; `own` refuses another user's file;
    `folder` is the descriptor of the folder that holds it. Raises OSError as `open` does.
    """
    # Looked at before, as a device may act on being opened.
    _check(os.stat(path, dir_fd=folder, follow_symlinks=follow), most_bytes, own=own)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags, dir_fd=folder), "rb") as opened:
        _check(os.fstat(opened.fileno()), most_bytes, own=own)  # it may be another one by now
        data = opened.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise TooLargeError(_too_large(most_bytes))
    return data


def read_named(
    path: Path, most_bytes: int, advice: str, refusal: type[Exception], *, follow: bool = True
) -> bytes:
    """Read a file that a learner named. Anything but an ordinary one is a `refusal` with the advice."""
    try:
        return read_ordinary(path, most_bytes, follow=follow)
    except NotOrdinaryError as error:
        raise refusal(f"{path} {error}. {advice}") from None
    except OSError as error:
        raise refusal(f"{path} cannot be read ({os.strerror(error.errno or 0)}). {advice}") from None


def read_text(path: Path, most_bytes: int, advice: str, refusal: type[Exception], *, follow: bool = True) -> str:
    """Read such a file as UTF-8, with Unix line ends and without a byte order mark."""
    data = read_named(path, most_bytes, advice, refusal, follow=follow)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise refusal(f"{path} is not text in UTF-8. {advice}") from None


def read_below(folder: Path, name: str, most_bytes: int) -> bytes:
    """Read an ordinary file below a folder that others may change meanwhile, through no link on the way.

    Raises NotOrdinaryError and OSError as `read_ordinary` does.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    *inside, last = Path(name).parts
    reached = os.open(folder, flags)
    try:
        for part in inside:
            further = os.open(part, flags | os.O_NOFOLLOW, dir_fd=reached)
            os.close(reached)
            reached = further
        return read_ordinary(last, most_bytes, folder=reached)
    finally:
        os.close(reached)


def open_ordinary(path: str | Path, flags: int, mode: int = 0o666, *, follow: bool = False) -> int:
    """Open as `os.open` does, but no link and nothing that would block. OSError says what it is instead.

    A link is followed only where `follow` says so. To be written or cut it must have no second name: it may be the
    learner's own file elsewhere.
    """
    flags |= os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    opened = os.open(path, flags, mode)
    status = os.fstat(opened)
    changes = flags & (os.O_WRONLY | os.O_RDWR)
    if what := kind(status) or ("linked from elsewhere as well" if changes and status.st_nlink > 1 else ""):
        os.close(opened)
        raise OSError(0, f"{path} is {what}")
    return opened


def refuse_strangers_links(path: Path) -> None:
    """Raise OSError if a link on the way belongs to another user except root: it may lead anywhere.

    Where an own link leads is part of the way.
    """
    reached, steps, links = Path(), [*reversed(path.parts)], 0
    while steps:
        step = reached / steps.pop()
        if not step.is_symlink():
            reached = step
            continue
        if step.lstat().st_uid not in {0, os.geteuid()}:
            raise OSError(0, f"{step} is somebody else's link")
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        steps.extend(reversed(step.readlink().parts))


def make_folder(path: Path, mode: int = 0o777, *, parents: bool = True) -> None:
    """Make a folder where there is none, through no link of somebody else. Raises OSError."""
    refuse_strangers_links(path)
    path.mkdir(mode, parents=parents, exist_ok=True)


@contextmanager
def fresh_file(
    path: str | Path,
    *,
    mode: int | None = None,
    group: int | None = None,
    most: int = 0o666,
    synced: bool = False,
) -> Iterator[BinaryIO]:
    """Create a file to write, owned by this user: a link or a pipe of this name is removed, not written through.

    It has these permissions, and is this group's or gives a group no more than others, else the usual ones within
    `most`; `synced`: it is on the disk when the block ends. Raises OSError.
    """
    path = Path(path)
    refuse_strangers_links(path.parent)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:  # a folder, or somebody else's where none takes away another's
        if not os.path.lexists(path):
            raise
        what = kind(path.lstat())
        why = f"it is {what}" if what else error.strerror
        raise OSError(error.errno, f"{path} is in the way: {why}") from None
    first = most if mode is None else 0o600  # who has opened a file before it is closed to them goes on reading
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, first), "wb") as file:
        yield file
        if mode is not None:
            os.fchmod(file.fileno(), mode if _is_given(file.fileno(), group) else _for_no_group(mode))
        if synced:
            file.flush()
            os.fsync(file.fileno())


def _is_given(opened: int, group: int | None) -> bool:
    """Return whether a file has this group now. A process outside the group may not be able to set it."""
    if group is None:
        return True
    with suppress(OSError):
        os.fchown(opened, -1, group)
    return os.fstat(opened).st_gid == group


def _for_no_group(mode: int) -> int:
    """Return permissions that give the group only what others have."""
    return mode & ~0o070 | (mode & 0o007) << 3


def write_fresh(path: str | Path, data: bytes, *, mode: int | None = None, synced: bool = False) -> None:
    """Write a whole `fresh_file`."""
    with fresh_file(path, mode=mode, synced=synced) as file:
        file.write(data)


@contextmanager
def explaining(start: str, end: str, refusal: type[Exception]) -> Iterator[None]:
    """Make of an error of the system a sentence: what could not be done, the system's reason, what to do."""
    try:
        yield
    except OSError as error:
        raise refusal(f"{start}{error.strerror}{end}") from error


@contextmanager
def replacing(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """Write a new file that replaces the old one, or a link, when the block ends well.

    It is on the disk then; a killed process leaves the old one. It has these permissions, else group and
    permissions of the old one, which where that is somebody else's or a link are no more than the usual ones. A
    pipe, a device or a folder is left as it is. Raises OSError.
    """
    draft = path.with_name(f".{path.name}.part")  # one name: what a killed process left is taken away
    draft_number, group = -1, None
    try:
        old = path.stat() if path.exists() else None
        if old and (what := kind(old)):
            raise OSError(0, f"it is {what}")
        here = path.lstat() if old and mode is None else None  # a link may be another user's, to an open file
        if here and not kind(here) and here.st_uid == os.geteuid():
            mode, group = here.st_mode & 0o777, here.st_gid
        most = old.st_mode & 0o666 if old else 0o666
        with fresh_file(draft, mode=mode, group=group, most=most, synced=True) as file:
            draft_number = os.dup(file.fileno())  # while it is open no other file is given its number
            yield file
        if not _is_the_file(draft, draft_number):
            raise OSError(0, "another process writes it at the same time")
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        if draft_number >= 0:
            if _is_the_file(draft, draft_number):
                with suppress(OSError):  # the first error is on its way
                    draft.unlink()
            os.close(draft_number)


def _is_the_file(path: Path, opened: int) -> bool:
    """Return whether a path still leads to the file that was opened."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(opened))
    except OSError:
        return False


def replace_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Put a whole new file in place of the old one, as `replacing` does."""
    with replacing(path, mode=mode) as file:
        file.write(data)


def sync_folder(folder: Path) -> None:
    """Let the name of a new file reach the disk, where folders can be opened."""
    with suppress(PermissionError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def entries_below(
    folder: str | Path, enters: Callable[[os.DirEntry[str]], bool], *, quiet: bool = False
) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder by name, a folder before its contents, without following links.

    A folder that `enters` refuses is skipped. OSError where one cannot be listed, unless `quiet`. It does not call
    itself, as `os.walk` does: untrusted folders may be nested deeper than the stack.
    """
    waiting = [_ordered(folder, quiet=quiet)]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        yield entry
        if entry.is_dir(follow_symlinks=False) and enters(entry):
            waiting.append(_ordered(entry.path, quiet=quiet))


def _ordered(folder: str | Path, *, quiet: bool) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return iter(sorted(entries, key=lambda entry: entry.name))
    except OSError:
        if quiet:
            return iter(())
        raise


def leads_out(folder: Path, name: str) -> bool:
    """Return whether a folder on the way to a file is a link to elsewhere, which another user may have made."""
    try:
        return not (folder / name).parent.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a link to itself, or a name that is none
        return True


def kind(status: os.stat_result) -> str:
    """Name what stands there, or return "" for an ordinary file."""
    if stat.S_ISREG(status.st_mode):
        return ""
    return next((word for is_it, word in _KINDS if is_it(status.st_mode)), "no ordinary file")


def _check(status: os.stat_result, most_bytes: int, *, own: bool) -> None:
    if what := kind(status):
        raise NotOrdinaryError(f"is {what}, which is not read")
    if own and status.st_uid != os.geteuid():
        raise NotOrdinaryError("is somebody else's, which is not read")
    if status.st_size > most_bytes:
        raise TooLargeError(_too_large(most_bytes))


def _too_large(most_bytes: int) -> str:
    return f"is larger than {most_bytes:,} bytes"
