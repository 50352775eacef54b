"""The catalogue: numeric templates, einops rewrites and timing bets, found by name."""
