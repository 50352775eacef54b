"""Who is in a class: two groups of roles, what they are granted, and roles that come and go.

What a role sees is decided by row-level security, which `class.sql` switches on; this file grants what a role may
do to the table at all. Passwords reach the server as SCRAM verifiers: neither its log nor its views hold one.
"""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.classroom.class_server import Connection, Server
from studykit.classroom.roster import MemberKind, RosterLine
from studykit.errors import StudyError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL

_TABLE = Path(__file__).with_name("class.sql")
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('studykit class'))"
_PASSWORD_BYTES = 15  # 120 bits, 20 characters
_CONNECTIONS = 20  # that one member may hold
_MAX_DATABASE_CHARACTERS = 50  # characters, so that the names of its groups fit into 63

_WHO = """
SELECT current_user, current_database(), rolsuper OR rolcreaterole,
    pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE')
FROM pg_roles WHERE rolname = current_user
"""
_ROLE = """
SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication OR EXISTS (
        SELECT FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.member
        WHERE m.roleid = r.oid AND g.rolname <> current_user
    ), rolcanlogin,
    ARRAY(SELECT g.rolname::text FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid
        WHERE m.member = r.oid)
FROM pg_roles AS r WHERE rolname = %s
"""
_EVERYBODY_CREATES = "SELECT has_schema_privilege('public', 'public', 'CREATE')"


@dataclass(frozen=True, slots=True)
class NewMember:
    """Somebody who was let in, or was in before; a password where one was drawn just now."""

    login: str
    kind: MemberKind
    is_new: bool
    password: str | None


