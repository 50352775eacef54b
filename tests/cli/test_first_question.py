"""What loads before a verb of every day says what it is waited for. Time is not asserted, this is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from rooms import ROOT
from shell import Shell

LISTED = {
    "": "__main__ config errors formula ordinary_file paths text ui",
    "cards": "card problem",
    "cli": "after_recording context display exit more_today review_run study_plan surroundings",
    "collection": "collection deck_header files lookup refresh_report",
    "review": "keymap preview progress session why",
    "scheduling": "agenda events memory replay review_rule sm2 study_day today",
    "store": (
        "caches card_table ceiling_table database due_count event_ids event_log opening origin privacy readonly "
        "rows schedule scheduler sql sqlite store typed_drafts"
    ),
    "terminal": "glyphs mode plain_ui review_actions review_layout review_plain screen spans",
    "terminal.input": "keys line_editor",
    "terminal.markdown": "blocks inline render",
}
"""Ours by room. A module more is a thousandth of a second that everybody waits for: load it where it is used."""


class Most(NamedTuple):
    """What may have loaded when a verb has said what it is waited for."""

    words: tuple[str, ...]
    said: str
    ours: int
    others: int  # of the standard library; nothing else is loaded
    dataclasses: int = 0  # each compiles up to six methods; the first loads `inspect` and `ast`


FIRST = Most(("review", "--plain"), "Question:", 77, 42)
VERBS = (
    FIRST,
    Most(("due", "--json"), "waiting", 52, 42),
    Most(("show", "bytes-per-dtype"), "bytes-per-dtype", 57, 42),
    Most(("answer", "bytes-per-dtype", "good"), "Saved", 54, 42),
    Most(("exercise", "mem.gib", "--plain"), "Question:", 105, 53),
    Most(("exercise", "napkin-math", "--plain"), "Question:", 136, 53),
    Most(("grade", "rewrite.split_heads", "mine.py"), "Passed", 77, 66),
)
ANSWER = "from einops import rearrange\ndef f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
UNTIL_SAID = """
import json, sys
there = set(sys.modules)
import studykit
from studykit.__main__ import main

studykit.__path__.append(sys.path[1])  # where a checkout has `exercises`

class Watched:
    def __init__(self, stream): self.stream = stream
    def __getattr__(self, name): return getattr(self.stream, name)
    def write(self, text):
        if SAID in text:
            modules = sorted(set(sys.modules) - there)
            ours = [name for name in modules if name.startswith("studykit")]
            made = [
                f"{name}.{key}" for name in ours for key, each in vars(sys.modules[name]).items()
                if "__dataclass_fields__" in vars(each if isinstance(each, type) else object)
                and each.__module__ == name
            ]
            sys.stderr.write(json.dumps([ours, sorted(set(modules) - set(ours)), made]) + "\\n")
            sys.stderr.flush()
        return self.stream.write(text)

SAID = sys.argv.pop(1)
sys.stdout = Watched(sys.stdout)
main()
"""


class Loaded(NamedTuple):
    """Modules of ours, other modules, and dataclasses of ours."""

    ours: list[str]
    others: list[str]
    dataclasses: list[str]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A learner whose decks have been read."""
    shell = Shell(tmp_path, monkeypatch, capsys, STUDYKIT_SEED="4")
    assert shell("due").code == 0
    shell.write("mine.py", ANSWER)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return shell


def loaded(words: tuple[str, ...], said: str) -> Loaded:
    """What a process has loaded when it writes this for the first time."""
    bare = [sys.executable, "-S", "-c", UNTIL_SAID, said, *words]  # without what an installation imports at once
    done = subprocess.run(bare, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    return Loaded(*json.loads(done.stderr.partition("\n")[0]))


def test_a_first_question_waits_for_what_it_needs_alone(study: Shell) -> None:
    ours = loaded(FIRST.words, FIRST.said).ours

    rooms = {f"studykit.{room}".rstrip(".") for room in LISTED}
    listed = {
        f"studykit.{room}.{name}".replace("..", ".") for room, names in LISTED.items() for name in names.split()
    }
    assert study.database.exists()
    assert sorted({*ours} - listed - rooms) == []
    assert sorted(listed - {*ours}) == []  # the list is no longer than it need be


@pytest.mark.skipif(not Path("/usr/share/zoneinfo/UTC").is_file(), reason="no zones of the system")
def test_a_prompt_waits_for_the_least(study: Shell) -> None:
    study("answer", "bytes-per-dtype", "again")
    ours, others, made = loaded(("due", "--short"), "1 due")

    assert len(ours) <= 19, ours
    assert len(others) <= 15, others
    assert made == []
    assert "zoneinfo" not in others


@pytest.mark.parametrize("most", VERBS, ids=lambda most: " ".join(most.words))
def test_what_a_verb_says_waits_for_few_modules(study: Shell, most: Most) -> None:
    if "grade" in most.words:  # which starts a worker, and the next one finds it
        loaded(most.words, most.said)
    ours, others, made = loaded(most.words, most.said)

    foreign = {name.partition(".")[0] for name in others} - sys.stdlib_module_names
    assert study.database.exists()
    assert {name for name in foreign if not name.startswith("_sysconfigdata")} <= {"org"}
    assert len(ours) <= most.ours, len(ours)
    assert len(others) <= most.others, (len(others), len(made))
    assert len(made) <= most.dataclasses, made
