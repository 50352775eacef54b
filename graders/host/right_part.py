"""How far a wrong answer of several lines is right: which of its values a right answer has as well."""

from collections.abc import Sequence

from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial
from studykit.graders.host.place import Place, flow_reply
from studykit.graders.rewrite import flow
from studykit.graders.rewrite.flow import Flow, FlowStep, NoFlowError
from studykit.graders.rewrite.need import Equalities
from studykit.sandbox.channel import Message

_DRAW = [31, 17, 5]
_COMPUTED = {"call", "sign"}


def right_so_far(place: Place, exercise: Rewrite, source: str, trial: Trial) -> str:
    """The sentence on the last value that is right; empty where there is none, or where it cannot be told."""
    try:
        right, mine = (_read(exercise, text) for text in (exercise.solution, source))
    except NoFlowError:
        return ""
    steps = [*right.steps, *(_moved(step, len(right.steps)) for step in mine.steps)]
    asked = {"steps": [step.described() for step in steps], "arguments": trial.described(), "draw": _DRAW}
    blobs = [tensor.data for tensor in trial.tensors]
    reply = flow_reply(place, exercise, asked | {"alike": ["values"]}, blobs)
    try:
        seen = Equalities.read(reply.header, len(steps)) if isinstance(reply, Message) else None
    except ValueError:
        return ""
    return _told(mine, _found(steps, seen, len(right.steps))) if seen else ""


def _read(exercise: Rewrite, source: str) -> Flow:
    return flow.read(plain_tree(source, exercise.helpers))


def _moved(step: FlowStep, by: int) -> FlowStep:
    takes = tuple(place + by for place in step.takes)
    return FlowStep(step.kind, step.detail, takes, tuple((name, place + by) for name, place in step.named))


def _found(steps: Sequence[FlowStep], seen: Equalities, count: int) -> list[int]:
    """The steps of an answer, behind `count` of a right one, that have a value of it."""
    classes = seen.classes["values"]
    given = {classes[n] for n, step in enumerate(steps) if step.kind not in _COMPUTED} | {
        classes[n] for n in seen.fixed
    }
    right = {classes[n] for n in range(count)} - given
    return [n - count for n in range(count, len(steps)) if steps[n].kind in _COMPUTED and classes[n] in right]


def _told(mine: Flow, found: Sequence[int]) -> str:
    if not found:
        return ""
    last = found[-1]
    line = f" on line {mine.at[last]}" if last in mine.at else ""
    return f"`{mine.steps[last].detail}`{line} gives what it should; look at what comes after it, or beside it."