class Membership:
    """The members of the class in one database, as its owner changes them."""

    def __init__(self, url: "URL") -> None:
        """Connect, and see that this role may do what it is here for."""
        self.url = url
        self._server = Server(url)
        self.shown = self._server.name
        """The database as messages call it."""
        try:
            with self._server.reading() as connection:
                self._check(connection)
        except BaseException:
            self.close()
            raise

    def _check(self, connection: Connection) -> None:
        row = connection.execute(_WHO).fetchone() or ("", "", False, False)
        self.role, self.name = str(row[0]), str(row[1])
        if not (row[2] and row[3]):
            raise StudyError(
                f"{self.role} may not set up a class in {self.shown}: "
                "connect as the owner of the database, with the right to create roles (CREATEROLE)."
            )
        if len(self.name) > _MAX_DATABASE_CHARACTERS or '"' in self.name or "%" in self.name:
            raise UsageError(f"{self.name[:70]!r} cannot name the database of a class: use up to 50 letters.")

    def group(self, kind: MemberKind) -> str:
        """Return the role that all members of a kind belong to."""
        return f"{self.name}_{'students' if kind is MemberKind.STUDENT else 'staff'}"

    def create(self) -> None:
        """Make or upgrade the table and the groups, and say what each may do."""
        self._server.version()  # which refuses the tables of another program
        with self._server.writing() as connection:
            connection.execute(_LOCK)
            connection.execute(_TABLE.read_text("utf-8"))
            for kind in MemberKind:
                if self._role(connection, self.group(kind)) is None:
                    connection.execute(f"CREATE ROLE {quoted(self.group(kind))} NOLOGIN")
            for statement in self._grants():
                connection.execute(statement)
            if connection.execute(_EVERYBODY_CREATES).fetchone() == (True,):
                raise StudyError(
                    f"everybody may create things in {self.shown}, which would let one member deceive "
                    "another: let a superuser run REVOKE CREATE ON SCHEMA public FROM PUBLIC there and try again."
                )

    def _grants(self) -> "Iterator[str]":
        database = quoted(self.name)
        students, staff = (quoted(self.group(kind)) for kind in (MemberKind.STUDENT, MemberKind.STAFF))
        yield f"REVOKE ALL ON DATABASE {database} FROM PUBLIC"
        yield "REVOKE ALL ON SCHEMA public FROM PUBLIC"
        yield "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC"
        yield f"GRANT CONNECT ON DATABASE {database} TO {students}, {staff}"
        yield f"GRANT USAGE ON SCHEMA public TO {students}, {staff}"
        yield f"GRANT SELECT ON event, alembic_version TO {students}, {staff}"
        yield f"GRANT INSERT ON event TO {students}"
        yield f"GRANT SELECT ON class_learner TO {staff}"

    def add(
        self, members: Iterable[RosterLine], *, passwords: bool, existing: bool = False
    ) -> tuple[NewMember, ...]:
        """Add members in one transaction. Existing members are unchanged.

        `existing` takes roles that the server has already, as they are; without `passwords` the server has to know
        them otherwise (peer, certificates).
        """
        with self._changing() as connection:
            return tuple(
                [self._add(connection, member, passwords=passwords, existing=existing) for member in members]
            )

    def _add(self, connection: Connection, member: RosterLine, *, passwords: bool, existing: bool) -> NewMember:
        name, group = quoted(member.login), self.group(member.kind)
        role = self._role(connection, member.login)
        if role is not None:
            mighty, may_log_in, groups = role
            if group in groups:
                return NewMember(member.login, member.kind, is_new=False, password=None)
            self._check_role(member, mighty=mighty, groups=groups, existing=existing)
        drawn = secrets.token_urlsafe(_PASSWORD_BYTES) if passwords and (role is None or not may_log_in) else None
        said = f" PASSWORD '{_verifier(connection, member.login, drawn)}'" if drawn else ""
        if role is None:
            connection.execute(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT {_CONNECTIONS}{said}")
        elif not may_log_in:
            connection.execute(f"ALTER ROLE {name} LOGIN{said}")
        connection.execute(f"GRANT {quoted(group)} TO {name}")
        return NewMember(member.login, member.kind, is_new=True, password=drawn)

    def _check_role(self, member: RosterLine, *, mighty: bool, groups: Sequence[str], existing: bool) -> None:
        # What a group may do all its members may: staff would write as a student.
        if mighty or member.login in {self.role, *map(self.group, MemberKind)}:
            raise StudyError(f"{member.login} may do more on this server than a member may: take another name.")
        if any(self.group(kind) in groups for kind in MemberKind):
            raise StudyError(
                f"{member.login} is in the class in another role. Remove them first: study class remove LOGIN"
            )
        if not existing:
            raise StudyError(
                f"the server has a role {member.login} already: take another name, or let roles that exist in "
                "with --existing."
            )

    def remove(self, logins: Iterable[str]) -> None:
        """Let members out, all or none. Their logs stay, and their names remain taken."""
        with self._changing() as connection:
            for login in logins:
                role = self._role(connection, login)
                groups = role[2] if role else []
                own = [group for group in map(self.group, MemberKind) if group in groups]
                if not own:
                    raise StudyError(f"{login} is not in the class in {self.shown}; nobody was removed.")
                for group in own:
                    connection.execute(f"REVOKE {quoted(group)} FROM {quoted(login)}")
                if len(groups) == len(own):
                    connection.execute(f"ALTER ROLE {quoted(login)} NOLOGIN PASSWORD NULL")

    @contextmanager
    def _changing(self) -> "Iterator[Connection]":
        """Open a transaction, only one of this kind at a time."""
        self._server.check_version()
        with self._server.writing() as connection:
            connection.execute(_LOCK)
            yield connection

    def close(self) -> None:
        """Let the connection go."""
        self._server.close()

    @staticmethod
    def _role(connection: Connection, name: str) -> tuple[bool, bool, list[str]] | None:
        """Return whether a role has special powers, whether it may log in, and its groups, or None."""
        row = connection.execute(_ROLE, [name]).fetchone()
        return None if row is None else (bool(row[0]), bool(row[1]), list(row[2]))


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _verifier(connection: Connection, login: str, password: str) -> str:
    """Compute what a server stores of a password."""
    return connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()
