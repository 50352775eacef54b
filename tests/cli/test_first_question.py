"""Test which modules load before the first output of frequent verbs, instead of measuring time."""

import json
import subprocess
import sys
from typing import NamedTuple

import pytest
from rooms import ROOT
from shell import Shell

HEAVY = {
    *("alembic", "einops", "jinja2", "markdown_it", "numpy", "platformdirs", "rich"),
    *("sqlalchemy", "tomlkit", "torch"),
}
VERBS = (  # its words, what it is waited for, and the most dataclasses that are made for it: half a ms each
    (("review", "--plain"), "Question:", 46),
    (("due", "--json"), "waiting", 18),
    (("show", "bytes-per-dtype"), "bytes-per-dtype", 26),
    (("answer", "bytes-per-dtype", "good"), "Saved", 20),
    (("exercise", "mem.gib", "--plain"), "Question:", 65),
    (("exercise", "napkin-math", "--plain"), "Question:", 65),
    (("grade", "rewrite.split_heads", "mine.py"), "Passed", 55),
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
            classes = [
                f"{name}.{key}" for name in ours for key, each in vars(sys.modules[name]).items()
                if "__dataclass_fields__" in vars(each if isinstance(each, type) else object)
                and each.__module__ == name
            ]
            sys.stderr.write(json.dumps([ours, sorted(set(modules) - set(ours)), classes]) + "\\n")
            sys.stderr.flush()
        return self.stream.write(text)

SAID = sys.argv.pop(1)
sys.stdout = Watched(sys.stdout)
main()
"""


class Loaded(NamedTuple):
    """Hold the loaded modules, ours and others, and our dataclasses."""

    ours: list[str]
    others: list[str]
    dataclasses: list[str]


@pytest.fixture
def study(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return the shell of a learner whose decks have been read."""
    study.with_environ(STUDYKIT_SEED="4")
    assert study("due").code == 0
    study.write("mine.py", ANSWER)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return study


def loaded(words: tuple[str, ...], text: str, *flags: str) -> Loaded:
    """Return the modules that a process has loaded when it first writes this text."""
    command = [sys.executable, *flags, "-c", UNTIL_SAID, text, *words]
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    return Loaded(*json.loads(result.stderr.partition("\n")[0]))


def test_a_prompt_waits_for_the_least(study: Shell) -> None:
    study("answer", "bytes-per-dtype", "again")
    ours, others, output = loaded(("due", "--short"), "1 to repeat", "-S")  # without what an installation imports

    assert len(ours) <= 21, ours
    assert len(others) <= 25 + (sys.version_info >= (3, 12)), others  # 3.12 has one more of its own
    assert not {"dataclasses", "pathlib", "re", "typing"} & {*others}
    assert output == []


@pytest.mark.parametrize(("words", "text", "most"), VERBS, ids=[" ".join(words) for words, *_ in VERBS])
def test_answer_comes_before_slow_imports(study: Shell, words: tuple[str, ...], text: str, most: int) -> None:
    _, others, dataclasses = loaded(words, text)

    assert study.database.exists()
    assert {name.partition(".")[0] for name in others} & HEAVY == set()
    assert len(dataclasses) <= most
