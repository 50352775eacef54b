"""A connection to an SQLite file of this version that only reads, with no import that a prompt would wait for."""

import os
import sqlite3

from studykit.store import sql

File = str | os.PathLike[str]

WAITING_SECONDS = 10.0
VIEWS = f"SELECT name FROM sqlite_master WHERE type = 'view' AND name COLLATE NOCASE IN {sql.TABLES}"  # noqa: S608 - our names
"""Views that somebody put in the place of a table: reading one may never end."""
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises: of a damaged file it may also tell in words that are damaged."""


def connect(file: File, *, waiting_seconds: float = WAITING_SECONDS) -> sqlite3.Connection | None:
    """Return a read-only connection, if the file is of this version."""
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
    path = os.path.abspath(file)
    address = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(
        f"file:{address}?mode=rw",
        uri=True,
        timeout=waiting_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
