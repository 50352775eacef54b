"""Decks go out as a package of Anki's, in the form that every version of it reads (schema 11).

A note's guid is its id here for ever, and its note type keeps its id and fields for ever: then another import
changes texts in place. A note's time is that of the export, because Anki ignores an older one. Anki takes answers
and due days only for cards that are new to it.
"""

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from hashlib import sha1, sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from studykit.cards.card import Card, CardId, Kind
from studykit.cards.parser import slug
from studykit.errors import StudyError
from studykit.formats.anki_decks import ORIGIN, OWN_TYPE
from studykit.formats.card_fields import cloze_html, html_of
from studykit.formats.card_ids import key_of
from studykit.formats.export_notes import ExportedAnswer, ExportedDecks, ExportedNote, two_sides
from studykit.formats.media_files import MediaFiles
from studykit.formats.note_text import anki_tag
from studykit.formats.past_events import BUTTONS
from studykit.ordinary_file import replacing
from studykit.scheduling.memory import Memory
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION
from studykit.scheduling.sm2 import INITIAL_EASE
from studykit.scheduling.study_day import ROLLOVER_HOURS

_DECK_IDS, _NOTE_IDS, _CARD_IDS = 1_500_000_000_000, 1_400_000_000_000, 1_300_000_000_000
_SPREAD = 90_000_000_000  # ids above each of these
_TYPE_IDS = 1_763_800_000_000
_TYPES_MADE = 1_763_800_000  # seconds; raised when a template or the style changes, never for another reason
_FIELDS = ("Front", "Back", "Id", "Extra", "Source")
_GAP_FIELDS = ("Text", "Back Extra", "Id", "Extra", "Source")
_SOURCE = '{{#Source}}<div class="source">{{Source}}</div>{{/Source}}'
_STYLE = """.card { font-family: sans-serif; font-size: 20px; line-height: 1.4;\
  margin: 1em auto; max-width: 40em; }
pre { text-align: left; overflow-x: auto; }
table { margin: auto; border-collapse: collapse; } td, th { border: 1px solid; padding: 0.2em 0.5em; }
.cloze { font-weight: bold; }
.source { font-size: 14px; opacity: 0.7; margin-top: 1em; }
"""
_LOG_TYPES = {INTRODUCTION: 0, DRILL: 2, CRAM: 3}
_TABLES = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT
    NULL, ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text
    NOT NULL, models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT
    NULL, usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer
    NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT
    NULL, mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due
    integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer
    NOT NULL, left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL,
    data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT
    NULL, ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
    type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_csum ON notes (csum);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
