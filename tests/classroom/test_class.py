"""Test a class of three members on a real server: what each may see and do."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from data_files import blocks
from postgresql_server import Server, running
from shell import Result, Shell

MEMBERS = "login,role\nana,student\nbo,student\nkim,staff\n"
PSQL = shutil.which("psql")


class Class:
    """Run a class of three on a server that asks everybody except its owner for a password."""

    def __init__(
        self, server: Server, home: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]
    ) -> None:
        self.server, self.home, self._patch, self._capture = server, home, patch, capture
        self.folder = server.url.partition("host=")[2]
        self.owner = f"postgresql://study@/course?host={self.folder}"
        self.homes: dict[str, Shell] = {}

    def address(self, name: str) -> str:
        return f"postgresql://{name}@/course?host={self.folder}"

    def on(self, name: str, **environ: str) -> Shell:
        """Return a runner for commands on a member's machine."""
        home = self.home / name
        home.mkdir(exist_ok=True)
        return Shell(home, self._patch, self._capture, PGPASSFILE=str(self.home / "pgpass"), **environ)

    def as_owner(self, *words: str) -> Result:
        return self.on("study")(*words, "--db", self.owner)

    def hand_out(self, text: str) -> None:
        """Write each member's line into their password file."""
        lines = re.findall(rf"^ +({re.escape(self.folder)}:\d+:course:\S+)$", text, re.MULTILINE)
        path = self.home / "pgpass"
        path.touch(mode=0o600)
        path.write_text(path.read_text() + "".join(f"{line}\n" for line in lines))

    def psql(self, name: str, *statements: str) -> subprocess.CompletedProcess[str]:
        """Run statements in one session of `psql`, and return the finished process with its output."""
        assert PSQL is not None
        command = [PSQL, "-h", self.folder, "-U", name, "-d", "course", "-At", "-X"]
        for statement in statements:
            command += ["-c", statement]
        environ = {**os.environ, "PGPASSFILE": str(self.home / "pgpass")}
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=30, check=False)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        folder = Path(server.url.partition("host=")[2])
        (folder / "data" / "pg_hba.conf").write_text("local all study trust\nlocal all all scram-sha-256\n")
        with server.connect() as connection:
            connection.execute("SELECT pg_reload_conf()")
        yield server


@pytest.fixture
def class_(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Class:
    server.empty("course", "ana", "bo", "kim", "lee", "cy", "course_students", "course_staff")
    class_of_three = Class(server, tmp_path, monkeypatch, capsys)
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "roster.csv").write_text(MEMBERS)
    assert class_of_three.on("study")("class", "create", class_of_three.owner).code == 0
    added = class_of_three.as_owner("class", "add", "roster.csv")
    assert (added.code, added.err) == (0, "")
    class_of_three.hand_out(added.out)
    return class_of_three


def answer(class_: Class, name: str, card: str = "six") -> Shell:
    """Answer a card on a member's machine, and sync it with the class."""
    shell = class_.on(name)
    shell("answer", card, "good")
    assert shell("sync", class_.address(name)).out == "sent 1 review.\n"
    return shell


def test_members_get_passwords_and_an_address(class_: Class) -> None:
    pgpass = (class_.home / "pgpass").read_text().splitlines()

    assert [line.split(":")[3] for line in pgpass] == ["ana", "bo", "kim"]
    assert len({line.split(":")[4] for line in pgpass}) == 3
    assert all(len(line.split(":")[4]) == 20 for line in pgpass)
    assert class_.psql("ana", "SELECT current_user").stdout == "ana\n"


def test_sync_meets_the_class(class_: Class) -> None:
    laptop = class_.on("ana")
    laptop("config", "set", "machine_name", "laptop")
    laptop("answer", "six", "good")
    laptop("answer", "gb-gib", "again")
    gave = laptop("sync", class_.address("ana"))
    again = laptop("sync", class_.address("ana"))
    desktop = class_.on("desktop")
    took = desktop("sync", class_.address("ana"))
    desktop("answer", "six-nd-symbols", "good")
    given_back = desktop("sync", class_.address("ana"), "--json")
    laptop = class_.on("ana")
    home = laptop("sync", class_.address("ana"))

    assert (gave.out, again.out) == ("sent 2 reviews.\n", "nothing new.\n")
    assert took.out == "took 2 reviews from laptop.\n"
    assert given_back.json["gave"] == {"reviews": 1, "others": 0}
    assert home.out.startswith("took 1 review from ")
    assert len(laptop("show", "six-nd-symbols", "--json").json["history"]) == 1
    on_server = class_.psql("ana", "SELECT learner, count(*) FROM event GROUP BY learner")
    assert on_server.stdout == "ana|3\n"
    assert class_.psql("bo", "SELECT count(*) FROM event").stdout == "0\n"


