"""Check that the log on a class's server survives lost connections and restarts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from postgresql_server import Server
from stores import NOW

from studykit.cards.card import CardId
from studykit.classroom import class_server
from studykit.classroom.class_server import server_url
from studykit.classroom.learner_log import LearnerLog, opened_log
from studykit.classroom.membership import Membership
from studykit.errors import BadDataError, BusyError, StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds
from studykit.store.database import database_error

EVENT = Event(
    id=UUID(int=1),
    learner="",
    origin="0a0b0c0d",
    kind=EventKind.ANSWER,
    card=CardId("a"),
    moment=microseconds(NOW),
    day=NOW.date(),
    zone="UTC",
    grade=Grade.GOOD,
    took_ms=900,
    profile="",
)


@pytest.fixture
def url(server: Server) -> str:
    """Return the URL by which its owner opens a class without members."""
    address = server.empty("course", "course_students", "course_staff")
    members = Membership(server_url(address))
    members.create()
    members.close()
    return address


@pytest.fixture
def log(url: str) -> Iterator[LearnerLog]:
    """Open the log of the class's owner."""
    with opened_log(server_url(url)) as log:
        yield log


def give(log: LearnerLog, *numbers: int) -> None:
    events = [replace(EVENT, id=UUID(int=number), took_ms=number) for number in numbers]
    log.add(events, "0a0b0c0d", "laptop")


def given(log: LearnerLog) -> list[int]:
    return [event.took_ms for event in log.events(list(log.ids()))]


def test_everything_of_an_event_comes_back(log: LearnerLog) -> None:
    showing = Showing("flops.x", 1, -(2**63), "{}", "3e?", "incorrect", ("one", "two"))
    event = replace(EVENT, learner="me", showing=showing, target="b", profile="fsrs")

    log.add([event], "another", "desktop")
    log.add([event], "0a0b0c0d", "desktop")
    assert log.events([event.id.bytes]) == [event]
    assert log.machines() == {}
    give(log, 3, 2, 2)
    assert given(log) == [900, 2, 3]
    assert log.machines() == {"0a0b0c0d": "laptop"}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET grade = 5",
        "DELETE FROM event",
        "TRUNCATE event",
        "INSERT INTO event SELECT * FROM event ON CONFLICT (learner, id) DO UPDATE SET grade = 5",
    ],
    ids=["update", "delete", "truncate", "upsert"],
)
def test_the_log_refuses_to_be_changed(server: Server, log: LearnerLog, statement: str) -> None:
    give(log, 1)

    with server.connect("course") as connection, pytest.raises(psycopg.Error, match="append-only"):
        connection.execute(statement)

    assert given(log) == [1]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "newer studykit"),
        ("UPDATE alembic_version SET version_num = 'a1b2c3'", "has the unknown revision 'a1b2c3'"),
        ("UPDATE alembic_version SET version_num = '0008'", "made by an earlier studykit"),
        ("DROP TABLE alembic_version", "another program"),
        ("DROP TABLE alembic_version; DROP TABLE event CASCADE", "does not hold a class"),
    ],
)
def test_other_tables_are_refused(server: Server, url: str, statement: str, expected: str) -> None:
    with server.connect("course") as connection:
        connection.execute(statement)

    with pytest.raises(StudyError, match=expected), opened_log(server_url(url)):
        pass


def test_rows_that_are_not_known_are_passed_over(server: Server, log: LearnerLog) -> None:
    give(log, 1)
    with server.connect("course") as connection:
        connection.execute(
            "INSERT INTO event (id, learner, kind, card_id, moment, day, grade, origin) "
            "VALUES ('x', 'me', 'dream', 'a', 1, 2, 9, '0a0b0c0d')"
        )

    assert (given(log), len(log.ids())) == ([1], 1)


def test_log_that_takes_nothing_is_reported(server: Server, log: LearnerLog) -> None:
    with server.connect("course") as connection:
        connection.execute(
            "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
            "CREATE TRIGGER lose BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION lose()"
        )

    with pytest.raises(BadDataError, match="did not accept"):
        give(log, 1)


def cut_off(server: Server) -> None:
    """End every connection to the database, as a restart, an idle timeout or an administrator does."""
    with server.connect() as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'course'")


def test_lost_connection_is_reported(server: Server, url: str, log: LearnerLog) -> None:
    give(log, 1)
    cut_off(server)
    with pytest.raises(StudyError, match="was lost"):
        give(log, 2)

    with opened_log(server_url(url)) as again:
        give(again, 1, 2)
        assert given(again) == [1, 2]


def test_long_lock_is_reported_as_busy(server: Server, log: LearnerLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_server, "WAITING_SECONDS", 0.05)

    with server.connect("course") as holder, holder.transaction():
        holder.execute("LOCK TABLE event")
        with pytest.raises(BusyError):
            give(log, 1)


def test_session_keeps_nothing_for_a_pooler(server: Server, log: LearnerLog) -> None:
    for number in range(8):
        give(log, number + 1)

    with log._server.reading() as connection:
        prepared = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
        locks = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
    assert (prepared, locks) == ((0,), (0,))
    assert log._server._connection.execute("SHOW lock_timeout").fetchone() == ("0",)


def test_missing_right_is_explained(server: Server, url: str, tmp_path: Path) -> None:
    with server.connect("course") as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("GRANT CONNECT ON DATABASE course TO reader")
    refusals = {
        url.replace("//study@", "//reader@"): "not allow this",
        url.replace("//study@", "//unknown-login@"): "does not let you in",
        url.replace("/course?", "/no-such-course?"): "no such database",
        f"postgresql://study:secret@/course?host={tmp_path}": "cannot be reached",
    }

    for address, expected in refusals.items():
        with pytest.raises(StudyError, match=expected) as error, opened_log(server_url(address)):
            pass
        assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("FATAL: terminating connection due to administrator command", "was lost"),
        ("server closed the connection unexpectedly", "was lost"),
        ("FATAL: the database system is starting up", "is starting or stopping"),
        ("FATAL: sorry, too many clients already", "no free connection"),
        ("must be owner of table event", "does not allow this"),
        ('relation "event" does not exist', "lacks a part"),
        ("could not extend file: No space left on device", "could not be written to disk"),
    ],
)
def test_each_word_of_a_server_has_a_sentence(message: str, expected: str) -> None:
    assert expected in str(database_error("course", Exception(message)))


def test_words_of_a_server_are_printable() -> None:
    assert "\x1b" not in str(database_error("course", Exception("no \x1b]0;such\x07 language")))
