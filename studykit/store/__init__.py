"""What is remembered: the log, the caches worked out from it, and the cards, in SQLite or PostgreSQL.

`sql` holds every query and `rows` turns rows into the program's values, for both databases alike. What an event
means is decided in `studykit.scheduling`; only `engine` and `migrate` import SQLAlchemy.
"""
