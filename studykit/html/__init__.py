"""Render decks as web pages. The libraries load slowly, so only verbs such as `study export` import this."""
