"""Test that packages pass between studykit and Anki's own library without loss.

`tests/anki/install` installs the library. Without it these tests are skipped. With STUDYKIT_TEST_ALL=1 the
collection has 10,000 notes and 40,000 reviews.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from shell import Shell

HERE = Path(__file__).parent
PYTHON = Path(os.environ.get("STUDYKIT_TEST_ANKI", HERE / ".venv/bin/python"))
NOTES, REVIEWS = (10_000, 40_000) if os.environ.get("STUDYKIT_TEST_ALL") == "1" else (60, 240)
KEPT = ("cards", "suspended", "flagged", "tags", "log", "pictures", "decks")

pytestmark = [
    pytest.mark.skipif(not PYTHON.exists(), reason="tests/anki/install was not run"),
    pytest.mark.timeout(500),
]


def anki(verb: str, folder: Path, *words: object) -> dict[str, Any]:
    """Run Anki's library in its own process and return its report."""
    command = [str(PYTHON), str(HERE / "with_anki.py"), verb, str(folder), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("anki")
    return folder, anki("make", folder, NOTES, REVIEWS)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.delenv("STUDYKIT_NOW", raising=False)
    shell = Shell(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("STUDYKIT_NOW")
    return shell


def imported(shell: Shell, package: Path) -> dict[str, Any]:
    result = shell("import", str(package), "--yes", "--json")
    assert result.code == 0, result.err
    document: dict[str, Any] = result.json
    return document


@pytest.mark.parametrize("name", ["newer.apkg", "older.apkg", "newer.colpkg"])
def test_every_form_of_package_comes_in_alike(shell: Shell, made: tuple[Path, dict[str, Any]], name: str) -> None:
    folder, counts = made

    document = imported(shell, folder / name)

    assert [document[what] for what in ("notes", "cards", "reviews", "media")] == [
        *(counts["notes"], counts["cards"], counts["reviews"]),
        len(counts["pictures"]),
    ]
    assert document["lost"] == [f"hints of gaps left out: {document['lost'][0].split(': ')[1]}"]


def test_round_trip_loses_nothing(shell: Shell, made: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, counts = made
    began = time.perf_counter()
    imported(shell, folder / "newer.apkg")
    took = time.perf_counter() - began
    decks = [deck["id"] for deck in shell("deck", "list", "--json").json["decks"] if not deck["shipped"]]

    began = time.perf_counter()
    out = shell("export", "anki", "-o", "out.apkg", *decks)
    wrote = time.perf_counter() - began
    anki_counts = anki("take", tmp_path, tmp_path / "out.apkg")
    again = anki("take", tmp_path, tmp_path / "out.apkg")
    back = imported(shell, tmp_path / "again.apkg")

    assert (out.code, anki_counts["sound"]) == (0, True)
    assert {name: anki_counts[name] for name in KEPT} == {
        **{name: counts[name] for name in KEPT},
        "decks": sorted({*counts["decks"], "Default"}),
    }
    assert (anki_counts["new"], anki_counts["conflicting"], anki_counts["missing_notetype"]) == (
        counts["notes"],
        0,
        0,
    )
    assert (again["new"], again["cards"], again["reviews"]) == (0, counts["cards"], counts["reviews"])
    assert [back[name] for name in ("notes", "cards", "reviews", "added", "media")] == [0, 0, 0, 0, 0]
    seconds = (
        f"{NOTES:,} notes: in {took:.1f} s, out {wrote:.1f} s; Anki takes it in {anki_counts['seconds']:.1f} s"
    )
    sys.stderr.write(f"{seconds}\n")


def test_what_is_answered_in_anki_later_comes_here(shell: Shell, tmp_path: Path) -> None:
    shell.write(
        "mine/own.md", "Q: one {#own-1}\nA: two\n\nC: [a] and [b] {#own-2}\n\nQ: x {#own-3 .reversed}\nA: y\n"
    )
    shell("deck", "add", "mine")
    shell("answer", "own-1", "good", "--at", "2026-01-05T09:00+00:00")
    shell("export", "anki", "-o", "out.apkg", "own")
    anki("take", tmp_path, tmp_path / "out.apkg")

    counts = anki("answer", tmp_path)
    first, again = (imported(shell, tmp_path / "again.apkg") for _ in range(2))

    assert counts["reviews"] == 6
    assert [first[name] for name in ("notes", "reviews", "known")] == [0, 5, 1]
    assert again["added"] == 0
    assert [step["grade"] for step in shell("show", "own-1", "--json").json["history"]] == [4, 4]
    assert len(shell("show", "own-2.2", "--json").json["history"]) == 1
    assert len(shell("show", "own-3.reversed", "--json").json["history"]) == 1


def test_anki_updates_a_reexported_note_in_place(shell: Shell, tmp_path: Path) -> None:
    shell.write("mine/own.md", "Q: one {#own-1}\nA: two\n\nC: [a] and [b] {#own-2}\n")
    shell("deck", "add", "mine")
    shell("export", "anki", "-o", "out.apkg", "own")
    first = anki("take", tmp_path, tmp_path / "out.apkg")
    time.sleep(1.1)  # Anki tells what is newer by the second
    shell.write("mine/own.md", "Q: one and a half {#own-1}\nA: two\n\nC: [a] and [b] {#own-2}\n")
    shell("export", "anki", "-o", "out.apkg", "own")

    second = anki("take", tmp_path, tmp_path / "out.apkg")

    assert (first["new"], first["notes"]) == (2, 2)
    assert (second["new"], second["updated"], second["notes"], second["cards"]) == (0, 2, 2, 3)


EVERY_KIND = """Q: z, one {#rt-first .maths.sets}
A: two ![](tone.mp3)

Q: Hund {#rt-both .reversed}
A: dog

Q: 2 * 3? {#rt-six .typed}
A: 6|six

C: The [Aare] and `{{c1::x}}` at $x^{2^{[3]}}$ ![](clip.mp4) {#rt-gaps}

Q: code {#rt-code}
A:
```python
for i in x:
    if i < 2: pass
```

Q: a, last {#rt-last}
A: 1. one
   - a part
2. two ![a map](map.png)
"""


def test_every_kind_goes_there_and_back_twice(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.write("mine/own.md", EVERY_KIND)
    shell.write("mine/tone.mp3", "sound")
    shell.write("mine/clip.mp4", "film")
    shell.write("mine/map.png", "map")
    shell("deck", "add", "mine")
    output = shell("export", "anki", "-o", "out.apkg", "own").out
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    first = anki("take", tmp_path / "one", tmp_path / "out.apkg")

    other = Shell(tmp_path / "two", monkeypatch, capsys)
    document = imported(other, tmp_path / "one/again.apkg")
    other("export", "anki", "-o", "out.apkg", *document["decks"] and [document["folder"]])
    second = anki("take", tmp_path / "two", tmp_path / "two/out.apkg")

    assert "1 typed answer with several right ones" in output
    assert (document["notes"], document["notes_left_out"], document["lost"]) == (6, 0, [])
    assert list(dict.fromkeys(first["order"])) == [
        f"rt-{name}" for name in ("first", "both", "six", "gaps", "code", "last")
    ]
    assert first["played"] == ["clip.mp4", "tone.mp3"]
    differing = {guid: (text, second["fields"].get(guid)) for guid, text in first["fields"].items()}
    assert [pair for pair in differing.values() if pair[0] != pair[1]] == []
    columns = ("order", "played", "tags", "decks", "cards")
    assert {name: second[name] for name in columns} == {name: first[name] for name in columns}
