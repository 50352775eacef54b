"""Check a database's revision, and turn a driver's errors into sentences. Imports no driver."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from studykit import errors
from studykit.errors import BadDataError, StudyError
from studykit.store import sql
from studykit.text import hide_passwords, printable

Row = tuple[Any, ...]
Values = Mapping[str, Any]
Advance = Callable[[int], object] | None
"""A callback that takes the number of further parts done, or None."""
_PROGRESS_ROWS = 1000
_MAX_ANSWER_CHARACTERS = 300
_MAX_REVISION_CHARACTERS = 40
_SENTENCES = Path(__file__).with_name("database_errors.json")


def counted_rows(rows: Iterable[Row], advance: Advance) -> Iterator[Any]:
    """Yield the rows, and call `advance` after every thousand of them."""
    remaining = iter(rows)
    while batch := list(islice(remaining, _PROGRESS_ROWS)):
        yield from batch
        if advance is not None:
            advance(len(batch))


def known_revision(value: object, name: str, newest: str = "") -> str:
    """Return a database's revision. Raise BadDataError if this version can neither read nor migrate it."""
    revision = str(value)
    is_ours = len(revision) == len(sql.REVISION) and revision.isdecimal() and revision.isascii()
    if not (is_ours and revision.strip("0")):
        shown = printable(revision, _MAX_REVISION_CHARACTERS)
        raise BadDataError(
            f"{name} has the unknown revision {shown!r}. Use another copy of it, or another database."
        )
    if revision > (newest or sql.REVISION):
        message = f"{name} was written by a newer studykit (revision {revision}). Upgrade studykit to use it."
        raise BadDataError(message)
    return revision


def database_error(name: str, error: BaseException) -> StudyError:
    """Return the error to show for a driver's error. `name` is the database."""
    import json

    message = hide_passwords(" ".join(str(error).split()))
    # Drivers tell many of these apart only by their messages, so match words in them. The first match wins.
    for row in json.loads(_SENTENCES.read_bytes()):
        if any(words in message.lower() for words in row["words"]):
            kind: type[StudyError] = getattr(errors, row["error"])
            return kind(row["says"].format(name=name), row.get("command", ""))
    return StudyError(
        f"The database {name} answered: {printable(message, _MAX_ANSWER_CHARACTERS)}. Check it with",
        "study doctor",
    )
