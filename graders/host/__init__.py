"""The side of grading that starts children, distrusts what they send, and pronounces. No torch in here."""
