"""Read, write and list files in untrusted folders. Files are checked first, and replaced as a whole."""

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
_MAX_LINKS = 40  # on one path, as in the kernel


class NotOrdinaryError(Exception):
    """Raised for a link, a device or another file that is not ordinary, and for another user's file.

    The message begins with a verb, because the path stands before it.
    """


class TooLargeError(NotOrdinaryError):
    """Raised for an ordinary file that is too large."""


def read_ordinary(
    path: str | Path, most_bytes: int, *, follow: bool = False, own: bool = False, folder: int | None = None
) -> bytes:
    """Read an ordinary file. Raise NotOrdinaryError for anything else and for more than `most_bytes`.

    `follow` also follows a link to an ordinary file, `own` refuses another user's file, and `folder` is the
    descriptor of the folder that contains it. Raise OSError as `open` does.
    """
    # Check before opening, because opening a device may have effects.
    _check(os.stat(path, dir_fd=folder, follow_symlinks=follow), most_bytes, own=own)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags, dir_fd=folder), "rb") as file:
        _check(os.fstat(file.fileno()), most_bytes, own=own)  # it may have been replaced meanwhile
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise TooLargeError(_too_large(most_bytes))
    return data


def read_named(
    path: Path, most_bytes: int, advice: str, refusal: type[Exception], *, follow: bool = True
) -> bytes:
    """Read a file that a learner named. Raise `refusal` with the advice if that fails."""
    try:
        return read_ordinary(path, most_bytes, follow=follow)
    except NotOrdinaryError as error:
        raise refusal(f"{path} {error}. {advice}") from None
    except OSError as error:
        raise refusal(f"{path} cannot be read ({os.strerror(error.errno or 0)}). {advice}") from None


def read_text(path: Path, most_bytes: int, advice: str, refusal: type[Exception], *, follow: bool = True) -> str:
    """Read a UTF-8 text as `read_named` does, with Unix line ends and without a byte order mark."""
    data = read_named(path, most_bytes, advice, refusal, follow=follow)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise refusal(f"{path} is not text in UTF-8. {advice}") from None


def read_below(folder: Path, name: str, most_bytes: int) -> bytes:
    """Read an ordinary file below a folder that others may change meanwhile, without following links.

    Raise NotOrdinaryError and OSError as `read_ordinary` does.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    *inside, last = Path(name).parts
    descriptor = os.open(folder, flags)
    try:
        # Open each folder from the one before, because O_NOFOLLOW checks only the last part of a path.
        for part in inside:
            inner_descriptor = os.open(part, flags | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner_descriptor
        return read_ordinary(last, most_bytes, folder=descriptor)
    finally:
        os.close(descriptor)


def open_ordinary(path: str | Path, flags: int, mode: int = 0o666, *, follow: bool = False) -> int:
    """Open an ordinary file as `os.open` does, or raise an OSError that says what it is instead.

    Links are followed only with `follow`. A file with a second hard link is not opened for writing, because that
    may be a file of the learner elsewhere.
    """
    flags |= os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags, mode)
    status = os.fstat(descriptor)
    changes = flags & (os.O_WRONLY | os.O_RDWR)
    if file_kind := kind(status) or ("linked from elsewhere as well" if changes and status.st_nlink > 1 else ""):
        os.close(descriptor)
        raise OSError(0, f"{path} is {file_kind}")
    return descriptor


def refuse_strangers_links(path: Path) -> None:
    """Raise OSError if a link on the path belongs to another user except root, because it may lead anywhere.

    Other links are followed, and the links on the paths to their targets are checked too.
    """
    place, steps, links = Path(), [*reversed(path.parts)], 0
    while steps:
        step = place / steps.pop()
        if not step.is_symlink():
            place = step
            continue
        if step.lstat().st_uid not in {0, os.geteuid()}:
            raise OSError(0, f"{step} is somebody else's link")
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        steps.extend(reversed(step.readlink().parts))


def make_folder(path: Path, mode: int = 0o777, *, parents: bool = True) -> None:
    """Make a folder if there is none, but not through another user's link. Raise OSError if that fails."""
    refuse_strangers_links(path)
    path.mkdir(mode, parents=parents, exist_ok=True)


@contextmanager
def fresh_file(
    path: str | Path,
    *,
    mode: int | None = None,
    group: int | None = None,
    max_mode: int = 0o666,
    synced: bool = False,
) -> Iterator[BinaryIO]:
    """Create a file of this user, and open it to write. A file, link or pipe of this name is removed first.

    The new file gets `mode` and `group`, and if the group cannot be set, the group gets the rights of others.
    Without `mode` it gets the usual permissions within `max_mode`. `synced` puts it on the disk when the block
    ends. Raise OSError if it cannot be made.
    """
    path = Path(path)
    refuse_strangers_links(path.parent)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:  # a folder, or another user's file in a sticky folder
        if not os.path.lexists(path):
            raise
        file_kind = kind(path.lstat())
        why = f"it is {file_kind}" if file_kind else error.strerror
        raise OSError(error.errno, f"{path} is in the way: {why}") from None
    # Not first the usual mode: whoever opened the file then could go on reading after `fchmod`.
    first_mode = max_mode if mode is None else 0o600
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, first_mode), "wb") as file:
        yield file
        if mode is not None:
            has_group = group is None or _has_group(file.fileno(), group)
            # Without the group, its rights become those of others.
            os.fchmod(file.fileno(), mode if has_group else mode & ~0o070 | (mode & 0o007) << 3)
        if synced:
            file.flush()
            os.fsync(file.fileno())


