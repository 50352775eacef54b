"""The learner's decks on disk: which there are, what changed, and bringing the store along.

What a deck's text means is for `cards` to say.
"""
