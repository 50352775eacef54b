"""Read what a learner types: keys, lines and choices, from a terminal."""
