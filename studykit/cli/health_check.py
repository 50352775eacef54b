"""One thing that the doctor looked at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; only a problem, never a note, makes the doctor say no."""

    name: str
    ok: bool
    detail: str
    note: bool = False  # worth knowing, nothing to repair
    lines: tuple[str, ...] = ()  # what the detail is about, each in full
