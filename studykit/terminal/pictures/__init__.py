"""Draw plots as text, each with a sentence for those who listen to it."""
