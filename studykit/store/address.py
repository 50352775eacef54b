"""The address of a database: a file or a database on a server, and the small files that go with it.

A shell prompt reads one, so SQLAlchemy is imported only for a URL and pathlib only for a side file.
"""

import os

from studykit import paths
from studykit.errors import StudyError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import URL

LEARNER = "me"
"""Whose log it is where no other name is given."""
_SQLITE = "sqlite:///"
_READABLE_CHARACTERS = 40  # of a learner's or a server's name in the name of a side file


def is_url(text: str) -> bool:
    """Whether an address is a URL rather than a path."""
    return "://" in text


class Address:
    """Where a database is. A path and `sqlite:///path` are the same address."""

    __slots__ = ("name", "path", "url")

    def __init__(self, text: str) -> None:
        """Read a path or a URL; UsageError for a URL of another kind and for the home of an unknown user."""
        self.path: str | None = None
        """The path of the file, `~` filled in; None on a server."""
        self.url: URL | None = None
        """The URL on a server; None for a file."""
        path = text
        if text.startswith(_SQLITE) and not {*"?%"} & {*text}:  # a prompt cannot wait for SQLAlchemy
            path = text.removeprefix(_SQLITE)
        elif is_url(text):
            from studykit.store.engine import database_url, shown_url

            url = database_url(text)
            if url.get_backend_name() != "sqlite":
                self.url, self.name = url, shown_url(url)
                return
            path = url.database or ""
        if path in {"", ":memory:"}:
            raise UsageError(f"{text!r} names no file: give a path, such as sqlite:////home/ana/study.db.")
        if path.startswith("//"):  # as `sqlite:////$HOME/x` has it; SQLite takes what follows for a host
            path = "/" + path.lstrip("/")
        self.path = self.name = os.path.expanduser(path)
        if self.path.startswith("~"):
            raise UsageError(f"{text} names no user of this machine: give another path with --db.")

    @property
    def file(self) -> "Path | None":
        """The file; None on a server."""
        from pathlib import Path

        return None if self.path is None else Path(self.path)

    @property
    def is_missing(self) -> bool:
        """Whether it is a file that does not exist yet."""
        return self.path is not None and not os.path.exists(self.path)

    def side_file(self, ending: str, learner: str = LEARNER) -> "Path":
        """Return the path of a small file of this database and learner: next to it, or in the user data folder."""
        from pathlib import Path

        base = self.path or str(paths.database().with_name(_file_name(self._place_on_server())))
        return Path(f"{base}.{ending}" if learner == LEARNER else f"{base}.{_file_name(learner)}.{ending}")

    def _place_on_server(self) -> str:
        """Host, port and database, however the URL spells them; neither who connects nor a password."""
        if self.url is None:
            return ""
        query = self.url.query
        host, port = self.url.host or query.get("host", ""), self.url.port or query.get("port", 5432)
        return f"{host}:{port}/{self.url.database or query.get('dbname', '')}"


def write_side_file(path: "Path", data: bytes) -> None:
    """Replace a side file by one that only its owner may read; StudyError where it cannot be written."""
    from studykit.ordinary_file import make_folder, replace_file

    try:
        make_folder(path.parent, 0o700)
        replace_file(path, data, mode=0o600)
    except OSError as error:
        raise StudyError(f"{path} cannot be written ({error.strerror}): allow writing to its folder.") from error


def _file_name(text: str) -> str:
    """A file name for any text: the letters and digits of its start, then a checksum that tells others apart."""
    from hashlib import sha256

    readable = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in text[:_READABLE_CHARACTERS])
    return f"{readable.strip('-')}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
