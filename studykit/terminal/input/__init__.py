"""What a learner types: keys, lines, choices, and the terminal they come from."""
