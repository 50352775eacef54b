"""What is learned stays where decks of the course get other numbers and cards go to another deck."""

from pathlib import Path

import pytest
from shell import Shell

from studykit import paths

SHIPPED = Path(__file__).parents[2] / "decks"
ANSWERED = ("stride", "mfu", "ex-overlap", "all-reduce", "zero-stages", "rw-split-heads", "activations.reversed")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, monkeypatch, capsys)


def in_another_order(folder: Path) -> Path:
    """The course with its decks numbered backwards, and the cards of the ninth among those of the fourth."""
    folder.mkdir()
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(SHIPPED.glob("*.md"))}
    ninth = texts.pop(next(name for name in texts if name.startswith("09-"))).split("\n---\n", 1)[1]
    for number, (name, text) in enumerate(reversed(texts.items()), 1):
        more = f"\n---\n{ninth}" if name.startswith("04-") else ""
        (folder / f"{number}-{name[3:]}").write_text(text + more, encoding="utf-8")
    return folder


def test_another_order_of_the_course_keeps_what_is_learned(
    study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        folder = in_another_order(tmp_path / "before")
        before.setattr(paths, "decks", lambda: folder)
        assert [study("answer", card, "good").code for card in ANSWERED] == [0] * len(ANSWERED)
        known = [study("show", card, "--json").json for card in ANSWERED]

    now = [study("show", card, "--json").json for card in ANSWERED]

    assert [card["memory"] for card in now] == [card["memory"] for card in known]
    assert {card["deck"] for card in known} == {"tensors", "hardware", "einops", "training-memory"}
    assert {card["deck"] for card in now} == {"tensors", "hardware", "einops", "training-memory", "many-gpus"}


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
