"""Test that a new member's handout has an address and the matching line of `~/.pgpass`."""

import pytest
from sqlalchemy import make_url

from studykit.classroom.membership import NewMember, handout
from studykit.classroom.roster import MemberKind

ANA = NewMember("ana", MemberKind.STUDENT, is_new=True, password="pw:1")  # noqa: S106 - not a secret


@pytest.mark.parametrize(
    ("owner", "host", "line", "address"),
    [
        ("/course?host=/sock&port=5439", None, "/sock:5439:", "@/course?host=%2Fsock&port=5439"),
        ("db/course", None, "db:5432:", "@db/course"),
        ("study:secret@db:77/course", None, "db:77:", "@db:77/course"),
        ("db:77/course?host=other&port=78", None, "other:78:", "@db:77/course?host=other&port=78"),
        ("/course", None, "localhost:5432:", "@/course"),
        ("[::1]:77/course", None, r"\:\:1:77:", "@[::1]:77/course"),
        ("/course?host=/sock&port=5439", "db", "db:5432:", "@db/course"),
        ("db:77/course", "other:78", "other:78:", "@other:78/course"),
        ("db:77/course", "other", "other:5432:", "@other/course"),
    ],
)
def test_pgpass_line_names_the_addressed_server(owner: str, host: str | None, line: str, address: str) -> None:
    lines = handout(make_url(f"postgresql+psycopg://{owner}"), ANA, host).splitlines()

    assert f"    {line}course:ana:pw\\:1" in lines
    assert f'    study sync "postgresql://ana{address}"' in lines
