"""Render Markdown, code and formulas as styled spans, without knowing cards."""
