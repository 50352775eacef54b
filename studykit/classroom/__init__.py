"""Run a class on a PostgreSQL server, where each member is a role and the server separates their rows.

`roster` reads the list of members, `membership` adds and removes them and writes what each needs to connect,
`learner_log` exchanges a student's log, and `class_database` reads everybody's logs for the staff.
"""
