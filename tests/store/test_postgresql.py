"""PostgreSQL, the second home: the same answers, the same promises. Runs a server of its own."""

import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from plain_replay import plain_replay
from postgresql_server import Server
from revisions import only_revisions
from schema import columns, some_values, texts
from shell import Shell
from sqlalchemy import Connection, create_engine, inspect, text
from stores import NOW, opened

from decks import basic_card
from studykit.cards.card import Card, CardId, DeckId
from studykit.cards.query import parse_query
from studykit.errors import BadDataError, BusyError, StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade
from studykit.store import engine
from studykit.store.card_table import DeckUpdate
from studykit.store.ceiling_table import Ceiling
from studykit.store.database import database_error
from studykit.store.rows import DeckFile
from studykit.store.store import Store

WEEK = NOW.date() + timedelta(days=7)
_ENCRYPTED = (struct.pack("!I", 80877103), struct.pack("!I", 80877104))
"""The first request of a client that prefers encryption."""


@pytest.fixture
def url(server: Server) -> str:
    """An empty database of the server."""
    return server.empty("course")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("COST", ["flops", "percent"]),
        ("100% a_b", ["percent"]),
        ("1% OR !", []),
        ("tag:verb", ["percent"]),
        ("-tag:verb cost", ["flops"]),
        ("is:new", ["percent"]),
        ("is:due OR lapses>0", ["flops"]),
        ("is:flagged ease<3 deck:flo", ["flops"]),
        ("'; DROP TABLE card; -- \\ :p0 \x00", []),
    ],
)
def test_search_works_as_in_a_file(searched: Store, query: str, expected: list[str]) -> None:
    cards = searched.search.find(parse_query(query), NOW.date(), leech=1).cards

    assert [each.card.id for each in cards] == expected
    assert not searched.search.wants_index


@pytest.fixture(scope="module")
def searched(server: Server) -> Iterator[Store]:
    """A database of its own with two cards, one of them known, flagged and lapsed."""
    with server.connect() as connection:
        connection.execute("CREATE DATABASE searched")
    cost = a_card("flops", 0)._replace(prompt="What does it cost?")
    percent = a_card("percent", 1)._replace(prompt="Cost of 100% a_b", tags=("verb",))
    with opened(server.url.replace("/postgres?", "/searched?")) as store:
        store.update_decks(DeckUpdate([DeckFile("flops.md", 1, 1, "", DeckId("flops"), "Flops")], [cost, percent]))
        for day, grade in ((1, Grade.GOOD), (2, Grade.AGAIN)):
            at = NOW - timedelta(days=20 - day)
            store.log.record(EventKind.ANSWER, CardId("flops"), grade=grade, at=at)
        store.log.record(EventKind.FLAG, CardId("flops"))
        yield store


def a_card(name: str, position: int) -> Card:
    return basic_card(name, prompt=name, answer="", position=position, objectives=("flops",))


def fill(store: Store, *names: str) -> None:
    file = DeckFile("flops.md", 2**62, 1, "", DeckId("flops"), "FLOPs")
    store.update_decks(DeckUpdate([file], [a_card(name, position) for position, name in enumerate(names)]))


@pytest.mark.thorough
def test_migrations_make_the_tables_that_the_program_knows(url: str) -> None:
    opened(url).close()
    core = create_engine(url)

    table_columns = {table: {column["name"] for column in inspect(core).get_columns(table)} for table in columns()}

    core.dispose()
    assert table_columns == {table: set(types) for table, types in columns().items()}


def test_every_query_fits_the_tables(url: str) -> None:
    with opened(url) as store, store._database.reading() as connection:
        for query in texts().values():
            if "?" not in query:
                assert connection.execute(f"EXPLAIN {query}", some_values(query)).fetchone() is not None


def test_caches_agree_with_the_log(url: str) -> None:
    with opened(url) as store:
        fill(store, "a", "b", "c", "d")
        for number, name in enumerate("abcdab"):
            store.log.record(EventKind.ANSWER, CardId(name), grade=Grade(number % 6), took_ms=900)
        store.log.record(EventKind.SUSPEND, CardId("b"))
        store.log.record(EventKind.RELINK, CardId("e"), target="c")
        store.log.undo()
        store.log.record(EventKind.RESET, CardId("d"))

        assert store.schedule.memories() == plain_replay(store.log.events())
        assert store.schedule.disagreements() == ()

        due = store.schedule.agenda(WEEK).due
        with store._database.writing("me") as connection:
            connection.execute("UPDATE memory SET due = due + 1, live = 1 - live WHERE card_id = 'a'")
        assert len(store.schedule.disagreements()) == 1
        store.schedule.rebuild()
        assert store.schedule.disagreements() == ()
        assert store.schedule.agenda(WEEK).due == due


