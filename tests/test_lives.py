"""How many files of ours a grade, an answer and a snippet pass: a limit that only ever falls.

`python tests/support/lives.py` prints the files in order, and who calls upward.
"""

import pytest
from lives import lived

MOST_FILES = {"grade": 10, "answer": 28, "snippet": 21}
MOST_CALLS_UPWARD = {"grade": 0, "answer": 5, "snippet": 1}
FIRST = {
    "grade": "studykit/terminal/input/",
    "answer": "studykit/terminal/input/",
    "snippet": "studykit/cli/commands/",
}
LATER = {"grade": "studykit/store/", "answer": "studykit/store/", "snippet": "studykit/sandbox/"}
"""Rooms that a life begins in and surely passes: one that was cut short must not look short."""


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_life_passes_few_files(name: str) -> None:
    life = lived(name)

    assert life.files[0].startswith(FIRST[name])
    assert any(file.startswith(LATER[name]) for file in life.files)
    assert len(life.files) <= MOST_FILES[name], life.files
    assert len(life.calls_upward) <= MOST_CALLS_UPWARD[name], life.calls_upward
