"""Parse deck text to cards. Pure functions of text, without files, clocks or schedules."""
