"""Choose exercises mixed by objective, and the variants that the learner met least often."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice, zip_longest
from typing import TypeVar

from studykit.exercise.entry import Practicable
from studykit.exercise.estimate.template import Template, Variant, draw
from studykit.exercise.estimate.values import Value

MAX_SEEDS = 60  # seeds that are tried for a variant that the learner has not met
MAX_PAGE_VARIANTS = 20  # variants that a page carries of each exercise; fewer where the parameters give no more
_MAX_PAGE_SEEDS = 400


P = TypeVar("P", bound=Practicable)


def identity(variant: Variant) -> str:
    """Return a variant's identity, made of its parameters."""
    return repr(sorted(variant.parameters.items()))


def least_met(
    template: Template, first: int, met: Iterable[str], pinned: Mapping[str, Value] | None = None
) -> Variant:
    """Return the variant that the learner met least often, trying seeds from `first` on."""
    counts = Counter(met)
    variants: list[Variant] = []
    for seed in range(first, first + MAX_SEEDS):
        variants.append(draw(template, seed, pinned))
        if counts[identity(variants[-1])] == 0:
            break
    return min(variants, key=lambda variant: counts[identity(variant)])


def interleaved(exercises: Sequence[P], number: int, seed: str) -> tuple[P, ...]:
    """Choose `number` exercises, cycling through the objectives, and repeat one only when all have been used."""
    generator = random.Random(seed)
    by_objective: dict[str, list[P]] = {}
    # Sorting by id first makes the shuffle independent of the order in which exercises were loaded.
    for exercise in sorted(sorted(exercises, key=lambda one: one.id), key=lambda _: generator.random()):
        by_objective.setdefault(exercise.objective, []).append(exercise)
    in_turn = [one for round_ in zip_longest(*by_objective.values()) for one in round_ if one is not None]
    return tuple(islice(cycle(in_turn), number))


def first_variants(template: Template, pinned: Mapping[str, Value]) -> tuple[Variant, ...]:
    """Return different variants of the first seeds for a page, the same ones at every export."""
    variants: dict[str, Variant] = {}
    for seed in range(_MAX_PAGE_SEEDS):
        variant = draw(template, seed, pinned)
        variants.setdefault(identity(variant), variant)
        if len(variants) == MAX_PAGE_VARIANTS or (pinned and len(pinned) == len(template.grid)):
            break
    return tuple(variants.values())
