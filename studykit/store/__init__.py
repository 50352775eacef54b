"""Store the log, the caches computed from it, and the cards, in an SQLite file.

`sql` holds every query, and `rows` converts rows to values. `studykit.scheduling` decides what an event means.
Only `migrate` imports SQLAlchemy.
"""
