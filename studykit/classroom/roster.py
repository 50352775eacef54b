"""Read a roster: a CSV file with a line for each member, with columns `login` and optionally `role`."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from studykit.errors import BadDataError
from studykit.ordinary_file import read_text
from studykit.text import counted

MAX_ROSTER_BYTES = 10_000_000
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,62}")
_RESERVED = frozenset(("me", "public", "none", "postgres", "user", "current_user", "session_user", "current_role"))


class MemberKind(StrEnum):
    """Name what a member may do: study, or read everybody's logs."""

    STUDENT = "student"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class RosterLine:
    """Hold one member of a class, by login."""

    login: str
    kind: MemberKind


def read_roster(path: Path) -> tuple[RosterLine, ...]:
    """Return the members in a roster. Raise BadDataError naming `path:line`."""
    text = read_text(
        path, MAX_ROSTER_BYTES, "Name a roster, a CSV file in UTF-8 with a column `login`.", BadDataError
    )
    members: dict[str, RosterLine] = {}
    for number, member in _lines(path, text):
        if member.login in members:
            raise BadDataError(f"{path}:{number}: {member.login} is listed twice. Remove one of the lines.")
        members[member.login] = member
    if not members:
        raise BadDataError(f"{path} has no members. Write a line for each below `login,role`.")
    return tuple(members.values())


def _lines(path: Path, text: str) -> Iterator[tuple[int, RosterLine]]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    try:
        columns = [name.strip().lower() for name in reader.fieldnames or ()]
        if text.strip() and columns.count("login") != 1:
            raise BadDataError(f"{path}:1: the header needs one column `login`. Start the file with `login,role`.")
        reader.fieldnames = columns
        for row in reader:
            place = f"{path}:{reader.line_num}: "
            if None in row or None in row.values():
                raise BadDataError(
                    f"{place}this line does not have {counted(len(columns), 'cell')}. Give it one for each column."
                )
            if any(row.values()):  # a spreadsheet may end in rows of empty cells
                yield reader.line_num, _member(place, {name: cell.strip() for name, cell in row.items()})
    except csv.Error as error:
        raise BadDataError(
            f"{path}:{reader.reader.line_num}: this is not valid CSV ({error}). Check its quotation marks."
        ) from None


def _member(place: str, row: Mapping[str, str]) -> RosterLine:
    try:
        kind = MemberKind(row.get("role", "").lower() or MemberKind.STUDENT)
    except ValueError:
        raise BadDataError(f"{place}{row['role'][:40]!r} is not a valid role. Use student or staff.") from None
    login = row["login"]
    if not _NAME.fullmatch(login) or login.lower() in _RESERVED or login.lower().startswith("pg_"):
        raise BadDataError(
            f"{place}{login[:70]!r} is not a valid login. Use up to 63 letters, digits and _ (also . @ - after "
            "the first), but no word that PostgreSQL reserves."
        )
    return RosterLine(login, kind)
