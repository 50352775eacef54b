"""Plan the questions of a set of estimates: exercises, order and numbers.

The set of a course has the questions of its assignments in their order, without those once answered right.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from studykit.errors import StudyError, UsageError
from studykit.exercise import catalog
from studykit.exercise.estimate import log, pins, selection
from studykit.exercise.estimate.question import pose_draw
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.scenario_chain import OpenScenario, ScenarioChain, open_scenario
from studykit.exercise.estimate.template import Template
from studykit.exercise.estimate.values import Value, plain
from studykit.exercise.kind import Pinned, SetRequest
from studykit.exercise.run import practise, put_drafted_first
from studykit.exercise.services import Services
from studykit.exercise.tries import unfinished_seed
from studykit.exercise.turn import Asking, Done, Draw, Turn
from studykit.review.question import Asked, Question
from studykit.scheduling.outcomes import is_right

if TYPE_CHECKING:
    from studykit.store.store import Store

SetExercise = Template | Scenario  # of a set of estimates
_GO_ON = (("", "go on"), ("n", "begin anew"))
ASK, FORMS = "ask", ("number", "formula")
"""The parameter that says what a course's question asks for, and its values, which take turns."""


def practise_set(services: Services, request: SetRequest) -> int:
    """Practise a set, or refuse one without estimates that fit the pins. Return the exit code."""
    exercises = [one for one in request.exercises(request.name) if isinstance(one, Template | Scenario)]
    fitting = _fitting_exercises(exercises, request.pinned)
    first = services.seed() if request.seed is None else request.seed
    scenarios = bool(fitting) and all(isinstance(one, Scenario) for one in fitting)
    count = request.number
    if scenarios or all(
        set(one.grid) <= {*_read_pins(one, request.pinned), *getattr(one, "assumed", ())} for one in fitting
    ):
        count = min(count, len(fitting))  # every number is given: asked again it would be the same question
    plan: Sequence[SetExercise] = selection.interleaved(fitting, count, f"mixed:{first}")
    new: Mapping[str, Pinned] = {}
    if _is_free(request):
        if scenarios:
            plan = _put_open_scenario_first(services.store, fitting, plan)
        else:
            new = log.first_questions(services.store, fitting)
            begin = [one for name in new for one in fitting if one.id == name]
            rest = [one for one in fitting if one.id not in new] or fitting
            plan = (*begin, *selection.interleaved(rest, count, f"mixed:{first}"))[:count]
        plan = put_drafted_first(services, fitting, plan)
    if not plan:
        raise StudyError(f"{request.name} has no exercise to practise here.", "study exercise list")
    is_repeatable = request.seed is None and request.only is None
    why = f"{request.name}, seed {first}" if is_repeatable else request.name
    return practise(services, partial(_make_turns, plan, request, first, new), why)


def _is_free(request: SetRequest) -> bool:
    """Return whether the request gives neither a seed nor numbers."""
    return request.seed is None and not request.pinned


def _put_open_scenario_first(
    store: "Store", fitting: Sequence[SetExercise], plan: Sequence[SetExercise]
) -> Sequence[SetExercise]:
    """Put the scenario that was left last first in the plan, which keeps its length."""
    states = [open_scenario(store, story) for story in fitting if isinstance(story, Scenario)]
    begun = sorted(filter(None, states), key=lambda state: state.moment)
    newest = [state.story for state in begun[-1:]]
    return [*newest, *(exercise for exercise in plan if exercise not in newest)][: len(plan)]


def _fitting_exercises(exercises: Sequence[SetExercise], pinned: Pinned) -> list[SetExercise]:
    """Return the exercises that have all pinned parameters, or refuse pins that fit none."""
    fitting = [one for one in exercises if set(pinned) <= set(one.grid)] or exercises[:1]
    for one in fitting if pinned else ():
        _read_pins(one, pinned)
    return list(fitting)


def _read_pins(exercise: SetExercise, pinned: Pinned) -> Mapping[str, Value]:
    return pins.pins(exercise if isinstance(exercise, Template) else exercise.templates()[0], pinned)


def _make_turns(
    plan: Sequence[SetExercise], request: SetRequest, first: int, new: Mapping[str, Pinned], asking: Asking
) -> list[Turn]:
    turns: list[Turn] = []
    for place, exercise in enumerate(plan):
        heading = f"{request.name} {place + 1}/{len(plan)}"
        if isinstance(exercise, Template):
            is_new = exercise.id in new and exercise.id not in {turn.name for turn in turns}
            draw = Draw(first + place, request.pinned, is_exact=request.seed is not None, rough=request.rough)
            turn = template_turn(exercise, draw, heading, services=asking.services)
            if is_new:  # asked again, its numbers are drawn
                draw = replace(draw, pinned=new[exercise.id])
                turn = replace(turn, pose=template_turn(exercise, draw, heading).pose)
            turns.append(turn)
        else:
            turns += _steps_of(asking, exercise, first + place, request)
    return turns


class CourseQuestion(NamedTuple):
    """Hold a question of an assignment: an exercise with its pinned parameters."""

    deliverable: int  # from 1
    template: Template
    pinned: Mapping[str, str]


