"""Test that drafts of typed answers are saved in a file next to the database."""

from pathlib import Path

import pytest

from studykit.cards.card import CardId
from studykit.store.typed_drafts import TypedDrafts

CARD, OTHER = CardId("a"), CardId("b")


def test_draft_belongs_to_one_learner(tmp_path: Path) -> None:
    file = tmp_path / "study.db.typed"
    TypedDrafts(file, "me").keep(CARD, "hälf “typed” \udce4")
    TypedDrafts(file, "you").keep(OTHER, "theirs")

    again = TypedDrafts(file, "me")

    assert (again.of(CARD), again.of(OTHER)) == ("hälf “typed” \udce4", "")
    assert TypedDrafts(file, "you").of(OTHER) == "theirs"


def test_nothing_is_left_once_every_draft_is_forgotten(tmp_path: Path) -> None:
    drafts = TypedDrafts(tmp_path / "study.db.typed", "me")
    drafts.keep(CARD, "x")
    drafts.keep(CARD, "")

    assert drafts.of(CARD) == ""
    assert list(tmp_path.iterdir()) == []


def test_drafts_with_a_prefix_are_dropped(tmp_path: Path) -> None:
    drafts = TypedDrafts(tmp_path / "study.db.typed", "me")
    for place in ("mem.gib 3\nGB", "mem.gib 3\nbytes", "mem.gib 31\nGB"):
        drafts.keep(place, "x")
    drafts.drop("mem.gib 3\n")

    assert drafts.newest("mem.gib 3") == "mem.gib 31\nGB"


def test_two_sessions_keep_each_others_drafts(tmp_path: Path) -> None:
    one, other = (TypedDrafts(tmp_path / "study.db.typed", "me") for _ in range(2))
    one.keep(CARD, "x")
    other.keep(OTHER, "y" * 300_000)

    again = TypedDrafts(tmp_path / "study.db.typed", "me")
    assert (again.of(CARD), len(again.of(OTHER))) == ("x", 300_000)


def test_the_oldest_drafts_go_first(tmp_path: Path) -> None:
    drafts = TypedDrafts(tmp_path / "study.db.typed", "me")
    for number in range(60):
        drafts.keep(CardId(f"card-{number}"), "x")

    assert drafts.of(CardId("card-9")) == ""
    assert drafts.of(CardId("card-10")) == "x"


@pytest.mark.parametrize("text", ["", "[]", '{"me": 3}', '{"me": ', "\x00", "[" * 100_000])
def test_unknown_file_holds_no_draft(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.db.typed").write_text(text)
    drafts = TypedDrafts(tmp_path / "study.db.typed", "me")
    drafts.keep(CARD, "typed")

    assert drafts.of(OTHER) == ""
    assert TypedDrafts(tmp_path / "study.db.typed", "me").of(CARD) == "typed"


def test_unwritable_folder_keeps_the_session(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    drafts = TypedDrafts(tmp_path / "file" / "study.db.typed", "me")
    drafts.keep(CARD, "typed")

    assert drafts.of(CARD) == "typed"
