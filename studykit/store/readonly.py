"""Open an SQLite file of this version for reading, without imports that would slow down a shell prompt."""

import os
import sqlite3

from studykit.store import sql

File = str | os.PathLike[str]

WAITING_SECONDS = 10.0
VIEWS = f"SELECT name FROM sqlite_master WHERE type = 'view' AND name COLLATE NOCASE IN {sql.TABLES}"  # noqa: S608 - our names
"""Views that somebody put in place of a table. Reading one may never end."""
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises. For a damaged file, the error message itself may contain bytes that are not UTF-8."""


def connect(file: File, *, waiting_seconds: float = WAITING_SECONDS) -> sqlite3.Connection | None:
    """Return a read-only connection, or None unless the file has this version's revision."""
    if not os.path.isfile(file):
        return None
    try:
        reader = open_existing(file, waiting_seconds)
    except SQLITE_ERRORS:
        return None
    try:
        reader.execute("PRAGMA query_only=ON")
        row = None if reader.execute(VIEWS).fetchone() else reader.execute(sql.VERSION).fetchone()
    except SQLITE_ERRORS:
        row = None
    if row is None or row[0] != sql.REVISION:
        reader.close()
        return None
    return reader


def open_existing(file: File, waiting_seconds: float) -> sqlite3.Connection:
    """Return a connection to an existing file."""
    # Opened by URI for `mode=rw`: without it SQLite would create a missing file.
    path = os.path.abspath(file)
    address = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(
        f"file:{address}?mode=rw", uri=True, timeout=waiting_seconds, isolation_level=None, check_same_thread=False
    )
