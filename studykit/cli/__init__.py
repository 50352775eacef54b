"""The one place with a clock, a seed, a console and an environment: one file per verb."""
