"""Check the map in CONTRIBUTING.md: its floors are those of the import rules, its files exist, and it is short."""

import re
from pathlib import Path

import pytest
from rooms import FLOOR, ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+) \|$", TEXT, re.MULTILINE)
NAME = re.compile(r"`(?:python )?([\w./-]*(?:/|\.(?:py|md)|\.ci/run|tests/mutate))[` ]")
IN_ROWS = [(room, name) for _, room, words in ROWS for name in NAME.findall(words)]
ELSEWHERE = sorted(
    {name for line in TEXT.splitlines() if not line.startswith("| ") for name in NAME.findall(line)}
)
MAX_LINES = 75


def found(name: str, *folders: Path) -> bool:
    return any((folder / name).exists() for folder in folders)


@pytest.mark.parametrize(("room", "name"), IN_ROWS)
def test_what_a_room_holds_is_there(room: str, name: str) -> None:
    assert found(name, ROOT / "studykit" / room.strip("`"), ROOT / room.strip("`"), ROOT)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_it_names_is_there(name: str) -> None:
    assert found(name, ROOT, ROOT / "studykit")


def test_every_room_stands_on_its_floor() -> None:
    assert {room: int(floor) for floor, rooms, _ in ROWS for room in re.findall(r"`(\w+)`", rooms)} == FLOOR


def test_it_can_be_read_in_one_go() -> None:
    assert len(TEXT.splitlines()) <= MAX_LINES