"""


@dataclass(frozen=True, slots=True)
class PackageCounts:
    """What went into a package."""

    notes: int
    cards: int
    answers: int
    media: int
    lacking: tuple[str, ...]  # links to media that lead nowhere


def write_package(target: Path, decks: ExportedDecks, now: datetime, zone: tzinfo) -> PackageCounts:
    """Write a package; the file is there when it is whole."""
    media = MediaFiles()
    with TemporaryDirectory(prefix="studykit-") as folder:
        database = Path(folder) / "collection.anki2"
        writer = _package_writer(database, decks, now, zone, media)
        with replacing(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(database, database.name)
            names = sorted(media.files)
            for number, name in enumerate(names):
                archive.writestr(str(number), media.data(name))
            archive.writestr("media", json.dumps({str(number): name for number, name in enumerate(names)}))
    lacking = tuple(dict.fromkeys(media.lacking))
    return PackageCounts(len(decks.notes), len(writer.cards), writer.answers, len(media.files), lacking)


def _package_writer(
    database: Path, decks: ExportedDecks, now: datetime, zone: tzinfo, media: MediaFiles
) -> "_PackageWriter":
    """Write the collection of a package; StudyError if the disk is full."""
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            for statement in _TABLES.split(";\n"):
                connection.execute(statement)
            writer = _PackageWriter(connection, decks, now, zone, media)
            writer.write()
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise StudyError(f"{database.parent} cannot hold the package ({error}): make room there.") from error
    return writer


@dataclass(slots=True)
class _PackageWriter:
    """One package on its way."""

    connection: sqlite3.Connection
    decks: ExportedDecks
    now: datetime
    zone: tzinfo
    media: MediaFiles
    cards: dict[CardId, int] = field(default_factory=dict)  # ids there
    answers: int = 0
    _used: set[int] = field(default_factory=set)
    _reviewed: dict[CardId, tuple[int, int]] = field(default_factory=dict)  # how often, and when last, in seconds
    _first_day: datetime = field(init=False)

    def __post_init__(self) -> None:
        """Four in the morning of the first day that a card was reviewed on, which due days are counted from."""
        days = [memory.reviewed for memory in self.decks.memories.values()]
        first = min([*days, self.now.astimezone(self.zone).date()])
        self._first_day = datetime(first.year, first.month, first.day, ROLLOVER_HOURS, tzinfo=self.zone)

    def write(self) -> None:
        """Every table."""
        for answer in self.decks.answers:
            count, seconds = self._reviewed.get(answer.card, (0, 0))[0], answer.event.moment // 1_000_000
            self._reviewed[answer.card] = count + (answer.event.grade is not None), seconds
        self._write_collection()
        for position, note in enumerate(self.decks.notes):
            self._write_note(note, position)
        self._write_log()

    def _write_collection(self) -> None:
        seconds, decks = int(self.now.timestamp()), {1: _deck(1, "Default", int(self.now.timestamp()))}
        for note in self.decks.notes:
            id_ = _deck_id(note)
            decks.setdefault(id_, _deck(id_, note.deck.name, seconds))
        offset = self._first_day.utcoffset() or timedelta()
        conf = {
            "schedVer": 2,
            "creationOffset": -int(offset.total_seconds() // 60),
            "rollover": ROLLOVER_HOURS,
            "activeDecks": [1],
            "curDeck": 1,
            "newSpread": 0,
            "collapseTime": 1200,
            "timeLim": 0,
            "nextPos": 1,
            "estTimes": True,
            "dueCounts": True,
            "addToCur": True,
            "sortType": "noteFld",
            "sortBackwards": False,
        }
        models = {str(model["id"]): model for model in _note_types()}
        crt = int(self._first_day.timestamp())
        texts = (json.dumps(one) for one in (conf, models, decks, {"1": _OPTIONS}, {}))
        self.connection.execute(
            "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, ?)",
            (crt, seconds * 1000, _TYPES_MADE * 1000, *texts),
        )

    def _write_note(self, note: ExportedNote, position: int) -> None:
        type_, fields = self._fields(note)
        guid, seconds = key_of(note.key, ORIGIN), int(self.now.timestamp())
        id_ = self._free(_NOTE_IDS, guid)
        tags = " ".join(anki_tag(tag) for tag in note.cards[0].tags)
        sort = _csum(fields[0])
        self.connection.execute(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            (
                id_,
                guid,
                _TYPE_IDS + type_,
                seconds,
                f" {tags} " if tags else "",
                "\x1f".join(fields),
                fields[0],
                sort,
            ),
        )
        for order, card in enumerate(note.cards):
            card_id = self.cards[card.id] = self._free(_CARD_IDS, f"{guid}\0{order}")
            columns = self._schedule(card, position)
            self.connection.execute(
                "INSERT INTO cards VALUES (?, ?, ?, ?, ?, -1, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?)",
                (card_id, id_, _deck_id(note), order, seconds, *columns),
            )

    def _fields(self, note: ExportedNote) -> tuple[int, tuple[str, ...]]:
        first = note.cards[0]
        ids = " ".join(card.id for card in note.cards)
        source = " ".join(filter(None, (first.source, first.url or "")))
        tail = (ids, "", source)
        if first.kind is Kind.CLOZE:
            html = cloze_html(note.cards, self._media_of(note), note.deck.macros)
            if html is not None:
                return _CLOZE, (html, "", *tail)
        front, back = (self._html(side, note) for side in two_sides(note, first))
        type_ = _REVERSED if any(card.kind is Kind.REVERSED for card in note.cards) else _TYPED * first.typed
        return type_, (front, back, *tail)

    def _html(self, markdown: str, note: ExportedNote) -> str:
        return html_of(markdown, self._media_of(note), note.deck.macros)

    def _media_of(self, note: ExportedNote) -> "_NoteMedia":
        return _NoteMedia(
            self.media, Path(note.deck.path).parent, Path(note.deck.root or note.deck.path).absolute()
        )

    def _schedule(self, card: Card, position: int) -> tuple[int | str, ...]:
        """Type, queue, due, interval, factor, reviews, lapses, flags, and when it was reviewed last."""
        memory, mark = self.decks.memories.get(card.id), self.decks.marks.get(card.id)
        suspended, flags = (mark.suspended, int(mark.flagged)) if mark else (False, 0)
        reps, last = self._reviewed.get(card.id, (0, 0))
        if memory is None:
            return 0, -1 if suspended else 0, position, 0, 0, reps, 0, flags, ""
        due = memory.due.toordinal() - self._first_day.date().toordinal()
        numbers = due, max(1, memory.interval), memory.ease * 10
        since = json.dumps({"lrt": last}) if last else ""
        return 2, -1 if suspended else 2, *numbers, max(reps, _passed(memory)), memory.lapses, flags, since

    def _write_log(self) -> None:
        used = set[int]()
        rows = []
        for answer in self.decks.answers:
            id_ = answer.event.moment // 1000
            while id_ in used:
                id_ += 1
            used.add(id_)
            rows.append((id_, self.cards[answer.card], *_log_numbers(answer)))
        self.answers = len(rows)
        self.connection.executemany("INSERT INTO revlog VALUES (?, ?, -1, ?, ?, ?, ?, ?, ?)", rows)

    def _free(self, start: int, key: str) -> int:
        """An id that a key always has, unless another has it."""
        id_ = start + int.from_bytes(sha256(key.encode("utf-8", "replace")).digest()[:8]) % _SPREAD
        while id_ in self._used:
            id_ += 1
        self._used.add(id_)
        return id_


@dataclass(frozen=True, slots=True)
class _NoteMedia:
    """The media that a note's deck may link to."""

    media: MediaFiles
    folder: Path
    root: Path

    def __call__(self, link: str) -> str | None:
        return self.media.name(link, self.folder, self.root)


