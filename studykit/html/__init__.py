"""Render decks as web pages, once for every kind of output.

Only verbs such as `study export` import this room, because its libraries load slowly.
"""
