"""Test that any bytes are read as cards or refused in one sentence."""

import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, date
from pathlib import Path

import pytest
from anki_packages import (
    BASIC,
    CLOZE,
    REVERSED,
    SampleCard,
    SampleNote,
    collection_bytes,
    message,
    streamed,
    write_package,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stores import opened

from studykit.formats import anki_decks, obsidian_notes, table_notes
from studykit.formats.foreign_notes import Format, FormatError, ReadOptions
from studykit.formats.protobuf import fields
from studykit.formats.takeover import PresentCards, plan

OPTIONS = ReadOptions(date(2026, 11, 23), UTC)
NOTES = [
    SampleNote(
        "n", BASIC, ("question <b>x</b>", "answer"), [SampleCard(0, 30, 420, log=[(1_770_000_000_000, 3)])]
    ),
    SampleNote("m", CLOZE, ("{{c1::a}}", ""), tags="t"),
]
COLLECTIONS = {newer: collection_bytes(NOTES, newer=newer) for newer in (False, True)}
in_one_folder = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(st.binary(max_size=60))
def test_any_bytes_are_fields_or_no_message(data: bytes) -> None:
    try:
        values = fields(data)
    except ValueError:
        return
    assert all(isinstance(value, int | bytes) for values in values.values() for value in values)


@in_one_folder
@given(
    newer=st.booleans(),
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=30),
)
def test_damage_is_read_or_refused(tmp_path: Path, *, newer: bool, changes: list[tuple[float, int]]) -> None:
    data = bytearray(COLLECTIONS[newer])
    for share, byte in changes:
        data[int(share * len(data))] = byte
    path = tmp_path / "x.apkg"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "collection.anki21b" if newer else "collection.anki2", streamed(bytes(data)) if newer else data
        )
        archive.writestr("media", streamed(message(1, message(1, b"a.png"))) if newer else b"{}")

    try:
        decks = anki_decks.read(path, OPTIONS)
    except FormatError:
        return
    assert len(decks.notes) <= len(NOTES)


@in_one_folder
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_is_a_table_or_none(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="replace"))

    try:
        decks = table_notes.read(path, OPTIONS)
    except FormatError:
        return
    assert decks.notes


@in_one_folder
@given(st.text(alphabet="a:?=`$[]()!#<>-\n |^", max_size=150))
def test_any_note_is_cards_or_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.md"
    path.write_text(f"#flashcards\n{text}\n<!--SR:!2026-11-20,4,250-->\n")

    try:
        decks = obsidian_notes.read(path, OPTIONS)
    except FormatError:
        return
    assert all(note.front.strip() for note in decks.notes)


@pytest.mark.parametrize("data", [b"\x08" + b"\xff" * 20, b"\x0a\x05ab", b"\x0b", b"\xff"])
def test_what_is_no_protocol_buffer_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"field|number|wire type"):
        fields(data)


PIECES = {
    "csv": 'a|,|\n|"|<b>|</b>|<|#separator:|#tags column:1\n|front,back\n|{{c1::x::y}}|{{c|guid|sep=;\n|\t|;|  ',
    "md": "a|::|:::|\n|\n\n|?|??|==|1;;|999;;|;;h|$|`|#flashcards/x|> |- [ ] |[[x]]|<!--SR:!2026-11-20,4,250-->",
    "apkg": "a|{{c1::|{{c1,2::|}}|::|<b>|</b>|<style>|</style>|<ol>|<li>|\\(|\\)|$|<img src='q'>|\n",
}


@pytest.fixture
def present_cards(tmp_path: Path) -> Iterator[PresentCards]:
    with opened(tmp_path / "study.db") as store:
        yield PresentCards(store)


@settings(
    max_examples=int(os.environ.get("STUDYKIT_TEST_INPUTS") or 100),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.timeout(3000)
@pytest.mark.no_cover
@pytest.mark.parametrize("ending", PIECES)
@given(data=st.data())
def test_every_entry_is_counted(
    tmp_path: Path, present_cards: PresentCards, ending: str, data: st.DataObject
) -> None:
    texts = st.lists(st.sampled_from(PIECES[ending].split("|")), max_size=14).map("".join)
    path, folder = tmp_path / f"x.{ending}", tmp_path / "out"
    if ending == "apkg":
        fields = data.draw(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
        cards = [SampleCard(0), SampleCard(1)]
        notes = [
            SampleNote(
                str(data.draw(st.integers(0, 9))),
                data.draw(st.sampled_from([BASIC, REVERSED, CLOZE, 7])),
                pair,
                cards,
            )
            for pair in fields
        ]
        write_package(path, notes, newer=False)
    else:
        path.write_text(("#flashcards\n" if ending == "md" else "") + data.draw(texts))
    module: Format = {"csv": table_notes, "md": obsidian_notes, "apkg": anki_decks}[ending]
    try:
        decks = module.read(path, OPTIONS)
    except FormatError:
        return
    takeover = plan(decks, present_cards, folder, "UTC", UTC)

    assert takeover.lacking == 0
    assert decks.entries is not None
    assert {note.entry for note in decks.notes} or decks.losses.left_out
