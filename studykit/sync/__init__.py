"""One log on every machine: each brings what it recorded to a place where the others find it, and takes theirs.

`folder` is a place that any program may carry, `server` one of a class; `exchange` unites the logs.
"""
