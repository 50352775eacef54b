"""Who somebody is on a server: the role they logged in as is the learner, and the server sees to it.

Row-level security confines every role but the owner of the tables; the staff of a class may read all rows.
"""

from dataclasses import dataclass

from studykit.errors import UsageError
from studykit.store import sql
from studykit.store.address import LEARNER
from studykit.store.database import Database


@dataclass(frozen=True, slots=True)
class Role:
    """A role as the server sees it."""

    name: str
    confined: bool  # it sees rows of its own name alone
    staff: bool  # it reads the others all the same

    def learner(self, wanted: str | None) -> str:
        """Return whose log to open; UsageError if this role may not read it."""
        if not self.confined:
            return wanted or LEARNER
        if wanted not in {None, self.name} and not self.staff:
            raise UsageError(
                f"on this server you are {self.name}, not {wanted}: leave --learner out; only staff read others."
            )
        return wanted or self.name

    def reads_only(self, learner: str) -> bool:
        """Whether the server would refuse to write for that learner."""
        return self.confined and (self.staff or learner != self.name)


def role_of(database: Database) -> Role:
    """The role of a connection to a PostgreSQL server with our tables."""
    name, confined, staff = database.first(sql.ROLE) or ("", True, False)
    return Role(str(name), bool(confined), bool(staff))