def test_log_of_two_students_is_whole_for_both(class_: Class) -> None:
    ana = class_.on("ana")
    ana("answer", "six", "good")
    ana("sync", class_.address("ana"))
    ana("export", "progress", "--out", str(class_.home / "copied.json"))
    bo = class_.on("bo")
    bo("import", str(class_.home / "copied.json"))

    assert bo("sync", class_.address("bo")).out == "sent 1 review.\n"
    assert (
        class_.psql("kim", "SELECT learner, count(*) FROM event GROUP BY 1 ORDER BY 1").stdout == "ana|1\nbo|1\n"
    )


HOSTILE = {name: text.rstrip("\n").split("\nwrites", 1) for name, text in blocks("attacks/class_sql")}


@pytest.mark.skipif(PSQL is None, reason="needs psql")
def test_student_with_psql_cannot_reach_others(class_: Class) -> None:
    answer(class_, "ana")
    with class_.server.connect("course") as connection:
        connection.execute("ANALYZE")
        before = connection.execute("SELECT event::text FROM event ORDER BY id").fetchall()

    outputs = {}
    for name, (statement, _) in HOSTILE.items():
        done = class_.psql("bo", *statement.split("; "))
        outputs[name] = (done.stdout + done.stderr).strip()

    wrong = {name: said for name, said in outputs.items() if not re.search(HOSTILE[name][1].strip(), said)}
    assert wrong == {}
    assert [name for name, said in outputs.items() if "ana" in said.replace('ana"', "")] == []
    with class_.server.connect("course") as connection:
        assert connection.execute("SELECT event::text FROM event ORDER BY id").fetchall() == before
        secluded = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' "
            "AND NOT relrowsecurity AND relname <> 'alembic_version'"
        ).fetchone()
        assert secluded == (0,)


OWN_ROWS = {
    "cannot be": [
        "kind = 'answer', grade = 4, card_id = repeat('x', 100000)",
        "kind = 'answer', grade = 4, origin = E'm\\x1b]0;owned\\x07'",
        "kind = 'answer', grade = 4, zone = repeat('z', 100000)",
        "kind = 'adopt', target = 'no state'",
        "kind = 'practice', template = repeat('t', 100000)",
    ],
    "can be": [
        "kind = 'practice', template = 'est.x', seed = NULL, version = NULL, parameters = NULL, answer = NULL",
        "kind = 'answer', grade = 4, took_ms = 99999999999",
    ],
}


@pytest.mark.skipif(PSQL is None, reason="needs psql")
def test_invalid_rows_stop_neither_sync_nor_staff(class_: Class) -> None:
    statements = []
    for number, row in enumerate((*OWN_ROWS["cannot be"], *OWN_ROWS["can be"])):
        columns = {"origin": "'m'", "zone": "'UTC'", "moment": "1790000000000000", "day": "739900"}
        columns |= dict(each.split(" = ", 1) for each in re.split(r", (?=\w+ = )", row))
        values = f"decode('{number:032x}', 'hex'), 'bo', {', '.join(columns.values())}"
        statements.append(f"INSERT INTO event (id, learner, {', '.join(columns)}) VALUES ({values})")
    assert class_.psql("bo", *statements).stderr == ""

    laptop = class_.on("laptop").with_environ(STUDYKIT_BACKUP="1")
    took, again = (laptop("sync", class_.address("bo"), "--json") for _ in range(2))
    backups = laptop("backup", "list", "--json").json["backups"]
    own = laptop("stats")
    of_staff = class_.on("kim")("class", "report", class_.address("kim"))

    assert (took.code, took.json["took"]) == (0, [{"name": "m", "reviews": 1, "others": 1}])
    assert [line for line in took.json["remarks"] if "\x1b" in line or len(line) > 100] == []
    assert sum(int(line.split()[0]) for line in took.json["remarks"]) == len(OWN_ROWS["cannot be"])
    assert (again.code, again.json["took"], again.json["remarks"]) == (0, [], [])
    assert len(backups) <= 1
    assert own.code == of_staff.code == 0
    assert len(own.out + of_staff.out) < 20_000


