"""Every small edit that is tried on an answer, in its order: what is said of it and what the line becomes."""

import json
from pathlib import Path
from typing import Any

import pytest
from rewrites import task

from studykit.graders.rewrite.diagnosis import edits
from studykit.graders.rewrite.diagnosis.syntax_tree import corrected

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "edits.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['exercise']}: {case['body']}")
def test_every_edit_is_said_and_made(case: dict[str, Any]) -> None:
    exercise = task(case["exercise"])
    lines = [f"    {line}" for line in case["body"].splitlines()]
    source = "\n".join([f"def {exercise.signature}:", *lines]) + "\n"
    before = corrected(source).split("\n")

    made = []
    for edit in edits.singles(source, exercise):
        after = corrected(source, edit).split("\n")
        changed = [new.strip() for new, old in zip(after, before, strict=True) if new != old]
        made.append([str(edit), "; ".join(changed), edit.likely])

    assert made == case["edits"]
