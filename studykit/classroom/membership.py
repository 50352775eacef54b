"""Who is in a class: two groups of roles, what they are granted, and roles that come and go.

What a role sees is decided by row-level security, which the migrations switch on; this file grants what a role
may do to a table at all. Passwords reach the server as SCRAM verifiers: neither its log nor its views hold one.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from studykit.classroom.roster import MemberKind, RosterLine
from studykit.errors import StudyError, UsageError
from studykit.store.engine import EngineConnection
from studykit.store.migrate import open_migrated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL

    from studykit.store.address import Address

LOG = "event"
CACHES = ("memory", "mark", "tally", "setting", "card", "card_text", "deckfile", "ceiling")
"""Tables whose rows a student may change and remove, own ones; those of the log are only ever added."""
_LOCK = "studykit class"
_PASSWORD_BYTES = 15  # 120 bits, 20 characters
_CONNECTIONS = 20  # that one member may hold
_LONGEST_DATABASE = 50  # characters, so that the names of its groups fit into 63

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
FROM pg_roles AS r WHERE rolname = :name
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

    def __init__(self, address: "Address") -> None:
        """Bring the database up to date, and see that this role may do what it is here for."""
        self.url: URL = server_url(address)
        self._database = open_migrated(self.url, address.name, None)
        self.shown = address.name
        """The database as messages call it."""
        try:
            with self._database.reading() as connection:
                self._check(connection)
        except BaseException:
            self._database.close()
            raise

    def _check(self, connection: EngineConnection) -> None:
        row = connection.execute(_WHO).fetchone() or ("", "", False, False)
        self.role, self.name = str(row[0]), str(row[1])
        if not (row[2] and row[3]):
            raise StudyError(
                f"{self.role} may not set up a class in {self._database.name}: "
                "connect as the owner of the database, with the right to create roles (CREATEROLE)."
            )
        if len(self.name) > _LONGEST_DATABASE or '"' in self.name or "%" in self.name:
            raise UsageError(f"{self.name[:70]!r} cannot name the database of a class: use up to 50 letters.")

    def group(self, kind: MemberKind) -> str:
        """The role that all members of a kind belong to."""
        return f"{self.name}_{'students' if kind is MemberKind.STUDENT else 'staff'}"

    def create(self) -> None:
        """Make the groups and say what each may do; doing it again after an upgrade grants what is new."""
        with self._database.writing(_LOCK) as connection:
            for kind in MemberKind:
                if self._role(connection, self.group(kind)) is None:
                    connection.run(f"CREATE ROLE {quoted(self.group(kind))} NOLOGIN")
            for statement in self._grants():
                connection.run(statement)
            if connection.run(_EVERYBODY_CREATES).fetchone()[0]:
                raise StudyError(
                    f"everybody may create things in {self._database.name}, which would let one member deceive "
                    "another: let a superuser run REVOKE CREATE ON SCHEMA public FROM PUBLIC there and try again."
                )

    def _grants(self) -> "Iterator[str]":
        database, tables = quoted(self.name), (LOG, *CACHES)
        students, staff = (quoted(self.group(kind)) for kind in (MemberKind.STUDENT, MemberKind.STAFF))
        yield f"REVOKE ALL ON DATABASE {database} FROM PUBLIC"
        yield "REVOKE ALL ON SCHEMA public FROM PUBLIC"
        yield "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC"
        yield f"GRANT CONNECT ON DATABASE {database} TO {students}, {staff}"
        yield f"GRANT USAGE ON SCHEMA public TO {students}, {staff}"
        yield f"GRANT SELECT ON {', '.join(tables)}, alembic_version TO {students}, {staff}"
        yield f"GRANT INSERT ON {', '.join(tables)} TO {students}"
        yield f"GRANT UPDATE, DELETE ON {', '.join(CACHES)} TO {students}"
        yield f"GRANT SELECT ON class_learner TO {staff}"

    def add(
        self, members: Iterable[RosterLine], *, passwords: bool, existing: bool = False
    ) -> tuple[NewMember, ...]:
        """Let members in, all or none; those who are in are left as they are.

        `existing` takes roles that the server has already, as they are; without `passwords` the server has to know
        them otherwise (peer, certificates).
        """
        with self._database.writing(_LOCK) as connection:
            if self._role(connection, self.group(MemberKind.STUDENT)) is None:
                raise StudyError(f"there is no class in {self.shown} yet: make one with `study class create`.")
            return tuple(
                [self._add(connection, member, passwords=passwords, existing=existing) for member in members]
            )

    def _add(
        self, connection: EngineConnection, member: RosterLine, *, passwords: bool, existing: bool
    ) -> NewMember:
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
            connection.run(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT {_CONNECTIONS}{said}")
        elif not may_log_in:
            connection.run(f"ALTER ROLE {name} LOGIN{said}")
        connection.run(f"GRANT {quoted(group)} TO {name}")
        return NewMember(member.login, member.kind, is_new=True, password=drawn)

    def _check_role(self, member: RosterLine, *, mighty: bool, groups: Sequence[str], existing: bool) -> None:
        # What a group may do all its members may: staff would write as a student.
        if mighty or member.login in {self.role, *map(self.group, MemberKind)}:
            raise StudyError(f"{member.login} may do more on this server than a member may: take another name.")
        if any(self.group(kind) in groups for kind in MemberKind):
            raise StudyError(
                f"{member.login} is in the class in another role: `study class remove` first, then add again."
            )
        if not existing:
            raise StudyError(
                f"the server has a role {member.login} already: take another name, or let roles that exist in "
                "with --existing."
            )

    def remove(self, logins: Iterable[str]) -> None:
        """Let members out, all or none. Their logs stay, and their names remain taken."""
        with self._database.writing(_LOCK) as connection:
            for login in logins:
                role = self._role(connection, login)
                groups = role[2] if role else []
                own = [group for group in map(self.group, MemberKind) if group in groups]
                if not own:
                    raise StudyError(f"{login} is not in the class in {self.shown}; nobody was removed.")
                for group in own:
                    connection.run(f"REVOKE {quoted(group)} FROM {quoted(login)}")
                if len(groups) == len(own):
                    connection.run(f"ALTER ROLE {quoted(login)} NOLOGIN PASSWORD NULL")

    def close(self) -> None:
        """Let the database go."""
        self._database.close()

    @staticmethod
    def _role(connection: EngineConnection, name: str) -> tuple[bool, bool, list[str]] | None:
        """Whether a role may do more than others, whether it may log in, and its groups; None: there is none."""
        row = connection.execute(_ROLE, {"name": name}).fetchone()
        return None if row is None else (bool(row[0]), bool(row[1]), list(row[2]))


def server_url(address: "Address") -> "URL":
    """The URL of a server's database; StudyError for a file."""
    if address.url is None:
        raise StudyError(
            "a class lives on a PostgreSQL server: name its database, such as --db postgresql://host/course."
        )
    return address.url


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def _verifier(connection: EngineConnection, login: str, password: str) -> str:
    """What a server keeps of a password, made here."""
    driver: Any = connection.core.connection.driver_connection
    made: bytes = driver.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256")
    return made.decode()
