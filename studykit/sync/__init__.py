"""Keep one log on all of a learner's machines: each writes its events to a shared folder and reads the others'.

Any program may synchronize the `folder`. `exchange` merges the logs.
"""