def _has_group(descriptor: int, group: int) -> bool:
    """Set a file's group if possible, and return whether the file has it."""
    with suppress(OSError):
        os.fchown(descriptor, -1, group)
    return os.fstat(descriptor).st_gid == group


def write_fresh(path: str | Path, data: bytes, *, mode: int | None = None) -> None:
    """Write data into a new file, which is made as `fresh_file` does."""
    with fresh_file(path, mode=mode) as file:
        file.write(data)


@contextmanager
def explaining(start: str, end: str, refusal: type[Exception]) -> Iterator[None]:
    """Convert an OSError to a `refusal` with the system's reason between `start` and `end`."""
    try:
        yield
    except OSError as error:
        raise refusal(f"{start}{error.strerror or error}{end}") from error


@contextmanager
def replacing(path: Path, *, mode: int | None = None) -> Iterator[BinaryIO]:
    """Write a new file that replaces the old one, or a link, if the block ends without an error.

    The new file is on the disk then. A killed process leaves the old file. The new one gets `mode`, else the group
    and permissions of the old one. If the old one is a link or another user's, the new one gets those of the usual
    permissions that the old one has. Raise OSError for a pipe, a device or a folder, or if writing fails.
    """
    draft_number, group = -1, None
    try:
        old = path.stat() if path.exists() else None
        if old and (file_kind := kind(old)):
            raise OSError(0, f"it is {file_kind}")
        # Always the same name, so that the next process replaces what a killed one has left.
        draft = path.with_name(f".{path.name}.part")
        status = path.lstat() if old and mode is None else None  # not of a link's target, which may be public
        if status and not kind(status) and status.st_uid == os.geteuid():
            mode, group = status.st_mode & 0o777, status.st_gid
        max_mode = old.st_mode & 0o666 if old else 0o666
        with fresh_file(draft, mode=mode, group=group, max_mode=max_mode, synced=True) as file:
            draft_number = os.dup(file.fileno())  # while it is open no other file gets its inode number
            yield file
        if not _is_the_file(draft, draft_number):
            raise OSError(0, "another process writes it at the same time")
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        if draft_number >= 0:
            if _is_the_file(draft, draft_number):
                with suppress(OSError):  # another error is being raised
                    draft.unlink()
            os.close(draft_number)


def _is_the_file(path: Path, descriptor: int) -> bool:
    """Return whether a path still names the file that is open under a descriptor."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except OSError:
        return False


def replace_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Replace a file by one with this content, as `replacing` does."""
    with replacing(path, mode=mode) as file:
        file.write(data)


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk, so that a new file still has its name after a power failure."""
    with suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def entries_below(
    folder: str | Path, enters: Callable[[os.DirEntry[str]], bool], *, quiet: bool = False
) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder, sorted by name, a folder before its contents, without following links.

    Skip the contents of a folder that `enters` refuses. Raise OSError if a folder cannot be listed, unless
    `quiet`. The function does not call itself, because untrusted folders may be nested deeper than the stack.
    """
    stack = [_sorted_entries(folder, quiet=quiet)]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
            continue
        yield entry
        if entry.is_dir(follow_symlinks=False) and enters(entry):
            stack.append(_sorted_entries(entry.path, quiet=quiet))


def _sorted_entries(folder: str | Path, *, quiet: bool) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return iter(sorted(entries, key=lambda entry: entry.name))
    except OSError:
        if quiet:
            return iter(())
        raise


def leads_out(folder: Path, name: str) -> bool:
    """Return whether the folders in a file's name lead out of `folder`, such as by a link."""
    try:
        return not (folder / name).parent.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a link to itself, or an impossible name
        return True


def kind(status: os.stat_result) -> str:
    """Return what kind of file this is, such as a folder, or "" for an ordinary file."""
    if stat.S_ISREG(status.st_mode):
        return ""
    return next((word for is_it, word in _KINDS if is_it(status.st_mode)), "not an ordinary file")


def _check(status: os.stat_result, most_bytes: int, *, own: bool) -> None:
    if file_kind := kind(status):
        raise NotOrdinaryError(f"is {file_kind}, which is not read")
    if own and status.st_uid != os.geteuid():
        raise NotOrdinaryError("belongs to another user, so it is not read")
    if status.st_size > most_bytes:
        raise TooLargeError(_too_large(most_bytes))


def _too_large(most_bytes: int) -> str:
    return f"is larger than {most_bytes:,} bytes"
