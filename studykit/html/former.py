"""What an export leaves to the next one, so that readers keep the progress of cards that are edited meanwhile."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId
from studykit.cards.relink import relink
from studykit.errors import BadDataError
from studykit.ordinary_file import NotOrdinaryError, read_ordinary

NAME = "studykit.json"
_KIND = "studykit-export"
_MAX_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Former:
    """The cards that exports had so far and the files of their decks; ids and files given up, and for which."""

    cards: Mapping[CardId, tuple[str, Card]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)

    def next(self, decks: Sequence[tuple[str, Sequence[Card]]]) -> "Former":
        """Return the record of an export of these decks, each with the name of its file."""
        now = {card.id: (file, card) for file, cards in decks for card in cards}
        moved = _moved(self, [card for _, card in now.values()])
        kept = {id_: row for id_, row in self.cards.items() if id_ not in moved}
        return Former({**kept, **now}, moved, _pages(self, moved, now, {file for file, _ in decks}))

    def json(self) -> str:
        """Return the record as a document."""
        rows = [
            [file, card.id, card.note, card.kind.value, card.prompt, card.answer, card.content_hash, card.named]
            for file, card in self.cards.values()
        ]
        document = {"schema": 1, "kind": _KIND, "moved": self.moved, "pages": self.pages, "cards": rows}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_former(path: Path) -> Former | None:
    """Read the record of an export, or return None without a file. Raises BadDataError for other documents."""
    try:
        document = json.loads(read_ordinary(path, _MAX_BYTES))
        is_record = document["kind"] == _KIND and document["schema"] == 1
        cards = dict(map(_row, document["cards" if is_record else "none"]))
        return Former(cards, _texts(document["moved"]), _texts(document["pages"]))
    except FileNotFoundError:
        return None
    except (OSError, NotOrdinaryError, ValueError, KeyError, TypeError, RecursionError):
        advice = f"Give --former the {NAME} of an export, or remove the file to begin anew."
        raise BadDataError(f"{path} is not the record of a former export. {advice}") from None


def _row(row: Sequence[str]) -> tuple[CardId, tuple[str, Card]]:
    file, id_, note, kind, prompt, answer, content_hash, named = row
    if not all(isinstance(text, str) for text in row[:-1]):
        raise TypeError
    card = Card(
        id=CardId(id_),
        note=NoteId(note),
        deck=DeckId(file),
        kind=Kind(kind),
        prompt=prompt,
        answer=answer,
        path="",
        line=1,
        position=0,
        content_hash=content_hash,
        named=bool(named),
    )
    return card.id, (file, card)


def _texts(table: Mapping[str, object]) -> Mapping[str, str]:
    return {name: text for name, text in table.items() if isinstance(text, str)}


def _moved(former: Former, cards: Sequence[Card]) -> dict[str, str]:
    """Map each id that no card has any more to the one that goes on, as a terminal relinks cards."""
    present = {card.id for card in cards}
    gone = [card for id_, (_, card) in former.cards.items() if id_ not in present]
    fresh = [card for card in cards if card.id not in former.cards]
    found: dict[str, str] = {match.old.id: match.new.id for match in relink(gone, fresh).certain}
    moved = {old: found.get(new, new) for old, new in former.moved.items()} | found
    return {old: new for old, new in moved.items() if old not in present}


def _pages(
    former: Former, moved: Mapping[str, str], now: Mapping[CardId, tuple[str, Card]], files: Iterable[str]
) -> dict[str, str]:
    """Map each file that no deck has any more to the one that has most of its cards."""
    heirs: dict[str, Counter[str]] = {}
    for id_, (file, _) in former.cards.items():
        if (heir := now.get(CardId(moved.get(id_, id_)))) is not None:
            heirs.setdefault(file, Counter())[heir[0]] += 1
    found = {file: counts.most_common(1)[0][0] for file, counts in heirs.items()}
    pages = {old: found.get(new, new) for old, new in former.pages.items()} | found
    return {old: new for old, new in pages.items() if old not in files and new in files}
