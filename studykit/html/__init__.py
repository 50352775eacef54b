"""Decks as pages for a course site."""