def course_questions(name: str) -> list[CourseQuestion]:
    """Return a course's questions in the order of its assignments."""
    questions = []
    for number, row in enumerate(catalog.courses()[name], start=1):
        for text in row.split("; "):
            exercise, *pinned = text.split()
            pairs = dict(pair.split("=", 1) for pair in pinned)
            questions.append(CourseQuestion(number, cast("Template", catalog.find(exercise)), pairs))
    return questions


def practise_course(services: Services, request: SetRequest) -> int:
    """Practise a course's questions that were never right, or all if none is left or a seed is given."""
    if others := request.pinned.keys() - {ASK}:
        why = f"{request.name} takes only ask=number or ask=formula, not {min(others)}"
        raise UsageError(f"{why}. Pin other values on one of its exercises.")
    questions, first = course_questions(request.name), services.seed() if request.seed is None else request.seed
    is_exact, count = request.seed is not None, questions[-1].deliverable
    remaining = [each for each in questions if is_exact or not _was_right(services.store, each)] or questions
    turns = [
        template_turn(
            question.template,
            Draw(seed, {ASK: FORMS[seed % 2], **question.pinned, **request.pinned}, is_exact, rough=request.rough),
            f"{request.name} {question.deliverable}/{count}",
        )
        for seed, question in enumerate(remaining[: request.number], first)
    ]
    why = f"{request.name}, seed {first}"
    return practise(services, lambda _asking: turns, why, lambda: course_progress(services.store, request.name))


def course_progress(store: "Store", name: str) -> str:
    """Return a sentence with the number of deliverables whose questions were all answered right once."""
    questions = course_questions(name)
    missing = {question.deliverable for question in questions if not _was_right(store, question)}
    count = questions[-1].deliverable
    return f"{name}: {count - len(missing)} of {count} right"


def _was_right(store: "Store", question: CourseQuestion) -> bool:
    template = question.template
    pinned = {name: plain(value) for name, value in pins.pins(template, question.pinned).items()}
    return any(
        is_right(entry.verdict) and pinned.items() <= json.loads(entry.parameters or "{}").items()
        for entry in log.entries(store, template.id, log.MAX_ENTRIES_OF_EXERCISE)
    )


def template_turn(
    template: Template,
    drawn: Draw,
    heading: str,
    *,
    reason: str = "",
    services: Services | None = None,
    lead: str = "",
) -> Turn:
    """Return the turn that asks a template after the words of `lead`, with new numbers if it is asked again.

    With `services`, a recurring slip brings a follow-up.
    """

    def pose(asking: Asking, _done: object) -> Question:
        question = pose_draw(asking, template, asking.begun(template.id, drawn))
        return replace(question, markdown=f"{lead}\n\n{question.markdown}") if lead else question

    family = template.id.partition(".")[0]
    fresh = Draw(drawn.seed + 1, drawn.pinned, rough=drawn.rough)
    return Turn(
        name=template.id,
        heading=heading,
        pose=pose,
        again=lambda: template_turn(template, fresh, heading, services=services, lead=lead),
        follow=None if services is None else partial(follow_up, services, template.id, recorded=True),
        reason=reason,
        family=family,
    )


def _steps_of(asking: Asking, story: Scenario, seed: int, request: SetRequest) -> list[Turn]:
    """Return the steps to ask: those left of an unfinished scenario, all if the learner starts over, or none."""
    begun = open_scenario(asking.services.store, story) if _is_free(request) else None
    if begun is not None:
        asking.ui.show(
            f"You began this before: step {len(begun.behind) + 1} of {len(story.steps)} comes next.",
            title=story.title,
        )
        match asking.ui.choose("", _GO_ON):
            case None:
                return []
            case "n":
                begun = None
    elif _is_free(request):
        left_at = unfinished_seed(asking.services, story.step_ids[0])
        seed = seed if left_at is None else left_at
    return scenario_turns(asking, story, seed if begun is None else begun.seed, request, begun)


def scenario_turns(
    asking: Asking, story: Scenario, seed: int, request: SetRequest, begun: OpenScenario | None = None
) -> list[Turn]:
    """Return the remaining steps of a scenario as turns."""
    templates = story.templates()
    pinned, rough = pins.pins(templates[0], request.pinned), request.rough or asking.services.rough
    behind = () if begun is None else begun.behind
    chain = ScenarioChain(story, seed, pinned, behind, rough=rough)

    def turn(place: int, template: Template) -> Turn:
        def pose(asking: Asking, done: Sequence[Done]) -> Question:
            return chain.question(template, done, log.answers(asking.services.store))

        is_last = place == len(templates)
        return Turn(
            name=template.id,
            heading=f"{story.title} {place}/{len(templates)}",
            pose=pose,
            closing=chain.comparison if is_last else None,
            values=chain.values,
            is_step=True,
            tries=begun.tries if begun is not None and place == len(behind) + 1 else (),
            detail=(chain, template),
        )

    return [turn(place, template) for place, template in enumerate(templates, 1) if place > len(behind)]


def follow_up(services: Services, name: str, state: Asked, *, recorded: bool) -> Turn | None:
    """Return a turn that follows up a recurring slip, or None if none recurs or the family had one today."""
    repetition = log.follow_up(services, name, state.slips, recorded=recorded)
    if repetition is None:
        return None
    why, variant = repetition
    return template_turn(variant.template, Draw(variant.seed, is_exact=True), why, reason=why)
