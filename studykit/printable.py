"""Text of strangers as it may be shown: nothing in it moves a cursor, sets a title, or fills the screen."""

MOST_CHARACTERS = 2000


def printable(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text, its beginning when it is long, without control, direction and surrogate characters."""
    return "".join(c for c in text[:most] if c.isprintable() or c in "\n\t")
