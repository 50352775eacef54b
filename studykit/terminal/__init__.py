"""Show what is asked in a terminal, and read what a learner types: keys, screens, Markdown, pictures.

Nothing in here opens a database, reads a deck's file, judges an answer or knows a verb.
"""
