"""The address of a database file, and of the small files that go with it.

A shell prompt reads one, so pathlib is imported only for a side file.
"""

import os

from studykit.errors import StudyError, UsageError
from studykit.text import hide_passwords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

LEARNER = "me"
"""Whose log it is where no other name is given."""
_READABLE_CHARACTERS = 40  # of a learner's name in the name of a side file


def is_url(text: str) -> bool:
    """Return whether an address is a URL rather than a path."""
    return "://" in text


class Address:
    """The place of a database file. A path and `sqlite:///path` are the same address."""

    __slots__ = ("name", "path")

    def __init__(self, text: str) -> None:
        """Parse a path or a URL, or raise UsageError for a server or the home of an unknown user."""
        path = text
        if is_url(text):
            kind, _, rest = text.partition("://")
            if kind.partition("+")[0] != "sqlite":
                raise UsageError(_refusal(kind, hide_passwords(text.partition("?")[0])))
            path = rest.partition("?")[0][1:] if rest.startswith("/") else ""
        if path in {"", ":memory:"}:
            raise UsageError(f"{text!r} names no file: give a path, such as sqlite:////home/ana/study.db.")
        if path.startswith("//"):  # as `sqlite:////$HOME/x` has it; SQLite takes what follows for a host
            path = "/" + path.lstrip("/")
        self.path = self.name = os.path.expanduser(path)
        if self.path.startswith("~"):
            raise UsageError(f"{text} names no user of this machine: give another path with --db.")

    @property
    def file(self) -> "Path":
        """Return the file, which need not exist."""
        from pathlib import Path

        return Path(self.path)

    @property
    def is_missing(self) -> bool:
        """Return whether there is no such file yet."""
        return not os.path.exists(self.path)

    def side_file(self, ending: str, learner: str = LEARNER) -> "Path":
        """Return the path of a small file of this database and learner, which lies next to it."""
        from pathlib import Path

        return Path(
            f"{self.path}.{ending}" if learner == LEARNER else f"{self.path}.{_file_name(learner)}.{ending}"
        )


def _refusal(kind: str, shown: str) -> str:
    if kind.partition("+")[0] == "postgresql":
        return f"{shown} is where a class meets. Study in a file, and meet the class there: study sync {shown}"
    return f"{shown!r} is not a database of studykit: give a path, such as --db ~/study.db."


def write_side_file(path: "Path", data: bytes) -> None:
    """Replace a side file by one that only its owner may read, or raise StudyError."""
    from studykit.ordinary_file import explaining, make_folder, replace_file

    with explaining(f"{path} cannot be written (", "): allow writing to its folder.", StudyError):
        make_folder(path.parent, 0o700)
        replace_file(path, data, mode=0o600)


def _file_name(text: str) -> str:
    """Return a file name for any text: the letters and digits of its start, then a checksum of all."""
    from hashlib import sha256

    readable = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in text[:_READABLE_CHARACTERS])
    return f"{readable.strip('-')}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
