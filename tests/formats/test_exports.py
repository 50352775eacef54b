"""Test that decks exported to Anki, as a table and as text, can be imported unchanged."""

import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from anki_packages import CLOZE, SampleCard, SampleNote, write_package
from shell import Shell

from studykit.formats import anki_export
from studykit.formats.anki_decks import read
from studykit.formats.foreign_notes import NoteForm, ReadOptions

DECK = r"""---
name = "Rivers::Swiss"
macros = {R = '\mathbb{R}'}
---
Q: Which river runs through *Basel*? {#basel .water}
A: The Rhine, see ![a map](pictures/map.png) and [it](pictures/it.mp3).

Q: Rhein {#rhein .reversed .typed url=https://example.org source="a book"}
A: Rhine

C: The [Aare] joins the [Rhine] at $x^[2] \in \R$, `a[b]` {#joins}

Q: no id
A: at all

E: flops.train_total {#scope}
"""


@pytest.fixture
def shell(study: Shell, tmp_path: Path) -> Shell:
    study.write("mine/swiss.md", DECK)
    (tmp_path / "mine/pictures").mkdir()
    (tmp_path / "mine/pictures/map.png").write_bytes(b"map")
    (tmp_path / "mine/pictures/it.mp3").write_bytes(b"sound")
    study("deck", "add", "mine")
    return study


