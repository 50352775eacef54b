"""When a card comes back: SM-2, the event log folded, the day's agenda, statistics. Pure."""
