"""The decks that ship with studykit; Markdown beside this file."""
