"""Test that an import shows its content, asks once, takes everything or nothing, and adds nothing twice."""

import os
import re
import shlex
import zipfile
from dataclasses import replace
from datetime import UTC, date
from pathlib import Path

import pytest
from anki_packages import BASIC, CLOZE, FIRST_DAY, SampleCard, SampleNote, write_package
from foreign_files import foreign_link
from shell import Shell

from studykit.formats import takeover
from studykit.formats.anki_decks import read
from studykit.formats.foreign_notes import ReadOptions
from studykit.store.event_log import EventLog

DAY_MS = 86_400_000
FIRST_MS = FIRST_DAY * 1000 + 5 * 3_600_000
NOTES = [
    SampleNote(
        "one",
        BASIC,
        ("What is 2?", 'two <img src="a b.png">'),
        [SampleCard(0, 30, 420, 2360, 1, log=[(FIRST_MS, 3), (FIRST_MS + DAY_MS, 3), (FIRST_MS + 7 * DAY_MS, 4)])],
        deck="Maths::Numbers",
        tags="easy",
    ),
    SampleNote("two", CLOZE, ("{{c1::a}} {{c2::b}}", ""), [SampleCard(0), SampleCard(1, queue=-1, flags=1)]),
    SampleNote(
        "three", BASIC, ("no log", "but a state"), [SampleCard(0, interval=30, due=420, factor=2360, lapses=2)]
    ),
]


