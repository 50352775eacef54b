"""Model a review session as values: keys, stages, progress, texts about a card. No screen, no database."""
