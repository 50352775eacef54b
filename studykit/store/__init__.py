"""The review log and its caches: in SQLite by `sqlite3`, in PostgreSQL by SQLAlchemy Core, by the same queries."""
