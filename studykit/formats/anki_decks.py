"""Import Anki's packages: notes of every type, in both formats, with their cards' history and media."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from studykit.cards.query import folded
from studykit.formats.anki_package import OFFICE, copy_media, is_known_media, opened_package
from studykit.formats.anki_tables import AnkiTables, NoteType, Row, TableError, opened_tables, text, whole
from studykit.formats.anki_templates import FOLLOWED, answer_part, fill, typed_field
from studykit.formats.card_ids import is_own_id, note_id
from studykit.formats.field_markdown import markdown_of, marked_gaps
from studykit.formats.foreign_notes import (
    CardPast,
    ImportedDecks,
    ImportedNote,
    LossList,
    NoteForm,
    PastReview,
    ReadOptions,
    foreign_memory,
    with_media,
)
from studykit.formats.gap_notes import gap_notes
from studykit.formats.note_text import accepting
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.sm2 import INITIAL_EASE, MAX_INTERVAL
from studykit.scheduling.study_day import EARLIEST, LATEST

NAME = "Anki"
ORIGIN = "anki"
OWN_TYPE = "studykit"
"""Prefix of the names of `anki_export`'s note types. Their field `Id` has the ids of a note's cards here."""

_GRADES = {1: Grade.AGAIN, 2: Grade.HARD, 3: Grade.GOOD, 4: Grade.EASY}
_MANUAL_REVIEW = 4  # a log entry without an answer
_REVIEW, _RELEARNING = 2, 3  # types of cards
_SUSPENDED = -1
_FLAG_BITS = 7
_GAP_FILTER = re.compile(r"\{\{(?=[^{}]*\}\})((?:[^{}]*:)?cloze:([^{}]+))\}\}")
_MS = 1000


def sniff(path: Path, head: bytes) -> bool:
    """Return whether a file is named as a package, or is an archive that is not an office document."""
    ending = path.suffix.lower()
    return ending in {".apkg", ".colpkg"} or (head.startswith(b"PK\x03\x04") and ending not in OFFICE)


def read(path: Path, options: ReadOptions) -> ImportedDecks:
    """Read everything in a package, or raise FormatError for one that is broken or hostile."""
    with opened_package(path) as package, TemporaryDirectory(prefix="studykit-") as folder:
        files = package.media_files()
        database = Path(folder) / "collection"
        package.collection_to(database)
        try:
            with opened_tables(database) as tables:
                reader = _Reader(tables, options)
                notes, pasts = tuple(reader.notes()), reader.pasts()
        except TableError as error:
            raise package.refusal(str(error)) from None
    for name, file in files.items():
        if not is_known_media(name):
            reader.losses.add("media of a kind that no card shows", name)
        elif name != file:
            reader.losses.add("media with a name that not every system takes, now another", f"{name} as {file}")
    capitals = {unquote(name).casefold(): file for name, file in files.items()}

    def file_of(link: str) -> str | None:
        name = unicodedata.normalize("NFC", link)
        return files.get(name) or capitals.get(name.casefold())

    return ImportedDecks(
        origin=ORIGIN,
        name=path.stem,
        notes=tuple(with_media(notes, file_of, reader.losses)),
        pasts=pasts,
        media=tuple(file for name, file in files.items() if is_known_media(name)),
        copy_media=partial(copy_media, path),
        losses=reader.losses,
        entries=reader.entries,
    )


@dataclass(frozen=True, slots=True)
class _AnkiCard:
    """Hold a row of Anki's table of cards."""

    id: int
    note: int
    present_deck: int
    home_deck: int  # of a card that is in a filtered deck now, else 0
    order: int
    changed: int
    type: int
    queue: int
    present_due: int
    home_due: int
    interval: int
    factor: int
    reps: int
    lapses: int
    flags: int

    @property
    def deck(self) -> int:
        """Return the id of the card's own deck, even while the card is in a filtered deck."""
        return self.home_deck or self.present_deck

    @property
    def due(self) -> int:
        """Return the day the card is due, counted from the collection's first, or a new card's position."""
        return self.home_due if self.home_deck and self.home_due else self.present_due


_SplitNote = tuple[ImportedNote, Mapping[int, str]]
"""A note of ours, and its cards' ids here by the order of the cards in Anki."""


