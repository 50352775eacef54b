"""Test the upgrade of a class's database that an earlier version made, with the log of a learner in it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from data_files import DATA
from postgresql_server import Server
from shell import Shell
from stores import NOW, opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds
from studykit.store.rows import EVENT_COLUMNS, event_values

if TYPE_CHECKING:
    import psycopg

OLD_CLASS = """
CREATE ROLE course_students NOLOGIN; CREATE ROLE course_staff NOLOGIN;
GRANT USAGE ON SCHEMA public TO course_students, course_staff;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO course_students, course_staff;
GRANT INSERT ON ALL TABLES IN SCHEMA public TO course_students;
CREATE ROLE ana LOGIN IN ROLE course_students; CREATE ROLE lee LOGIN IN ROLE course_staff;
"""
ROWS = f"SELECT {', '.join(EVENT_COLUMNS)} FROM event ORDER BY learner, id"
TABLES = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1"
OLD_READING = "CREATE POLICY staff_read ON event FOR SELECT TO course_staff USING (true)"


def answers(count: int, learner: str) -> Iterator[Event]:
    """Yield answers about a quarter of an hour apart, the last one near NOW, and some of them out of order."""
    random = Random(count)
    for number in range(count):
        at = NOW - timedelta(minutes=15 * (count - number) - random.randrange(20))
        yield Event(
            id=UUID(int=(microseconds(at) // 1000 << 80) | 7 << 76 | 1 << 63 | number),
            learner=learner,
            origin="0a0b0c0d",
            kind=EventKind.ANSWER,
            card=CardId(f"card-{random.randrange(count // 10)}"),
            moment=microseconds(at),
            day=at.date(),
            zone="UTC",
            grade=Grade(random.choice([1, 4, 4, 4, 5])),
            took_ms=number,
            profile="",
        )


def sections() -> dict[str, str]:
    """Map each revision to the SQL statements that lead to it from the previous one."""
    parts = re.split(
        r"^-- (\d{4})\n", (DATA / "classes" / "tables_until_0008.sql").read_text("utf-8"), flags=re.MULTILINE
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture
def study(study: Shell, server: Server) -> Shell:
    """Return a runner on a fresh machine, with an empty database on the server."""
    server.empty("course", "ana", "lee", "course_students", "course_staff")
    return study


@pytest.mark.parametrize(("revision", "count"), [("0001", 50), ("0005", 50), ("0007", 50), ("0008", 30_000)])
def test_student_of_an_old_server_goes_on(study: Shell, server: Server, revision: str, count: int) -> None:
    role, learner = ("ana", "ana") if revision > "0005" else ("study", "me")
    address, owner, lee = (
        server.url.replace("study@/postgres", f"{name}@/course") for name in (role, "study", "lee")
    )
    events = list(answers(count, learner))
    with server.connect("course") as connection:
        before = old_database(connection, revision, events)

    early = study("sync", address)
    upgraded = [study("class", "create", owner).code for _ in range(2)]
    took = study("sync", address)
    with opened(study.home / "expected.db") as expected, opened(study.database) as fresh:
        expected.log.merge(events)
        assert fresh.schedule.memories() == expected.schedule.memories()
    with server.connect("course") as connection:
        after, tables = connection.execute(ROWS).fetchall(), connection.execute(TABLES).fetchall()
    study("answer", "six", "good")

    assert (early.code, "Ask its owner to upgrade it:\n  study class create" in early.err) == (1, True)
    assert (upgraded, after, tables) == ([0, 0], before, [("alembic_version",), ("event",)])
    assert took.out == f"took {count:,} reviews from laptop.\n"
    assert study("sync", address).out == "sent 1 review.\n"
    if role == "ana":
        exported = study("class", "export", "logs", "--json", "--db", lee).json
        assert exported["learners"] == [{"learner": "ana", "events": count + 1}]


def old_database(
    connection: "psycopg.Connection[tuple[object, ...]]", revision: str, events: list[Event]
) -> list[tuple[object, ...]]:
    """Make the tables of a revision, and of a class if it had classes, and return the rows of its log."""
    with connection.transaction():
        for text in (text for name, text in sections().items() if name <= revision):
            connection.execute(text)
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        connection.execute("INSERT INTO alembic_version VALUES (%s)", [revision])
        if revision > "0005":
            connection.execute(OLD_CLASS)
        if revision == "0007":
            connection.execute(OLD_READING)
        with connection.cursor().copy(f"COPY event ({', '.join(EVENT_COLUMNS)}) FROM STDIN") as copy:
            for event in events:
                copy.write_row(list(event_values(event).values()))
        connection.execute("INSERT INTO setting VALUES (%s, 'machine 0a0b0c0d', 'laptop')", [events[0].learner])
        return connection.execute(ROWS).fetchall()