def test_staff_read_all_and_write_nothing(class_: Class) -> None:
    of_ana = answer(class_, "ana")("show", "six", "--json").json
    answer(class_, "bo", "gb-gib")
    kim = class_.on("kim")

    exported = kim("class", "export", "logs", "--json", "--db", class_.address("kim"))
    writes = class_.psql("kim", "INSERT INTO event (id, learner) VALUES ('x', 'kim')", "DELETE FROM event")
    kim("import", "logs/ana.json", "--db", "ana.db")

    assert [row["events"] for row in exported.json["learners"]] == [1, 1]
    assert {path.name for path in (class_.home / "kim" / "logs").iterdir()} == {"ana.json", "bo.json"}
    assert writes.stderr.count("permission denied") == 2
    assert class_.psql("kim", "SELECT count(*) FROM event").stdout == "2\n"
    assert kim("show", "six", "--json", "--db", "ana.db").json == of_ana


def log_of(class_: Class, name: str) -> str:
    """Return the learners whose events a role sees."""
    return class_.psql(name, "SELECT DISTINCT learner FROM event ORDER BY 1").stdout


def with_two_staff(class_: Class) -> None:
    """Record an answer for each student, and add a second member of staff."""
    answer(class_, "ana")
    answer(class_, "bo")
    (class_.home / "study" / "lee.csv").write_text("login,role\nlee,staff\n")
    class_.hand_out(class_.as_owner("class", "add", "lee.csv").out)


@pytest.mark.skipif(PSQL is None, reason="needs psql")
def test_staff_cannot_blind_staff(class_: Class) -> None:
    with_two_staff(class_)
    report = ["class", "report", class_.address("lee"), "--json"]
    whole = class_.on("lee")(*report).json

    dropped = class_.psql("kim", "DROP OWNED BY course_staff", "DROP OWNED BY CURRENT_USER")
    class_.psql(
        "kim", "SET ROLE course_staff", "DROP OWNED BY course_staff CASCADE", "REASSIGN OWNED BY kim TO kim"
    )
    after = class_.on("lee")(*report)

    assert dropped.stdout == "DROP OWNED\nDROP OWNED\n"
    assert (after.code, after.err, after.json) == (0, "", whole)
    assert [log_of(class_, name) for name in ("lee", "kim", "ana", "bo")] == ["ana\nbo\n"] * 2 + ["ana\n", "bo\n"]
    forged = class_.psql("bo", "INSERT INTO event (id, learner) VALUES ('0123456789abcdef', 'ana')")
    assert "row-level security" in forged.stderr


@pytest.mark.skipif(PSQL is None, reason="needs psql")
@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("DROP POLICY staff_read ON event", "2 learners"),
        ("CREATE POLICY but_one ON event AS RESTRICTIVE USING (learner <> 'ana')", "1 learner"),
    ],
    ids=["none", "all but one"],
)
def test_a_report_that_misses_learners_says_so(class_: Class, statement: str, missing: str) -> None:
    with_two_staff(class_)
    class_.psql("study", statement)
    address = class_.address("lee")

    for words in (["report", address], ["export", "logs", "--db", address]):
        done = class_.on("lee")("class", *words)
        assert (done.code, done.out, missing in done.err, "ana" in done.err) == (1, "", True, True)


def test_a_student_may_not_read_as_staff_do(class_: Class) -> None:
    address = class_.address("bo")
    for words in (["export", "logs", "--db", address], ["report", address, "--json"]):
        done = class_.on("bo")("class", *words)
        assert (done.code, done.out, "bo is not on the staff" in done.err) == (1, "", True)


