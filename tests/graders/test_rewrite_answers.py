"""Test that rewrites in people's own styles are accepted, and crude cheats refused."""

import os
import random
from collections.abc import Iterator

import pytest
from rewrite_files import AnswerCase, cases

from studykit.exercise import catalog
from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Incorrect
from studykit.graders.host import grade
from studykit.graders.host.grade import Graded
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Judgment
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

SEARCH_S = 0.01  # the explanation of a cheat is not read


@pytest.fixture(params=["torch", pytest.param("numpy", marks=pytest.mark.no_cover)])
def either_worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    """Return the warm worker with torch, and then the one with only numpy."""
    with open_worker(backend=request.param, runtime=runtime_folder(os.environ["XDG_RUNTIME_DIR"])) as worker:
        yield worker


def graded(worker: Worker, case: AnswerCase) -> Graded:
    place = Place(worker, limits=Limits(wall_s=40, cpu_s=30), search_s=SEARCH_S)
    return grade.grade(place, task(case.exercise), case.answer, random.Random(3))


def judged(worker: Worker, case: AnswerCase) -> Judgment:
    return graded(worker, case).judgment


def named(case: AnswerCase) -> str:
    return f"{case.exercise}: {case.words}"


@pytest.mark.parametrize("case", cases("right"), ids=named)
def test_right_answer_passes_in_any_style(either_worker: Worker, case: AnswerCase) -> None:
    judgment = judged(either_worker, case)

    assert judgment.verdict == Correct(), judgment.diagnosis


@pytest.mark.parametrize("case", cases("cheats"), ids=named)
def test_crude_cheat_is_refused(torch_worker: Worker, case: AnswerCase) -> None:
    assert isinstance(judged(torch_worker, case).verdict, Incorrect)


@pytest.mark.parametrize("case", cases("told"), ids=named)
def test_other_operation_is_named_with_what_to_use(torch_worker: Worker, case: AnswerCase) -> None:
    first, advice = judged(torch_worker, case).diagnosis.splitlines()

    assert first == f"The values are right, but {case.words}."
    assert "use " in advice.lower()


@pytest.mark.parametrize("case", cases("wrong"), ids=named)
def test_wrong_answer_is_led_on(torch_worker: Worker, case: AnswerCase) -> None:
    exercise = task(case.exercise)
    place = Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)
    result = exercise.canonical.partition("->")[2].strip()

    diagnosis = grade.grade(place, exercise, case.answer, random.Random(5), again=False).judgment.diagnosis

    assert [words for words in case.words.split(" | ") if words not in diagnosis] == [], diagnosis
    assert not result or f"wanted {result}" not in diagnosis
    assert not exercise.canonical or exercise.canonical not in diagnosis or exercise.canonical in case.answer


def test_every_family_has_a_wrong_answer() -> None:
    families = {task(case.exercise).family for case in cases("wrong")}

    assert families >= {found.family for found in catalog.of_set("einops") if isinstance(found, Rewrite)}


SPLIT = "rearrange(x, 'b s (h d) -> b h s d', h=h)"


@pytest.mark.parametrize(
    ("answer", "absent"),
    [
        (SPLIT.replace("rearr", "rear"), "Besides"),
        (
            f"def f(x, h):\n    raise type('\\x1b[2J', (Exception,), {{}})('\\x1b]0;passed\\x07')\n    {SPLIT}",
            "\x1b",
        ),
    ],
    ids=["a typo is not a forbidden method", "no control characters"],
)
def test_diagnosis_leaves_out(torch_worker: Worker, answer: str, absent: str) -> None:
    judgment = judged(torch_worker, AnswerCase("split_heads", "", answer))

    assert judgment.diagnosis
    assert absent not in judgment.diagnosis


def test_printed_text_is_shown_beside_an_exception(torch_worker: Worker) -> None:
    source = "def f(x, h):\n    print('shape', x.dim())\n    return rearrange(x, 'b s d -> b h s d')\n"

    assert graded(torch_worker, AnswerCase("split_heads", "", source)).printed == "shape 3\n"


def test_warnings_are_not_shown_as_printed(torch_worker: Worker) -> None:
    assert graded(torch_worker, AnswerCase("split_heads", "", "x.T")).printed == ""


def test_malformed_answer_cannot_be_read(torch_worker: Worker) -> None:
    result = graded(torch_worker, AnswerCase("split_heads", "", "rearrange(x"))

    assert grade.ending(result) == "Malformed: the answer cannot be read."


def test_torch_einsum_passes_with_a_note(torch_worker: Worker) -> None:
    case = AnswerCase("batch_dot", "", "torch.einsum('bd,bd->b', x, y)")

    assert "takes whole names for axes" in judged(torch_worker, case).diagnosis
