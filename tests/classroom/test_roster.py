"""Test how rosters are read, and the message for each kind of invalid line."""

from pathlib import Path

import pytest

from studykit.classroom.roster import MemberKind, RosterLine, read_roster
from studykit.errors import StudyError


def roster(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode("utf-8-sig"))
    return path


def test_members_are_read_whatever_else_the_file_holds(tmp_path: Path) -> None:
    path = roster(
        tmp_path, 'Name,Login,Role\r\n"Nowak, Ana",ana,\r\n\r\nBo Li,bo.li@uni, Student\r\nKim,kim,STAFF\r\n'
    )

    assert read_roster(path) == (
        RosterLine("ana", MemberKind.STUDENT),
        RosterLine("bo.li@uni", MemberKind.STUDENT),
        RosterLine("kim", MemberKind.STAFF),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no members"),
        ("login,role\n", "has no members"),
        ("name,role\nana,student\n", "roster.csv:1: the header needs one column `login`"),
        ("login,role\nana\n", "roster.csv:2: this line does not have 2 cells"),
        ("login,role\nana,boss\n", "roster.csv:2: 'boss' is not a valid role"),
        ("login\nana\n\nana\n", "roster.csv:4: ana is listed twice"),
        ('login\n"ana', "roster.csv:2: this is not valid CSV"),
        ("login\npg_boss\n", "roster.csv:2: 'pg_boss' is not a valid login"),
        *((f"login\n{login}\n", "is not a valid login") for login in ("me", "PUBLIC", "ana:bo", 64 * "a", "-")),
        ('login\n"ana""; DROP ROLE study; --"\n', "is not a valid login"),
    ],
)
def test_what_cannot_be_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(StudyError) as error:
        read_roster(roster(tmp_path, text))

    assert told in str(error.value)


def test_file_without_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes(b"login\n\xe4na\n")

    for path, told in (
        (tmp_path / "none.csv", "cannot be read"),
        (tmp_path, "roster"),
        (tmp_path / "latin.csv", "UTF-8"),
    ):
        with pytest.raises(StudyError, match=told):
            read_roster(path)
