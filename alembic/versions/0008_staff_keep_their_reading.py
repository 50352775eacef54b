"""Change nothing in a file. On a server this revision changed the policies for staff.

Since then `studykit/classroom/class.sql` creates the table of a class.
"""

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Change nothing."""
