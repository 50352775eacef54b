"""The review log and its caches in SQLite or PostgreSQL, by SQLAlchemy Core."""
