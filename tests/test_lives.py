"""Check how many of our files a grade, an answer and a snippet pass through. Only new features raise the limits.

`python tests/support/lives.py` prints the files in order.
"""

import re
import shutil

import pytest
from lives import files_of
from rooms import ROOT

MOST_FILES = {"grade": 13, "answer": 25, "snippet": 25}  # an answer may be an interval
FIRST = {
    "grade": "studykit/terminal/input/",
    "answer": "studykit/terminal/input/",
    "snippet": "studykit/cli/commands/grade.py",
}
LATER = {"grade": "studykit/store/", "answer": "studykit/store/", "snippet": "studykit/sandbox/"}
"""Rooms that a life begins in and surely passes: one that was cut short must not look short."""


def listed(name: str) -> list[str]:
    """Return the files that CONTRIBUTING.md names for a life, without those of its children."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    bullet = re.search(rf"^- \*\*An? {name}\*\*(.*?)(?:^- |^$|in the child)", text, re.MULTILINE | re.DOTALL)
    assert bullet is not None
    files = re.findall(r"`([\w/]+\.py)`", bullet[1])
    return [file if file.startswith("graders/") else f"studykit/{file}" for file in files]


@pytest.mark.thorough
@pytest.mark.parametrize("name", MOST_FILES)
def test_a_life_passes_few_files(name: str) -> None:
    files = files_of(name)

    assert files[0].startswith(FIRST[name])
    assert any(file.startswith(LATER[name]) for file in files)
    explains = name == "snippet" and shutil.which("bwrap") is None  # why bubblewrap is missing: one file more
    assert len(files) <= MOST_FILES[name] + explains, files
    assert [file for file in files if file in listed(name)] == listed(name)
