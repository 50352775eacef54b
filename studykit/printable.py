"""Text of strangers as it may be shown: nothing in it moves a cursor, sets a title, or turns the writing round."""

MOST_CHARACTERS = 2000  # of one text, where it comes from code that ran

_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
_DIRECTIONS = {0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_HALVES = range(0xD800, 0xE000)  # of characters: no file and no terminal takes them
_UNSEEN = dict.fromkeys((*_CONTROLS, *_DIRECTIONS, *_HALVES))


def printable(text: str, most: int | None = None) -> str:
    """The text, its beginning where it is longer than `most`, without what drives a terminal."""
    text = text[:most]
    return text if text.isascii() and text.isprintable() else text.translate(_UNSEEN)
