"""What is learned stays where decks of the course get other numbers and cards go to another deck."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Shell

from studykit import paths

SHIPPED = Path(__file__).parents[2] / "decks"
BEFORE = Path(__file__).parents[1] / "data" / "decks" / "before_two_questions.txt"
"""The decks before the course opened with two questions, each with its notes in order."""
ANSWERED = (
    "six",
    "mfu",
    "master-copy",
    "gb-gib",
    "gqa",
    "einsum-flops",
    "ex-largest-16",
    "amp",
    "activations.reversed",
)


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, monkeypatch, capsys)


def notes() -> Iterator[tuple[str, str]]:
    """Each note's id and text, from the decks of today."""
    for path in SHIPPED.glob("*.md"):
        for text in path.read_text(encoding="utf-8").split("\n---\n")[1:]:
            found = re.search(r"\{#([\w-]+)", text)
            assert found is not None
            yield found[1], re.sub(r"(?m)^#+ .*\n", "", text)


def former_decks() -> dict[str, list[str]]:
    """The notes of each deck file as they stood before."""
    lines = BEFORE.read_text(encoding="utf-8").splitlines()
    return {name: ids.split() for name, _, ids in (line.partition(": ") for line in lines)}


def test_no_card_of_the_former_decks_is_lost() -> None:
    assert {note for ids in former_decks().values() for note in ids} <= dict(notes()).keys()


def test_another_order_of_the_course_keeps_what_is_learned(
    study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, folder = dict(notes()), tmp_path / "before"
    folder.mkdir()
    for name, ids in former_decks().items():
        head = f'---\nid = "{name[3:]}"\n---\n'
        (folder / f"{name}.md").write_text(head + "\n---\n".join(text[note] for note in ids), encoding="utf-8")
    with monkeypatch.context() as before:
        before.setattr(paths, "decks", lambda: folder)
        assert [study("answer", card, "good").code for card in ANSWERED] == [0] * len(ANSWERED)
        known = [study("show", card, "--json").json for card in ANSWERED]

    now = [study("show", card, "--json").json for card in ANSWERED]

    assert all(card["memory"]["due"] for card in known)
    assert [card["memory"] for card in now] == [card["memory"] for card in known]
    assert [card["deck"] for card in now] != [card["deck"] for card in known]
    assert len({card["deck"] for card in now}) == 5


REWORDED = [
    "bytes-per-dtype",
    "flop",
    "embedding",
    "untied",
    "causal",
    "swiglu-three",
    "what-names-catch",
    "loop",
    "sparse-peak",
    "vector-ridge-add",
    "adam",
    "convention-16",
    "all-reduce",
    "dp-network",
    "nvlink",
    "pipeline-bubble",
    "attention-decode",
]
"""Cards that were split or became questions; a log from before knows them by these ids."""


@pytest.mark.parametrize("card", REWORDED)
def test_reworded_card_keeps_its_id(study: Shell, card: str) -> None:
    assert study("answer", card, "good").code == 0
