"""Timing bets: snippets, bets and measurements, and what physics allows. Measuring is in `graders`."""
