"""Create a class, and add and remove its members, who are roles in one of two groups.

Row-level security in `class.sql` decides which rows a role sees. This file grants what a role may do to the table
at all. Passwords are sent as SCRAM verifiers, so that none appears in the server's log or views. A member
puts theirs into `~/.pgpass`, because on a command line other users of the machine would see it.
"""

import secrets
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.classroom.class_server import Connection, Server, shown_url
from studykit.classroom.roster import MemberKind, RosterLine
from studykit.errors import StudyError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL

_TABLE = Path(__file__).with_name("class.sql")
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('studykit class'))"
_PASSWORD_BYTES = 15  # 120 bits, 20 characters
_PORT = 5432
_MAX_CONNECTIONS = 20  # of one member
_MAX_DATABASE_CHARACTERS = 50  # PostgreSQL cuts names at 63, and a group's name is longer than its database's

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
    """Hold a member who was added or already there, with their password if one was just made."""

    login: str
    kind: MemberKind
    is_new: bool
    password: str | None


class Membership:
    """Change the members of a class as the owner of its database."""

    def __init__(self, url: "URL") -> None:
        """Connect. Raise StudyError unless this role owns the database and may create roles."""
        self.url = url
        self._server = Server(url)
        self.shown = self._server.name
        """The database's URL for messages."""
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
                f"{self.role} may not set up or change a class in {self.shown}. "
                "Connect as the owner of the database, with the right to create roles (CREATEROLE)."
            )
        if len(self.name) > _MAX_DATABASE_CHARACTERS or '"' in self.name or "%" in self.name:
            raise UsageError(
                f"{self.name[:70]!r} is not a valid database name for a class. Use up to 50 letters, digits and _."
            )

    def group(self, kind: MemberKind) -> str:
        """Return the role that all members of a kind belong to."""
        return f"{self.name}_{'students' if kind is MemberKind.STUDENT else 'staff'}"

    def create(self) -> None:
        """Create or upgrade the table and the groups, and grant the groups their rights."""
        self._server.version()  # raises for another program's tables
        with self._server.writing() as connection:
            connection.execute(_LOCK)
            connection.execute(_TABLE.read_text("utf-8"))
            for kind in MemberKind:
                if self._role(connection, self.group(kind)) is None:
                    connection.execute(f"CREATE ROLE {quoted(self.group(kind))} NOLOGIN")
            for statement in self._grants():
                connection.execute(statement)
            if connection.execute(_EVERYBODY_CREATES).fetchone() == (True,):
                # A member could otherwise create functions or tables that others then use unknowingly.
                raise StudyError(
                    f"Everybody may create objects in {self.shown}, so one member could deceive another. "
                    "Have a superuser run REVOKE CREATE ON SCHEMA public FROM PUBLIC there, and try again."
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

        With `existing`, roles that the server already has are added as they are. Without `passwords`, the server
        must authenticate new members in another way, such as peer or certificates.
        """
        with self._changing() as connection:
            return tuple(
                [self._add(connection, member, passwords=passwords, existing=existing) for member in members]
            )

    def _add(self, connection: Connection, member: RosterLine, *, passwords: bool, existing: bool) -> NewMember:
        name, group = quoted(member.login), self.group(member.kind)
        role = self._role(connection, member.login)
        if role is not None:
            is_powerful, may_log_in, groups = role
            if group in groups:
                return NewMember(member.login, member.kind, is_new=False, password=None)
            self._check_role(member, is_powerful=is_powerful, groups=groups, existing=existing)
        needs_password = passwords and (role is None or not may_log_in)
        password = secrets.token_urlsafe(_PASSWORD_BYTES) if needs_password else None
        clause = f" PASSWORD '{_verifier(connection, member.login, password)}'" if password else ""
        if role is None:
            connection.execute(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT {_MAX_CONNECTIONS}{clause}")
        elif not may_log_in:
            connection.execute(f"ALTER ROLE {name} LOGIN{clause}")
        connection.execute(f"GRANT {quoted(group)} TO {name}")
        return NewMember(member.login, member.kind, is_new=True, password=password)

    def _check_role(self, member: RosterLine, *, is_powerful: bool, groups: Sequence[str], existing: bool) -> None:
        # Granting rights to a group grants them to all its members, so a group or the owner cannot be a member.
        if is_powerful or member.login in {self.role, *map(self.group, MemberKind)}:
            raise StudyError(
                f"{member.login} has more rights on this server than a member may have. Use another name."
            )
        if any(self.group(kind) in groups for kind in MemberKind):
            raise StudyError(
                f"{member.login} is in the class in another role. Remove them first",
                f"study class remove {member.login}",
            )
        if not existing:
            raise StudyError(
                f"The server already has a role {member.login}. Use another name, or add existing roles with "
                "--existing."
            )

    def remove(self, logins: Iterable[str]) -> None:
        """Remove members in one transaction. Their logs stay, and their names remain taken."""
        with self._changing() as connection:
            for login in logins:
                role = self._role(connection, login)
                groups = role[2] if role else []
                own = [group for group in map(self.group, MemberKind) if group in groups]
                if not own:
                    raise StudyError(
                        f"{login} is not in the class in {self.shown}. Correct the name and try again."
                    )
                for group in own:
                    connection.execute(f"REVOKE {quoted(group)} FROM {quoted(login)}")
                # A role with other groups is used elsewhere on the server and keeps its login.
                if len(groups) == len(own):
                    connection.execute(f"ALTER ROLE {quoted(login)} NOLOGIN PASSWORD NULL")

    @contextmanager
    def _changing(self) -> "Iterator[Connection]":
        """Open a transaction that waits until no other changes the members."""
        self._server.check_version()
        with self._server.writing() as connection:
            connection.execute(_LOCK)
            yield connection

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    @staticmethod
    def _role(connection: Connection, name: str) -> tuple[bool, bool, list[str]] | None:
        """Return whether a role has special rights, whether it may log in, and its groups, or None."""
        row = connection.execute(_ROLE, [name]).fetchone()
        return None if row is None else (bool(row[0]), bool(row[1]), list(row[2]))


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _verifier(connection: Connection, login: str, password: str) -> str:
    """Compute the SCRAM verifier that a server stores instead of a password."""
    return connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()


def handout(url: "URL", member: NewMember, host: str | None) -> str:
    """Return the instructions for one member. `host` is the server's name for them, if it differs."""
    url = _member_url(url, member.login, host)
    address = shown_url(url)
    lines = [member.login]
    if member.password is not None:
        lines += [
            "  put this line into ~/.pgpass:",
            f"    {_pgpass(url, member.password)}",
            "  make that file private:",
            "    chmod 600 ~/.pgpass",
        ]
    if member.kind is MemberKind.STAFF:
        lines += ["  see where the class stands:", f'    study class report "{address}"']
    else:
        lines += ["  study as always, offline too, and meet the class:", f'    study sync "{address}"']
    return "\n".join(lines)


def _member_url(url: "URL", login: str, host: str | None) -> "URL":
    name, port = url.host, url.port
    if host is not None:
        name, _, digits = host.partition(":")
        port = int(digits) if digits.isdecimal() else None
        url = url.difference_update_query(["host", "port"])
    return url.create(url.drivername, login, None, name, port, url.database, url.query)


def _pgpass(url: "URL", password: str) -> str:
    """Return the member's line for `~/.pgpass`."""
    # Ask the driver, which may take host and port from the URL's options instead.
    _, server = url.get_dialect()().create_connect_args(url)
    parts = (server.get("host", "localhost"), server.get("port", _PORT), url.database, url.username, password)
    return ":".join(str(part or "").replace("\\", "\\\\").replace(":", "\\:") for part in parts)
