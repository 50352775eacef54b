"""Timing bets: snippets, what was said and measured, and what physics allows. Measuring is in `graders`."""
