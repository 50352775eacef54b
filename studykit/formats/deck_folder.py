"""Choose the files of imported decks in their folder, and move all of them there at once."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from urllib.parse import quote

from studykit.cards.front_matter import read_front_matter
from studykit.cards.parser import numbered, slug
from studykit.errors import StudyError
from studykit.formats.note_text import front_matter
from studykit.ordinary_file import (
    NotOrdinaryError,
    entries_below,
    read_ordinary,
    read_text,
    refuse_strangers_links,
)
from studykit.paths import NO_FOLDERS, is_deck

MEDIA = "media"
_MAX_FILE_CHARACTERS = 6_000_000  # after so many a deck continues in another file
_NOT_IN_NAMES = re.compile(r"[^\w .,()+&'-]+")
_NO_FOLDERS = NO_FOLDERS | {MEDIA}  # names that get a suffix, because they have another use
_ID = re.compile(r"\{#([\w.:-]+)")
_MAX_FILE_BYTES = 1 << 26  # of an existing file
_MAX_NAME_CHARACTERS = 80
_MAX_FOLDER_DEPTH = 8


class DeckTexts:
    """Collect the notes that an import adds to the decks of a folder."""

    def __init__(self, folder: Path, deck_id: Callable[[str], str] = slug) -> None:
        self._folder = folder
        self._deck_id = deck_id  # of a new deck of a name
        self._places: dict[str, str] = {}
        self.new_pieces: dict[str, list[str]] = {}  # pieces of each file's text
        self._lengths: dict[str, int] = {}

    def path_for(self, deck: str) -> str:
        """Return the file, relative to the folder, for the next note of a deck."""
        place = self._places.get(deck)
        if place is None or self._lengths[place] > _MAX_FILE_CHARACTERS:
            place = self._places[deck] = next(path for path in _paths(deck) if self._takes(path, deck))
        return place

    def add(self, path: str, note: str) -> None:
        """Append a note to a file's text."""
        self.new_pieces[path] += ("\n", note)
        self._lengths[path] += len(note) + 1

    def texts(self) -> dict[str, str]:
        """Return the whole text of every file that gets a note."""
        return {path: "".join(pieces) for path, pieces in self.new_pieces.items() if len(pieces) > 1}

    def _takes(self, path: str, deck: str) -> bool:
        if path in self.new_pieces:
            return False  # another deck's, or full
        file, text = self._folder / path, None
        if os.path.lexists(file):
            text = read_text(file, _MAX_FILE_BYTES, "Name another folder with -o.", StudyError, follow=False)
        if text is not None and (
            len(text) > _MAX_FILE_CHARACTERS
            or read_front_matter(text.split("\n"), path).name != " ".join(deck.split())
        ):
            return False
        start = front_matter(deck, self._deck_id(deck)) if text is None else text.removesuffix("\n") + "\n"
        self.new_pieces[path], self._lengths[path] = [start], len(start)
        return True


def media_place(path: str, local_name: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that links to a media file from the deck at a path inside the folder."""
    up = "../" * path.count("/")
    return lambda name: f"{up}{MEDIA}/{quote(local_name(name), safe=_PLAIN)}"


_PLAIN = "-_.~,+@äöüÄÖÜßéèàçñ"


def _paths(deck: str) -> Iterator[str]:
    plain = [
        _NOT_IN_NAMES.sub("-", level).strip(" .-")[:_MAX_NAME_CHARACTERS].strip(" .-")
        for level in deck.split("::")
    ]
    levels = [level or "deck" for level in plain[:_MAX_FOLDER_DEPTH]]
    *folders, last = levels
    folders = [f"{name}-decks" if name.lower() in _NO_FOLDERS else name for name in folders]
    last = f"{last}-deck" if last.lower() == MEDIA or not is_deck(f"{last}.md") else last
    return numbered("/".join((*folders, last)), ".md")


@contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary sibling of `folder`. Its contents move into `folder` when the block succeeds."""
    aside = folder.with_name(f".{folder.name}.{token_hex(8)}.part")  # a name that no other folder has
    missing = [parent for parent in folder.parents if not parent.exists()]
    try:
        if folder.exists() and not folder.is_dir():
            raise StudyError(f"{folder} is a file. Give -o a folder.")
        refuse_strangers_links(folder)
        aside.mkdir(parents=True)
        yield aside
        if not folder.exists():
            aside.rename(folder)  # so that the loop below has no files to move
        for file in sorted(path for path in aside.rglob("*") if path.is_file()):
            target = folder / file.relative_to(aside)
            target.parent.mkdir(parents=True, exist_ok=True)
            file.replace(target)
    except OSError as error:
        raise StudyError(f"{folder} cannot be written: {error.strerror}. Choose another folder with -o.") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        with suppress(OSError):  # stops at the first folder that is not empty
            for parent in missing:
                parent.rmdir()


def ids_below(folder: Path) -> frozenset[str]:
    """Collect the ids in the decks of a folder, even those of notes that cannot be read."""
    ids: set[str] = set()
    for entry in entries_below(folder, lambda _: True, quiet=True):
        if is_deck(entry.name):
            with suppress(OSError, ValueError, NotOrdinaryError):
                ids.update(_ID.findall(read_ordinary(entry.path, _MAX_FILE_BYTES).decode()))
    return frozenset(ids)
