"""Test how deck files are found, also where something else has their name."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shell import Shell

from studykit.collection import files
from studykit.collection.collection import read_file
from studykit.collection.files import DeckPath, Origin, Source, discover, macro_files, read_text


def _deck_files(path: Path) -> list[str]:
    return [os.path.relpath(file.path, path) for file in discover([Source(path, Origin.OWN)]).files]


def test_decks_are_found_in_order_below_a_folder(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "a/b/c.md", "x.txt", ".hidden/d.md", "node_modules/e.md", "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    assert _deck_files(tmp_path) == ["a/b/c.md", "a/z.md", "b.md"]


def test_deck_file_reached_twice_is_found_once(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/a.md").write_text("")
    (tmp_path / "own/ring").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "own")

    deck_paths = discover([Source(tmp_path / name, Origin.OWN) for name in ("own", "link", "own/a.md")])

    assert [file.path for file in deck_paths.files] == [str(tmp_path / "own/a.md")]


@pytest.mark.parametrize("name", [b"caf\xe9.md", b"caf\xe9/a.md"])
def test_file_name_without_utf8_skips_only_its_deck(tmp_path: Path, name: bytes) -> None:
    odd = tmp_path / os.fsdecode(name)
    odd.parent.mkdir(exist_ok=True)
    odd.write_text("")
    (tmp_path / "good.md").write_text("")

    deck_paths = discover([Source(tmp_path, Origin.OWN)])

    assert [file.path for file in deck_paths.files] == [str(tmp_path / "good.md")]
    shown_path = str(tmp_path / name.decode("utf-8", "backslashreplace"))
    assert [str(problem) for problem in deck_paths.problems] == [
        f"{shown_path}:1: its name is not UTF-8. Rename it."
    ]


def test_folder_with_too_many_entries_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MAX_ENTRIES", 3)
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("")

    (problem,) = discover([Source(tmp_path, Origin.OWN)]).problems

    assert str(problem).endswith("Name the folder that the decks are in.")


def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")

    assert _deck_files(tmp_path) == []
    assert "this is not a file" in str(read_text(str(tmp_path / "a.md"))[2])


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_DECK_BYTES", 1_000_000)
    (tmp_path / "a.md").write_bytes(b"x" * 1_000_001)

    assert (
        str(read_text(str(tmp_path / "a.md"))[2])
        == f"{tmp_path / 'a.md'}:1: the file is larger than 1 MB. Split it."
    )


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    assert "this deck does not exist" in str(read_text(str(tmp_path / "a.md"))[2])


def test_macro_files_lie_between_root_and_deck(tmp_path: Path) -> None:
    for name in ("macros.tex", "in/macros.tex", "in/deck/macros.tex", "in/other/macros.tex"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    paths = macro_files(str(tmp_path / "in/deck/a.md"), str(tmp_path / "in"))

    assert [os.path.relpath(path, tmp_path) for path in paths] == ["in/macros.tex", "in/deck/macros.tex"]


def test_copied_deck_file_hides_its_shipped_namesake(tmp_path: Path) -> None:
    for name in ("shipped/a.md", "shipped/b.md", "copies/a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    deck_paths = discover(
        [Source(tmp_path / "shipped", Origin.SHIPPED), Source(tmp_path / "copies", Origin.COPIED)]
    )

    assert [os.path.relpath(file.path, tmp_path) for file in deck_paths.files] == ["copies/a.md", "shipped/b.md"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_any_bytes_read_as_deck_or_placed_problems(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)

    deck, problems = read_file(DeckPath(str(path), str(tmp_path), Origin.OWN, 0, 0))

    assert all(problem.path == str(path) and problem.line >= 1 for problem in problems)
    assert all(card.path == str(path) for card in deck.cards)


@pytest.fixture
def folder_with_links(tmp_path: Path) -> Path:
    """Make a folder of decks with links of every kind, and their targets outside of it."""
    folder = tmp_path / "decks"
    (folder / "in").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    for name in ("decks/in/a.md", "out/b.md", "out/macros.tex"):
        (tmp_path / name).write_text("")
    (folder / "also-a.md").symlink_to("in/a.md")
    (folder / "b.md").symlink_to("../out/b.md")
    (folder / "zero.md").symlink_to("/dev/zero")
    (folder / "gone.md").symlink_to("../out/gone.md")
    (folder / "near.md").symlink_to("../decks-of-others/c.md")
    (folder / "macros.tex").symlink_to("../out/macros.tex")
    (folder / "folder").symlink_to("../out")
    (folder / "picture.png").symlink_to("../out/b.md")
    return folder


def test_links_out_of_deck_folder_are_named(folder_with_links: Path) -> None:
    deck_paths = discover([Source(folder_with_links, Origin.OWN)])

    assert [os.path.relpath(file.path, folder_with_links) for file in deck_paths.files] == ["also-a.md"]
    assert {os.path.relpath(problem.path, folder_with_links) for problem in deck_paths.problems} == {
        *("b.md", "zero.md", "macros.tex")
    }
    warnings = {
        os.path.relpath(warning.path, folder_with_links): warning.message for warning in deck_paths.warnings
    }
    assert sorted(warnings) == ["folder", "gone.md", "near.md"]
    assert "leads nowhere" in warnings["gone.md"]
    assert "leads out of its folder of decks, and is not followed" in str(deck_paths.problems[0])
    assert list(macro_files(str(folder_with_links / "in/a.md"), str(folder_with_links))) == []


def test_source_named_by_a_link_is_read(folder_with_links: Path, tmp_path: Path) -> None:
    (tmp_path / "to-decks").symlink_to("decks")

    one = discover([Source(folder_with_links / "b.md", Origin.OWN)])
    whole = discover([Source(tmp_path / "to-decks", Origin.OWN)])

    assert [file.path for file in one.files] == [str(folder_with_links / "b.md")]
    assert [file.path for file in whole.files] == [str(tmp_path / "to-decks/also-a.md")]
    assert len(whole.problems) == 3


def test_link_out_loses_only_that_deck(study: Shell, folder_with_links: Path) -> None:
    study.with_environ(STUDYKIT_DECKS=str(folder_with_links))
    study.write("decks/in/a.md", "Q: What is asked? {#asked}\nA: This.\n")

    result, check_result = study("show", "asked"), study("check", str(folder_with_links))

    assert (result.code, "What is asked?" in result.out) == (5, True)
    assert f"{folder_with_links / 'b.md'}:1: this link leads out of its folder of decks" in result.err
    assert "folder:1" not in result.err
    assert "decks/folder:1: warning: this link leads out" in check_result.out


def test_folders_deeper_than_the_stack_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1200):
        Path("d").mkdir()
        monkeypatch.chdir("d")
    Path("deep.md").write_text("Q: One?\nA: Two.\n")

    assert [Path(deck_path).name for deck_path in _deck_files(tmp_path)] == ["deep.md"]
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)  # pytest would run out of stack


def test_a_conflict_copy_gives_way_to_its_original(study: Shell) -> None:
    study.write("decks/a (conflicted copy 2026-11-20).md", "Q: Old? {#k1}\nA: old\n")
    study.write("decks/a.sync-conflict-20261120-101010-ABCDEFG.md", "Q: Older? {#k1}\nA: older\n")
    study.write("decks/b (Ann's conflicted copy 2026-11-20).md", "Q: Alone? {#k2}\nA: yes\n")
    study.write("decks/a.md", "Q: New? {#k1}\nA: new\n")

    result = study("deck", "add", "decks")

    assert result.out.startswith(f"Added {study.home}/decks: 2 cards.")
    assert result.out.count("this is a conflict copy of a.md, and is not read.") == 2
    assert "New?" in study("show", "k1").out


def test_decks_of_every_ending_are_read(study: Shell) -> None:
    for name in ("a.markdown", "b.MD", "README.MD", "c.mdx"):
        study.write(f"decks/{name}", f"Q: {name}? {{#id-{name[0]}}}\nA: yes\n")

    assert "2 cards" in study("deck", "add", "decks").out
    assert study("deck", "list", "--json").json["decks"][0]["name"] == "a"
