"""Everything that judges: numbers, rewrites, bets. `host` starts children, `child` runs in them beside torch.

Nothing here remembers: the log belongs to whoever asked for a judgment.
"""
