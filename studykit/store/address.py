"""Parse the address of a database file, and name the small files next to it."""

import os

from studykit.errors import StudyError, UsageError
from studykit.text import hide_passwords

# A shell prompt with `study due --short` imports this file, so pathlib is imported only for a side file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

LEARNER = "me"
"""Default name of the learner."""
_MAX_NAME_CHARACTERS = 40  # of a learner's name in the name of a side file


def is_url(text: str) -> bool:
    """Return whether an address is a URL rather than a path."""
    return "://" in text


class Address:
    """Hold the path of a database file, given as a path or as a URL such as `sqlite:///study.db`."""

    __slots__ = ("name", "path")

    def __init__(self, text: str) -> None:
        """Parse a path or a URL. Raise UsageError for a server, or for the home of an unknown user."""
        path = text
        if is_url(text):
            kind, _, rest = text.partition("://")
            if kind.partition("+")[0] != "sqlite":
                raise _refusal(kind, hide_passwords(text.partition("?")[0]))
            path = rest.partition("?")[0][1:] if rest.startswith("/") else ""
        if path in {"", ":memory:"}:
            raise UsageError(f"{text!r} does not name a file. Give a path, such as sqlite:////home/ana/study.db.")
        # `sqlite:////$HOME/x` has a slash too many, and SQLite would take what follows `//` for a host.
        if path.startswith("//"):
            path = "/" + path.lstrip("/")
        self.path = self.name = os.path.expanduser(path)
        if self.path.startswith("~"):
            raise UsageError(f"{text!r} names an unknown user. Give another path with --db.")

    @property
    def file(self) -> "Path":
        """Return the path of the file, which may not exist yet."""
        from pathlib import Path

        return Path(self.path)

    @property
    def is_missing(self) -> bool:
        """Return whether the file does not exist yet."""
        return not os.path.exists(self.path)

    def side_file(self, ending: str, learner: str = LEARNER) -> "Path":
        """Return the path of a small file next to the database, for one learner."""
        from pathlib import Path

        return Path(
            f"{self.path}.{ending}" if learner == LEARNER else f"{self.path}.{_file_name(learner)}.{ending}"
        )


def _refusal(kind: str, shown: str) -> UsageError:
    if kind.partition("+")[0] == "postgresql":
        message = f"{shown} is a class's server. Study in a file, and sync it with the class"
        return UsageError(message, f"study sync {shown}")
    return UsageError(f"{shown!r} is not a studykit database. Give a path, such as --db ~/study.db.")


def write_side_file(path: "Path", data: bytes) -> None:
    """Write a side file that only its owner may read. Raise StudyError if that fails."""
    from studykit.ordinary_file import explaining, make_folder, replace_file

    with explaining(f"{path} cannot be written (", "). Allow writing to its folder.", StudyError):
        make_folder(path.parent, 0o700)
        replace_file(path, data, mode=0o600)


def _file_name(text: str) -> str:
    """Return a file name for any text: the letters and digits of its start, then a checksum of all of it."""
    from hashlib import sha256

    readable = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in text[:_MAX_NAME_CHARACTERS])
    return f"{readable.strip('-')}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
