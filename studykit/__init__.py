"""studykit: learn to count the cost of language models, a few minutes a day."""

__version__ = "0.1.0"
