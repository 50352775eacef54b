"""Count and time a snippet with torch, in the measuring child."""
