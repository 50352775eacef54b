"""What comes in from another program: what of it is new here, and all of it taken over at once or not at all."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from studykit.cards.card import Card, CardId
from studykit.formats.deck_folder import (
    MEDIA,
    DeckTexts,
    ids_below,
    lacking,
    media_place,
    refuse_to_lead_out,
    staged,
    write_texts,
)
from studykit.formats.foreign_notes import ImportedDecks
from studykit.formats.note_text import note_text
from studykit.formats.past_events import EventMaker, LogIndex, adopt_target
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import Memory
from studykit.store.event_log import MergeCounts
from studykit.store.store import Store


@dataclass(frozen=True, slots=True)
class PresentCards:
    """What is here before: ids of the cards of all decks, the log, and where cards stand that it knows."""

    cards: Collection[str]
    log: LogIndex
    suspended: Collection[str] = ()
    flagged: Collection[str] = ()
    memories: Mapping[CardId, Memory] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Store) -> "PresentCards":
        """What a store holds."""
        marks = store.schedule.marks()
        return cls(
            frozenset(store.cards.ids()),
            LogIndex.of(store.log.events()),
            frozenset(card for card, mark in marks.items() if mark.suspended),
            frozenset(card for card, mark in marks.items() if mark.flagged),
            store.schedule.memories(),
        )

    def lacks(self, event: Event, *, due_days: bool) -> bool:
        """Whether an event says something that is not known; a state only where it is newer, or is asked for."""
        memory = self.memories.get(event.card) if event.kind is EventKind.ADOPT else None
        if memory is not None:
            is_same = (event.target, event.day) == (adopt_target(memory), memory.reviewed)
            if is_same if due_days else event.day <= memory.reviewed:
                return False
        marked = {EventKind.SUSPEND: self.suspended, EventKind.FLAG: self.flagged}.get(event.kind, ())
        return event.card not in marked and not self.log.holds(event)


@dataclass(frozen=True, slots=True)
class Takeover:
    """What an import will do: texts of files by path below the folder, events, media to be copied."""

    source: ImportedDecks
    folder: Path
    texts: dict[str, str]
    cards: tuple[Card, ...]  # that are new here
    new: int  # notes
    known: int
    events: tuple[Event, ...]
    known_events: int
    media: tuple[str, ...]

    @property
    def reviews(self) -> int:
        """Answers among the new events."""
        return sum(event.kind is EventKind.ANSWER for event in self.events)

    @property
    def is_nothing(self) -> bool:
        """Whether everything was here before."""
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
    """What of a source is new here, its events on the study days of a zone; nothing is written."""
    decks = DeckTexts(folder)
    cards, new, known_count = list[Card](), 0, 0
    written_before = ids_below(folder)
    for number, note in enumerate(source.notes):
        if number % 200 == 0:
            reach(number, len(source.notes))
        first_ids = {note.id, f"{note.id}.1"}  # that its first card may have here
        if note.id in written_before or not first_ids.isdisjoint(present.cards):
            known_count += 1
            continue
        path = decks.path_for(note.deck)
        source_text = note_text(note, media_place(path), source.losses)
        if source_text is None:
            source.losses.add("notes that a deck cannot hold", note.id)
            continue
        decks.add(path, source_text[0])
        cards += source_text[1]
        new += 1
    card_ids = {card.id for card in cards}.union(present.cards)
    pasts = {card: past for card, past in source.pasts.items() if card in card_ids}
    imported = [*EventMaker(source.origin, zone_name, zone, due_days).events(pasts)]
    events = tuple(event for event in imported if present.lacks(event, due_days=due_days))
    texts = decks.texts()
    media = tuple(lacking(folder, source.media)) if new else ()
    return Takeover(
        source, folder, texts, tuple(cards), new, known_count, events, len(imported) - len(events), media
    )


def carry_out(takeover: Takeover, store: Store) -> MergeCounts:
    """Write the decks, their media and the events; where anything fails, none of it is there."""
    if not takeover.texts and not takeover.media:
        return store.log.merge(takeover.events)
    refuse_to_lead_out(takeover.folder, (*takeover.texts, *(f"{MEDIA}/{name}" for name in takeover.media)))
    with staged(takeover.folder) as aside:
        write_texts(aside, takeover.texts)
        if takeover.media:
            (aside / MEDIA).mkdir(exist_ok=True)
            takeover.source.copy_media(aside / MEDIA, takeover.media)
        return store.log.merge(takeover.events)
