"""Feed untrusted bytes to readers, which must return a value or raise their own errors.

Each target takes text. Any other exception is a bug, and so is a value that changes when it is written and read.
"""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from templates import template_named

from studykit.cards.parser import parse_deck
from studykit.config import read_config, unknown_settings
from studykit.errors import BadDataError, StudyError
from studykit.exercise import catalog
from studykit.exercise.estimate import number
from studykit.exercise.estimate.template import Variant, draw
from studykit.graders.rewrite import answer_text
from studykit.scheduling.progress_file import event_from, event_row, read_progress
from studykit.store.recovery import recover

Target = Callable[[str], None]
HALF = 2
ASKED = ("flops.train_total", "time.train_days", "mem.max_model")
FINDS = Path(__file__).resolve().parent / "finds"


@cache
def folder() -> Path:
    """Make a folder where a target may put a file."""
    return Path(tempfile.mkdtemp(prefix="study-fuzz-"))


@cache
def asked() -> tuple[Variant, ...]:
    """Return the variants of estimates that answers are judged for."""
    return tuple(draw(template_named(name), 1) for name in ASKED)


def deck(text: str) -> None:
    """Parse a deck twice, and check that both results agree and every problem has a place."""
    read, problems = parse_deck(text, "fuzz.md")
    again, told = parse_deck(text, "fuzz.md")
    if (read, problems) != (again, told):
        raise AssertionError("The same text was parsed to two different decks.")
    if any(not problem.message or problem.line < 1 for problem in problems):
        raise AssertionError("A problem of the deck has no message or no line.")


def answer(text: str) -> None:
    """Judge a learner's answer to an estimate."""
    for variant in asked():
        number.judge(variant, text)
        number.judge(variant, text, rough=True)


def config(text: str) -> None:
    """Read a settings file."""
    path = folder() / "config.toml"
    path.write_text(text, encoding="utf-8", errors="replace")
    with suppress(StudyError):
        read_config(path)
        unknown_settings(path)


def imported(text: str) -> None:
    """Read a copy of progress, and write the accepted events back unchanged."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    with suppress(BadDataError):
        for event in read_progress(document, "fuzz.json").events:
            if event_from(json.loads(json.dumps(event_row(event)))) != event:
                raise AssertionError("An event changed when it was written and read back.")


def submission(text: str) -> None:
    """Judge a learner's rewrite."""
    with suppress(answer_text.UnreadableError):
        answer_text.read(text, catalog.rewrite_named("split_heads"))


def database(text: str) -> None:
    """Open a damaged database file, half of it the write-ahead log."""
    content = text.encode("latin-1", errors="replace")
    path = folder() / "study.db"
    path.write_bytes(content[: len(content) // HALF])
    path.with_name("study.db-wal").write_bytes(content[len(content) // HALF :])
    with suppress(StudyError):
        recover(path).file.unlink()


TARGETS: dict[str, Target] = {
    "deck": deck,
    "answer": answer,
    "config": config,
    "import": imported,
    "submission": submission,
    "database": database,
}
SEEDS = {
    "deck": """---
name = "a"
---
Q: What? {#a .flops}
A: $2mnk$

C: a [6] b

E: flops.x n=7
check: 6*7e9 = 4.2e10
""",
    "answer": "about 8.4e22 FLOP, 1h30m, 140 GB / 3.35 TB/s",
    "config": 'decks = ["a"]\n[review]\nlimit = 7\n[keys]\nundo = "z"\n',
    "import": """{"schema": 1, "kind": "studykit-progress", "events": [
{"id": "0196f0a0-0000-7000-8000-000000000001", "kind": "answer", "card": "a", "grade": 4, "moment": 1,
 "day": "2026-11-22", "zone": "UTC", "showing": {"exercise": "x", "version": 1, "seed": 1, "parameters": "{}",
 "answer": "", "verdict": "", "slips": []}}]}""",
    "submission": """from einops import rearrange

def f(x, h):
    return rearrange(x, 'b s (h d) -> b h s d', h=h)
""",
    "database": "SQLite format 3\0\x02\x00\x01\x01",
}
