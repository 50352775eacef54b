"""Open a zip archive from an unknown source, with one error for whatever is broken in it."""

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studykit.errors import StudyError
from studykit.ordinary_file import open_ordinary

PACKED_BY = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
"""Allowed compression methods. With the others a small chunk may unpack to gigabytes before a limit is checked."""
# NotImplementedError: a compression method that zipfile lacks. RuntimeError: the archive has a password.
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, zlib.error)


def is_file(info: zipfile.ZipInfo) -> bool:
    """Return whether a member is a file, rather than a folder or a link. Its name may be empty."""
    mode = info.external_attr >> 16
    return not info.filename.endswith("/") and (stat.S_IFMT(mode) == 0 or stat.S_ISREG(mode))


@contextmanager
def opened_archive(path: Path, broken: StudyError) -> Iterator[zipfile.ZipFile]:
    """Open an archive for reading. Raise `broken` if it is damaged, or StudyError if it cannot be read."""
    try:
        file = os.fdopen(open_ordinary(path, os.O_RDONLY, follow=True), "rb")
        with file, zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        raise StudyError(f"{path} cannot be read ({error.strerror or error}). Name another file.") from error
    except Exception as error:
        # ZstdError is compared by name, because its module exists only in some versions of Python.
        if isinstance(error, _BROKEN) or type(error).__name__ == "ZstdError":
            raise broken from None
        raise
