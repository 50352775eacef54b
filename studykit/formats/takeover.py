"""Plan an import by what is new here, and carry it out completely or not at all."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from studykit.cards.card import Card
from studykit.cards.front_matter import filled_in
from studykit.cards.markdown import plain_text
from studykit.cards.parser import MAX_PART_CHARACTERS, numbered, slug
from studykit.cards.relink import relink
from studykit.cards.wording import plain
from studykit.collection.deck_header import DeckHeader
from studykit.errors import StudyError
from studykit.formats.deck_folder import MEDIA, DeckTexts, ids_below, media_place, staging_folder
from studykit.formats.foreign_notes import CardPast, ImportedDecks, ImportedNote, LossList
from studykit.formats.media_files import MAX_MEDIA_BYTES
from studykit.formats.note_text import note_text
from studykit.formats.past_events import BUTTONS, adopt_target, past_events
from studykit.ordinary_file import leads_out, read_ordinary
from studykit.review.typed_answer import alternatives
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.store.event_log import MergeCounts
from studykit.store.rows import clean
from studykit.store.store import Store

REWORDED = "notes reworded there, which keep their text here"
"""The loss of a note that is known here with other words."""
_NEAR_US = 60_000_000
"""An exported answer may come back this much later, because no two in Anki's log share a millisecond."""
_BY_TEXT = re.compile(r"\w+:[0-9a-f]{16}(?![\w-])")
"""An id that is made from the note's text, and so changes with it."""
_TOO_LONG_TEXT = f"notes longer than {MAX_PART_CHARACTERS:,} characters, to be split"
_UNREADABLE = "notes that a deck cannot hold"
_ANSWERED = {EventKind.ANSWER, EventKind.RESET}


_PendingNote = tuple[ImportedNote, str, str, tuple[Card, ...]]
"""A note with the path of its deck, its text and its cards."""


class PresentCards:
    """Hold what the store has before an import: cards, log and schedules."""

    def __init__(self, store: Store, course: Iterable[str] = ()) -> None:
        """Read the store. `course` has the ids of all shipped decks, whether or not they are used."""
        marks = store.schedule.marks().items()
        self._store = store
        files = store.cards.deck_files()
        headers = {path: DeckHeader.from_json(file.header) for path, file in files.items()}
        self._deck_ids = {file.name: str(file.deck) for path, file in files.items() if not headers[path].origin}
        self._macros = {path: dict(header.macros) for path, header in headers.items()}
        self._used_ids = {*course, *(file.deck for file in files.values())}
        self.ids = frozenset(store.cards.ids())
        self._marked_cards = {
            EventKind.SUSPEND: {card for card, mark in marks if mark.suspended},
            EventKind.FLAG: {card for card, mark in marks if mark.flagged},
        }
        self._memories = store.schedule.memories()
        self._events: set[bytes] = set()
        self._answers: dict[tuple[str, int, int], list[int]] = {}
        for event in store.log.events():
            self._events.add(event.id.bytes)
            if event.kind in _ANSWERED:
                self._answers.setdefault(_answer(event), []).append(event.moment)

    def deck_id(self, name: str) -> str:
        """Return the id of the learner's deck with a name, or an unused id for a new deck."""
        name = " ".join(name.split())
        if name not in self._deck_ids:
            self._deck_ids[name] = next(id_ for id_ in numbered(slug(name)) if id_ not in self._used_ids)
            self._used_ids.add(self._deck_ids[name])
        return self._deck_ids[name]

    def cards_by_text(self, origin: str) -> list[Card]:
        """Return the cards of an origin whose ids are made from their text."""
        ids = (id_ for id_ in self._store.cards.ids_starting(f"{origin}:") if _BY_TEXT.match(id_))
        return list(filter(None, map(self._store.cards.card, ids)))

    def tell_rewording(self, note: ImportedNote, losses: LossList) -> None:
        """Add a known note to the losses if its words differ from those of its cards here."""
        _, cards = note_text(note, quote, LossList()) or ("", ())
        for card in cards:
            here = self._store.cards.card(card.id)
            if here is None or here.kind is not card.kind:
                continue
            macros = self._macros.get(here.path, {})  # an export fills them in
            prompt, answer = (filled_in(side, macros) for side in (here.prompt, here.answer))
            if _has_other_words(card, here._replace(prompt=prompt, answer=answer)):
                losses.add(REWORDED, note.entry or note.id)
                return

    def lacks(self, event: Event, *, due_days: bool) -> bool:
        """Return whether an event is new. An adopted schedule is if it is newer or, with `due_days`, differs."""
        memory = self._memories.get(event.card) if event.kind is EventKind.ADOPT else None
        if memory is not None:
            is_same = (event.target, event.day) == (adopt_target(memory), memory.reviewed)
            if is_same if due_days else event.day <= memory.reviewed:
                return False
        if event.id.bytes in self._events or event.card in self._marked_cards.get(event.kind, ()):
            return False
        moments = self._answers.get(_answer(event), ()) if event.kind in _ANSWERED else ()
        return all(abs(event.moment - moment) > _NEAR_US for moment in moments)


