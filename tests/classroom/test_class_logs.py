"""Check the report on a class from its server: it has every student, and only staff may read it."""

from pathlib import Path

import pytest
from postgresql_server import Server
from shell import Shell
from simulated_class import DECK, Student, cards, simulated_class, write_class
from sqlalchemy import create_engine, text

from studykit.store import sql
from studykit.store.rows import event_values

LEARNERS = ("ana", "bo", "cy", "di")


@pytest.fixture
def shell(study: Shell, server: Server, monkeypatch: pytest.MonkeyPatch) -> Shell:
    server.empty("course", *LEARNERS, "kim", "course_students", "course_staff")
    monkeypatch.setenv("STUDYKIT_DECKS", str(study.write("mine.md", DECK)))
    return study


def address(server: Server, name: str) -> str:
    return server.url.replace("study@/postgres", f"{name}@/course").replace("+psycopg", "")


def enrol(shell: Shell, server: Server) -> list[Student]:
    """Add four students with simulated logs, the first one empty, and one member of staff."""
    shell.write("roster.csv", "login,role\n" + "".join(f"{name},student\n" for name in LEARNERS) + "kim,staff\n")
    owner = address(server, "study")
    for words in (["create", owner], ["add", "roster.csv", "--db", owner, "--no-passwords"]):
        assert shell("class", *words).code == 0
    students = simulated_class(cards(), 4, 10)
    rows = []
    for student, name in zip(students, LEARNERS, strict=True):
        student.name = name
        rows += [event_values(event) | {"learner": name} for event in student.events]
    engine = create_engine(server.url.replace("/postgres?", "/course?"))
    with engine.begin() as connection:
        connection.execute(text(sql.INSERT_EVENT), rows)
    engine.dispose()
    return students


def test_a_server_gives_the_report_that_files_give(shell: Shell, server: Server, tmp_path: Path) -> None:
    write_class(enrol(shell, server), tmp_path / "class")
    words = ["--deck", "mine", "--exam", "2026-12-18", "--json"]

    by_files = shell("class", "report", "class", *words)
    by_server = shell("class", "report", address(server, "kim"), *words)

    assert (by_server.code, by_server.err) == (0, "")
    assert by_server.json == by_files.json
    assert [student["name"] for student in by_server.json["students"]] == list(LEARNERS)
    assert by_server.json["students"][0]["answers"] == 0


def test_a_class_without_anybody_is_told(shell: Shell, server: Server) -> None:
    assert shell("class", "create", address(server, "study")).code == 0

    done = shell("class", "report", address(server, "study"))

    assert done.code == 3
    assert "is empty. Add students with:\n  study class add ROSTER.csv" in done.err
