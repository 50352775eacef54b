"""The name of an installation, which every event bears that it records."""

import os

from studykit.store import sql
from studykit.store.database import Database

_WHICH = {"learner": "", "name": "origin"}


def own_origin(database: Database, lock: str) -> str:
    """The name of this installation, drawn at its first use and kept."""
    with database.reading() as connection:
        row = connection.execute(sql.SETTING, _WHICH).fetchone()
    return new_origin(database, lock) if row is None else str(row[0])


def new_origin(database: Database, lock: str) -> str:
    """A name that is drawn now, for this installation from now on."""
    origin = os.urandom(4).hex()
    with database.writing(lock) as connection:
        connection.execute(sql.PUT_SETTING, {**_WHICH, "value": origin})
    return origin
