"""Names that are safe as files on any system and as anchors in any page."""

import re
from hashlib import sha256
from urllib.parse import quote

_FILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_ANCHOR = re.compile(r"[A-Za-z0-9_.-]{1,80}")
_OURS = {"index", "decks", "feed", "sitemap", "studykit", "studykit-exercises"}
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def file_name(deck_id: str) -> str:
    """The deck's file name without its ending; the same id gives the same name, different ids different names."""
    if _FILE.fullmatch(deck_id) and deck_id not in _OURS | _DEVICES:
        return deck_id
    return f"{_slug(deck_id)}-{_short_hash(deck_id)}"


def anchor(card_id: str) -> str:
    """What follows `c-` and `q-` in the ids of a card's elements."""
    if _ANCHOR.fullmatch(card_id):
        return card_id
    return f"{_slug(card_id)}-{_short_hash(card_id)}"


def link_to(name: str, card_anchor: str = "") -> str:
    """A relative link to a file of the export, and to a card in it."""
    return quote(name) + (f"#c-{card_anchor}" if card_anchor else "")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-") or "x"


def _short_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