def tables(package: Path) -> tuple[dict[str, list[dict[str, Any]]], dict[str, bytes]]:
    """Return every row of a package's collection by table, and its media by name."""
    with zipfile.ZipFile(package) as archive:
        names = json.loads(archive.read("media"))
        media = {name: archive.read(number) for number, name in names.items()}
        file = package.with_suffix(".db")
        file.write_bytes(archive.read("collection.anki2"))
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        rows_by_table = {
            table: [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")]
            for table in ("col", "notes", "cards", "revlog")
        }
    return rows_by_table, media


def export_package(shell: Shell, *words: str) -> tuple[dict[str, list[dict[str, Any]]], dict[str, bytes]]:
    result = shell("export", "anki", "-o", "out.apkg", "mine/swiss.md", *words)
    assert result.code == 0
    return tables(shell.home / "out.apkg")


def fields(package_tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    return {note["guid"]: note["flds"].split("\x1f") for note in package_tables["notes"]}


def test_notes_go_out_as_fields_of_frozen_types(shell: Shell) -> None:
    package_tables, media = export_package(shell)

    texts = fields(package_tables)
    assert texts["basel"][:3] == [
        "Which river runs through <em>Basel</em>?",
        'The Rhine, see <img src="map.png" alt="a map"> and [sound:it.mp3].',
        "basel",
    ]
    assert texts["rhein"] == ["Rhein", "Rhine", "rhein rhein.reversed", "", "a book https://example.org"]
    formula = r"\(x^{{{c3::2}}} \in {\mathbb{R}}\)"
    assert texts["joins"][0] == f"The {{{{c1::Aare}}}} joins the {{{{c2::Rhine}}}} at {formula}, <code>a[b]</code>"
    assert media == {"map.png": b"map", "it.mp3": b"sound"}
    types = json.loads(package_tables["col"][0]["models"])
    assert {id_: [one["name"] for one in type_["flds"]] for id_, type_ in types.items()} == {
        "1763800000000": ["Front", "Back", "Id", "Extra", "Source"],
        "1763800000001": ["Front", "Back", "Id", "Extra", "Source"],
        "1763800000002": ["Front", "Back", "Id", "Extra", "Source"],
        "1763800000003": ["Text", "Back Extra", "Id", "Extra", "Source"],
    }
    decks = {deck["name"] for deck in json.loads(package_tables["col"][0]["decks"]).values()}
    assert decks == {"Default", "Rivers::Swiss"}
    assert next(note["tags"] for note in package_tables["notes"] if note["guid"] == "basel") == " water "


def test_anki_export_gives_an_exercise_its_solution(shell: Shell) -> None:
    package_tables, _ = export_package(shell)

    question, solution, *_ = fields(package_tables)["scope"]
    variant = shell("exercise", "show", "flops.train_total", "--seed", "0", "--json").json
    assert "FLOP" in question
    assert "<li>" in solution
    assert variant["unit"] in solution


def test_anki_export_keeps_choice_options_and_remarks(shell: Shell) -> None:
    shell.write("mine/swiss.md", "Q: Which river? {#r}\n- [x] Rhine\n- [ ] Aare # too short\nA: Both meet.\n")

    package_tables, _ = export_package(shell)

    question, answer, *_ = fields(package_tables)["r"]
    assert question.startswith("<p>Which river?</p>\n<ul>")
    assert question.count("<li>") == 2
    assert "<li><strong>right</strong>: Rhine</li>" in answer
    assert "<li><strong>wrong</strong>: Aare (too short)</li>" in answer


def test_repeated_anki_export_keeps_ids_and_updates_time(shell: Shell) -> None:
    first, _ = export_package(shell)
    shell.at("2026-11-24T09:00:00+00:00")
    shell.write("mine/swiss.md", DECK.replace("The Rhine, see", "Only the Rhine, see"))
    second, _ = export_package(shell)

    def ids(package_tables: dict[str, list[dict[str, Any]]]) -> list[tuple[object, ...]]:
        return [(note["id"], note["guid"], note["mid"]) for note in package_tables["notes"]]

    assert ids(first) == ids(second)
    assert [card["id"] for card in first["cards"]] == [card["id"] for card in second["cards"]]
    assert {note["mod"] for note in second["notes"]} == {first["notes"][0]["mod"] + 86_400}
    assert "Only the Rhine" in fields(second)["basel"][1]


def test_schedules_answers_and_marks_go_along(shell: Shell) -> None:
    for moment, grade in (("2026-11-20T09:00+00:00", "good"), ("2026-11-21T09:00+00:00", "good")):
        shell("answer", "basel", grade, "--at", moment)
    shell("answer", "rhein", "again", "--at", "2026-11-21T09:00+00:00")
    shell("answer", "rhein", "hard", "--at", "2026-11-21T10:00+00:00")
    shell("card", "suspend", "rhein")
    shell("card", "flag", "basel")

    package_tables, _ = export_package(shell)

    notes = {note["id"]: note["guid"] for note in package_tables["notes"]}
    cards = {notes[card["nid"]]: card for card in package_tables["cards"] if card["ord"] == 0}
    day = package_tables["col"][0]["crt"]
    assert day == datetime(2026, 11, 21, 4, tzinfo=UTC).timestamp()
    basel, rhein = cards["basel"], cards["rhein"]
    assert [basel[name] for name in ("type", "queue", "due", "ivl", "factor", "reps", "flags")] == [
        *(2, 2, 6, 6),
        *(2500, 2, 1),
    ]
    assert [rhein[name] for name in ("type", "queue", "due", "ivl")] == [2, -1, 1, 1]
    log = [(row["cid"], row["ease"], row["ivl"], row["lastIvl"], row["type"]) for row in package_tables["revlog"]]
    assert log == [
        (basel["id"], 3, 1, 0, 0),
        (basel["id"], 3, 6, 1, 1),
        (rhein["id"], 1, 1, 0, 0),
        (rhein["id"], 2, 1, 1, 2),
    ]
    assert len({row["id"] for row in package_tables["revlog"]}) == 4


def test_what_was_taken_back_does_not_go_out(shell: Shell) -> None:
    shell("answer", "basel", "good")
    shell("undo")

    assert export_package(shell)[0]["revlog"] == []


def test_the_last_line_says_what_anki_takes(shell: Shell) -> None:
    result = shell("export", "anki", "-o", "out.apkg", "mine/swiss.md")

    assert result.out.split("\n")[0] == "out.apkg: 5 notes, 8 cards, 0 answers, 2 media files."
    assert result.out.endswith(
        "Anki takes schedules and answers only of cards that are new to it; of others it takes newer texts.\n"
    )


def test_own_anki_package_brings_no_new_notes(shell: Shell) -> None:
    shell("answer", "basel", "good")
    shell("answer", "joins.2", "hard")
    shell("card", "reset", "rhein")
    export_package(shell)

    result = shell("import", "out.apkg", "--yes")

    assert result.out == "Anki: 0 new notes, 0 cards, 0 reviews; 5 known before.\n"


def test_own_anki_package_restores_notes_and_reviews(shell: Shell, tmp_path: Path) -> None:
    shell("answer", "joins.2", "hard", "--at", "2026-11-21T10:00+00:00")
    export_package(shell)

    decks = read(tmp_path / "out.apkg", ReadOptions(date(2026, 11, 23), UTC))

    notes = {note.id: note for note in decks.notes}
    assert {"basel", "rhein", "joins", "scope"} < notes.keys()
    assert notes["basel"].back == "The Rhine, see ![a map](\ue020map.png\ue021) and ![](\ue020it.mp3\ue021)."
    assert (notes["rhein"].form, notes["rhein"].back) == (NoteForm.REVERSED, "Rhine")
    assert (notes["joins"].form, notes["joins"].tags) == (NoteForm.CLOZE, ())
    assert [len(decks.pasts[card].reviews) for card in ("joins.1", "joins.2", "joins.3")] == [0, 1, 0]
    assert decks.losses.lines() == ()


def test_anki_export_skips_and_names_outside_links(shell: Shell) -> None:
    (shell.home / "secret.png").write_bytes(b"secret")
    shell.write("mine/swiss.md", "Q: a ![x](../secret.png) {#a}\nA: b ![y](gone.png)\n")

    package_tables, media = export_package(shell)

    assert media == {}
    assert fields(package_tables)["a"][:2] == ["a [x]", "b [y]"]
    assert shell("export", "anki", "-o", "out.apkg", "mine/swiss.md").err == (
        "2 links to no file next to the decks: ../secret.png, gone.png\n"
    )


def test_csv_export_has_card_rows_and_imports_back(shell: Shell) -> None:
    shell("answer", "basel", "good", "--at", "2026-11-21T10:00+00:00")
    assert shell("export", "csv", "mine/swiss.md", "-o", "out.csv").out == "out.csv: 8 cards.\n"
    lines = (shell.home / "out.csv").read_text().splitlines()

    assert lines[0] == "id,deck,kind,front,back,tags,repetition,interval,ease,lapses,reviewed"
    assert lines[1].startswith("basel,Rivers::Swiss,basic,Which river runs through *Basel*?,")
    assert lines[1].endswith(",water,1,1,250,0,2026-11-21")
    assert shell("import", "out.csv", "--yes").out == "a table: 0 new notes, 0 cards, 0 reviews; 8 known before.\n"


def test_csv_export_escapes_spreadsheet_formulas(shell: Shell) -> None:
    shell.write("mine/swiss.md", "Q: =cmd|x!A1 {#a}\nA: -1\n")

    assert "a,swiss,basic,'=cmd|x!A1,'-1," in shell("export", "csv", "mine/swiss.md").out


def test_markdown_export_copies_deck_text_and_media(shell: Shell) -> None:
    result = shell("export", "md", "mine", "-o", "copy")

    assert result.out == "3 files in copy: 3 written.\n"
    assert (shell.home / "copy/swiss.md").read_text() == DECK
    assert (shell.home / "copy/pictures/map.png").read_bytes() == b"map"


@pytest.mark.parametrize("secret", ["secret", "/dev/zero"])
def test_markdown_export_skips_macros_linked_outside(shell: Shell, secret: str) -> None:
    shell.write("secret", "of the learner")
    shell("deck", "list")
    (shell.home / "mine/macros.tex").symlink_to(shell.home / secret)

    shell("export", "md", "mine", "-o", "copy")

    assert "swiss.md" in {path.name for path in (shell.home / "copy").iterdir()}
    assert not (shell.home / "copy/macros.tex").exists()


def test_macros_that_every_deck_has_go_along(shell: Shell) -> None:
    shell.write("mine/rules.tex", "\\R: \\mathbb{R}\n")
    (shell.home / "mine/macros.tex").symlink_to("rules.tex")

    shell("export", "md", "mine", "-o", "copy")

    assert (shell.home / "copy/macros.tex").read_text() == "\\R: \\mathbb{R}\n"


def test_a_file_that_cannot_be_written_is_told(shell: Shell) -> None:
    result = shell("export", "anki", "-o", "no/such/out.apkg", "mine/swiss.md")

    assert (result.code, result.err) == (
        1,
        "study: no/such/out.apkg cannot be written: No such file or directory. Choose another file.\n",
    )


def test_package_without_room_is_reported(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(anki_export._PackageWriter, "_write_tables", full)
    result = shell("export", "anki", "-o", "out.apkg", "mine/swiss.md")

    assert (result.code, "cannot hold the package (database or disk is full)" in result.err) == (1, True)
    assert not (shell.home / "out.apkg").exists()


def test_anki_export_writes_sound_tags_for_media(shell: Shell) -> None:
    cloze = "C: It says ![](pictures/it.mp3) [x]. {#w2}\n"
    shell.write(
        "mine/swiss.md", f"Q: Which? ![](pictures/it.mp3) {{#w1}}\nA: ![film](pictures/clip.MP4)\n\n{cloze}"
    )
    shell.write("mine/pictures/clip.MP4", "film")

    package_tables, media = export_package(shell)

    assert fields(package_tables)["w1"][:2] == ["Which? [sound:it.mp3]", "[sound:clip.MP4]"]
    assert fields(package_tables)["w2"][0] == "It says [sound:it.mp3] {{c1::x}}."
    assert media.keys() == {"it.mp3", "clip.MP4"}


def test_anki_export_names_what_anki_changes(shell: Shell) -> None:
    shell.write(
        "mine/swiss.md",
        "Q: 2 * 3? {#six .typed}\nA: 6|six\n\nQ: a {#both .typed .reversed}\nA: b\n\n"
        "C: `{{c1::x}}` makes a [gap]. {#code}\n\nC: type a [word] {#word .typed}\n",
    )
    write_package(
        shell.home / "theirs.apkg",
        [SampleNote("g", CLOZE, ("{{c1::a}} {{c1::b}} {{c2::c}}", ""), [SampleCard(0), SampleCard(1)])],
        newer=False,
    )
    shell("import", "theirs.apkg", "--yes", "-o", "theirs")

    result = shell("export", "anki", "-o", "out.apkg", "mine", "theirs")

    texts = fields(tables(shell.home / "out.apkg")[0])
    assert texts["six"][1] == "6"
    narrowed = "3 typed answers with several right ones, in gaps, or asked both ways: Anki takes only the first"
    assert narrowed in result.out
    assert "2 notes came from Anki and do not go back into their own note types." in result.out
    assert texts["code"][0] == "<code>&#123;{c1::x}}</code> makes a {{c1::gap}}."
    decks = read(shell.home / "out.apkg", ReadOptions(date(2026, 11, 23), UTC))
    assert next(note.front for note in decks.notes if note.id == "code") == "`{{c1::x}}` makes a [gap]."


def test_new_cards_go_out_in_their_order(shell: Shell) -> None:
    export_package(shell)

    order = [note.id for note in read(shell.home / "out.apkg", ReadOptions(date(2026, 11, 23), UTC)).notes]

    assert [id_ for id_ in order if len(id_) < 20] == ["basel", "rhein", "joins", "scope"]
