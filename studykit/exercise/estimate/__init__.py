"""Numeric exercises: templates, their variants, the conversation about one, and what the log keeps of it."""
