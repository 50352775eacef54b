"""The name of an installation, which every event bears that it records."""

import os
import re

from studykit.store import sql
from studykit.store.database import Database

_FORM = re.compile("[0-9a-f]{8}")


def own_origin(database: Database, learner: str) -> str:
    """Return the name of this installation, drawn at its first use; draw it again if the stored one is invalid."""
    row = database.first(sql.ORIGIN, {"learner": learner})
    return str(row[0]) if row is not None and is_origin(row[0]) else new_origin(database, learner)


def is_origin(name: object) -> bool:
    """Whether a name is of the form that is drawn here: folders are called so."""
    return isinstance(name, str) and _FORM.fullmatch(name) is not None


def new_origin(database: Database, learner: str) -> str:
    """A name that is drawn now, for this installation from now on."""
    origin = os.urandom(4).hex()
    with database.writing(learner) as connection:
        connection.execute(sql.PUT_SETTING, {"learner": learner, "name": "origin", "value": origin})
    return origin
