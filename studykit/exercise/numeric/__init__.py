"""Numeric exercises: templates, draws, slips, and the conversation about one."""