@pytest.fixture
def shell(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_package(tmp_path / "mine.apkg", NOTES, {"a b.png": b"picture"}, newer=True)
    return study


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data/studykit/imported/mine"


def test_import_shows_cards_and_counts_then_writes_decks(shell: Shell, folder: Path) -> None:
    result = shell("import", "mine.apkg", "--yes")

    assert result.code == 0
    assert "  What is 2?  |  two [a b.png]" in result.out
    assert (
        "Anki: 3 new notes, 4 cards, 3 reviews, 1 adopted due day, 1 suspended card, 1 flagged card, "
        in result.out
    )
    assert "1 media file; none known before." in result.out
    assert result.out.endswith(f"Imported. Its decks are in {folder}.\n")
    assert (folder / "Maths/Numbers.md").read_text() == (
        '---\nname = "Maths::Numbers"\nid = "maths-numbers"\n---\n\n'
        "Q: What is 2? {#anki:one .easy}\nA: two ![](../media/a%20b.png)\n"
    )
    assert (folder / "media/a b.png").read_bytes() == b"picture"
    decks = {deck["id"]: deck["cards"] for deck in shell("deck", "list", "--json").json["decks"]}
    assert (decks["maths-numbers"], decks["default"]) == (1, 3)


def test_known_note_with_other_words_is_told_and_keeps_its_text(shell: Shell, folder: Path) -> None:
    shell("import", "mine.apkg", "--yes")
    again = shell("import", "mine.apkg", "--yes")
    texts = {path: path.read_text() for path in folder.rglob("*.md")}
    notes = [replace(NOTES[0], fields=("What is 2?", '2.0 <img src="a b.png">')), *NOTES[1:]]
    write_package(shell.home / "mine.apkg", notes, {"a b.png": b"picture"}, newer=True)

    result = shell("import", "mine.apkg", "--yes")

    assert "Not as it was there" not in again.out
    assert "3 known before.\n" in result.out
    assert "  notes reworded there, which keep their text here: 1 (one)\n" in result.out
    assert {path: path.read_text() for path in folder.rglob("*.md")} == texts


def test_history_goes_through_sm2(shell: Shell) -> None:
    shell("import", "mine.apkg", "--yes")

    card = shell("show", "anki:one", "--json").json

    assert [step["grade"] for step in card["history"]] == [4, 4, 5]
    assert (card["memory"]["repetition"], card["memory"]["interval"], card["memory"]["ease"]) == (3, 15, 260)


def test_import_keeps_a_schedule_without_history(shell: Shell) -> None:
    shell("import", "mine.apkg", "--yes")

    memory = shell("show", "anki:three", "--json").json["memory"]

    assert {name: memory[name] for name in ("repetition", "interval", "ease", "lapses", "due", "reviewed")} == {
        "repetition": 2,
        "interval": 30,
        "ease": 236,
        "lapses": 2,
        "due": "2026-12-03",
        "reviewed": "2026-11-03",
    }
    assert all(check["ok"] for check in shell("doctor", "--json").json["checks"] if "log" in check["name"])


def test_due_days_option_adopts_anki_due_days(shell: Shell) -> None:
    shell("import", "mine.apkg", "--yes", "--due-days")

    card = shell("show", "anki:one", "--json").json

    assert (card["memory"]["due"], card["memory"]["ease"], card["memory"]["interval"]) == ("2026-12-03", 236, 30)
    assert [step["kind"] for step in card["history"]] == ["answer", "answer", "answer", "adopt"]


def test_suspended_anki_card_stays_listed_after_import(shell: Shell) -> None:
    shell("import", "mine.apkg", "--yes")

    assert "anki:two.2" in shell("card", "list").out


def test_the_same_file_again_brings_nothing(shell: Shell, folder: Path) -> None:
    shell("import", "mine.apkg", "--yes")
    shell("card", "unsuspend", "anki:two.2")
    before = (folder / "Default.md").read_bytes()

    document = shell("import", "mine.apkg", "--yes", "--json").json

    assert {
        name: document[name] for name in ("notes", "cards", "reviews", "added", "media", "notes_known", "known")
    } == {"notes": 0, "cards": 0, "reviews": 0, "added": 0, "media": 0, "notes_known": 3, "known": 6}
    assert (folder / "Default.md").read_bytes() == before


def test_repeated_import_adds_newer_answers_and_notes(shell: Shell, folder: Path) -> None:
    shell("import", "mine.apkg", "--yes")
    later = SampleCard(0, 30, 450, 2360, 1, log=[*NOTES[0].cards[0].log, (FIRST_MS + 300 * DAY_MS, 3)])
    more = SampleNote("four", BASIC, ("fourth", "one"), deck="Maths::Numbers")
    newer = [SampleNote("one", BASIC, ("Changed there", "x"), [later], deck="Maths::Numbers"), *NOTES[1:], more]
    write_package(shell.home / "mine.apkg", newer, newer=False)

    document = shell("import", "mine.apkg", "--yes", "--json").json

    assert (document["notes"], document["reviews"], document["notes_known"]) == (1, 1, 3)
    text = (folder / "Maths/Numbers.md").read_text()
    assert "Q: What is 2? {#anki:one .easy}" in text
    assert text.endswith("\n\nQ: fourth {#anki:four}\nA: one\n")
    assert len(shell("show", "anki:one", "--json").json["history"]) == 4


def test_a_dry_run_changes_nothing(shell: Shell) -> None:
    shell("due")
    before = {path: path.stat().st_mtime_ns for path in shell.home.rglob("*") if path.is_file()}

    result = shell("import", "mine.apkg", "--dry-run")

    assert result.out.endswith("Nothing was changed.\n")
    assert {path: path.stat().st_mtime_ns for path in shell.home.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_nobody_to_ask_means_nothing_is_imported(shell: Shell, folder: Path, words: list[str]) -> None:
    result = shell("import", "mine.apkg", *words)

    assert (result.code, folder.exists()) == (2, False)
    assert "Add --yes to import" in result.err


def test_unwritable_log_leaves_no_deck(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("due")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(EventLog, "merge", full)
    result = shell("import", "mine.apkg", "--yes")

    assert result.code != 0
    assert not folder.exists()
    assert [path.name for path in folder.parent.glob(".*")] == []


def test_import_finds_unlisted_decks_and_keeps_them(shell: Shell, folder: Path) -> None:
    shell("import", "mine.apkg", "--yes")
    (shell.home / "config.toml").unlink()
    before = (folder / "Default.md").read_bytes()

    result = shell("import", "mine.apkg", "--yes")

    assert "0 new notes" in result.out
    assert (folder / "Default.md").read_bytes() == before
    assert shell("show", "anki:one").code == 0


def test_the_folder_may_be_chosen(shell: Shell) -> None:
    shell("import", "mine.apkg", "--yes", "-o", "here")

    assert sorted(path.name for path in (shell.home / "here").rglob("*.md")) == ["Default.md", "Numbers.md"]
    assert str(shell.home / "here") in (shell.home / "config.toml").read_text()


def test_import_ignores_pipes_in_its_output_folder(shell: Shell) -> None:
    (shell.home / "here").mkdir()
    os.mkfifo(shell.home / "here/pipe.md")
    (shell.home / "here/zero.md").symlink_to("/dev/zero")

    assert shell("import", "mine.apkg", "--yes", "-o", "here").code == 0


@pytest.mark.parametrize(
    ("name", "target", "message"),
    [
        ("Default.md", "own.md", "Default.md is a link, which is not read"),
        ("Maths", "own", "here/Maths leads out of"),
        ("media", "own", "here/media leads out of"),
    ],
)
def test_foreign_folder_links_are_ignored(shell: Shell, name: str, target: str, message: str) -> None:
    (shell.home / "own").mkdir()
    (shell.home / "own.md").write_text('---\nname = "Default"\n---\n\nsecret\n')
    (shell.home / "here").mkdir()
    (shell.home / "here" / name).symlink_to(shell.home / target)

    result = shell("import", "mine.apkg", "--yes", "-o", "here")

    assert (result.code, message in " ".join(result.err.split())) == (1, True)
    assert [path.name for path in (shell.home / "here").iterdir()] == [name]
    assert not any((shell.home / "own").iterdir())
    assert shell("export", "progress").json["events"] == []


def test_decks_come_through_no_link_of_somebody_else(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (shell.home / "own").mkdir()
    foreign_link(shell.home / "here", shell.home / "own", monkeypatch)

    result = shell("import", "mine.apkg", "--yes", "-o", "here/new")

    assert (result.code, "here is somebody else's link" in result.err) == (1, True)
    assert not any((shell.home / "own").iterdir())


def test_other_formats_that_no_one_knows_are_told(shell: Shell) -> None:
    (shell.home / "empty").mkdir()

    result = shell("import", "empty")

    assert (result.code, "is neither from Anki or Obsidian nor a CSV file" in result.err) == (5, True)


def test_what_is_left_out_is_counted_and_fails(shell: Shell) -> None:
    shell.write("a.csv", f"front,back\nHund,dog\nHund,cat\n,x\nlong,{'word ' * 5000}\n")
    shell.write("b.csv", f"long,{'word ' * 20_000}\n")

    first, second, other = (shell("import", name, "--yes") for name in ("a.csv", "a.csv", "b.csv"))

    assert "1 new note, 1 card, 0 reviews; none known before; 3 left out of 4." in first.out
    assert {line.strip() for line in first.out.split("Not as it was there:\n")[1].splitlines()[:3]} == {
        "rows that repeat a question: 1 (line 3)",
        "rows without a question: 1 (line 4)",
        "notes longer than 20,000 characters, to be split: 1 (line 5)",
    }
    assert "0 new notes, 0 cards, 0 reviews; 1 known before; 3 left out of 4." in second.out
    assert [result.code for result in (first, second, other)] == [0, 0, 5]
    assert "notes longer than 20,000 characters, to be split: 1 (line 1)" in other.out
    assert shell("import", "b.csv", "--yes", "--json").json["notes_left_out"] == 1


def test_only_a_schedule_is_told_as_left_out(shell: Shell) -> None:
    notes = [
        SampleNote(name, BASIC, (name * 20_001, "x"), [SampleCard(0, interval)])
        for name, interval in (("a", 0), ("b", 9))
    ]
    write_package(shell.home / "long.apkg", notes, newer=False)

    assert (
        "  schedules of cards left out: 1 (anki:b)" in shell("import", "long.apkg", "--dry-run").out.splitlines()
    )


def test_import_reports_missing_notes_as_a_bug(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(takeover.Takeover, "lacking", 2)

    assert "2 notes went missing. This is a bug in studykit." in shell("import", "mine.apkg", "--dry-run").out


def test_decks_whose_names_read_alike_stay_apart(shell: Shell) -> None:
    names = ("C", "C++", "C#", "Inference", "Maths::Sums", "Maths")
    notes = [SampleNote(name, BASIC, (f"what of {name}?", "x"), deck=name) for name in names]
    write_package(shell.home / "langs.apkg", notes, newer=False)

    shell("import", "langs.apkg", "--yes", "-o", "out")

    decks = {deck["name"]: deck for deck in shell("deck", "list", "--json").json["decks"] if not deck["shipped"]}
    assert {name: (deck["id"], deck["cards"]) for name, deck in decks.items()} == {
        "C": ("c", 1),
        "C++": ("c-2", 1),
        "C#": ("c-3", 1),
        "Inference": ("inference-2", 1),
        "Maths": ("maths", 1),
        "Maths::Sums": ("maths-sums", 1),
    }
    assert "what of C++?" in shell("review", "C++", "--plain").out
    assert shell("deck", "limit", "C#", "1").out.startswith("C#: 1 new card a day, within")
    assert "with the decks below it" in shell("deck", "limit", "Maths", "2").out
    assert shell("due", "Maths", "--json").json["new"] == 2
    assert len(shell("find", "deck:maths", "--json").json["cards"]) == 2
    assert shell("export", "html", "-o", "site", "out").code == 0
    shell("export", "anki", "-o", "back.apkg", "out")
    assert {note.deck for note in read(shell.home / "back.apkg", ReadOptions(date(2026, 11, 23), UTC)).notes} == {
        *names
    }
    shipped = next(deck for deck in shell("deck", "list", "--json").json["decks"] if deck["id"] == "inference")
    assert (shipped["shipped"], shipped["name"]) == (True, "11. Inference")


def test_ids_of_decks_that_are_there_stay(shell: Shell) -> None:
    shell.write("old/C.md", '---\nname = "C"\n---\nQ: a {#a}\nA: b\n')
    shell.write("old/C++.md", '---\nname = "C++"\n---\nQ: c {#c}\nA: d\n')
    shell("deck", "add", "old")
    write_package(shell.home / "c.apkg", [SampleNote("n", BASIC, ("x", "y"), deck="C++")], newer=False)

    shell("import", "c.apkg", "--yes", "-o", "out")

    decks = [deck["id"] for deck in shell("deck", "list", "--json").json["decks"] if not deck["shipped"]]
    assert decks == ["c"]


def test_import_keeps_pictures_of_equal_name_apart(shell: Shell) -> None:
    for name in ("one", "other"):
        note = SampleNote(name, BASIC, (name, '<img src="plot.png">'), deck=name)
        write_package(shell.home / f"{name}.apkg", [note], {"plot.png": name.encode()}, newer=False)
        shell("import", f"{name}.apkg", "--yes", "-o", "out")

    for name in ("one", "other"):
        link = re.search(r"\((media/[^)]+)\)", (shell.home / f"out/{name}.md").read_text())
        assert link is not None
        assert (shell.home / "out" / link[1]).read_text() == name


def test_reworded_obsidian_note_keeps_its_card(shell: Shell) -> None:
    text = "#flashcards\nWhat is the capital of Peru?::Lima <!--SR:!2026-12-08,40,250-->\n\nHund::dog\n"
    shell.write("v/n.md", text)
    shell("import", "v", "--yes", "-o", "out")
    shell.write("v/n.md", text.replace("What is", "Which city is").replace("2026-12-08,40", "2027-01-20,70"))

    result = shell("import", "v", "--yes", "-o", "out")

    assert "0 new notes, 0 cards, 0 reviews, 1 adopted due day; 2 known before." in result.out
    assert "notes reworded there, which keep their text here: 1 (n (1))" in result.out
    (card,) = shell("find", "peru", "--json").json["cards"]
    assert shell("show", card["card"], "--json").json["memory"]["due"] == "2027-01-20"


def test_an_import_says_how_to_take_it_back(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_BACKUP", "1")
    shell.write("config.toml", 'course = "off"\n')

    result = shell("import", "mine.apkg", "--yes")
    for command in result.out.rstrip().rpartition("To take it back: ")[2].split(" && "):
        assert shell(*shlex.split(command)[1:]).code == 0

    assert shell("deck", "list", "--json").json["decks"] == []
    assert shell("stats", "--json").json["total"]["introduced"] == 0
    second = shell("import", "mine.apkg", "--yes", "-o", "out")
    shell("import", "mine.apkg", "--yes", "-o", "out", "--due-days")
    assert second.out.count("deck remove") == 1


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("a.md", "run:\n  study deck add"),
        ("a.pdf", "Export its cards as CSV, then import that.\n"),
        ("a.org", "Export its cards as CSV, then import that.\n"),
        ("a.zip", "Unpack it"),
        ("a.xlsx", "Export its cards as CSV, then import that.\n"),
        ("a.txt", "Run:\n  study deck add"),
    ],
)
def test_unsupported_import_file_gets_advice(shell: Shell, name: str, advice: str) -> None:
    with zipfile.ZipFile(shell.home / name, "w") as archive:
        archive.writestr("a/b.md", "x")
    if name in {"a.md", "a.org", "a.txt", "a.pdf"}:
        shell.write(name, "Q: What?\nA: That.\n")

    result = shell("import", name)

    assert result.code == 5
    assert advice in result.err
