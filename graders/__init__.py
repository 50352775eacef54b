"""Judge rewrites, bets and counts by running code. `host` starts children, `child` runs in them with torch.

Nothing here remembers: the log belongs to whoever asked for a judgment.
"""
