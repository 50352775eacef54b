"""Define timing bets: snippets, bets, measurements and physical bounds. `graders` measures them."""

FAMILY = "bet"
"""What stands before the dot in the names of bets."""
BETS = (FAMILY, "count")
"""The families whose answers are bets, timed and counted."""
