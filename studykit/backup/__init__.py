"""Copies of everything that is a learner's own, each one file that brings all of it back.

`backup_folder` is where they are kept and which of them stay, `archive` what is in one.
`creation` makes them, and `restore` brings one back.
"""
