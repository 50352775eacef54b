"""Define a toy kind of exercise, which asks for a word, with everything that a new kind has to supply."""

from functools import partial

from studykit.exercise.entry import Exercise
from studykit.exercise.kind import ExerciseKind, Report
from studykit.exercise.turn import Asking, Draw
from studykit.exercise.verdict import Correct, Incorrect
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.events import Showing
from studykit.scheduling.outcomes import INCORRECT, MALFORMED, RIGHT


def pose(_asking: Asking, toy: Exercise, drawn: Draw) -> Question:
    """Return the question of a toy exercise."""
    return Question(
        name=toy.id,
        seed=drawn.seed,
        markdown=prompt(toy),
        fields=("word",),
        judge=partial(judge, toy),
        showing=partial(Showing, toy.id, toy.version, drawn.seed, "{}"),
        right=solution(toy),
        hints=("Think of a bit.",),
        solution=f"1. It is {solution(toy)}.",
        steps=f"1. It is {solution(toy)}.",
        command=f"study exercise {toy.id}",
    )


def judge(toy: Exercise, asked: Asked) -> Reply:
    """Judge whether a word is the right one. A text with anything but letters is unreadable."""
    word = asked.given[-1]
    if not word.isalpha():
        return Reply(MALFORMED, while_open="write a word")
    return Reply(RIGHT if word == solution(toy) else INCORRECT)


def solution(toy: Exercise) -> str:
    return str(getattr(toy, "solution", ""))


def prompt(toy: Exercise) -> str:
    return str(getattr(toy, "prompt", ""))


def check(toy: Exercise, _drawn: Draw, answer: str) -> Report:
    verdict = Correct() if answer == solution(toy) else Incorrect()
    return Report({"verdict": verdict.name}, verdict.name, verdict)


def asked_again(toy: Exercise, _showing: Showing) -> str:
    return prompt(toy)


def faults(toy: Exercise) -> list[str]:
    return [] if prompt(toy).endswith(".") else [f"{toy.id}: the prompt is not a sentence"]


TOY: ExerciseKind[Exercise] = ExerciseKind(pose=pose)  # enough to be asked
FULL = ExerciseKind(pose=pose, in_quiz=True, check=check, asked_again=asked_again, faults=faults)
MIXED = ExerciseKind(pose=pose, mixed_sets=True)
