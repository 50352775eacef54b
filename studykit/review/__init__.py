"""One review session as values: keys, stages, progress, words about a card. No screen, no database."""
