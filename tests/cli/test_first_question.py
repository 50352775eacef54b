"""What loads before the first question of a review: which modules, and how many. Time is not asserted, this is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from shell import Shell

import studykit

LISTED = {
    "": "__main__ config errors formula ordinary_file paths text ui",
    "cards": "card problem",
    "cli": "after_recording context display exit more_today review_run study_plan surroundings typed_drafts",
    "collection": "collection deck_header files lookup refresh_report",
    "review": "keymap preview progress session why",
    "scheduling": "agenda events memory replay review_rule sm2 study_day today",
    "store": (
        "caches card_table ceiling_table database due_count event_ids event_log opening origin privacy readonly "
        "rows schedule scheduler sql sqlite store"
    ),
    "terminal": "glyphs mode plain_ui review_actions review_layout review_plain screen spans",
    "terminal.input": "keys line_editor",
    "terminal.markdown": "blocks inline render",
}
"""Ours by room. A module more is a thousandth of a second that everybody waits for: load it where it is used."""
MOST_OTHERS = 60  # of the standard library; nothing else is loaded
MOST_DATACLASSES = 12  # each compiles up to six methods as it loads; a named tuple costs a sixth
UNTIL_ASKED = """
import json, sys
there = set(sys.modules)
from studykit.__main__ import main

class Watched:
    def __init__(self, stream): self.stream = stream
    def __getattr__(self, name): return getattr(self.stream, name)
    def write(self, text):
        if "Question:" in text:
            modules = sorted(set(sys.modules) - there)
            ours = [name for name in modules if name.startswith("studykit")]
            made = [
                f"{name}.{key}" for name in ours for key, each in vars(sys.modules[name]).items()
                if "__dataclass_fields__" in vars(each if isinstance(each, type) else object)
                and each.__module__ == name
            ]
            sys.stderr.write(json.dumps([ours, sorted(set(modules) - set(ours)), made]))
            sys.stderr.flush()
        return self.stream.write(text)

sys.argv[1:] = ["review", "--plain"]
sys.stdout = Watched(sys.stdout)
main()
"""


def test_a_first_question_waits_for_what_it_needs_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Shell(tmp_path, monkeypatch, capsys)
    assert study("due").code == 0
    monkeypatch.setenv("PYTHONPATH", str(Path(studykit.__file__).parent.parent))
    command = [sys.executable, "-S", "-c", UNTIL_ASKED]  # without what an installation imports at once

    said = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True
    )

    ours, others, made = json.loads(said.stderr)
    rooms = {f"studykit.{room}".rstrip(".") for room in LISTED}
    listed = {
        f"studykit.{room}.{name}".replace("..", ".") for room, names in LISTED.items() for name in names.split()
    }
    assert sorted({*ours} - listed - rooms) == []
    assert sorted(listed - {*ours}) == []  # the list is no longer than it need be
    foreign = {name.partition(".")[0] for name in others} - sys.stdlib_module_names
    assert {name for name in foreign if not name.startswith("_sysconfigdata")} <= {"org"}
    assert len(others) <= MOST_OTHERS, (len(others), len(made))
    assert len(made) <= MOST_DATACLASSES, made
