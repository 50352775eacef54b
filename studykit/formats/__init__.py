"""Cards of other programs, in and out: `registry.py` names the formats that come in, a file for each.

Every format gives the same `imported.ImportedDecks`; what becomes of it here is `take_over.py`.
"""
