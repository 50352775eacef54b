"""Find the learner's decks on disk, and update the store's cards when they change.

Deck text is parsed by `cards`.
"""
