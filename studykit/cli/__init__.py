"""Run the command line. This is the only room with a clock, a seed, a console and an environment.

A verb is a file of `commands`. What it computes is in the rooms below.
"""
