"""Try many answers to one rewrite in one child, because a child for each would cost far more."""

import random
from collections.abc import Sequence

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial
from studykit.graders.host import place as host
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Outcome, Returned
from studykit.sandbox.channel import Child

IN_TURN = """
def function(source):
    space = dict(globals())
    exec(compile(source, "<answer>", "exec"), space)
    return space["f"]
functions = [function(source) for source in {sources!r}]
calls = iter(range(len(functions) * {trials}))
def f(*given):
    return functions[next(calls) // {trials}](*given)
"""
"""Many answers as one, each called for all trials before the next."""


def one_after_another(
    place: Place, exercise: Rewrite, sources: Sequence[str], trials: Sequence[Trial]
) -> list[list[Outcome]]:
    """Run each answer on each trial, all in one child. Return each answer's outcomes up to its first failure."""
    with place.child() as child:
        code = IN_TURN.format(sources=tuple(sources), trials=len(trials))
        child.ask({"code": code, **host.first_header(exercise, place.backend, place.device)})
        return [_up_to_the_first_error([_asked(child, one) for one in trials]) for _ in sources]


def _asked(child: Child, one: Trial) -> Outcome:
    host._send(child, one)
    return host._outcome(child.receive())


def _up_to_the_first_error(found: list[Outcome]) -> list[Outcome]:
    ends = next((place for place, one in enumerate(found, 1) if not isinstance(one, Returned)), len(found))
    return found[:ends]


def drawn(exercise: Rewrite, seeds: int) -> list[Trial]:
    """Draw two trials from each seed: one with distinct primes as sizes, and one with an axis of size 1."""
    return [one for seed in range(seeds) for one in trial.draw(exercise, random.Random(seed), 2)]
