"""Test that forged replies, endings and output do not mislead, block or end the judge."""

import json
import os
from collections.abc import Iterator
from random import Random

import pytest
from attacks import FORGED

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite import trial
from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import Graded, document, lines, markdown
from studykit.graders.host.place import Place, run
from studykit.graders.rewrite.answer_text import AnswerText
from studykit.graders.rewrite.judge import Returned, judge
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

EXERCISE = task("split_heads")
TRIALS = trial.draw(EXERCISE, Random(1), 2)


@pytest.fixture(scope="module")
def numpy_worker() -> Iterator[Worker]:
    """Return a shared worker with numpy, which starts at once."""
    with open_worker(backend="numpy", runtime=runtime_folder(os.environ["XDG_RUNTIME_DIR"])) as worker:
        yield worker


HONEST = Limits(wall_s=60, cpu_s=30)  # which a right answer never needs, however busy the machine is


def told(worker: Worker, code: str, limits: Limits) -> Graded:
    runs = []
    for each, allowed in ((EXERCISE.solution, HONEST), (code, limits)):
        place = Place(worker, limits=allowed)
        with place.child() as child:
            runs.append(run(child, place, EXERCISE, each, TRIALS))
            printed = child.shown()
    expected = [one for one in runs[0] if isinstance(one, Returned)]
    assert len(expected) == len(TRIALS)
    return Graded(EXERCISE, judge(EXERCISE, AnswerText(), TRIALS, expected, runs[1]), 0.0, "cpu", "numpy", printed)


@pytest.mark.parametrize("name", FORGED)
def test_forged_reply_is_wrong_and_printable(numpy_worker: Worker, name: str) -> None:
    graded = told(numpy_worker, FORGED[name], Limits(wall_s=0.5, cpu_s=2))

    output = "\n".join(lines(graded))
    assert not isinstance(graded.judgment.verdict, Correct)
    assert [sign for sign in output if not (sign.isprintable() or sign == "\n")] == []
    assert len(output) < 20_000
    assert json.dumps(document(graded)).encode()
    assert markdown(graded).encode()


def test_right_answer_passes_after_forged_replies(numpy_worker: Worker) -> None:
    assert told(numpy_worker, EXERCISE.solution, HONEST).judgment.verdict == Correct()
