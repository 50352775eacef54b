"""Staff keep their reading: nothing for a file. Of a database on a server it changed the policies.

`studykit/classroom/class.sql` has made the table of a class since.
"""

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing."""
