"""Schedule cards, replay the event log, arrange the day's agenda and compute statistics. Pure functions."""