def test_removed_member_is_out_and_log_stays(class_: Class) -> None:
    answer(class_, "ana")

    result = class_.as_owner("class", "remove", "ana")

    out = class_.on("ana")("sync", class_.address("ana"))
    with class_.server.connect("course") as connection:
        assert connection.execute("SELECT learner FROM event").fetchall() == [("ana",)]
    assert result.out.startswith("ana left the class in postgresql://study@/course")
    assert result.out.endswith("what they recorded stays.\n")
    assert (out.code, out.err.endswith("Check the name and the password in ~/.pgpass.\n")) == (1, True)
    (class_.home / "study" / "again.csv").write_text("login\nana\n")
    assert "already has a role ana" in class_.as_owner("class", "add", "again.csv").err
    back = class_.as_owner("class", "add", "again.csv", "--existing")
    (class_.home / "pgpass").unlink()
    class_.hand_out(back.out)
    ana = class_.on("ana-again")
    assert ana("sync", class_.address("ana")).out.startswith("took 1 review from ")


def test_passwords_reach_only_their_owners(class_: Class) -> None:
    (class_.home / "study" / "more.csv").write_text("login\nana\ncy\n")

    refused = class_.as_owner("class", "add", "more.csv", "--json")
    done = class_.as_owner("class", "add", "more.csv", "--json", "--out", "slips")

    slip = class_.home / "study" / "slips" / "cy.txt"
    password = re.findall(r":course:cy:(\S+)", slip.read_text())[0]
    assert (refused.code, done.code) == (2, 0)
    assert [(row["login"], row["added"]) for row in done.json["members"]] == [("ana", False), ("cy", True)]
    assert password not in done.out + done.err
    assert slip.stat().st_mode & 0o777 == 0o600
    with class_.server.connect("course") as connection:
        row = connection.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'cy'").fetchone()
        assert str((row or ("",))[0]).startswith("SCRAM-SHA-256$")


@pytest.mark.parametrize("group", ["course_staff", "course_students", "tutors"])
def test_group_is_not_let_in_as_a_member(class_: Class, group: str) -> None:
    with class_.server.connect("course") as connection:
        if group == "tutors":
            connection.execute("CREATE ROLE tutors")
            connection.execute("GRANT tutors TO kim")
    (class_.home / "study" / "group.csv").write_text(f"login,role\n{group},student\n")

    result = class_.as_owner("class", "add", "group.csv", "--existing")

    assert result.code == 1
    assert f"{group} has more rights on this server than a member may" in result.err


def test_refusals_are_one_sentence(class_: Class) -> None:
    (class_.home / "study" / "own.csv").write_text("login,role\nstudy,student\n")
    (class_.home / "study" / "swap.csv").write_text("login,role\nana,staff\n")
    outputs = {
        "has more rights on this server": class_.as_owner("class", "add", "own.csv", "--existing"),
        "is in the class in another role": class_.as_owner("class", "add", "swap.csv"),
        "zoe is not in the class": class_.as_owner("class", "remove", "ana", "zoe"),
        "is not the address of a PostgreSQL database": class_.on("study")("class", "create", "course.db"),
        "Name it with --db postgresql://host/course.": class_.on("study")("class", "remove", "ana"),
        "may not set up or change a class": class_.on("bo")("class", "create", class_.address("bo")),
        "is on the staff of that class": class_.on("kim")("sync", class_.address("kim")),
        "~/.pgpass": class_.on("bo")("sync", "postgresql://bo:geheim@host/course"),
    }

    assert {what for what, done in outputs.items() if what not in done.err} == set()
    assert {what for what, done in outputs.items() if done.code not in {1, 2} or done.err.count("\n") > 4} == set()
    assert "geheim" not in outputs["~/.pgpass"].err
    with class_.server.connect("course") as connection:
        assert connection.execute("SELECT pg_has_role('ana', 'course_students', 'MEMBER')").fetchone() == (True,)


def test_without_a_class_nobody_is_let_in(class_: Class) -> None:
    class_.server.empty("other")
    owner = class_.owner.replace("/course", "/other")

    done = class_.on("study")("class", "add", "roster.csv", "--db", owner)

    assert (done.code, "does not hold a class yet" in done.err) == (1, True)
