"""Write Anki packages by hand, in the older and the newer format, for tests of the importer."""

import json
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from backports import zstd

FIRST_DAY = 1_760_000_000 // 86_400 * 86_400 + 4 * 3600  # seconds; four in the morning, UTC
BASIC, REVERSED, TYPED, CLOZE = 101, 102, 103, 104
DECOY = "Please update to the latest Anki version, then import the .colpkg/.apkg file again."
ANSWER = "{{FrontSide}}<hr id=answer>{{Back}}"
TYPES: Mapping[int, tuple[str, int, tuple[str, ...], tuple[tuple[str, str], ...]]] = {
    BASIC: ("Basic", 0, ("Front", "Back"), (("{{Front}}", ANSWER),)),
    REVERSED: (
        "Basic (and reversed card)",
        0,
        ("Front", "Back"),
        (("{{Front}}", ANSWER), ("{{Back}}", "{{FrontSide}}<hr id=answer>{{Front}}")),
    ),
    TYPED: (
        "Type it",
        0,
        ("Front", "Back"),
        (("{{Front}}{{type:Back}}", "{{Front}}<hr id=answer>{{type:Back}}"),),
    ),
    CLOZE: ("Cloze", 1, ("Text", "Back Extra"), (("{{cloze:Text}}", "{{cloze:Text}}<br>{{Back Extra}}"),)),
}


@dataclass(slots=True)
class SampleCard:
    """Hold a row of Anki's table of cards, which is a new card by default."""

    order: int = 0
    interval: int = 0
    due: int = 0  # days after FIRST_DAY
    factor: int = 2500
    lapses: int = 0
    queue: int = 0
    flags: int = 0
    log: Sequence[tuple[int, int]] = ()  # milliseconds and button
    log_factor: int = 2500


@dataclass(slots=True)
class SampleNote:
    """Hold a note of one of the types in `TYPES`, with its cards."""

    guid: str
    type: int
    fields: Sequence[str]
    cards: Sequence[SampleCard] = field(default_factory=lambda: [SampleCard()])
    deck: str = "Default"
    tags: str = ""


def write_package(
    path: Path, notes: Sequence[SampleNote], media: Mapping[str, bytes] | None = None, *, newer: bool
) -> Path:
    """Write a package and return its path. The newer format also holds a decoy for older programs."""
    listed = dict(media or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED if newer else zipfile.ZIP_DEFLATED) as archive:
        collection = collection_bytes(notes, newer=newer)
        if newer:
            archive.writestr("meta", b"\x08\x03")
            archive.writestr("collection.anki2", collection_bytes([decoy()], newer=False))
            archive.writestr("collection.anki21b", streamed(collection))
            archive.writestr("media", streamed(b"".join(message(1, message(1, name.encode())) for name in listed)))
        else:
            archive.writestr("collection.anki2", collection)
            archive.writestr("media", json.dumps({str(number): name for number, name in enumerate(listed)}))
        for number, data in enumerate(listed.values()):
            archive.writestr(str(number), streamed(data) if newer else data)
    return path


def decoy() -> SampleNote:
    """Return the note that newer packages hold for older programs."""
    return SampleNote("decoy", BASIC, (DECOY, ""))


def streamed(data: bytes) -> bytes:
    """Compress data as Anki does, in a Zstandard frame that does not state its length."""
    compressor = zstd.ZstdCompressor()
    return compressor.compress(data) + compressor.flush()


def message(number: int, value: bytes | int) -> bytes:
    """Encode one field of a protocol buffer."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def collection_bytes(notes: Sequence[SampleNote], *, newer: bool, more: Sequence[str] = ()) -> bytes:
    """Return a collection's SQLite file as bytes. The statements in `more` are executed last."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.create_collation("unicase", lambda one, other: (one > other) - (one < other))
        decks = {deck: number for number, deck in enumerate(dict.fromkeys(note.deck for note in notes), 1)}
        (_newer_tables if newer else _older_tables)(connection, decks)
        _write_notes(connection, notes, decks)
        for statement in more:
            connection.execute(statement)
        connection.commit()
        return connection.serialize()


