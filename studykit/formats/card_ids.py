"""Derive a note's stable id here from its id in another program, and back."""

import re
from hashlib import sha256
from uuid import UUID

_PLAIN = re.compile(r"[A-Za-z0-9-]")
_ESCAPE = re.compile(r"_([0-9a-f]{2})")
_OWN = re.compile(r"[A-Za-z0-9][\w.:-]*", re.ASCII)
_MAX_ID_CHARACTERS = 120
_MAX_MS = 1 << 48


def note_id(origin: str, key: str) -> str:
    """Make a note's id from its key in another program: `anki:KEY`, with unusable signs in hexadecimal.

    `.` is escaped as well, because it begins the number of a sibling. A long key is replaced by its digest.
    """
    spelling = "".join(
        sign if _PLAIN.match(sign) else "".join(f"_{byte:02x}" for byte in sign.encode("utf-8", "replace"))
        for sign in key
    )
    if len(spelling) > _MAX_ID_CHARACTERS:
        spelling = sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
    return f"{origin}:{spelling}"


def key_of(note: str, origin: str) -> str:
    """Return the key that `note_id` made an id from, or its digest. Any other id is its own key."""
    start, colon, spelling = note.partition(":")
    if start != origin or not colon:
        return note
    return (
        _ESCAPE.sub(lambda match: chr(int(match[1], 16)), spelling)
        .encode("latin-1", "replace")
        .decode("utf-8", "replace")
    )


def is_own_id(text: str) -> bool:
    """Return whether a text may be an id in a deck."""
    return len(text) <= _MAX_ID_CHARACTERS and _OWN.fullmatch(text) is not None


def event_id(origin: str, card: str, key: str, moment: int) -> UUID:
    """Make the stable id of an imported event, a UUID of version 7. `moment` is in microseconds."""
    digest = int.from_bytes(sha256(f"{origin}\0{card}\0{key}".encode("utf-8", "replace")).digest()[:16])
    milliseconds = min(max(0, moment // 1000), _MAX_MS - 1)
    random_a, random_b = digest & 0xFFF, digest >> 12 & (1 << 62) - 1
    # The digest takes the place of the random bits, so that a second import makes the same id.
    return UUID(int=milliseconds << 80 | 7 << 76 | random_a << 64 | 0b10 << 62 | random_b)
