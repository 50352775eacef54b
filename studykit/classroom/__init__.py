"""A class on one PostgreSQL server: its members are roles, and the server keeps them apart.

`roster` reads who they are, `membership` lets them in and out, `handout` says what each of them needs,
`class_database` reads the logs of all for the staff.
"""
