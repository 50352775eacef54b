"""The name of an installation, which every event bears that it records."""

import os

from studykit.store import sql
from studykit.store.database import Database


def own_origin(database: Database, learner: str) -> str:
    """The name of this installation, drawn at its first use and kept."""
    row = database.first(sql.ORIGIN, {"learner": learner})
    return new_origin(database, learner) if row is None else str(row[0])


def new_origin(database: Database, learner: str) -> str:
    """A name that is drawn now, for this installation from now on."""
    origin = os.urandom(4).hex()
    with database.writing(learner) as connection:
        connection.execute(sql.PUT_SETTING, {"learner": learner, "name": "origin", "value": origin})
    return origin
