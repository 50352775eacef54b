"""Import cards from other programs and export them.

`registry.py` lists the import formats, with a module for each. Each returns `foreign_notes.ImportedDecks`, which
`takeover.py` adds to the learner's decks.
"""