def _passed(memory: Memory) -> int:
    return memory.repetition + memory.lapses


def _log_numbers(answer: ExportedAnswer) -> tuple[int, ...]:
    """Button, interval, the one before, factor, milliseconds and type; a reset is what Anki writes for one."""
    if answer.event.grade is None or answer.after is None:
        return 0, 0, 0, 0, 0, 4
    last = answer.before[1] if answer.before else 0
    type_ = _LOG_TYPES.get(answer.counted or 0, 1)
    ease = answer.after[2] * 10
    return BUTTONS[answer.event.grade], answer.after[1], last, ease, answer.event.took_ms, type_


def _deck_id(note: ExportedNote) -> int:
    digest = sha256(slug(note.deck.name).encode("utf-8", "replace")).digest()[:8]
    return _DECK_IDS + int.from_bytes(digest) % _SPREAD


def _csum(first: str) -> int:
    return int(sha1(first.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:8], 16)


# Note types, frozen: another id, field or template order would make every note a new one.

_BASIC, _TYPED, _REVERSED, _CLOZE = range(4)


def _note_types() -> Iterator[dict[str, object]]:
    front, back = "{{Front}}", '{{FrontSide}}<hr id="answer">{{Back}}' + _SOURCE
    typed = "{{Front}}\n{{type:Back}}"
    other = '{{FrontSide}}<hr id="answer">{{Front}}' + _SOURCE
    gaps = "{{cloze:Text}}", "{{cloze:Text}}<br>{{Back Extra}}" + _SOURCE
    yield _note_type(_BASIC, "", _FIELDS, (("Card 1", front, back),))
    yield _note_type(_TYPED, " (typed)", _FIELDS, (("Card 1", typed, back),))
    sides = (("Card 1", front, back), ("Card 2", "{{Back}}", other))
    yield _note_type(_REVERSED, " (and reversed)", _FIELDS, sides)
    yield _note_type(_CLOZE, " cloze", _GAP_FIELDS, (("Cloze", *gaps),))


def _note_type(
    number: int, name: str, fields: tuple[str, ...], templates: tuple[tuple[str, str, str], ...]
) -> dict[str, object]:
    look = {"rtl": False, "font": "Arial", "size": 20, "sticky": False, "media": []}
    plain = {"did": None, "bqfmt": "", "bafmt": ""}
    sides = [
        {"name": title, "ord": order, "qfmt": question, "afmt": answer, **plain}
        for order, (title, question, answer) in enumerate(templates)
    ]
    return {
        "id": _TYPE_IDS + number,
        "name": f"{OWN_TYPE}{name}",
        "type": int(number == _CLOZE),
        "mod": _TYPES_MADE,
        "usn": -1,
        "sortf": 0,
        "did": 1,
        "css": _STYLE,
        "latexPre": "",
        "latexPost": "",
        "tags": [],
        "vers": [],
        "flds": [{"name": field, "ord": order, **look} for order, field in enumerate(fields)],
        "tmpls": sides,
        "req": [[order, "any", [0]] for order in range(len(templates))],
    }


def _deck(id_: int, name: str, seconds: int) -> dict[str, object]:
    today = {"newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0]}
    rest = {"desc": "", "dyn": 0, "conf": 1, "extendNew": 0, "extendRev": 0, "collapsed": False, "usn": -1}
    return {"id": id_, "name": name, "mod": seconds, **today, **rest}


_FACTORS = {"initialFactor": INITIAL_EASE * 10, "ints": [1, 4, 7], "delays": [1, 10], "order": 1, "perDay": 20}
_OPTIONS: dict[str, object] = {
    "id": 1,
    "name": "Default",
    "mod": 0,
    "usn": 0,
    "maxTaken": 60,
    "autoplay": True,
    "timer": 0,
    "replayq": True,
    "new": {**_FACTORS, "bury": True, "separate": True},
    "rev": {"perDay": 200, "ease4": 1.3, "fuzz": 0.05, "minSpace": 1, "ivlFct": 1, "maxIvl": 36500, "bury": True},
    "lapse": {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 1},
}
