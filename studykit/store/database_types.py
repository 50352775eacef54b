"""A database as the rest of the store knows it: a file or a server, whose methods are alike. It loads neither."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import sqlite3

    from studykit.store.engine import EngineConnection, EngineDatabase
    from studykit.store.sqlite import SqliteDatabase

Connection: TypeAlias = "sqlite3.Connection | EngineConnection"
"""A connection inside a transaction; `execute` takes one of `sql`'s texts."""
Database: TypeAlias = "SqliteDatabase | EngineDatabase"
"""A database held for the life of a store; every use of it is one transaction."""
