"""Answers in people's styles pass, and crude ways round the rule do not."""

import random

import pytest
from rewrite_files import AnswerCase, cases
from rewrites import task

from studykit.exercise.verdict import Correct, Incorrect
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Judgment
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker

SEARCH_S = 0.01  # nobody reads why a cheat is wrong


def judged(worker: Worker, case: AnswerCase) -> Judgment:
    place = Place(worker, limits=Limits(wall_s=40, cpu_s=30), search_s=SEARCH_S)
    return grade(place, task(case.exercise), case.answer, random.Random(3)).judgment


def named(case: AnswerCase) -> str:
    return f"{case.exercise}: {case.words}"


@pytest.mark.parametrize("case", cases("right"), ids=named)
def test_right_answer_passes_in_any_style(torch_worker: Worker, case: AnswerCase) -> None:
    judgment = judged(torch_worker, case)

    assert judgment.verdict == Correct(), judgment.diagnosis


@pytest.mark.parametrize("case", cases("cheats"), ids=named)
def test_crude_cheat_is_refused(torch_worker: Worker, case: AnswerCase) -> None:
    assert isinstance(judged(torch_worker, case).verdict, Incorrect)


@pytest.mark.parametrize("case", cases("told"), ids=named)
def test_other_operation_is_named_with_what_to_use(torch_worker: Worker, case: AnswerCase) -> None:
    first, advice = judged(torch_worker, case).diagnosis.splitlines()

    assert first == f"The values are right, but {case.words}."
    assert "use " in advice.lower()


@pytest.mark.parametrize("case", cases("right"), ids=named)
def test_right_answer_passes_on_numpy(numpy_worker: Worker, case: AnswerCase) -> None:
    judgment = judged(numpy_worker, case)

    assert judgment.verdict == Correct(), judgment.diagnosis
