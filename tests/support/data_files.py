"""Read texts of `tests/data`, each below a line `= HEADING`. Text before the first heading is a comment."""

from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the headings of `tests/data/NAME.txt` in order, each with the text below it."""
    _, *parts = ("\n" + (DATA / f"{name}.txt").read_text(encoding="utf-8")).split("\n= ")
    pairs = (part.partition("\n") for part in parts)
    return [(heading, text.rstrip() + "\n") for heading, _, text in pairs]
