"""Define the header of a deck, which the store keeps so that a list of decks opens no file."""

import json
from dataclasses import asdict, dataclass

from studykit.cards.card import Deck, DeckId
from studykit.collection.files import DeckPath, Origin
from studykit.text import natural_order


@dataclass(frozen=True, slots=True)
class DeckHeader:
    """Hold the front matter of a deck file, and where the file is."""

    description: str = ""
    objectives: tuple[str, ...] = ()
    license: str = ""
    url: str = ""
    macros: tuple[tuple[str, str], ...] = ()
    root: str = ""
    origin: int = int(Origin.OWN)
    yielded: bool = False  # a card of the file gave way to one of another file
    unread: int = 0  # notes that could not be read

    @classmethod
    def of(cls, deck: Deck, file: DeckPath, *, yielded: bool, unread: int = 0) -> "DeckHeader":
        """Return the header of a deck that was just read."""
        return cls(
            description=deck.description,
            objectives=deck.objectives,
            license=deck.license or "",
            url=deck.url or "",
            macros=deck.macros,
            root=file.root,
            origin=int(file.origin),
            yielded=yielded,
            unread=unread,
        )

    @classmethod
    def from_json(cls, text: str) -> "DeckHeader":
        """Parse a header from `to_json`. It is empty if the text does not fit, as that of another version."""
        try:
            values = json.loads(text or "{}")
            values["objectives"] = tuple(values.get("objectives", ()))
            values["macros"] = tuple((str(name), str(tex)) for name, tex in values.get("macros", ()))
            return cls(**values)
        except (ValueError, TypeError):
            return cls()

    def to_json(self) -> str:
        """Return the header as text for the store."""
        return json.dumps(asdict(self), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class DeckSummary:
    """Hold what a list shows of a deck."""

    id: DeckId
    name: str
    paths: tuple[str, ...]
    cards: int
    header: DeckHeader
    unread: int = 0  # notes that could not be read

    @property
    def shipped(self) -> bool:
        """Return whether the deck came with studykit and is unedited."""
        return self.header.origin == Origin.SHIPPED

    def place(self) -> tuple[int, list[list[tuple[int, int, str]]]]:
        """Return a sort key for lists: own decks first, then by path."""
        return self.header.origin, [natural_order(path) for path in self.paths]

    def document(self) -> dict[str, object]:
        """Return the deck as a JSON object."""
        return {
            "id": self.id,
            "name": self.name,
            "cards": self.cards,
            "unread": self.unread,
            "shipped": self.shipped,
            "paths": list(self.paths),
            "description": self.header.description,
            "objectives": list(self.header.objectives),
            "license": self.header.license or None,
            "url": self.header.url or None,
        }
