"""What came of writing to the log."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class United:
    """How many events of another log were new here, and how many were known."""

    added: int
    known: int
