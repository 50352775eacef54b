"""Plots made of text, each with a sentence for those who hear it."""