@dataclass(slots=True)
class _Reader:
    """Convert the notes and histories of one collection."""

    tables: AnkiTables
    options: ReadOptions
    losses: LossList = field(default_factory=LossList)
    entries: int = 0
    _ids: dict[int, set[str]] = field(default_factory=dict)  # our card ids by Anki's card id
    _cards: dict[int, _AnkiCard] = field(default_factory=dict)
    _note_ids: set[str] = field(default_factory=set)

    def notes(self) -> Iterator[ImportedNote]:
        """Yield the notes that can be imported: studied ones first, then new ones in the order of their cards."""
        types, decks = self.tables.note_types(), self.tables.decks()
        by_note: dict[int, list[_AnkiCard]] = {}
        for row in self.tables.rows("cards"):
            card = _AnkiCard(*map(whole, row))
            by_note.setdefault(card.note, []).append(card)
            self._cards[card.id] = card
        new = {
            nid: min(card.due for card in cards)
            for nid, cards in by_note.items()
            if not any(card.type for card in cards)
        }
        rows = sorted(self.tables.rows("notes"), key=lambda row: new.get(whole(row[0]), 0))
        self.entries = len(rows)
        for number, row in enumerate(rows):
            if number % 200 == 0:
                self.options.reach(number, self.entries)
            nid, guid, mid = whole(row[0]), text(row[1]), whole(row[2])
            cards = sorted(by_note.pop(nid, []), key=lambda card: card.order)
            if not cards or mid not in types:
                self.losses.leave_out("notes without a card, or of no known type", guid, mendable=False)
                continue
            if "{{c" in text(row[5]) and "::image-occlusion:" in text(row[5]):
                self.losses.leave_out("notes that cover parts of a picture", guid, mendable=False)
                continue
            deck = decks.get(cards[0].deck, "Default")
            if len({card.deck for card in cards}) > 1:
                self.losses.add("notes with cards in several decks, now in the first", guid)
            yield from self._notes_of_row(types[mid], guid, deck, (text(row[4]), text(row[5])), cards)

    def pasts(self) -> dict[str, CardPast]:
        """Map each card's id here to its history."""
        reviews: dict[int, list[PastReview]] = {}
        for row in self.tables.rows("revlog"):
            review = self._review(row)
            if review is not None:
                reviews.setdefault(whole(row[1]), []).append(review)
        day = self._first_day()
        pasts = {}
        for anki_id, card_ids in self._ids.items():
            card = self._cards[anki_id]
            past = CardPast(
                reviews=tuple(reviews.pop(anki_id, ())),
                state=self._state(card, day),
                suspended=card.queue == _SUSPENDED,
                flagged=card.flags & _FLAG_BITS > 0,
                changed=card.changed * _MS * _MS,
            )
            if card.type and not past.reviews and past.state is None:
                self.losses.add("schedules not taken over: cards that are being learned, or of no possible day")
            pasts.update(dict.fromkeys(card_ids, past))
        if count := sum(card.type > 0 for card in self._cards.values() if card.id not in self._ids):
            self.losses.add("schedules of cards left out", number=count)
        if reviews:
            self.losses.add("reviews of cards that are not imported", number=sum(map(len, reviews.values())))
        return pasts

    # Notes

    def _notes_of_row(
        self, type_: NoteType, guid: str, deck: str, row: tuple[str, str], cards: list[_AnkiCard]
    ) -> Iterator[ImportedNote]:
        tags, field_text = row
        special = {"Tags": tags.strip(), "Type": type_.name, "Deck": deck, "Subdeck": deck.rpartition("::")[2]}
        values = special | dict(zip(type_.fields, field_text.split("\x1f"), strict=False))
        own = _own_ids(values.get("Id", "")) if type_.name.startswith(OWN_TYPE) else ()
        id_ = _note_of(own) if own else note_id(ORIGIN, guid)
        if own:
            values["Source"] = ""  # our template shows it, and the deck has it already
        if id_ in self._note_ids:
            self.losses.leave_out("notes with the id of another", guid, mendable=False)
            return
        self._note_ids.add(id_)
        whole_note = ImportedNote(id_, deck, NoteForm.BASIC, "", tags=tuple(tags.split()), entry=guid)
        split = self._gaps if type_.cloze else self._sides
        notes = list(split(whole_note, type_, values, cards))
        for _, ids in notes:
            for card in cards:
                if card.order in ids:
                    self._ids[card.id] = {ids[card.order], *own[card.order : card.order + 1]}
        count = sum(card.id not in self._ids for card in cards)
        if not notes:
            self.losses.leave_out("notes whose question is empty", guid)
        elif count:
            self.losses.add("cards whose question is empty", guid, count)
        yield from (note for note, _ in notes)

    def _sides(
        self, note: ImportedNote, type_: NoteType, values: Mapping[str, str], cards: list[_AnkiCard]
    ) -> Iterator[_SplitNote]:
        """Yield a note of ours for each card of Anki's, or one note for a card and its reverse."""
        sides: list[tuple[int, ImportedNote]] = []
        for card in cards:
            if card.order >= len(type_.templates):
                continue
            template = type_.templates[card.order]
            question, filters = fill(template.question, values, asks=True)
            answer, answer_filters = fill(answer_part(template.answer), values, asks=False)
            front, back = (markdown_of(html, self.losses, note.id) for html in (question, answer))
            self._count_filters(note, filters, answer_filters)
            side = replace(note, front=front, back=back, typed="type" in filters)
            if side.typed:
                words = markdown_of(values.get(typed_field(template.question), ""), LossList())
                bare = [folded(words)] if "nc" in filters and folded(words) != words.casefold() else []
                side = accepting(side, [words, *bare], self.losses)
            if front:
                sides.append((card.order, side))
        match sides:
            case [(0, first), (1, other)] if (first.front, first.back) == (other.back, other.front) and first.back:
                yield replace(first, form=NoteForm.REVERSED), {0: note.id, 1: f"{note.id}.reversed"}
            case _:
                for order, side in sides:
                    id_ = f"{note.id}.{order + 1}" if order else note.id
                    yield replace(side, id=id_), {order: id_}

    def _count_filters(self, note: ImportedNote, question: set[str], answer: set[str]) -> None:
        if "hint" in question:
            self.losses.add("hints shown by a click, now with the answer or gone", note.id)
        for name in (question | answer) - FOLLOWED:
            self.losses.add("filters of templates that are not followed, their words kept", name)

    def _gaps(
        self, note: ImportedNote, type_: NoteType, values: Mapping[str, str], _cards: list[_AnkiCard]
    ) -> Iterator[_SplitNote]:
        """Yield our notes for a text with gaps."""
        if not type_.templates:
            return
        template = type_.templates[0]
        gap_fields = {name for _, name in _GAP_FILTER.findall(template.question)}
        marked = {name: marked_gaps(value) if name in gap_fields else value for name, value in values.items()}
        question, filters = fill(template.question, marked, asks=True)
        front = markdown_of(question, self.losses, note.id, gaps=True)
        rest = _GAP_FILTER.sub("", answer_part(template.answer))
        answer, answer_filters = fill(rest, values, asks=False)
        self._count_filters(note, filters, answer_filters)
        extra = markdown_of(answer, self.losses, note.id)
        marked_note = replace(note, front=front, typed="type" in filters)
        for part, ids in gap_notes(marked_note, extra, self.losses):
            yield part, {number - 1: id_ for number, id_ in ids.items()}

    # The past

    def _review(self, row: Row) -> PastReview | None:
        id_, _, ease, _, factor, took, type_ = map(whole, row)
        moment = id_ * _MS
        day = date(1970, 1, 1).toordinal() + id_ // (24 * 3600 * _MS)
        if not EARLIEST.toordinal() < day < LATEST.toordinal():
            self.losses.add("log entries of no possible day")
            return None
        if ease in _GRADES:
            return PastReview(str(id_), moment, _GRADES[ease], max(0, took))
        if type_ == _MANUAL_REVIEW and factor == 0:
            return PastReview(str(id_), moment, None)
        self.losses.add("changes of due days by hand")
        return None

    def _first_day(self) -> date:
        """Return the day from which Anki counts due days, in the collection's own time zone."""
        zone, west = self.options.zone, self.tables.setting("creationOffset")
        if isinstance(west, int) and abs(west) < 24 * 60:
            zone = timezone(-timedelta(minutes=west))
        return datetime.fromtimestamp(self.tables.creation_time(), zone).date()

    def _state(self, card: _AnkiCard, first_day: date) -> Memory | None:
        if card.type not in {_REVIEW, _RELEARNING} or card.interval <= 0:
            return None
        today = self.options.today
        days = (first_day - today).days + card.due  # to its due day
        if abs(days) >= MAX_INTERVAL:
            return None
        memory = foreign_memory(
            today + timedelta(days=days),
            max(card.interval, days),  # a due day that was set by hand may be later
            round(card.factor / 10) or INITIAL_EASE,
            repetition=card.reps - card.lapses,
            lapses=card.lapses,
        )
        if card.type == _RELEARNING:
            memory = replace(memory, repetition=0, interval=1, reviewed=today - timedelta(days=1))
        return memory


def _own_ids(text_: str) -> tuple[str, ...]:
    """Return the ids that our export wrote into a note, or none if they are not valid."""
    ids = tuple(text_.split())
    return ids if all(map(is_own_id, ids)) else ()


def _note_of(ids: tuple[str, ...]) -> str:
    """Return the id of the note of these cards: their ids without the sibling's number, or else the first id."""
    start = ids[0].removesuffix(".1")
    siblings = {f"{start}.{number}" for number in range(1, len(ids) + 1)}
    return start if len(ids) > 1 and set(ids) == siblings else ids[0]
