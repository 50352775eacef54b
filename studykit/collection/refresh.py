"""What changed in the decks since last time, and what that means for the cards in the store.

Progress goes on where it can: a card with the same id, a card that moved to another file, an edited card that is
certainly the same. Relinks and cards are written in one transaction, and only if no other process wrote cards
since this one looked: a relink done twice would move progress twice.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cards.problem import Problem
from studykit.collection.files import DeckPath, Found
from studykit.errors import BusyError

if TYPE_CHECKING:
    from studykit.cards.relink import Relink
    from studykit.store.rows import DeckFile
    from studykit.store.store import Store


_TRIES = 5  # at a rescan while other processes rescan as well


@dataclass(frozen=True, slots=True)
class Changes:
    """What a rescan found: how many cards changed, what could not be read, what a person should look at."""

    reworded: int = 0
    new: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    likely: "tuple[Relink, ...]" = ()

    def __str__(self) -> str:
        counted = (
            (self.reworded, "reworded (progress kept)"),
            (self.new, "new"),
            (self.removed, "removed"),
        )
        return ", ".join(f"{count:,} {what}" for count, what in counted if count)


def rescan(store: "Store", found: Found) -> Changes:
    """Bring the cards in the store up to the deck files."""
    for _ in range(_TRIES):
        changes = _pass(store, found)
        if changes is not None:
            return changes
    raise BusyError("other processes keep changing the decks. Try again when they are done.")


def _pass(store: "Store", found: Found) -> Changes | None:
    known = store.cards.deck_files()
    paths = {file.path for file in found.files}
    gone = [path for path in known if path not in paths and _is_lost(path, found)]
    stale = [file for file in found.files if not _is_known(file, known)]
    if not gone and not stale:
        return Changes(problems=found.problems)
    from studykit.collection.reread import Rereading

    return Rereading(store, found, known, gone).run(stale)


def _is_known(file: DeckPath, known: "dict[str, DeckFile]") -> bool:
    row = known.get(file.path)
    return row is not None and (row.mtime_ns, row.size) == (file.mtime_ns, file.size)


def _is_lost(path: str, found: Found) -> bool:
    """Whether a file is gone for good, not only out of reach with the folder that somebody configured."""
    return not any(path == missing or path.startswith(missing + "/") for missing in found.missing)
