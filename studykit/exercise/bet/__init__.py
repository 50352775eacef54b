"""Timing bets: snippets, bets and measurements, and what physics allows. Measuring is in `graders`."""

FAMILY = "bet"
"""What stands before the dot in the names of bets."""
BETS = (FAMILY, "count")
"""The families whose answers are bets, timed and counted."""
