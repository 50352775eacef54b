"""Warn about right answers whose numbers no real run would accept."""

from studykit.exercise import Values

YEAR_S = 365 * 86400


def too_long(v: Values) -> str:
    """Say that a run takes more than a year, or return ""."""
    if v.answer <= YEAR_S:
        return ""
    years = f"{float(f'{v.answer / YEAR_S:.2g}'):,g}"  # two digits, and no power of ten
    return f"That is {years} years, longer than anyone waits. Take fewer parameters, or more devices for them."
