"""Export decks as a package that every version of Anki reads (schema 11).

A note's guid is its id here, or its guid in Anki if it came from there. Guids, and ids and fields of note types,
never change, so that a second import updates texts in place. A note's time is the time of the export, because Anki
ignores older ones. Anki takes answers and due days only for cards that are new to it.
"""

import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial
from hashlib import sha1, sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from studykit.cards.card import Card, CardId, Kind
from studykit.cards.parser import slug
from studykit.errors import StudyError
from studykit.formats.anki_decks import ORIGIN
from studykit.formats.card_fields import cloze_html, html_of
from studykit.formats.card_ids import key_of
from studykit.formats.export_notes import ExportedDecks, ExportedNote, two_sides
from studykit.formats.media_files import MediaFiles
from studykit.formats.note_text import anki_tag
from studykit.formats.past_events import BUTTONS
from studykit.ordinary_file import replacing
from studykit.review.typed_answer import alternatives
from studykit.scheduling.events import RecordedEvent
from studykit.scheduling.memory import AnswerKind
from studykit.scheduling.study_day import ROLLOVER_HOURS

_DECK_IDS, _NOTE_IDS, _CARD_IDS = 1_500_000_000_000, 1_400_000_000_000, 1_300_000_000_000
_SPREAD = 90_000_000_000  # ids above each of these
_LOG_TYPES = {AnswerKind.DRILL: 2, AnswerKind.CRAM: 3}  # 0 is a first review, 1 a later one
_HERE = Path(__file__).parent
_FROZEN = json.loads((_HERE / "anki_collection.json").read_text("utf-8"))
"""Settings and note types. With another id, field or order of templates, Anki would take every note as new.

Raise `mod` of a note type only when a template or the style changes.
"""
_BASIC, _TYPED, _REVERSED, _CLOZE = (type_["id"] for type_ in _FROZEN["models"])


@dataclass(frozen=True, slots=True)
class PackageCounts:
    """Count what a package holds."""

    notes: int
    cards: int
    answers: int
    media: int
    lacking: tuple[str, ...]  # links to media that lead nowhere
    foreign: int  # notes that were imported from Anki
    narrowed_answers: int  # typed answers of which Anki accepts only one, or that it does not ask to type


