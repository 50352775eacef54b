"""Explain why a rewrite is wrong. Whether it is wrong is decided elsewhere."""
