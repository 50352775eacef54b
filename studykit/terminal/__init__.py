"""Show questions in a terminal, and read what a learner types: keys, screens, Markdown, pictures.

Nothing here opens a database, reads a deck's file, judges an answer or depends on a command of `study`.
"""
