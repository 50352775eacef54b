"""Test export and import, as authors and learners call them."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
from foreign_files import foreign_link, lay
from py_mini_racer import MiniRacer
from shell import Shell

from studykit.cli.commands import export, import_
from studykit.cli.context import Context
from studykit.cli.progress_bar import ProgressBar
from studykit.html.assets import source

DECK = "Q: What is 1 + 1? {#one}\nA: 2\n\nQ: And $x$? {#two}\nA: $x$\n"


@pytest.fixture
def shell(study: Shell) -> Shell:
    return study.with_deck("cost.md", DECK)


def test_a_deck_file_becomes_pages(shell: Shell) -> None:
    result = shell("export", "html", "cost.md", "-o", "out")

    assert result.code == 0
    assert result.out == "out: 8 files written, 0 unchanged, 0 removed.\n"
    assert 'id="c-two"' in (shell.home / "out" / "cost.html").read_text()


@pytest.mark.parametrize("site", ["starlight", "mkdocs", "sphinx", "hugo"])
def test_export_counts_a_sites_pages(shell: Shell, site: str) -> None:
    assert shell("export", "html", "cost.md", "-o", "out", "--site", site).out.startswith("out: ")


def test_exports_count_the_exercises_they_draw(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("cost.md", f"{DECK}\nE: mem.gib {{#three}}\n")
    bars: list[ProgressBar] = []

    @contextmanager
    def shown(_: Context, what: str, total: int) -> Iterator[ProgressBar]:
        bars.append(ProgressBar(what, total))
        yield bars[-1]

    monkeypatch.setattr(export, "progress_bar", shown)
    shell("export", "csv", "-o", "cards.csv")
    shell("export", "anki", "-o", "cards.apkg")

    assert [(bar.what, bar.done, bar.total) for bar in bars] == [("drawing exercises", 1, 1)] * 2


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("html cots", 3, "study: No deck is named 'cots'. Did you mean cost?"),
        ("html gone.md", 3, "gone.md"),
        (
            "html cost.md --app --site hugo",
            2,
            "study: --app makes a folder that stands on its own. Give one of --app and --site",
        ),
        ("html broken.md", 5, "broken.md:1: question without an answer"),
        ("html cost.md --strings de.toml", 5, "page.answr is not a word on the pages (did you mean answer?)."),
        ("html --cards onee", 3, "No card has the id 'onee'. Did you mean one?"),
        ("html --cards ,", 2, "--cards names no card. Give ids, such as"),
        ("html --cards one -o .", 2, ". is a folder. With --cards give -o a file"),
        ("html --cards one --site hugo", 2, "Leave --site and --app out"),
        ("html --cards one --app", 2, "Leave --site and --app out"),
        ("html --cards one -o mine.html", 1, "mine.html was not made by studykit"),
    ],
)
def test_wrong_call_writes_nothing(shell: Shell, words: str, code: int, message: str) -> None:
    shell.write("mine.html", "mine")
    shell.write("broken.md", "Q: a question\n")
    shell.write("de.toml", '[page]\nanswr = "Antwort"\n')

    result = shell("export", *words.split(), *([] if "-o" in words else ["-o", "out"]))

    assert (result.code, message in result.err) == (code, True), result.err
    assert not (shell.home / "out").exists()
    assert (shell.home / "mine.html").read_text() == "mine"


def test_a_second_export_writes_nothing(shell: Shell) -> None:
    shell("export", "html", "cost.md", "-o", "out")

    again = shell("export", "html", "cost.md", "-o", "out", "--json").json
    assert again == {"schema": 1, "folder": "out", "written": [], "removed": []}


def test_a_folder_of_decks_becomes_pages(shell: Shell) -> None:
    (shell.home / "decks" / "more").mkdir(parents=True)
    (shell.home / "decks" / "a.md").write_text("Q: a\nA: b\n")
    (shell.home / "decks" / "more" / "b.md").write_text("Q: c\nA: d\n")

    result = shell("export", "html", "decks", "-o", "out")

    assert result.out.startswith("out: 11 files written")


def test_a_deck_is_found_by_its_name(shell: Shell) -> None:
    shell("export", "html", "COST", "-o", "out")

    pages = {path.name for path in (shell.home / "out").glob("*.html")}
    assert pages == {"cost.fragment.html", "cost.html", "index.html"}


@pytest.mark.thorough
def test_all_decks_are_exported_when_none_is_named(shell: Shell) -> None:
    shell("config", "set", "course", "flops")

    shell("export", "html", "-o", "out")

    assert {"cost.html", "flops.html"} <= {path.name for path in (shell.home / "out").glob("*.html")}


def test_invalid_formula_stops_export_before_writing(shell: Shell) -> None:
    (shell.home / "cost.md").write_text("Q: fine\nA: and\n  $\\frac{1}$\n")

    result = shell("export", "html", "cost.md", "-o", "out")

    assert result.code == 5
    assert result.err.startswith(f"study: {shell.home / 'cost.md'}:3: the formula $\\frac{{1}}$ does not parse")
    assert not (shell.home / "out").exists()


def test_an_app_is_written_beside_the_pages(shell: Shell) -> None:
    result = shell("export", "html", "cost.md", "-o", "out", "--app")

    assert result.out == "out: 13 files written, 0 unchanged, 0 removed.\n"
    assert json.loads((shell.home / "out" / "app.webmanifest").read_text())["start_url"] == "app.html"


def test_progress_travels_between_page_and_log(shell: Shell) -> None:
    engine = MiniRacer()
    engine.eval("".join(map(source, ("sm2.js", "log.js", "store.js"))), timeout_sec=20)
    shell("due")
    shell("answer", "one", "good")
    shell("answer", "two", "again")
    assert shell("export", "progress", "-o", "mine.json").out == "mine.json: 2 events.\n"
    text = (shell.home / "mine.json").read_text()
    log = f"eventsOf({json.dumps(text)})"
    (shell.home / "page.json").write_text(str(engine.eval(f"copyOf({log})", timeout_sec=20)))
    engine.close()

    assert shell("import", "page.json").out == "0 events added, 2 known before.\n"
    other = Path("other.db")
    assert shell("--db", str(other), "import", "page.json").out == "2 events added, 0 known before.\n"


def test_pages_use_the_author_s_words(shell: Shell) -> None:
    shell.write("de.toml", '[page]\nlanguage = "de"\nanswer = "Antwort"\n')

    result = shell("export", "html", "cost.md", "-o", "out", "--strings", "de.toml")

    page = (shell.home / "out" / "cost.html").read_text()
    assert result.code == 0
    assert '<html lang="de">' in page
    assert ">Antwort<" in page
    assert ">Answer<" not in page


def test_progress_of_a_page_is_taken_in_once(shell: Shell) -> None:
    event: dict[str, object] = {"id": "0196f0a0-0000-7000-8000-000000000001", "kind": "answer", "card": "one"}
    event |= {"moment": 1_763_800_000_000_000, "day": "2026-11-22", "zone": "Europe/London"}
    event |= {"grade": 4, "took_ms": 900, "profile": "sm2-text"}
    (shell.home / "p.json").write_text(json.dumps({"schema": 1, "kind": "studykit-progress", "events": [event]}))

    first = shell("import", "p.json")
    again = shell("import", "p.json", "--json")

    assert first.out == "1 event added, 0 known before.\n"
    assert again.json == {"schema": 1, "added": 0, "known": 1, "aside": []}
    assert shell("export", "progress").json["events"] == [{**event, "origin": "page"}]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, 3),
        ("{", 5),
        ("[]", 5),
        ('{"kind": "studykit-progress", "schema": 9}', 5),
        ('{"kind": "studykit-deck"}', 5),
    ],
)
def test_unknown_import_is_refused_in_a_sentence(shell: Shell, content: str | None, code: int) -> None:
    if content is not None:
        shell.write("x.json", content)

    document = shell("import", "x.json")

    assert document.code == code
    assert document.err.startswith("study: ")
    assert document.err.count("\n") == 1


def test_import_of_endless_device_ends(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_, "MAX_BYTES", 1_000_000)

    assert shell("import", "/dev/zero").code == 5


@pytest.mark.parametrize("name", ["progress.json", "deck.apkg", "notes"])
def test_a_pipe_is_refused_at_once(shell: Shell, name: str) -> None:
    os.mkfifo(shell.home / name)

    result = shell("import", name)

    why = "is a pipe, which is not read. Give a copy of progress, or save it to a file first."
    assert (result.code, result.err) == (5, f"study: {name} {why}\n")


@pytest.mark.parametrize("what", ["anki", "csv", "progress"])
@pytest.mark.parametrize(("place", "laid"), [("out", "hard link"), (".out.part", "link"), (".out.part", "pipe")])
def test_export_replaces_link_and_keeps_its_target(shell: Shell, what: str, place: str, laid: str) -> None:
    shell.write("thesis.txt", "mine")
    lay(laid, shell.home / place, shell.home / "thesis.txt")

    assert shell("export", what, "-o", "out").code == 0

    assert (shell.home / "thesis.txt").read_text() == "mine"
    assert not (shell.home / "nowhere").exists()
    assert not os.path.lexists(shell.home / ".out.part")
    assert (shell.home / "out").lstat().st_nlink == 1
    assert not (shell.home / "out").is_symlink()
    assert (shell.home / "out").read_bytes().startswith({"anki": b"PK", "csv": b"id,", "progress": b"{"}[what])


@pytest.mark.parametrize("what", ["anki", "csv", "progress"])
def test_folder_at_temporary_file_is_named(shell: Shell, what: str) -> None:
    (shell.home / ".out.part").mkdir()

    result = shell("export", what, "-o", "out")

    why = ".out.part is in the way: it is a folder. Choose another file."
    assert (result.code, result.err) == (1, f"study: out cannot be written: {why}\n")


@pytest.mark.parametrize("what", ["md", "html"])
def test_export_names_a_file_blocking_its_folder(shell: Shell, what: str) -> None:
    shell.write("o", "mine")

    result = shell("export", what, "-o", "o/out")

    why = "o/out cannot be written: Not a directory. Choose another folder with -o."
    assert (result.code, result.err) == (1, f"study: {why}\n")
    assert (shell.home / "o").read_text() == "mine"


@pytest.mark.parametrize("what", ["anki", "csv", "progress", "md", "html"])
@pytest.mark.parametrize("out", ["o/out", "o/in/out"])
def test_export_ignores_foreign_link(shell: Shell, monkeypatch: pytest.MonkeyPatch, what: str, out: str) -> None:
    (shell.home / "private/in").mkdir(parents=True)
    foreign_link(shell.home / "o", shell.home / "private", monkeypatch)

    result = shell("export", what, "-o", out)

    assert (result.code, "o is somebody else's link. Choose another" in result.err) == (1, True)
    assert [path.name for path in (shell.home / "private").rglob("*")] == ["in"]


@pytest.mark.parametrize("what", ["md", "html"])
def test_an_export_follows_the_learners_own_link(shell: Shell, what: str) -> None:
    (shell.home / "www").mkdir()
    (shell.home / "site").symlink_to("www")

    assert shell("export", what, "-o", "site").code == 0
    assert len([*(shell.home / "www").iterdir()]) > 1


@pytest.mark.parametrize("what", ["progress", "csv", "anki"])
def test_export_into_pipe_or_device_is_refused(shell: Shell, what: str) -> None:
    os.mkfifo(shell.home / "pipe")
    (shell.home / "null").symlink_to("/dev/null")

    for name, kind in (("pipe", "a pipe"), ("null", "a device")):
        why = f"study: {name} cannot be written: it is {kind}. Choose another file.\n"
        assert shell("export", what, "-o", name) == (1, "", why)
    assert (shell.home / "null").is_symlink()


def test_what_a_document_says_cannot_drive_the_terminal(shell: Shell) -> None:
    Path("\x1b[2J.json").write_text('{"kind": "\\u001b[31m"}')

    document = shell("import", "\x1b[2J.json")

    assert document.code == 5
    assert "\x1b" not in document.err


@pytest.mark.parametrize("value", ["[]", '"ab"'])
def test_import_of_countless_values_is_refused(shell: Shell, value: str) -> None:
    shell.write("many.json", f'{{"kind": "studykit-progress", "events": [{",".join([value] * 3_000_000)}]}}')

    why = "study: many.json holds too many values for a copy of progress. Save the copy again.\n"
    assert shell("import", "many.json") == (5, "", why)


def test_long_log_full_of_brackets_is_imported(shell: Shell) -> None:
    showing = {"exercise": "rewrite.split_heads", "version": 1, "seed": 1, "parameters": "{}", "answer": "[" * 200}
    row = {"kind": "practice", "card": "", "moment": 1, "day": "2026-11-23", "zone": "UTC", "origin": "page"}
    rows = [
        row | {"id": str(UUID(int=number)), "showing": showing | {"verdict": "correct", "slips": []}}
        for number in range(1, 4000)
    ]
    shell.write("long.json", json.dumps({"schema": 1, "kind": "studykit-progress", "events": rows}))

    assert shell("import", "long.json").out == "3,999 events added, 0 known before.\n"


def test_named_cards_make_a_lesson_file(shell: Shell) -> None:
    result = shell("export", "html", "--cards", "two,one", "-o", "lesson/cards.html")

    assert result.code == 0
    assert result.out.splitlines() == [
        "2 cards in lesson/cards.html. Its page takes these in once:",
        '  <link rel="stylesheet" href="studykit.css">',
        '  <script src="studykit.js" defer></script>',
    ]
    output = (shell.home / "lesson" / "cards.html").read_text()
    assert output.index('id="c-two"') < output.index('id="c-one"')
    assert {path.name for path in (shell.home / "lesson").glob("s*")} == {"studykit.css", "studykit.js"}


def test_lesson_cards_keep_pages_next_to_them(shell: Shell) -> None:
    shell("export", "html", "cost.md", "-o", "out")
    before = {path.name for path in (shell.home / "out").iterdir()}

    assert shell("export", "html", "--cards", "one", "-o", "out/cards.html").code == 0
    assert {path.name for path in (shell.home / "out").iterdir()} == {*before, "cards.html"}

    second = shell("export", "html", "--cards", "two", "-o", "out/cards.html", "--json").json
    assert second == {"schema": 1, "file": "out/cards.html", "cards": 1, "written": ["cards.html"]}


READER_S_DECK = """---
name = "Reader's"
---
Q: What is the mean, of a sample?
A: The sum over the count.