def _write_notes(connection: sqlite3.Connection, notes: Sequence[SampleNote], decks: Mapping[str, int]) -> None:
    connection.execute("CREATE TABLE notes (id integer primary key, guid, mid, mod, usn, tags, flds, sfld, csum)")
    connection.execute(
        "CREATE TABLE cards (id integer primary key, nid, did, ord, mod, usn, type, queue, due, ivl, factor, "
        "reps, lapses, left, odue, odid, flags, data)"
    )
    connection.execute(
        "CREATE TABLE revlog (id integer primary key, cid, usn, ease, ivl, lastIvl, factor, time, type)"
    )
    number = 0
    for nid, note in enumerate(notes, 1):
        joined = "\x1f".join(note.fields)
        row = (nid, note.guid, note.type, FIRST_DAY, -1, f" {note.tags} ", joined, note.fields[0], 0)
        connection.execute(f"INSERT INTO notes VALUES ({', '.join('?' * 9)})", row)
        for card in note.cards:
            number += 1
            type_ = 2 if card.interval else 0
            reps = len(card.log)
            columns = (number, nid, decks[note.deck], card.order, FIRST_DAY, -1, type_, card.queue, card.due)
            rest = (card.interval, card.factor, reps, card.lapses, 0, 0, 0, card.flags, "")
            connection.execute(f"INSERT INTO cards VALUES ({', '.join('?' * 18)})", columns + rest)
            for moment, ease in card.log:
                log = (moment, number, -1, ease, 1, 0, card.log_factor, 4000, 1 if ease else 4)
                connection.execute("INSERT INTO revlog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", log)


def _older_tables(connection: sqlite3.Connection, decks: Mapping[str, int]) -> None:
    models = {
        str(id_): {
            "id": id_,
            "name": name,
            "type": kind,
            "flds": [{"name": one, "ord": order} for order, one in enumerate(names)],
            "tmpls": [{"ord": order, "qfmt": q, "afmt": a} for order, (q, a) in enumerate(sides)],
        }
        for id_, (name, kind, names, sides) in TYPES.items()
    }
    decks_by_id = {str(number): {"id": number, "name": name} for name, number in decks.items()}
    connection.execute("CREATE TABLE col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags)")
    connection.execute(
        """INSERT INTO col VALUES (1, ?, 0, 0, 11, 0, 0, 0, '{"creationOffset": 0}', ?, ?, '{}', '{}')""",
        (FIRST_DAY, json.dumps(models), json.dumps(decks_by_id)),
    )


def _newer_tables(connection: sqlite3.Connection, decks: Mapping[str, int]) -> None:
    for statement in (
        "CREATE TABLE col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags)",
        "CREATE TABLE config (KEY text PRIMARY KEY, usn, mtime_secs, val blob) WITHOUT ROWID",
        "CREATE TABLE notetypes (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs, usn, config blob)",
        "CREATE TABLE fields (ntid, ord, name text COLLATE unicase, config blob, PRIMARY KEY (ntid, ord))",
        "CREATE TABLE templates (ntid, ord, name text COLLATE unicase, mtime_secs, usn, config blob)",
        "CREATE TABLE decks (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs, usn, common, kind)",
        "CREATE UNIQUE INDEX idx_decks_name ON decks (name)",
    ):
        connection.execute(statement)
    connection.execute("INSERT INTO col VALUES (1, ?, 0, 0, 18, 0, 0, 0, '', '', '', '', '')", (FIRST_DAY,))
    connection.execute("INSERT INTO config VALUES ('creationOffset', 0, 0, ?)", (b"0",))
    for id_, (name, kind, names, sides) in TYPES.items():
        config = message(1, kind) + message(3, b".card {}")
        connection.execute("INSERT INTO notetypes VALUES (?, ?, 0, 0, ?)", (id_, name, config))
        for order, one in enumerate(names):
            connection.execute("INSERT INTO fields VALUES (?, ?, ?, '')", (id_, order, one))
        for order, (question, answer) in enumerate(sides):
            config = message(1, question.encode()) + message(2, answer.encode()) + _varint(5 << 3 | 1) + bytes(8)
            connection.execute(
                "INSERT INTO templates VALUES (?, ?, ?, 0, 0, ?)", (id_, order, f"Card {order}", config)
            )
    for name, number in decks.items():
        connection.execute("INSERT INTO decks VALUES (?, ?, 0, 0, '', '')", (number, name.replace("::", "\x1f")))


def _varint(number: int) -> bytes:
    head = b""
    while number > 127:
        head, number = head + bytes([number & 127 | 128]), number >> 7
    return head + bytes([number])
