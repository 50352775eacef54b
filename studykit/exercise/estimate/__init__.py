"""Define numeric exercises: templates, variants, questions, and their log entries."""
