"""Running exercises and quizzes for a learner. Store, seed, clock and ui are handed in; no flags in here."""
