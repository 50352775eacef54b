"""Decks as web pages: one render, every output.

Nothing here is imported before a verb such as `study export` asks for it.
"""
