"""Markdown, code and formulas as styled spans; it knows nothing of cards."""