def test_the_agenda_is_that_of_sqlite(url: str, tmp_path: Path) -> None:
    agendas = []
    for where in (url, str(tmp_path / "study.db")):
        with opened(where) as store:
            fill(store, *(f"Card-{number}" for number in range(20)), "ä", "B", "a")
            for number in range(8):
                store.log.record(EventKind.ANSWER, CardId(f"Card-{number}"), grade=Grade(number % 6))
            store.log.record(EventKind.SUSPEND, CardId("a"))
            store.log.record(EventKind.SUSPEND, CardId("Card-1"))
            store.log.undo()
            agendas.append(
                (
                    store.schedule.agenda(NOW.date()),
                    store.schedule.agenda(date(2026, 11, 24)),
                    store.schedule.stats(NOW.date()),
                    store.schedule.dashboard(date(2026, 11, 24)),
                    store.schedule.deck_counts(NOW.date()),
                    store.schedule.answer_counts(),
                )
            )

    assert agendas[0] == agendas[1]


def test_learners_do_not_see_each_other(url: str) -> None:
    with opened(url, learner="ada") as ada, opened(url, learner="bob") as bob:
        fill(ada, "a", "b")
        fill(bob, "a", "c")
        ada.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

        assert (bob.schedule.memories(), bob.schedule.agenda(NOW.date()).new) == ({}, ("a", "c"))
        assert ada.schedule.agenda(NOW.date()).new == ("b",)
        assert (ada.cards.ids(), bob.cards.ids()) == (("a", "b"), ("a", "c"))


def test_everything_else_comes_back_too(url: str) -> None:
    showing = Showing("flops.x", 1, -(2**63), "{}", "3e\0\ud800", "incorrect", ("one", "two"))
    with opened(url) as store:
        store.log.record(EventKind.PRACTICE, CardId(""), showing=showing)
        store.ceilings.put("cpu", {"flops": Ceiling(1.5e11, 7)})
        fill(store, "a")

        assert store.log.showings()[0].showing == Showing(
            "flops.x", 1, -(2**63), "{}", "3e?", "incorrect", ("one", "two")
        )
        assert store.ceilings.of("cpu") == {"flops": Ceiling(1.5e11, 7)}
        assert (store.cards.card(CardId("a")), store.cards.deck_files()["flops.md"].mtime_ns) == (
            a_card("a", 0),
            2**62,
        )


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
def test_the_log_refuses_to_be_changed(url: str, statement: str) -> None:
    with opened(url) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
        with pytest.raises(StudyError, match="append-only"), store._database.writing("me") as connection:
            connection.execute(statement)

        assert len(list(store.log.events())) == 1


ANSWERING = """
import sys
from datetime import UTC, datetime
from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.opening import open_store
store = open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
for number in range(25):
    store.log.record(EventKind.ANSWER, CardId("one"), grade=Grade(number % 6))
"""


@pytest.mark.thorough
def test_starting_processes_lose_nothing(url: str) -> None:
    command = [sys.executable, "-c", ANSWERING, url]
    all_ = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]

    try:
        errors = [process.communicate(timeout=90)[1] for process in all_]
    finally:
        for process in all_:
            process.kill()

    with opened(url) as store:
        assert (errors, store.log.count(), store.schedule.disagreements()) == (["", "", ""], 75, ())


def test_a_database_of_a_newer_program_is_refused(url: str) -> None:
    opened(url).close()
    core = create_engine(url)
    with core.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    core.dispose()

    with pytest.raises(BadDataError, match="newer studykit"):
        opened(url)


def test_first_revision_is_upgraded(url: str, tmp_path: Path) -> None:
    with only_revisions("0001", tmp_path), opened(url) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

    opened(url).close()

    core = create_engine(url)
    parts = next(index for index in inspect(core).get_indexes("memory") if index["name"] == "memory_parts")
    core.dispose()
    with opened(url) as store:
        assert (parts["column_names"][3], store.log.count(), store.schedule.disagreements()) == ("card_id", 1, ())


