"""Hold the shipped decks, as Markdown files in this folder."""
