"""Render Markdown, code and formulas as styled spans."""
