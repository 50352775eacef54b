"""Decks as web pages: one render, every output.

Nothing here is imported before `study export` or `study import` asks for it.
"""
