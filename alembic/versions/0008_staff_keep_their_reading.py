"""Staff cannot take the reading of all rows from each other.

A policy for a role goes with `DROP OWNED BY` that role, which every member may run. On PostgreSQL the policy is
therefore for everybody and asks whether the reader is staff; where no such role exists, nobody is. The view names
everybody who has recorded something, whatever the policies show, so that a report can tell whom it misses.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TABLES = ("event", "memory", "mark", "tally", "setting", "card", "card_text", "deckfile", "ceiling")
IS_STAFF = "(SELECT pg_has_role(to_regrole(quote_ident(current_database() || '_staff')), 'MEMBER'))"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        return
    for table in TABLES:
        op.execute(f"DROP POLICY IF EXISTS staff_read ON {table}")
        op.execute(f"CREATE POLICY staff_read ON {table} FOR SELECT USING ({IS_STAFF})")
    op.execute(
        f"CREATE VIEW class_learner WITH (security_barrier) AS SELECT DISTINCT learner FROM event WHERE {IS_STAFF}"
    )
    op.execute("GRANT SELECT ON class_learner TO PUBLIC")