@dataclass(frozen=True, slots=True)
class Takeover:
    """Hold what an import will do: texts of files by path below the folder, events, and media to copy."""

    source: ImportedDecks
    folder: Path
    texts: dict[str, str]
    cards: tuple[Card, ...]  # new ones
    new: int  # new entries of the source
    known: int
    events: tuple[Event, ...]
    known_events: int
    media: Mapping[str, str]  # names at the source by names in the folder

    @property
    def reviews(self) -> int:
        """Count the answers among the new events."""
        return sum(event.kind is EventKind.ANSWER for event in self.events)

    @property
    def lacking(self) -> int:
        """Count the entries that were read but are in no other count. More than 0 is a bug."""
        entries = self.new + self.known + self.source.losses.left_out
        return 0 if self.source.entries is None else self.source.entries - entries

    @property
    def is_nothing(self) -> bool:
        """Return whether there is nothing to import."""
        return not self.texts and not self.events and not self.media


def plan(
    source: ImportedDecks,
    present: PresentCards,
    folder: Path,
    zone_name: str,
    zone: tzinfo,
    *,
    due_days: bool = False,
    reach: Callable[[int, int], object] = lambda _done, _total: None,
) -> Takeover:
    """Plan an import without writing anything. Events get the study days of the zone."""
    decks, media = DeckTexts(folder, present.deck_id), _MediaNames(source, folder)
    new_ids, known_ids, failures = set[str](), set[str](), dict[str, str]()
    pending = list[_PendingNote]()
    existing_ids = ids_below(folder)
    for number, note in enumerate(source.notes):
        if number % 200 == 0:
            reach(number, len(source.notes))
        first_ids = {note.id, f"{note.id}.1"}  # that its first card may have here
        if note.id in existing_ids or not first_ids.isdisjoint(present.ids):
            known_ids.add(note.entry or note.id)
            present.tell_rewording(note, source.losses)
        elif reason := _pend(note, decks, media, source.losses, pending):
            failures[note.entry or note.id] = reason
    rewordings = _find_rewordings(source, present, folder, pending)
    cards = list[Card]()
    for note, path, text, new_cards in pending:
        if new_cards[0].id in rewordings:
            source.losses.add(REWORDED, note.entry)
            known_ids.add(note.entry or note.id)
        else:
            decks.add(path, text)
            cards += new_cards
            new_ids.add(note.entry or note.id)
    for entry, reason in failures.items():
        (source.losses.add if entry in new_ids | known_ids else source.losses.leave_out)(reason, entry)
    card_ids = {card.id for card in cards}.union(present.ids)
    pasts = {rewordings.get(card, card): past for card, past in source.pasts.items()}
    for card in pasts.keys() - card_ids:
        if replace(pasts.pop(card), changed=0) != CardPast():
            source.losses.add("schedules of cards left out", card)
    imported_events = [*past_events(source.origin, pasts, zone_name, zone, keep_due_days=due_days)]
    events = tuple(event for event in imported_events if present.lacks(event, due_days=due_days))
    known_events = len(imported_events) - len(events)
    texts = decks.texts()
    files = {media.names.get(name, name): name for name in source.media if new_ids}
    files = {target: name for target, name in files.items() if not (folder / MEDIA / target).exists()}
    return Takeover(
        source, folder, texts, tuple(cards), len(new_ids), len(known_ids - new_ids), events, known_events, files
    )


