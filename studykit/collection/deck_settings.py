"""Compute the new values of two settings when a learner adds or removes a deck.

The configuration is read and written elsewhere.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from studykit import paths
from studykit.collection.collection import Collection
from studykit.collection.files import Origin
from studykit.collection.lookup import card_count, listed_deck
from studykit.errors import NotFoundError, UsageError
from studykit.text import counted, did_you_mean, texts

SettingsChange = tuple[Mapping[str, list[str]], str]
"""The settings that changed, and a message for the learner."""


def add(config: Mapping[str, object], path: str) -> SettingsChange:
    """Add a deck file, a folder of decks, or a shipped deck that was removed."""
    decks, hidden = texts(config, "decks"), texts(config, "hidden_decks")
    if path in hidden:
        return {"hidden_decks": [name for name in hidden if name != path]}, f"{path} is back."
    place = paths.expanded(path).absolute()
    if not place.exists():
        near = did_you_mean(path, hidden)
        raise NotFoundError(f"{path} does not exist.{near} Name a deck file or a folder of them.")
    if str(place) in decks:
        return {}, f"{place} was already added."
    cards, unread, warnings = card_count(place)
    left_out = f"; {counted(unread, 'note')} could not be read" if unread else ""
    message = f"Added {place}: {counted(cards, 'card')}{left_out}. To look for mistakes: study check {path}"
    message = "\n".join((message, *map(str, warnings)))
    return {"decks": [*decks, str(place)]}, message


def remove(config: Mapping[str, object], name: str, refreshed: Callable[[], Collection]) -> SettingsChange:
    """Remove a path that was added, or a deck by name or id. UsageError if its files were not added by themselves.

    A deck's files are removed from the setting if each was added. A shipped deck is hidden.
    """
    decks, message = texts(config, "decks"), f"Removed {name}; your progress is kept."
    place = str(paths.expanded(name).absolute())
    if place in decks:
        return {"decks": [path for path in decks if path != place]}, message
    deck = listed_deck(refreshed(), name)
    if all(path in decks for path in deck.paths):
        return {"decks": [path for path in decks if path not in deck.paths]}, message
    if deck.header.origin in {Origin.SHIPPED, Origin.COPIED}:
        return {"hidden_decks": [*texts(config, "hidden_decks"), deck.id]}, message
    inside = [path for path in decks if any(Path(file).is_relative_to(path) for file in deck.paths)]
    where = ("run", f"study deck remove {inside[0]}") if inside else ("take it out of STUDYKIT_DECKS.", "")
    raise UsageError(f"{name!r} was not added by itself. Move its file elsewhere, or {where[0]}", where[1])
