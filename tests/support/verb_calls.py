"""Load a small call of each verb of `study` from `tests/data/verb_calls.txt`."""

import shlex

from data_files import DATA

CARD = "mine"
_LINES = (line.partition(":") for line in (DATA / "verb_calls.txt").read_text("utf-8").splitlines()[2:])
CALLS: dict[str, list[str]] = {verb: shlex.split(words) for verb, _, words in _LINES}
