"""Record an export for the next one, so that readers keep the progress of cards that were edited in between."""

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
    """Hold the cards of all exports so far with the files of their decks, and new ids and files by former ones."""

    cards: Mapping[CardId, tuple[str, Card]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)

    def next(self, decks: Sequence[tuple[str, Sequence[Card]]]) -> "Former":
        """Return the record of an export of these decks, each with the name of its file."""
        present = {card.id: (file, card) for file, cards in decks for card in cards}
        moved = _new_ids(self, [card for _, card in present.values()])
        rest = {id_: row for id_, row in self.cards.items() if id_ not in moved}
        return Former({**rest, **present}, moved, _pages(self, moved, present, {file for file, _ in decks}))

    def json(self) -> str:
        """Return the record as JSON."""
        rows = [
            [file, card.id, card.note, card.kind.value, card.prompt, card.answer, card.content_hash, card.named]
            for file, card in self.cards.values()
        ]
        document = {"schema": 1, "kind": _KIND, "moved": self.moved, "pages": self.pages, "cards": rows}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_former(path: Path) -> Former | None:
    """Read the record of an export, or return None without a file. Raise BadDataError for other files."""
    try:
        document = json.loads(read_ordinary(path, _MAX_BYTES))
        is_record = document["kind"] == _KIND and document["schema"] == 1
        cards = dict(map(_row, document["cards" if is_record else "none"]))
        return Former(cards, _texts(document["moved"]), _texts(document["pages"]))
    except (FileNotFoundError, NotADirectoryError):  # the export itself says what is in its way
        return None
    except (OSError, NotOrdinaryError, ValueError, KeyError, TypeError, RecursionError):
        advice = f"Give --former the {NAME} of an export, or remove the file to begin anew."
        raise BadDataError(f"{path} cannot be read as the record of a former export. {advice}") from None


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


def _new_ids(former: Former, cards: Sequence[Card]) -> dict[str, str]:
    """Map each id that no card has any more to the id of the card that replaces it, as a refresh relinks cards."""
    present_ids = {card.id for card in cards}
    vanished = [card for id_, (_, card) in former.cards.items() if id_ not in present_ids]
    fresh = [card for card in cards if card.id not in former.cards]
    matches: dict[str, str] = {match.old.id: match.new.id for match in relink(vanished, fresh).certain}
    moved = {old: matches.get(new, new) for old, new in former.moved.items()} | matches
    return {old: new for old, new in moved.items() if old not in present_ids}


def _pages(
    former: Former, moved: Mapping[str, str], present: Mapping[CardId, tuple[str, Card]], files: Iterable[str]
) -> dict[str, str]:
    """Map each file that no deck has any more to the file that has most of its cards."""
    heirs: dict[str, Counter[str]] = {}
    for id_, (file, _) in former.cards.items():
        if (heir := present.get(CardId(moved.get(id_, id_)))) is not None:
            heirs.setdefault(file, Counter())[heir[0]] += 1
    heir_files = {file: counts.most_common(1)[0][0] for file, counts in heirs.items()}
    pages = {old: heir_files.get(new, new) for old, new in former.pages.items()} | heir_files
    return {old: new for old, new in pages.items() if old not in files and new in files}
