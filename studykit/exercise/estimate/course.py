"""A set in the order of a course's assignments: what was not right yet comes next."""

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
from studykit.exercise.practice import practise
from studykit.exercise.services import Services
from studykit.exercise.turn import Asking, Draw, Turn
from studykit.scheduling.outcomes import is_right

if TYPE_CHECKING:
    from studykit.store.store import Store

MAX_LOOKED_BACK = 500  # entries of one exercise that may hold the right answer
ASK = "ask"
FORMS = ("number", "formula")


class CourseQuestion(NamedTuple):
    """A question of a deliverable: an exercise with what is pinned of it."""

    deliverable: int  # from 1
    template: Template
    pinned: Mapping[str, str]


def questions(name: str) -> list[CourseQuestion]:
    """Return the questions of a course in the order of its assignments."""
    found = []
    for number, row in enumerate(catalog.courses()[name], start=1):
        for text in row.split("; "):
            exercise, *pinned = text.split()
            pairs = dict(pair.split("=", 1) for pair in pinned)
            found.append(CourseQuestion(number, cast("Template", catalog.find(exercise)), pairs))
    return found


def practise_course(services: Services, request: SetRequest) -> int:
    """Practise what was not right yet, or everything again once it was, and return the exit code."""
    if request.pinned.keys() - {ASK}:
        raise UsageError(f"{request.name} takes only ask=number or ask=formula. Pin the rest of one exercise.")
    every, first = questions(request.name), services.seed() if request.seed is None else request.seed
    remaining = [one for one in every if request.seed is not None or not _was_right(services.store, one)] or every
    count = len(catalog.courses()[request.name])

    def turn(place: int, question: CourseQuestion) -> Turn:
        pinned = {ASK: FORMS[(first + place) % 2], **question.pinned, **request.pinned}
        drawn = Draw(first + place, pinned, is_exact=request.seed is not None, rough=request.rough)
        return template_turn(question.template, drawn, f"{request.name} {question.deliverable}/{count}")

    def turns(_asking: Asking) -> list[Turn]:
        return [turn(place, one) for place, one in enumerate(remaining[: request.number])]

    families = {f"{one.template.id.partition('.')[0]}." for one in every}
    why = f"{request.name}, seed {first}"
    return practise(services, turns, why, *families, progress=lambda: progress(services.store, request.name))


def progress(store: "Store", name: str) -> str:
    """Return how many deliverables were right, each with all of its questions."""
    every = questions(name)
    missing = {one.deliverable for one in every if not _was_right(store, one)}
    count = len({one.deliverable for one in every})
    return f"{name}: {count - len(missing)} of {count} right"


def _was_right(store: "Store", question: CourseQuestion) -> bool:
    template = question.template
    wanted = {name: plain(value) for name, value in pins.pins(template, question.pinned).items()}
    return any(
        event.showing is not None
        and is_right(event.showing.verdict)
        and wanted.items() <= dict(json.loads(event.showing.parameters or "{}")).items()
        for event in store.log.showings(template.id, last=MAX_LOOKED_BACK)
    )
