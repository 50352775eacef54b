"""Read amounts with units as people write them, and format them for people. Pure functions."""
