"""Ask quizzes of exercises and cards with one try each, and cards with a choice of answers."""
