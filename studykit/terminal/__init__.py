"""What a learner sees and types in a terminal: keys, screens, Markdown, pictures.

Nothing in here opens a database, reads a deck's file, judges an answer or knows a verb.
"""
