"""Define timing bets: snippets, bets, measurements and physical bounds. `graders` measures them."""

BETS = ("bet", "count")
"""The families whose answers are bets, timed and counted."""
