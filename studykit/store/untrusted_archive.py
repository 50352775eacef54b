"""A zip archive of whoever made it: an ordinary file, packed in a usual way, with one error for what is broken."""

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
"""How members may be packed. The other ways unpack a chunk to gigabytes."""
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, zlib.error)


def is_file(info: zipfile.ZipInfo) -> bool:
    """Return whether a member is a file: no folder and no link. It may have no name."""
    mode = info.external_attr >> 16
    return not info.filename.endswith("/") and (stat.S_IFMT(mode) == 0 or stat.S_ISREG(mode))


@contextmanager
def opened_archive(path: Path, broken: StudyError) -> Iterator[zipfile.ZipFile]:
    """Open an archive for reading. Raises `broken` for a damaged one, StudyError for one that cannot be read."""
    try:
        file = os.fdopen(open_ordinary(path, os.O_RDONLY, follow=True), "rb")
        with file, zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        raise StudyError(f"{path} cannot be read ({error.strerror or error}). Name another file.") from error
    except Exception as error:
        if isinstance(error, _BROKEN) or type(error).__name__ == "ZstdError":  # of a module not always loaded
            raise broken from None
        raise
