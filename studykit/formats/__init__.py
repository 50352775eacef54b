"""Cards of other programs, in and out: `registry.py` names the formats that come in, a file for each.

Every format gives the same `foreign_notes.ImportedDecks`; what becomes of it here is `takeover.py`.
"""
