"""Keep the store's cards up to date with all decks of a learner, own and shipped.

A card of an own deck replaces a shipped card with the same id. Unchanged files are not read, and the modules that
parse decks are not imported for them, so that commands start fast.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cards.card import Card, Deck, DeckId
from studykit.cards.problem import Problem
from studykit.collection.files import DeckPath, DeckPaths, Origin, Source, discover, macro_files, read_text
from studykit.collection.refresh_report import DeckChanges
from studykit.errors import BusyError, StudyError
from studykit.ordinary_file import NotOrdinaryError, read_ordinary, write_fresh
from studykit.scheduling.event_kinds import EventKind
from studykit.text import is_on, texts

if TYPE_CHECKING:
    from studykit.cards.front_matter import Macros
    from studykit.cards.relink import Relink
    from studykit.collection.deck_header import DeckHeader, DeckSummary
    from studykit.store.store import Store

Watch = Callable[[int], AbstractContextManager[Callable[[int], object]]]
"""Shows the progress of a number of steps while it is open."""

_MAX_FILE_BYTES = 1 << 30
_TRIES = 5  # at a refresh while other processes refresh as well


class Collection:
    """Connect decks on disk to their cards in a store."""

    def __init__(
        self,
        store: "Store",
        sources: Sequence[Source],
        *,
        copies: Path,
        hidden: Iterable[str] = (),
        course: str = "on",
        order: Sequence[str] = (),
    ) -> None:
        """Set the sources, and which decks of the course the learner wants.

        `copies` is the folder of edited copies, `hidden` has ids or names of shipped decks to leave out. `course`
        is on, off, or ids or names of the shipped decks to use, between commas. `order` has ids or names of the
        decks whose new cards come first.
        """
        self._store = store
        self._sources = (*sources, Source(copies, Origin.COPIED))
        self._copies = copies
        self._hidden = frozenset(hidden)
        self._course = course
        self._order = tuple(order)
        self._copied: dict[Path, Path] = {}  # at the last edit, each with the file that it is a copy of

    def refresh(self, watch: "Watch | None" = None) -> DeckChanges:
        """Update the store's cards from the files. Cards of unreadable files stay, and the files are reported.

        `watch` takes the number of steps and opens a context, which gives a callback for each step.

        Cards are written only if no other process wrote any since the files were read, because a relink that is
        done twice would move progress twice. BusyError if other processes write each time.
        """
        for _ in range(_TRIES):
            paths = self.files()
            changes = _refresh(self._store, paths, self._order, watch)
            if changes is not None:
                self._keep_order(paths)
                return changes
        raise BusyError("Other processes keep changing the decks. Try again when they are done.")

    def files(self) -> DeckPaths:
        """List the deck files that are on disk now and that the learner wants."""
        deck_paths = discover(self._sources)
        if self._course == "on" and not self._hidden:
            return deck_paths
        course = {} if self._course == "on" else self.course_files()
        return replace(deck_paths, files=tuple(file for file in deck_paths.files if self._wants(file, course)))

    def _wants(self, file: DeckPath, course: Mapping[str, DeckPath]) -> bool:
        """Return whether the learner wants a deck. `course` has the shipped decks if only some are wanted."""
        if file.origin is Origin.OWN:
            return True
        names = _names(file)
        is_course = file.origin is Origin.SHIPPED or _is_copy(file.path, file.origin, course)
        chosen = {name.strip().casefold() for name in self._course.split(",")} if is_on(self._course) else set()
        is_chosen = not (course and is_course) or not chosen.isdisjoint(map(str.casefold, names))
        return is_chosen and self._hidden.isdisjoint(names)

    def course_files(self) -> dict[str, DeckPath]:
        """Map file names to the deck files that ship. A learner's copy of a file has the same name."""
        shipped = [source for source in self._sources if source.origin is Origin.SHIPPED]
        return {Path(file.path).name: file for file in discover(shipped).files}

    def course_names(self) -> list[str]:
        """List ids and names of the decks that ship."""
        return [name for file in self.course_files().values() for name in sorted(_names(file))]

    def own(self) -> "tuple[DeckSummary, ...]":
        """Return the learner's own decks, without those that ship and edited copies of them."""
        course = self.course_files()
        return tuple(
            deck
            for deck in self.summaries()
            if not deck.shipped and not any(_is_copy(path, deck.header.origin, course) for path in deck.paths)
        )

    def _keep_order(self, paths: DeckPaths) -> None:
        """Store the order of new cards, if the learner has changed it."""
        if self._store.first_time("deck order", "\n".join(self._order)):
            from studykit.collection.reread import places

            rows = self._store.cards.deck_files()
            decks_by_path = {path: (row.deck, row.name) for path, row in rows.items()}
            self._store.cards.place_decks(places(paths.files, decks_by_path, self._order))

    def summaries(self) -> "tuple[DeckSummary, ...]":
        """Return every deck in the store, own ones first."""
        from studykit.collection.deck_header import DeckHeader, DeckSummary

        sizes = self._store.cards.deck_sizes()
        decks: dict[DeckId, DeckSummary] = {}
        for path, file in self._store.cards.deck_files().items():
            header = DeckHeader.from_json(file.header)
            earlier = decks.get(file.deck)
            paths = (*earlier.paths, path) if earlier else (path,)
            unread = header.unread + (earlier.unread if earlier else 0)
            decks[file.deck] = DeckSummary(
                file.deck, file.name, paths, sizes.get(file.deck, 0), earlier.header if earlier else header, unread
            )
        return tuple(sorted(decks.values(), key=DeckSummary.place))

    def likely(self) -> "tuple[Relink, ...]":
        """Pair cards that are gone with new cards that may be the same, for a person to confirm."""
        from studykit.cards.relink import relink
        from studykit.collection.reread import unconfirm_undone

        orphans = self._store.cards.orphans()
        if not orphans:
            return ()
        memories = self._store.schedule.memories()
        with_progress = memories.keys() | self._store.schedule.marks().keys()  # only they are worth a question
        matches = relink(
            [card for card in orphans if card.id in with_progress],
            [card for card in self._store.cards.all() if card.id not in memories],
        )
        return unconfirm_undone(matches, self._store.schedule.moved()).likely

    def settle(self, pair: "Relink") -> None:
        """Give the new card of a likely pair the progress of the old one."""
        self._store.log.record(EventKind.RELINK, pair.new.id, target=pair.old.id)

    def macros(self, card: Card) -> "Macros":
        """Return the TeX macros of a card's deck."""
        header = self._header(card)
        return (*beside(card.path, header.root), *header.macros)

    def _header(self, card: Card) -> "DeckHeader":
        """Return the header of a card's deck."""
        from studykit.collection.deck_header import DeckHeader

        row = self._store.cards.deck_files().get(card.path)
        return DeckHeader.from_json(row.header if row else "")

    def editable(self, card: Card) -> Path:
        """Return the file to edit a card in. A shipped deck is copied first, and the copy replaces it."""
        self._copied = {}
        path = Path(card.path)
        if self._header(card).origin != Origin.SHIPPED:
            return path
        try:
            self._copies.mkdir(parents=True, exist_ok=True)
            for neighbor in path.parent.iterdir():
                if neighbor.is_file() and (neighbor == path or neighbor.suffix not in {".md", ".py", ".pyc"}):
                    target = self._copies / neighbor.name
                    if not target.exists():
                        write_fresh(target, neighbor.read_bytes())  # not through a link, which may lead nowhere
                        self._copied[target] = neighbor
        except OSError as error:
            self.remove_unedited()
            raise StudyError(
                f"{path} cannot be copied to {self._copies} ({error.strerror}). Make room or allow writing there."
            ) from None
        return self._copies / path.name

    def remove_unedited(self) -> None:
        """Remove the last copy that `editable` made if it is unedited, so that the deck gets updates again.

        A file of the same name that existed before stays, whatever its content.
        """
        copies, self._copied = self._copied, {}
        # All or none: an edited deck keeps its pictures, although they are unedited.
        if all(_is_unedited(copy, shipped) for copy, shipped in copies.items()):
            for copy in copies:
                with contextlib.suppress(OSError):
                    copy.unlink()


