"""The style and the scripts of a page: the files as they were written, joined."""

import json
import re
from collections.abc import Iterator

import pytest
from py_mini_racer import MiniRacer

from studykit.html import assets
from studykit.html.strings import shipped

LIMIT_S = 20
REVIEW = ("sm2.js", "log.js", "store.js", "newer.js", "review.js")
EXERCISE = ("quantity.js", "number.js", "variant.js", "suggestion.js", "exercise.js")


@pytest.fixture(scope="module")
def engine() -> Iterator[MiniRacer]:
    racer = MiniRacer()
    yield racer
    racer.close()


@pytest.mark.parametrize("name", assets.SCRIPTS)
def test_a_joined_script_parses(engine: MiniRacer, name: str) -> None:
    text = json.dumps(assets.script(name, shipped()))

    assert engine.eval(f"typeof new Function({text})", timeout_sec=LIMIT_S) == "function"


PARTS = sorted({part for parts in assets.SCRIPTS.values() for part in parts})
