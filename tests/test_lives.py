"""How many files of ours a grade, an answer and a snippet pass: a limit that only ever falls.

`python tests/support/lives.py` prints the files in order, and who calls upward.
"""

import pytest
from lives import lived

MOST_FILES = {"grade": 17, "answer": 35, "snippet": 27}
MOST_CALLS_UPWARD = {"grade": 3, "answer": 5, "snippet": 1}
ENDS = {
    "grade": ("studykit/terminal/input/keys.py", "studykit/store/store.py"),
    "answer": ("studykit/terminal/input/keys.py", "studykit/store/store.py"),
    "snippet": ("studykit/cli/commands/grade.py", "studykit/sandbox/client.py"),
}
"""Where a life begins, and a file that it surely passes: one that was cut short must not look short."""


@pytest.mark.parametrize("name", MOST_FILES)
def test_a_life_passes_few_files(name: str) -> None:
    life = lived(name)
    first, passed = ENDS[name]

    assert life.files[0] == first
    assert passed in life.files
    assert len(life.files) <= MOST_FILES[name], life.files
    assert len(life.calls_upward) <= MOST_CALLS_UPWARD[name], life.calls_upward