Q: What is the median?
A: The middle value.
"""


def test_reworded_card_keeps_its_readers(shell: Shell) -> None:
    shell.write("d.md", READER_S_DECK)
    first = shell("export", "html", "d.md", "-o", "out")
    shell.write("d.md", READER_S_DECK.replace("mean, of", "mean of"))

    second = shell("export", "html", "d.md", "-o", "out")

    assert "out has no former export: 2 cards without an id" in first.err
    assert second.err == ""
    (moved,) = re.findall(r"data-moved='([^']*)'", (shell.home / "out" / "reader-s.html").read_text())
    old, new = next(iter(json.loads(moved).items()))
    assert old != new
    assert f'data-card="{new}"' not in moved


@pytest.mark.parametrize(("text", "code"), [("{}", 5), ("[", 5), (None, 3)])
def test_record_of_a_former_export_must_be_one(shell: Shell, text: str | None, code: int) -> None:
    if text is not None:
        shell.write("former.json", text)

    result = shell("export", "html", "cost.md", "-o", "out", "--former", "former.json")

    assert result.code == code
    assert "former.json" in result.err
    assert not (shell.home / "out").exists()


def test_renamed_deck_leaves_a_page_that_leads_on(shell: Shell) -> None:
    shell.write("d.md", READER_S_DECK)
    shell("export", "html", "d.md", "-o", "out")
    for title in ("Second", "Third"):
        shell.write("d.md", READER_S_DECK.replace("Reader's", title))
        shell("export", "html", "d.md", "-o", f"{title}", "--former", "out/studykit.json")
        (shell.home / "out" / "studykit.json").write_text((shell.home / title / "studykit.json").read_text())

    for old in ("reader-s", "second"):
        page = (shell.home / "Third" / f"{old}.html").read_text()
        assert 'location.replace("third.html" + location.hash)' in page
        assert '<a href="third.html">' in page


def test_course_is_what_the_author_names(shell: Shell) -> None:
    shell.write("d.md", READER_S_DECK.replace("name =", 'course = "Stats"\nname ='))

    shell("export", "html", "d.md", "-o", "out")
    shell("export", "html", "d.md", "-o", "named", "--course", "Other")

    assert 'data-course="Stats"' in (shell.home / "out" / "reader-s.html").read_text()
    assert 'data-course="Other"' in (shell.home / "named" / "reader-s.html").read_text()
