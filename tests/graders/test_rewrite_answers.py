"""Answers in people's styles pass, and crude ways round the rule do not."""

import os
import random
from collections.abc import Iterator

import pytest
from rewrite_files import AnswerCase, cases
from rewrites import task

from studykit.exercise.verdict import Correct, Incorrect
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Judgment
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

SEARCH_S = 0.01  # nobody reads why a cheat is wrong


@pytest.fixture
def numpy_worker() -> Iterator[Worker]:
    """The warm worker of this run that has no torch."""
    with open_worker(backend="numpy", runtime=runtime_folder(os.environ["XDG_RUNTIME_DIR"])) as worker:
        yield worker


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


@pytest.mark.parametrize("case", cases("wrong"), ids=named)
def test_wrong_answer_is_led_on(torch_worker: Worker, case: AnswerCase) -> None:
    exercise = task(case.exercise)
    place = Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)
    result = exercise.canonical.partition("->")[2].strip()

    diagnosis = grade(place, exercise, case.answer, random.Random(5), again=False).judgment.diagnosis

    assert [words for words in case.words.split(" | ") if words not in diagnosis] == [], diagnosis
    assert not result or f"wanted {result}" not in diagnosis
    assert not exercise.canonical or exercise.canonical not in diagnosis or exercise.canonical in case.answer


def test_torch_einsum_passes_with_a_note(torch_worker: Worker) -> None:
    case = AnswerCase("batch_dot", "", "torch.einsum('bd,bd->b', x, y)")

    assert "takes whole names for axes" in judged(torch_worker, case).diagnosis
