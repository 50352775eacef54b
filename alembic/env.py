"""Run the migrations on a connection that the caller opened and will close."""

from alembic import context
from sqlalchemy import Connection


def migrate() -> None:
    """Migrate on the connection in `config.attributes`, inside the caller's transaction."""
    connection = context.config.attributes["connection"]
    if not isinstance(connection, Connection):
        raise TypeError(f"attributes['connection'] must be a Connection, not {connection!r}")
    context.configure(connection=connection, target_metadata=None, transactional_ddl=False)
    context.run_migrations()


migrate()
