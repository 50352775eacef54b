"""Which decks a learner adds and does without: what adding or removing one makes of two settings.

Nothing in here reads or writes the configuration.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from studykit import paths
from studykit.collection.collection import Collection, nearest
from studykit.collection.deck_header import DeckSummary
from studykit.collection.files import Origin
from studykit.collection.lookup import card_count, listed_deck
from studykit.errors import NotFoundError, UsageError
from studykit.text import counted


@dataclass(frozen=True, slots=True)
class DeckSettings:
    """Files and folders of own decks, and shipped decks that are not wanted; named as the settings are."""

    decks: tuple[str, ...]
    hidden_decks: tuple[str, ...]

    @classmethod
    def of(cls, config: Mapping[str, object]) -> "DeckSettings":
        """Those of a configuration."""
        return cls(_texts(config, "decks"), _texts(config, "hidden_decks"))

    def added(self, path: str) -> tuple["DeckSettings", str]:
        """With a file, a folder or a hidden deck, and what to say of it; as it was with one added before."""
        if path in self.hidden_decks:
            return replace(self, hidden_decks=_without(self.hidden_decks, {path})), f"{path} is back."
        place = _absolute(path)
        if not place.exists():
            near = nearest(path, self.hidden_decks)
            raise NotFoundError(f"there is no deck {path}.{near} Name a deck file or a folder of them.")
        if str(place) in self.decks:
            return self, f"{place} was already added."
        cards, unread = card_count(place)
        left_out = f"; {counted(unread, 'note')} could not be read" if unread else ""
        message = f"Added {place}: {counted(cards, 'card')}{left_out}. To look for mistakes: study check {path}"
        return replace(self, decks=_each_once((*self.decks, str(place)))), message

    def without_path(self, path: str) -> "DeckSettings | None":
        """The settings without a path that was added; None where it was not."""
        place = str(_absolute(path))
        return replace(self, decks=_without(self.decks, {place})) if place in self.decks else None

    def without_deck(self, deck: DeckSummary) -> "DeckSettings":
        """Without the deck's files where each was added, else with a shipped one hidden; others are refused."""
        added = {path for path in deck.paths if path in self.decks}
        if len(added) == len(deck.paths):
            return replace(self, decks=_without(self.decks, added))
        if deck.header.origin in {Origin.SHIPPED, Origin.COPIED}:
            return replace(self, hidden_decks=_each_once((*self.hidden_decks, deck.id)))
        inside = [path for path in self.decks if any(Path(file).is_relative_to(path) for file in deck.paths)]
        where = f"run: study deck remove {inside[0]}" if inside else "take it out of STUDYKIT_DECKS"
        raise UsageError(f"{deck.name} is one of several decks in a folder. Move its file elsewhere, or {where}")


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """The settings that are other ones now, and what to say of it."""

    settings: Mapping[str, list[str]]
    message: str


def add(config: Mapping[str, object], path: str) -> SettingsChange:
    """Add a deck file, a folder of decks, or a shipped deck that was removed."""
    before = DeckSettings.of(config)
    after, message = before.added(path)
    return _change(before, after, message)


def remove(config: Mapping[str, object], name: str, refreshed: Callable[[], Collection]) -> SettingsChange:
    """Do without a path that was added or, after a look at all decks as they are now, without a deck."""
    before = DeckSettings.of(config)
    after = before.without_path(name) or before.without_deck(listed_deck(refreshed(), name))
    return _change(before, after, f"Removed {name}; your progress is kept.")


def _change(before: DeckSettings, after: DeckSettings, message: str) -> SettingsChange:
    names = [each.name for each in fields(DeckSettings)]
    changed = {name: list(new) for name in names if (new := getattr(after, name)) != getattr(before, name)}
    return SettingsChange(changed, message)


def _texts(config: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = config.get(name, [])
    return tuple(value) if isinstance(value, list) else ()


def _absolute(path: str) -> Path:
    return paths.expanded(path).absolute()


def _without(names: Iterable[str], removed: set[str]) -> tuple[str, ...]:
    return _each_once(name for name in names if name not in removed)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
