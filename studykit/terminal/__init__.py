"""What the learner sees and types in a terminal: keys, screens, maths, pictures."""
