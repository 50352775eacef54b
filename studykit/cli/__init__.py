"""Run the command line, and give other packages the clock, the seed, the console and the environment.

A verb is a module of `commands`. What it computes is in the packages that this one imports.
"""
