"""One log on every machine: each brings what it recorded to a place where the others find it, and takes theirs.

`transport` says what a place has to offer, `folder` is one that any program may carry; `exchange` unites the logs.
"""
