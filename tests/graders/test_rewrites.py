"""The catalogue of rewrites proves itself: solutions pass, near misses and mutants fail, nothing cheap passes."""

import os
import random
from dataclasses import replace

import pytest

from studykit.exercise import catalog
from studykit.exercise.rewrite import pattern, trial
from studykit.exercise.rewrite.rewrite import Rewrite, defined, mutants
from studykit.exercise.rewrite.trial import Tensor, Trial, tensor
from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place, expected, outcomes
from studykit.graders.rewrite import whitelist
from studykit.graders.rewrite.judge import Judgment, Outcome, Returned, agrees, judge
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker

SEEDS = int(os.environ.get("STUDYKIT_TEST_SEEDS", "20"))  # .ci/run asks for 50
NAMED = {
    "split_heads": ("f(x, h)", "b s (h d) -> b h s d"),
    "merge_heads": ("f(x)", "b h s d -> b s (h d)"),
    "patchify": ("f(x, p, q)", "b c (h p) (w q) -> b (h w) (p q c)"),
    "depth_to_space": ("f(x, p, q)", "b (c p q) h w -> b c (h p) (w q)"),
    "channels_last": ("f(x)", "b c h w -> b h w c"),
    "qkv_split": ("f(x, k, h)", "b s (k h d) -> k b h s d"),
    "group_tokens": ("f(x, g)", "(b g) s d -> g b s d"),
    "mean_pool": ("f(x)", "b s d -> b d"),
    "max_pool": ("f(x, p, q)", "b c (h p) (w q) -> b c h w"),
    "gqa_repeat": ("f(x, g)", "b h s d -> b (h g) s d"),
}
EXERCISES = [found for found in catalog.of_set("einops") if isinstance(found, Rewrite)]


@pytest.fixture
def torch_place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)


def judged(place: Place, exercise: Rewrite, source: str, trials: list[Trial], wanted: list[Returned]) -> Judgment:
    return judge(exercise, whitelist.read(source, exercise), trials, wanted, outcomes(place, source, trials))


def drawn(exercise: Rewrite, seeds: int) -> list[Trial]:
    """Two trials from each seed: distinct primes, and one axis of size 1."""
    return [one for seed in range(seeds) for one in trial.draw(exercise, random.Random(seed), 2)]


def test_there_are_at_least_forty_eight_of_them_in_seven_families() -> None:
    assert len(EXERCISES) >= 48
    assert len({exercise.id for exercise in EXERCISES}) == len(EXERCISES)
    assert {e.family for e in EXERCISES} >= {
        "shapes",
        "rearrange",
        "reduce",
        "repeat",
        "einsum",
        "pack",
        "modules",
    }


@pytest.mark.parametrize("name", NAMED)
def test_the_ten_of_the_specification_have_their_signatures_and_patterns(name: str) -> None:
    found = catalog.find(f"rewrite.{name}")

    assert isinstance(found, Rewrite)
    assert (found.signature, found.canonical) == NAMED[name]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_every_alternative_passes_and_every_near_miss_fails_over_many_seeds(
    torch_place: Place, exercise: Rewrite
) -> None:
    trials = drawn(exercise, SEEDS)
    wanted = expected(torch_place, exercise, trials)

    right = [
        judged(torch_place, exercise, one, trials, wanted) for one in (exercise.solution, *exercise.alternatives)
    ]

    assert [judgment.diagnosis for judgment in right] == [""] * len(right)
    assert len(right) >= 2
    assert len(exercise.near_misses) >= 2
    for source in exercise.near_misses:
        got = outcomes(torch_place, source, trials)
        assert [seed for seed in range(SEEDS) if passes(exercise, wanted, got, seed)] == []
        assert judge(exercise, whitelist.read(source, exercise), trials, wanted, got).diagnosis


def passes(exercise: Rewrite, wanted: list[Returned], got: list[Outcome], seed: int) -> bool:
    """Whether the two trials of a seed show nothing wrong; an answer that raised has raised at its pattern."""
    if len(got) < len(wanted):
        return False
    return all(agrees(exercise, wanted[place], got[place]) for place in (2 * seed, 2 * seed + 1))


