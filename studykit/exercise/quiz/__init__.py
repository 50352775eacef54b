"""Quizzes: exercises and cards mixed, one attempt at each; and cards with a choice of answers."""