def write_package(target: Path, decks: ExportedDecks, now: datetime, zone: tzinfo) -> PackageCounts:
    """Write a package, and return what it holds. The file appears when it is complete."""
    media = MediaFiles()
    with TemporaryDirectory(prefix="studykit-") as folder:
        database = Path(folder) / "collection.anki2"
        writer = _PackageWriter(decks, now, zone, media)
        writer.write(database)
        with replacing(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(database, database.name)
            names = sorted(media.files)
            for number, name in enumerate(names):
                archive.writestr(str(number), media.data(name))
            archive.writestr("media", json.dumps({str(number): name for number, name in enumerate(names)}))
    counts = len(decks.notes), len(writer.cards), len(decks.answers), len(media.files)
    foreign = sum(note.key.startswith(f"{ORIGIN}:") for note in decks.notes)
    return PackageCounts(*counts, tuple(dict.fromkeys(media.lacking)), foreign, writer.narrowed_answers)


@dataclass(slots=True)
class _PackageWriter:
    """Write the database of one package."""

    decks: ExportedDecks
    now: datetime
    zone: tzinfo
    media: MediaFiles
    cards: dict[CardId, int] = field(default_factory=dict)  # ids there
    narrowed_answers: int = 0
    _decks: dict[str, int] = field(default_factory=dict)  # ids there by name
    _used_ids: set[int] = field(default_factory=set)
    _review_counts: dict[CardId, tuple[int, int]] = field(default_factory=dict)  # count, last second
    connection: sqlite3.Connection = field(init=False)
    _first_day: datetime = field(init=False)

    def __post_init__(self) -> None:
        """Set the first day of the collection, from which Anki counts due days.

        It is the earliest day on which a card was last reviewed, or today.
        """
        days = [memory.reviewed for memory in self.decks.memories.values()]
        first = min([*days, self.now.astimezone(self.zone).date()])
        self._first_day = datetime(first.year, first.month, first.day, ROLLOVER_HOURS, tzinfo=self.zone)

    def write(self, database: Path) -> None:
        """Write the collection of a package, or raise StudyError if it cannot be written."""
        try:
            with closing(sqlite3.connect(database, isolation_level=None)) as self.connection:
                self.connection.execute("PRAGMA synchronous = OFF")  # a temporary file
                self.connection.execute("BEGIN")
                for statement in (_HERE / "anki_schema.sql").read_text("utf-8").split(";\n"):
                    self.connection.execute(statement)
                self._write_tables()
                self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StudyError(f"{database.parent} cannot hold the package ({error}). Make room there.") from error

    def _write_tables(self) -> None:
        for card, answer in self.decks.answers:
            count, seconds = self._review_counts.get(card, (0, 0))[0], answer.event.moment // 1_000_000
            self._review_counts[card] = count + (answer.event.grade is not None), seconds
        self._write_collection()
        for position, note in enumerate(self.decks.notes):
            self._write_note(note, position)
        self._write_log()

    def _write_collection(self) -> None:
        seconds = int(self.now.timestamp())
        for name in dict.fromkeys(note.deck.name for note in self.decks.notes):
            self._decks[name] = self._unused_id(_DECK_IDS, slug(name))
        names = {1: "Default"} | {id_: name for name, id_ in self._decks.items()}
        decks = {id_: {"id": id_, "name": name, "mod": seconds, **_FROZEN["deck"]} for id_, name in names.items()}
        offset = self._first_day.utcoffset() or timedelta()
        conf = {
            **_FROZEN["conf"],
            "creationOffset": -int(offset.total_seconds() // 60),
            "rollover": ROLLOVER_HOURS,
        }
        models = {str(model["id"]): {**model, "css": _FROZEN["css"]} for model in _FROZEN["models"]}
        type_time = _FROZEN["models"][0]["mod"] * 1000
        texts = (json.dumps(document) for document in (conf, models, decks, {"1": _FROZEN["options"]}, {}))
        self.connection.execute(
            "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, ?)",
            (int(self._first_day.timestamp()), seconds * 1000, type_time, *texts),
        )

    def _write_note(self, note: ExportedNote, position: int) -> None:
        type_, fields = self._fields(note)
        guid, seconds = key_of(note.key, ORIGIN), int(self.now.timestamp())
        id_ = self._unused_id(_NOTE_IDS, guid)
        tags = " ".join(anki_tag(tag) for tag in note.cards[0].tags)
        sort = int(sha1(fields[0].encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:8], 16)
        texts = (f" {tags} " if tags else "", "\x1f".join(fields), fields[0])
        self.connection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            (id_, guid, type_, seconds, *texts, sort),
        )
        for order, card in enumerate(note.cards):
            card_id = self.cards[card.id] = self._unused_id(_CARD_IDS, f"{guid}\0{order}")
            columns = self._schedule(card, position)
            self.connection.execute(
                "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?)",
                (card_id, id_, self._decks[note.deck.name], order, seconds, *columns),
            )

    def _fields(self, note: ExportedNote) -> tuple[int, tuple[str, ...]]:
        first = note.cards[0]
        folder, root = Path(note.deck.path).parent, Path(note.deck.root or note.deck.path).absolute()
        media = partial(self.media.name, folder=folder, root=root)
        ids = " ".join(card.id for card in note.cards)
        source = " ".join(filter(None, (first.source, first.url or "")))
        tail = (ids, "", source)
        if first.kind is Kind.CLOZE:
            html = cloze_html(note.cards, media, note.deck.macros)
            if html is not None:
                self.narrowed_answers += first.typed
                return _CLOZE, (html, "", *tail)
        sides = two_sides(note, first)
        is_reversed = any(card.kind is Kind.REVERSED for card in note.cards)
        if first.typed and (is_reversed or (right := alternatives(sides[1]))[1:]):
            self.narrowed_answers += 1
            sides = sides if is_reversed else (sides[0], right[0])
        front, back = (html_of(side, media, note.deck.macros) for side in sides)
        return _REVERSED if is_reversed else _TYPED if first.typed else _BASIC, (front, back, *tail)

    def _schedule(self, card: Card, position: int) -> tuple[int | str, ...]:
        """Return columns of Anki's card: type, queue, due, ivl, factor, reps, lapses, flags, and data as JSON."""
        memory, mark = self.decks.memories.get(card.id), self.decks.marks.get(card.id)
        suspended, flags = (mark.suspended, int(mark.flagged)) if mark else (False, 0)
        reps, last = self._review_counts.get(card.id, (0, 0))
        if memory is None:
            return 0, -1 if suspended else 0, position, 0, 0, reps, 0, flags, ""
        due = memory.due.toordinal() - self._first_day.date().toordinal()
        numbers = due, max(1, memory.interval), memory.ease * 10, max(reps, memory.repetition + memory.lapses)
        since = json.dumps({"lrt": last}) if last else ""
        return 2, -1 if suspended else 2, *numbers, memory.lapses, flags, since

    def _write_log(self) -> None:
        used_ids = set[int]()
        rows = []
        for card, answer in self.decks.answers:
            id_ = answer.event.moment // 1000
            while id_ in used_ids:  # an id in Anki's log is the answer's millisecond
                id_ += 1
            used_ids.add(id_)
            rows.append((id_, self.cards[card], *_log_numbers(answer)))
        self.connection.executemany("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)", rows)

    def _unused_id(self, start: int, key: str) -> int:
        """Return an id that is the same for a key in every export, unless another key has taken it."""
        id_ = start + int.from_bytes(sha256(key.encode("utf-8", "replace")).digest()[:8]) % _SPREAD
        while id_ in self._used_ids:
            id_ += 1
        self._used_ids.add(id_)
        return id_


def _log_numbers(answer: RecordedEvent) -> tuple[int, ...]:
    """Return button, interval, previous interval, factor, milliseconds and type, as Anki logs them."""
    event, before, after = answer.event, answer.before, answer.after
    if event.grade is None or after is None:
        return 0, 0, 0, 0, 0, 4
    type_ = _LOG_TYPES.get(answer.answer_kind or AnswerKind.REVIEW, int(before is not None))
    last = before.interval if before else 0
    return BUTTONS[event.grade], after.interval, last, after.ease * 10, event.took_ms, type_
