"""Test changes to the settings file: by several processes at once, through links, and whole or not at all."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from studykit.config import SettingValue, change_config, read_config, write_config
from studykit.errors import StudyError

PROCESSES = 8


def test_changes_made_at_once_are_all_kept(tmp_path: Path) -> None:
    path, together = tmp_path / "config.toml", threading.Barrier(PROCESSES)

    def add(number: int) -> None:
        def change(settings: Mapping[str, object]) -> Mapping[str, SettingValue]:
            decks = settings["decks"]
            assert isinstance(decks, list)
            return {"decks": [*decks, f"deck-{number}.md"]}

        together.wait(timeout=10)
        change_config(path, change)  # a lock of its own file description, as in another process

    threads = [threading.Thread(target=add, args=(number,)) for number in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    decks = read_config(path)["decks"]
    assert isinstance(decks, list)
    assert sorted(decks) == [f"deck-{number}.md" for number in range(PROCESSES)]
    assert [each.name for each in tmp_path.iterdir()] == ["config.toml"]


def test_a_link_into_somebodys_dotfiles_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles" / "study.toml", tmp_path / "config.toml"
    real.parent.mkdir()
    real.write_text("# mine\n")
    link.symlink_to(real)

    write_config(link, "review.limit", 7)

    assert link.is_symlink()
    assert real.read_text() == "# mine\n\n[review]\nlimit = 7\n"
    assert sorted(each.name for each in real.parent.iterdir()) == ["study.toml"]


def test_dangling_link_creates_its_target(tmp_path: Path) -> None:
    link = tmp_path / "config.toml"
    link.symlink_to(tmp_path / "later.toml")

    write_config(link, "review.limit", 7)

    assert (tmp_path / "later.toml").read_text() == "[review]\nlimit = 7\n"


def test_link_to_itself_gets_a_sentence(tmp_path: Path) -> None:
    link = tmp_path / "config.toml"
    link.symlink_to(link)

    with pytest.raises(StudyError, match="leads to itself"):
        write_config(link, "review.limit", 7)


def test_new_file_is_synced_before_it_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    sync, replace = os.fsync, Path.replace

    def noted_sync(opened: int) -> None:
        order.append("sync")
        sync(opened)

    def noted_replace(old: Path, new: Path) -> Path:
        order.append("replace")
        return replace(old, new)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_replace)

    write_config(tmp_path / "config.toml", "review.limit", 7)

    assert order == ["sync", "replace", "sync"]
