"""One review session as values: keys, stages, progress, what is said of a card. No screen, no database."""
