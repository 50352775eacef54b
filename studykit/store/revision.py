"""The revision of the tables that a database says it has."""

from studykit.errors import BadDataError
from studykit.store import sql


def known_revision(value: object, name: str) -> str:
    """A revision that this version can read or migrate; BadDataError for any other."""
    revision = str(value)
    is_ours = len(revision) == len(sql.REVISION) and revision.isdecimal() and revision.isascii()
    if not (is_ours and revision.strip("0")):
        raise BadDataError(f"{name} has no revision that a studykit wrote: put back a copy, or name another file.")
    if revision > sql.REVISION:
        message = f"{name} was written by a newer studykit (revision {revision}): upgrade studykit to use it."
        raise BadDataError(message)
    return revision
