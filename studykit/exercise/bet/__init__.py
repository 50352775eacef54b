"""Timing bets: snippets, what was said and measured, and what physics allows. Measuring is in `graders`."""

FAMILY = "bet"
"""What stands before the dot in the names of bets."""
