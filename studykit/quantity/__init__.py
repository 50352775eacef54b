"""Amounts with units, read as people write them and written for people. Pure; knows nothing of exercises."""
