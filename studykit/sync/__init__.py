"""Keep one log on all of a learner's machines: each puts its events in a shared place and reads the others' there.

The place is a folder that any program may synchronize (`folder`), or a class's server (`server`). `exchange`
merges the logs.
"""
