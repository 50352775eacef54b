"""Deck files on disk, whatever is there instead."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studykit.collection import files
from studykit.collection.collection import read_file
from studykit.collection.files import DeckPath, Origin, Source, discover, macro_files, read_text


def _found(path: Path) -> list[str]:
    return [os.path.relpath(file.path, path) for file in discover([Source(path, Origin.OWN)]).files]


def test_decks_are_found_in_order_below_a_folder(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "a/b/c.md", "x.txt", ".hidden/d.md", "node_modules/e.md", "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    assert _found(tmp_path) == ["a/b/c.md", "a/z.md", "b.md"]


def test_a_file_named_twice_is_found_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("")

    found = discover([Source(tmp_path, Origin.OWN), Source(tmp_path / "a.md", Origin.OWN)])

    assert len(found.files) == 1


def test_a_file_that_two_ways_lead_to_is_found_once(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/a.md").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "own")

    found = discover([Source(tmp_path / "own", Origin.OWN), Source(tmp_path / "link", Origin.OWN)])

    assert [file.path for file in found.files] == [str(tmp_path / "own/a.md")]


def test_links_to_folders_are_not_followed_so_no_ring_is_walked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("")
    (tmp_path / "ring").symlink_to(tmp_path)

    assert _found(tmp_path) == ["a.md"]


def test_a_folder_with_too_much_in_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_MOST_ENTRIES", 3)
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("")

    (problem,) = discover([Source(tmp_path, Origin.OWN)]).problems

    assert str(problem).endswith("Name the folder that the decks are in.")


def test_a_pipe_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")

    assert _found(tmp_path) == []
    assert "this is no file" in str(read_text(str(tmp_path / "a.md"))[2])


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 1_000_000)
    (tmp_path / "a.md").write_bytes(b"x" * 1_000_001)

    assert (
        str(read_text(str(tmp_path / "a.md"))[2])
        == f"{tmp_path / 'a.md'}:1: the file is larger than 1 MB. Split it."
    )


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    assert "there is no such deck" in str(read_text(str(tmp_path / "a.md"))[2])


def test_macros_are_those_between_the_root_and_the_deck(tmp_path: Path) -> None:
    for name in ("macros.tex", "in/macros.tex", "in/deck/macros.tex", "in/other/macros.tex"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    found = macro_files(str(tmp_path / "in/deck/a.md"), str(tmp_path / "in"))

    assert [os.path.relpath(path, tmp_path) for path in found] == ["in/macros.tex", "in/deck/macros.tex"]


def test_a_copy_hides_the_shipped_file_of_its_name(tmp_path: Path) -> None:
    for name in ("shipped/a.md", "shipped/b.md", "copies/a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    found = discover([Source(tmp_path / "shipped", Origin.SHIPPED), Source(tmp_path / "copies", Origin.COPIED)])

    assert [os.path.relpath(file.path, tmp_path) for file in found.files] == ["copies/a.md", "shipped/b.md"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300))
def test_any_bytes_are_a_deck_or_problems_with_places(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)

    deck, problems = read_file(DeckPath(str(path), str(tmp_path), Origin.OWN, 0, 0))

    assert all(problem.path == str(path) and problem.line >= 1 for problem in problems)
    assert all(card.path == str(path) for card in deck.cards)
