"""Counting and timing a snippet, beside torch in the measuring child."""
