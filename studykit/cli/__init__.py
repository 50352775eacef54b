"""The command line, and the one place that owns a clock, a seed, a console and an environment.

A verb is a file of `commands`; what it computes lies in the rooms below.
"""
