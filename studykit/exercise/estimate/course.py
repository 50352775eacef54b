"""Practise the questions of a course's assignments in their order, leaving out those once answered right."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from studykit.errors import UsageError
from studykit.exercise import catalog
from studykit.exercise.estimate import pins
from studykit.exercise.estimate.template import Template
from studykit.exercise.estimate.turns import template_turn
from studykit.exercise.estimate.values import plain
from studykit.exercise.kind import SetRequest
from studykit.exercise.run import practise
from studykit.exercise.services import Services
from studykit.exercise.turn import Asking, Draw, Turn
from studykit.scheduling.outcomes import is_right

if TYPE_CHECKING:
    from studykit.store.store import Store

MAX_LOOKED_BACK = 500  # entries of one exercise that may hold the right answer
ASK = "ask"
FORMS = ("number", "formula")


class CourseQuestion(NamedTuple):
    """Hold a question of an assignment: an exercise with its pinned parameters."""

    deliverable: int  # from 1
    template: Template
    pinned: Mapping[str, str]


def questions(name: str) -> list[CourseQuestion]:
    """Return a course's questions in the order of its assignments."""
    course_questions = []
    for number, row in enumerate(catalog.courses()[name], start=1):
        for text in row.split("; "):
            exercise, *pinned = text.split()
            pairs = dict(pair.split("=", 1) for pair in pinned)
            course_questions.append(CourseQuestion(number, cast("Template", catalog.find(exercise)), pairs))
    return course_questions


def practise_course(services: Services, request: SetRequest) -> int:
    """Practise the questions not right yet, or all if none is left or a seed is given. Return the exit code."""
    if others := request.pinned.keys() - {ASK}:
        why = f"{request.name} takes only ask=number or ask=formula, not {min(others)}"
        raise UsageError(f"{why}. Pin other values on one of its exercises.")
    pool, first = questions(request.name), services.seed() if request.seed is None else request.seed
    remaining = [each for each in pool if request.seed is not None or not _was_right(services.store, each)] or pool
    count = len(catalog.courses()[request.name])

    def turn(place: int, question: CourseQuestion) -> Turn:
        pinned = {ASK: FORMS[(first + place) % 2], **question.pinned, **request.pinned}
        draw = Draw(first + place, pinned, is_exact=request.seed is not None, rough=request.rough)
        return template_turn(question.template, draw, f"{request.name} {question.deliverable}/{count}")

    def turns(_asking: Asking) -> list[Turn]:
        return [turn(place, question) for place, question in enumerate(remaining[: request.number])]

    return practise(
        services, turns, f"{request.name}, seed {first}", lambda: progress(services.store, request.name)
    )


def progress(store: "Store", name: str) -> str:
    """Return a sentence with the number of deliverables whose questions were all answered right once."""
    missing = {question.deliverable for question in questions(name) if not _was_right(store, question)}
    count = len(catalog.courses()[name])
    return f"{name}: {count - len(missing)} of {count} right"


def _was_right(store: "Store", question: CourseQuestion) -> bool:
    template = question.template
    pinned = {name: plain(value) for name, value in pins.pins(template, question.pinned).items()}
    return any(
        event.showing is not None
        and is_right(event.showing.verdict)
        and pinned.items() <= dict(json.loads(event.showing.parameters or "{}")).items()
        for event in store.log.showings(template.id, last=MAX_LOOKED_BACK)
    )