def sources(environ: Mapping[str, str], config: Mapping[str, object], config_file: Path) -> tuple[Source, ...]:
    """List sources of a learner's decks: those of STUDYKIT_DECKS, those of the settings, and the shipped one."""
    from_shell = [Path(text) for text in environ.get("STUDYKIT_DECKS", "").split(os.pathsep) if text]
    configured = [paths.of_setting(text, config_file) for text in texts(config, "decks")]
    own = [Source(path, Origin.OWN) for path in (*from_shell, *configured)]
    return (*own, Source(paths.decks(), Origin.SHIPPED))


def read_file(file: DeckPath) -> tuple[Deck, list[Problem]]:
    """Return the deck of a file, with the macros of its folders, and its problems."""
    from studykit.cards.parser import parse_deck

    text, _, problem = read_text(file.path)
    deck, problems = parse_deck(text, file.path, beside(file.path, file.root))
    return deck._replace(root=file.root), problems if problem is None else [problem]


def beside(path: str, root: str) -> "Macros":
    """Return the macros of every `macros.tex` that a deck sees, the nearest last."""
    from studykit.cards.front_matter import merged, read_macros

    return merged(read_macros(read_text(file)[0], file)[0] for file in macro_files(path, root))


def _refresh(store: "Store", paths: DeckPaths, order: tuple[str, ...], watch: Watch | None) -> DeckChanges | None:
    """Update the cards, or return None if another process changed them meanwhile."""
    rows = store.cards.deck_files()
    paths_on_disk = {file.path for file in paths.files}
    lost_paths = [path for path in rows if path not in paths_on_disk and _is_lost(path, paths)]
    stamps = {(path, row.mtime_ns, row.size) for path, row in rows.items()}
    changed_files = [file for file in paths.files if (file.path, file.mtime_ns, file.size) not in stamps]
    if not lost_paths and not changed_files:
        return DeckChanges(problems=paths.problems, refused=bool(paths.problems))
    from studykit.collection.reread import RefreshPass

    steps = watch(len(changed_files) + 1) if watch else contextlib.nullcontext(lambda _: None)
    with steps as advance:  # writing is the last part
        return RefreshPass(store, paths, rows, lost_paths, order, advance).run(changed_files)


def _is_lost(path: str, paths: DeckPaths) -> bool:
    """Return whether a file is really gone, rather than in a configured folder that is missing now."""
    return not any(path == missing or path.startswith(missing + "/") for missing in paths.missing)


def _is_unedited(copy: Path, shipped: Path) -> bool:
    """Return whether a copy is as it was made, or gone. An editor may leave a pipe in its place."""
    try:
        return shipped.read_bytes() == read_ordinary(copy, _MAX_FILE_BYTES)
    except FileNotFoundError:
        return True
    except (OSError, NotOrdinaryError):
        return False


def _is_copy(path: str, origin: int, course: Mapping[str, DeckPath]) -> bool:
    """Return whether a file is the learner's copy of one that ships."""
    return origin == Origin.COPIED and Path(path).name in course


def _names(file: DeckPath) -> set[str]:
    """Return id and name of the deck in a file, from its front matter or its path."""
    from studykit.cards.front_matter import read_front_matter
    from studykit.cards.parser import id_and_name, with_plain_ends

    lines = with_plain_ends(read_text(file.path)[0]).split("\n")
    return {*id_and_name(read_front_matter(lines, file.path), file.path)}
