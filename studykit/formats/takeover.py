"""What comes in from another program: what of it is new here, and all of it taken over at once or not at all."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from studykit.cards.card import Card
from studykit.errors import StudyError
from studykit.formats.deck_folder import MEDIA, DeckTexts, ids_below, media_place, staged
from studykit.formats.foreign_notes import ImportedDecks
from studykit.formats.note_text import note_text
from studykit.formats.past_events import BUTTONS, EventMaker, adopt_target
from studykit.ordinary_file import leads_out
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.store.event_log import MergeCounts
from studykit.store.store import Store

_NEAR_US = 60_000_000
"""An answer of ours that comes back may have moved by so much: no two may share a millisecond there."""
_ANSWERED = {EventKind.ANSWER, EventKind.RESET}


class PresentCards:
    """What a store holds before: the cards of all decks, the log, and where cards stand that it knows."""

    def __init__(self, store: Store) -> None:
        marks = store.schedule.marks().items()
        self.ids = frozenset(store.cards.ids())
        self._marked = {
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

    def lacks(self, event: Event, *, due_days: bool) -> bool:
        """Whether an event says something that is not known; a state only where it is newer, or is asked for."""
        memory = self._memories.get(event.card) if event.kind is EventKind.ADOPT else None
        if memory is not None:
            is_same = (event.target, event.day) == (adopt_target(memory), memory.reviewed)
            if is_same if due_days else event.day <= memory.reviewed:
                return False
        if event.id.bytes in self._events or event.card in self._marked.get(event.kind, ()):
            return False
        moments = self._answers.get(_answer(event), ()) if event.kind in _ANSWERED else ()
        return all(abs(event.moment - moment) > _NEAR_US for moment in moments)


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
        if note.id in written_before or not first_ids.isdisjoint(present.ids):
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
    card_ids = {card.id for card in cards}.union(present.ids)
    pasts = {card: past for card, past in source.pasts.items() if card in card_ids}
    imported = [*EventMaker(source.origin, zone_name, zone, due_days).events(pasts)]
    events = tuple(event for event in imported if present.lacks(event, due_days=due_days))
    texts = decks.texts()
    media = tuple(name for name in source.media if new and not (folder / MEDIA / name).exists())
    return Takeover(
        source, folder, texts, tuple(cards), new, known_count, events, len(imported) - len(events), media
    )


def carry_out(takeover: Takeover, store: Store) -> MergeCounts:
    """Write the decks, their media and the events; where anything fails, none of it is there."""
    if not takeover.texts and not takeover.media:
        return store.log.merge(takeover.events)
    folder = takeover.folder
    for path in (*takeover.texts, *(f"{MEDIA}/{name}" for name in takeover.media)):
        if leads_out(folder, path):
            raise StudyError(f"{(folder / path).parent} leads out of {folder}: name another folder with -o.")
    with staged(folder) as aside:
        for path, text in takeover.texts.items():
            (aside / path).parent.mkdir(parents=True, exist_ok=True)
            (aside / path).write_text(text, encoding="utf-8")
        if takeover.media:
            (aside / MEDIA).mkdir(exist_ok=True)
            takeover.source.copy_media(aside / MEDIA, takeover.media)
        return store.log.merge(takeover.events)


def _answer(event: Event) -> tuple[str, int, int]:
    """What an answer of ours that comes back has kept: card, button and time."""
    return event.card, BUTTONS[event.grade] if event.grade is not None else 0, event.took_ms