def test_unreachable_server_is_explained(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be reached") as error:
        opened(f"postgresql://study:secret@/course?host={tmp_path}")

    assert "secret" not in str(error.value)


def test_long_lock_is_reported_as_busy(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "WAITING_SECONDS", 0.05)

    with opened(url) as holder, opened(url) as store, holder._database.writing("me"), pytest.raises(BusyError):
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)


@pytest.fixture
def study(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    data = str(tmp_path / "data")
    return Shell(tmp_path, monkeypatch, capsys, STUDYKIT_DB=url, STUDYKIT_BACKUP="1", XDG_DATA_HOME=data)


def test_a_backup_brings_back_what_a_server_lost(study: Shell, url: str, tmp_path: Path) -> None:
    study("answer", "six", "good")
    study("answer", "six", "again")
    study("undo")
    document = study("backup", "create", "--json").json
    history = study("show", "six", "--json").json["history"]

    nothing = study("backup", "restore")
    core = create_engine(url, isolation_level="AUTOCOMMIT")
    with core.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    core.dispose()
    back = study("backup", "restore", "--json").json

    assert document["events"] == 3
    assert nothing.out.startswith("Added 0 of 3 events")
    assert back["added"] == 3
    assert study("show", "six", "--json").json["history"] == history
    assert study("doctor", "--json").json["problems"] == 0


def test_server_log_continues_in_a_file(study: Shell, tmp_path: Path) -> None:
    study("answer", "six", "good")
    path = study("backup", "create", "--json").json["path"]
    memory = study("show", "six", "--json").json["memory"]

    study("backup", "restore", path, "--db", str(tmp_path / "own.db"))

    assert study("show", "six", "--json", "--db", str(tmp_path / "own.db")).json["memory"] == memory


def test_server_and_file_sync_by_a_folder(study: Shell, tmp_path: Path) -> None:
    study("answer", "six", "good")
    own = ["--db", str(tmp_path / "own.db")]

    outputs = [study("sync", str(tmp_path / "shared"), *place).out for place in ([], own, [])]

    assert outputs[0] == "gave 1 review.\n"
    assert outputs[1].startswith("took 1 review from ")
    assert outputs[2] == "nothing new.\n"
    assert study("show", "six", "--json", *own).json["history"] == study("show", "six", "--json").json["history"]


def cut_off(server: Server) -> None:
    """End every connection to the database, as a restart, an idle timeout or an administrator does."""
    with server.connect() as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'course'")


def test_doctor_sees_one_state_while_answers_come(url: str) -> None:
    with opened(url) as store, opened(url) as other:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

        def answer(_events: int) -> None:
            other.log.record(EventKind.ANSWER, CardId("b"), grade=Grade.GOOD)

        assert store.schedule.disagreements(answer) == ()
        assert store.log.count() == 2
        other.log.record(EventKind.ANSWER, CardId("c"), grade=Grade.GOOD)
        store.log.record(EventKind.ANSWER, CardId("c"), grade=Grade.EASY)
        assert store.schedule.disagreements() == ()


def test_ended_connection_is_made_again(server: Server, url: str) -> None:
    with opened(url) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
        cut_off(server)
        store.log.record(EventKind.ANSWER, CardId("b"), grade=Grade.GOOD)
        cut_off(server)
        assert len(store.schedule.memories()) == 2
        cut_off(server)
        assert store.log.undo() is not None

        assert (store.log.count(), store.schedule.disagreements()) == (3, ())


@pytest.mark.parametrize("lost", ["before the commit", "after the commit"])
@pytest.mark.parametrize("what", ["answer", "undo"])
def test_interrupted_write_happens_exactly_once(
    server: Server, url: str, monkeypatch: pytest.MonkeyPatch, lost: str, what: str
) -> None:
    commits: list[Connection] = []

    def commit(connection: Connection) -> None:
        commits.append(connection)
        if len(commits) > 1 or lost == "after the commit":
            real(connection)
        if len(commits) == 1:
            cut_off(server)
            connection.execute(text("SELECT 1"))

    with opened(url) as store:
        first = store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD).event
        real = Connection.commit
        monkeypatch.setattr(Connection, "commit", commit)
        if what == "undo":
            undone = store.log.undo()
            assert undone is not None
            undo_id, target = undone.undo.id, undone.target.id
            assert target == first.id
        else:
            undo_id = store.log.record(EventKind.ANSWER, CardId("b"), grade=Grade.EASY).event.id
        monkeypatch.undo()

        assert [event.id for event in store.log.events()] == [first.id, undo_id]
        assert store.schedule.disagreements() == ()
        assert len(commits) == 2