def test_none_of_the_swapped_axis_mutants_is_accepted(torch_place: Place) -> None:
    accepted, count = [], 0

    for exercise in EXERCISES:
        trials = list(trial.draw(exercise, random.Random(7), 3))
        wanted = expected(torch_place, exercise, trials)
        for source in mutants(exercise)[:5]:
            count += 1
            got = outcomes(torch_place, source, trials)
            if all(agrees(exercise, want, one) for want, one in zip(wanted, got, strict=False)):
                accepted.append(source)

    assert accepted == []
    assert count >= 180


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_neither_a_constant_nor_the_input_nor_the_same_values_moved_would_pass(
    torch_place: Place, exercise: Rewrite
) -> None:
    trials = list(trial.draw(exercise, random.Random(3), 5))
    wanted = expected(torch_place, exercise, trials)
    read = whitelist.read(exercise.solution, exercise)

    for forge in (_zeros, _first_value, _input, _reversed):
        forged = [
            replace(want, value=forge(one, want.value)) if isinstance(want.value, Tensor) else want
            for one, want in zip(trials, wanted, strict=True)
        ]
        if forged == wanted:
            continue  # no tensor comes back: a dictionary of sizes
        assert not isinstance(judge(exercise, read, trials, wanted, forged).verdict, Correct)


def _zeros(_: Trial, want: Tensor) -> Tensor:
    return Tensor(want.dtype, want.shape, bytes(len(want.data)))


def _first_value(_: Trial, want: Tensor) -> Tensor:
    width = len(want.data) // max(1, len(want.numbers))
    return Tensor(want.dtype, want.shape, want.data[:width] * len(want.numbers))


def _input(one: Trial, _: Tensor) -> Tensor:
    return one.tensors[0]


def _reversed(_: Trial, want: Tensor) -> Tensor:
    return tensor(want.dtype, want.shape, want.numbers[::-1])


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_a_question_is_complete_and_does_not_give_its_answer_away(exercise: Rewrite) -> None:
    assert exercise.task.endswith(".")
    assert len(exercise.hints) >= 3
    assert exercise.signature in exercise.prompt
    assert exercise.code.strip() in exercise.prompt
    assert not exercise.canonical or exercise.canonical not in exercise.prompt


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_axes_are_different_primes_and_the_last_trial_has_one_axis_of_size_one(exercise: Rewrite) -> None:
    trials = trial.draw(exercise, random.Random(5), 4)

    for one in trials[:-1]:
        free = [one.sizes[a] for a in trial.axes(exercise) if a not in exercise.sums]
        assert len(set(free)) == len(free)
        assert all(size in {2, 3, 5, 7, 11, 13, 17} for size in free)
    assert list(trials[-1].sizes.values()).count(1) == 1


def test_a_pattern_says_where_each_element_comes_from() -> None:
    read = pattern.parse("b (h d) -> h b d")

    starts, steps = pattern.sources(read.inputs[0], read.output, {"b": 2, "h": 2, "d": 2})

    assert starts == [0, 1, 4, 5, 2, 3, 6, 7]
    assert steps == [0]


@pytest.mark.parametrize(
    ("body", "check", "last"),
    [
        (
            "repeat(x, 'b h s d -> b h g s d', g=g)",
            "shape",
            "The axes are grouped differently: look at the parentheses.",
        ),
        ("parse_shape(x, 'b h s d')", "shape", "The result is a dict of 4, wanted a tensor of shape"),
    ],
)
def test_a_wrong_shape_is_told_as_one_where_gradients_are_compared_too(
    torch_place: Place, body: str, check: str, last: str
) -> None:
    exercise = catalog.find("rewrite.gqa_repeat")
    assert isinstance(exercise, Rewrite)
    trials = list(trial.draw(exercise, random.Random(3), 2))
    wanted = expected(torch_place, exercise, trials)

    judgment = judged(torch_place, exercise, defined(exercise.signature, body), trials, wanted)

    assert next(each.name for each in judgment.checks if not each.passed) == check
    assert last in judgment.diagnosis


def test_the_one_composite_that_is_wrong_among_several_lines_is_found(torch_place: Place) -> None:
    exercise = catalog.find("rewrite.multi_head_attention")
    assert isinstance(exercise, Rewrite)
    source = exercise.solution.replace("(three h d)", "(h three d)")

    found = grade(torch_place, exercise, source, random.Random(3)).judgment

    assert found.diagnosis.splitlines()[-1] == (
        "On line 3 the composite (h three d) is in the wrong order; all else is right."
    )
