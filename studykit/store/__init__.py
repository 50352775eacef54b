"""The database: the log, what was worked out from it, and the cards' text."""