def _pend(
    note: ImportedNote, decks: DeckTexts, media: "_MediaNames", losses: LossList, pending: list[_PendingNote]
) -> str:
    """Add a note to `pending` and return "", or return why it cannot be written."""
    if max(len(note.front), len(note.back)) > MAX_PART_CHARACTERS:
        return _TOO_LONG_TEXT
    path = decks.path_for(clean(note.deck))  # of a file, whose name may not be UTF-8
    source_text = note_text(note, media_place(path, media.local_name), losses)
    pending += [(note, path, *source_text)] if source_text else []
    return "" if source_text else _UNREADABLE


@dataclass(slots=True)
class _MediaNames:
    """Choose the names of a source's media in a folder that may have other files of the same names."""

    source: ImportedDecks
    folder: Path
    names: dict[str, str] = field(default_factory=dict)

    def local_name(self, name: str) -> str:
        """Return a file's name in the folder, which is a new one if another file has its name."""
        if name not in self.names:
            target, self.names[name] = self.folder / MEDIA / name, name
            if name in self.source.media and target.is_file():
                with TemporaryDirectory(prefix="studykit-") as aside:
                    self.source.copy_media(Path(aside), [name])
                    data = Path(aside, name).read_bytes()
                if data != read_ordinary(target, MAX_MEDIA_BYTES):
                    self.names[name] = f"{target.stem}-{sha256(data).hexdigest()[:8]}{target.suffix}"
        return self.names[name]


def _find_rewordings(
    source: ImportedDecks, present: PresentCards, folder: Path, pending: Sequence[_PendingNote]
) -> Mapping[str, str]:
    """Map each new card to the card that it replaces: one of its deck whose old text the source no longer has."""
    paths = {
        card.id: str(folder / path) for _, path, _, cards in pending for card in cards if _BY_TEXT.match(card.id)
    }
    if not paths:
        return {}
    source_ids = {note.id for note in source.notes}
    vanished_cards = [card for card in present.cards_by_text(source.origin) if card.note not in source_ids]
    matches = relink(vanished_cards, [card for *_, cards in pending for card in cards if card.id in paths])
    same = [pair for pair in matches.likely if plain(pair.old.answer) == plain(pair.new.answer)]
    return {pair.new.id: pair.old.id for pair in (*matches.certain, *same) if pair.old.path == paths[pair.new.id]}


def carry_out(takeover: Takeover, store: Store) -> MergeCounts:
    """Write the decks, their media and the events, all or nothing. Return how many events were new."""
    if not takeover.texts and not takeover.media:
        return store.log.merge(takeover.events)
    folder = takeover.folder
    for path in (*takeover.texts, *(f"{MEDIA}/{name}" for name in takeover.media)):
        if leads_out(folder, path):
            raise StudyError(f"{(folder / path).parent} leads out of {folder}. Name another folder with -o.")
    with staging_folder(folder) as aside:
        for path, text in takeover.texts.items():
            (aside / path).parent.mkdir(parents=True, exist_ok=True)
            (aside / path).write_text(text, encoding="utf-8")
        if takeover.media:
            (aside / MEDIA).mkdir(exist_ok=True)
            takeover.source.copy_media(aside / MEDIA, takeover.media.values())
            for target, name in takeover.media.items():
                (aside / MEDIA / name).rename(aside / MEDIA / target)
        return store.log.merge(takeover.events)


def _has_other_words(card: Card, other: Card) -> bool:
    """Return whether two cards read differently. One right answer in common is enough."""
    if (card.prompt, card.answer) == (other.prompt, other.answer):
        return False
    words, other_words = (
        {plain_text(answer) for answer in (alternatives(each.answer) if each.typed else [each.answer])}
        for each in (card, other)
    )
    return plain_text(card.prompt) != plain_text(other.prompt) or words.isdisjoint(other_words)


def _answer(event: Event) -> tuple[str, int, int]:
    """Return the card, button and duration by which an exported answer is recognized."""
    return event.card, BUTTONS[event.grade] if event.grade is not None else 0, event.took_ms