def test_restarting_server_is_awaited(server: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_RESTART_SECONDS", 0.1)
    with opened(url) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
        server.stop()
        try:
            with pytest.raises(StudyError, match=r"cannot be reached|ended and did not come back"):
                store.log.record(EventKind.ANSWER, CardId("b"), grade=Grade.GOOD)
        finally:
            server.start()
        store.log.record(EventKind.ANSWER, CardId("c"), grade=Grade.GOOD)

        assert sorted(store.schedule.memories()) == ["a", "c"]


def test_missing_right_is_explained(server: Server, url: str) -> None:
    opened(url).close()
    with server.connect("course") as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    with (
        opened(url.replace("//study@", "//reader@"), origin="here") as store,
        pytest.raises(StudyError, match="not allow you"),
    ):
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
    with pytest.raises(StudyError, match="does not let you in"):
        opened(url.replace("//study@", "//nobody-of-that-name@"))
    with pytest.raises(StudyError, match="no such database"):
        opened(url.replace("/course?", "/no-such-course?"))


def test_rows_that_are_not_known_are_passed_over(server: Server, url: str) -> None:
    with opened(url) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
        with server.connect("course") as connection:
            connection.execute(
                "INSERT INTO event (id, learner, kind, card_id, moment, day, grade) "
                "VALUES ('x', 'me', 'dream', 'a', 1, 2, 9)"
            )

        assert (len(list(store.log.events())), len(store.log.unreadable())) == (1, 1)
        assert store.schedule.disagreements() == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("FATAL: terminating connection due to administrator command", "ended and did not come back"),
        ("server closed the connection unexpectedly", "ended and did not come back"),
        ("FATAL: the database system is starting up", "is starting or stopping"),
        ("FATAL: sorry, too many clients already", "no connection free"),
        ("permission denied for table event", "does not allow you this"),
        ("must be owner of table event", "does not allow you this"),
        ('connection failed: FATAL: password authentication failed for user "x"', "does not let you in"),
        ('connection failed: FATAL: database "x" does not exist', "no such database"),
        ('relation "event" does not exist', "lacks a part"),
        ("could not extend file: No space left on device", "refused to write"),
    ],
)
def test_each_word_of_a_server_has_a_sentence(message: str, expected: str) -> None:
    assert expected in str(database_error("course", Exception(message)))


def test_session_keeps_nothing_for_a_pooler(url: str) -> None:
    query = "SELECT (SELECT count(*) FROM pg_prepared_statements), current_setting('lock_timeout')"
    with opened(url) as store:
        for _ in range(8):
            store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)

        with store._database.reading() as connection:
            assert connection.execute(query).fetchone() == (0, "0")
            locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            assert connection.execute(locks).fetchone() == (0,)


def test_server_of_another_kind_is_refused() -> None:
    def packet(kind: bytes, content: bytes) -> bytes:
        return kind + struct.pack("!I", len(content) + 4) + content

    version = b"\x1b]0;another kind\x07"
    ready = packet(b"Z", b"I")
    column = packet(b"T", struct.pack("!h2sIhIhih", 1, b"v\0", 0, 0, 25, -1, -1, 0))
    row = packet(b"D", struct.pack("!hI", 1, len(version)) + version)
    welcome = packet(b"R", bytes(4)) + packet(b"S", b"server_version\0" + version + b"\0") + ready

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            while (request := connection.recv(1 << 16)) and request[4:8] in _ENCRYPTED:
                connection.sendall(b"N")
            connection.sendall(welcome)
            while connection.recv(1 << 16):
                connection.sendall(column + row + packet(b"C", b"SELECT 1\0") + ready)

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        serving = threading.Thread(target=serve)
        serving.start()
        with pytest.raises(StudyError, match="is not a PostgreSQL server") as refused:
            opened(f"postgresql://me@127.0.0.1:{listening.getsockname()[1]}/course")
        serving.join()

    assert "\x1b" not in str(refused.value)
