"""Parse deck text to cards. Nothing here depends on files, clocks or schedules."""
