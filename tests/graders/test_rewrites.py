"""Test every shipped rewrite: solutions pass, and near misses, swapped axes and forged values fail."""

import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from rewrite_trials import drawn, one_after_another

from studykit.exercise import catalog
from studykit.exercise.rewrite import pattern, trial
from studykit.exercise.rewrite.rewrite import Rewrite, defined
from studykit.exercise.rewrite.trial import Tensor, Trial, tensor
from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place, expected, run
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.judge import Judgment, Outcome, Returned, agrees, judge
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

SEEDS = 4  # two trials each; they differ in sizes, which are primes
SWAPPED, FORGED = 4, 2  # trials
LIMITS = Limits(wall_s=40, cpu_s=30)
EXERCISES = [found for found in catalog.of_set("einops") if isinstance(found, Rewrite)]


@pytest.fixture
def torch_place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=LIMITS, search_s=60.0)


@dataclass(frozen=True, slots=True)
class Proof:
    """Hold an exercise with trials and the results of its own code."""

    exercise: Rewrite
    place: Place
    trials: list[Trial]
    wanted: list[Returned]


@pytest.fixture(scope="module", params=EXERCISES, ids=lambda exercise: exercise.id)
def proof(request: pytest.FixtureRequest) -> Iterator[Proof]:
    """Yield each exercise with the results of its own code, computed once for all tests below."""
    with open_worker(backend="torch", runtime=runtime_folder(os.environ["XDG_RUNTIME_DIR"])) as worker:
        exercise, place = request.param, Place(worker, limits=LIMITS)
        trials = drawn(exercise, SEEDS)
        yield Proof(exercise, place, trials, expected(place, exercise, trials))


def judged(place: Place, exercise: Rewrite, source: str, trials: list[Trial], wanted: list[Returned]) -> Judgment:
    with place.child() as child:
        got = run(child, place, exercise, source, trials)
    return judge(exercise, answer_text.read(source, exercise), trials, wanted, got)


@pytest.mark.no_cover
def test_alternatives_pass_and_near_misses_fail(proof: Proof) -> None:
    exercise, trials, wanted = proof.exercise, proof.trials, proof.wanted
    sources = (*exercise.alternatives, *exercise.near_misses)

    solved = judged(proof.place, exercise, exercise.solution, trials, wanted)
    got = dict(zip(sources, one_after_another(proof.place, exercise, sources, trials), strict=True))

    right = {source: judged_as(exercise, source, proof, got[source]) for source in exercise.alternatives}
    assert (solved.diagnosis, {found.diagnosis for found in right.values()}) == ("", {""})
    assert len(exercise.near_misses) >= 2
    for source in exercise.near_misses:
        assert [seed for seed in range(SEEDS) if passes(exercise, wanted, got[source], seed)] == []
        assert judged_as(exercise, source, proof, got[source]).diagnosis


def judged_as(exercise: Rewrite, source: str, proof: Proof, got: list[Outcome]) -> Judgment:
    return judge(exercise, answer_text.read(source, exercise), proof.trials, proof.wanted, got)


def passes(exercise: Rewrite, wanted: list[Returned], got: list[Outcome], seed: int) -> bool:
    """Return whether an answer was run on all trials and is right on the two of this seed."""
    if len(got) < len(wanted):
        return False
    return all(agrees(exercise, wanted[place], got[place]) for place in (2 * seed, 2 * seed + 1))


def _mutants(exercise: Rewrite) -> tuple[str, ...]:
    """Return wrong answers, with two axes of the pattern exchanged on one side."""
    if not exercise.canonical:
        return ()
    left, _, right = exercise.canonical.partition("->")
    names = sorted(set(re.findall(r"[A-Za-z]\w*", right)))
    patterns: dict[str, None] = {}
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            patterns[f"{left.strip()} -> {_exchanged(right.strip(), one, other)}"] = None
            if re.search(r"\([^)]*\w\s+\w", left) and "," not in left:
                patterns[f"{_exchanged(left.strip(), one, other)} -> {right.strip()}"] = None
    return tuple(defined(exercise.signature, exercise.call.format(repr(text))) for text in patterns)


def _exchanged(text: str, one: str, other: str) -> str:
    swap = {one: other, other: one}
    return re.sub(r"[A-Za-z]\w*", lambda word: swap.get(word.group(), word.group()), text)


@pytest.mark.no_cover
def test_none_of_the_swapped_axis_mutants_is_accepted(proof: Proof) -> None:
    sources, trials, wanted = _mutants(proof.exercise), proof.trials[:SWAPPED], proof.wanted[:SWAPPED]
    if not sources:
        return  # a pattern of one axis, or none

    got = one_after_another(proof.place, proof.exercise, sources, trials)

    assert [
        source
        for source, answers in zip(sources, got, strict=True)
        if all(agrees(proof.exercise, want, one) for want, one in zip(wanted, answers, strict=False))
    ] == []


def test_forged_values_never_pass(proof: Proof) -> None:
    exercise, trials, wanted = proof.exercise, proof.trials[:FORGED], proof.wanted[:FORGED]
    read = answer_text.read(exercise.solution, exercise)

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
def test_question_is_complete_without_its_answer(exercise: Rewrite) -> None:
    assert exercise.task.endswith(".")
    assert len(exercise.hints) >= 3
    assert exercise.signature in exercise.prompt
    assert exercise.code.strip() in exercise.prompt
    assert not exercise.canonical or exercise.canonical not in exercise.prompt


@pytest.mark.no_cover
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_axes_are_distinct_primes(exercise: Rewrite) -> None:
    trials = trial.draw(exercise, random.Random(5), 4)

    for one in trials[:-1]:
        free = [one.sizes[a] for a in trial.axes(exercise) if a not in exercise.sums]
        assert len(set(free)) == len(free)
        assert all(size in {2, 3, 5, 7, 11, 13, 17} for size in free)
    assert list(trials[-1].sizes.values()).count(1) == 1


def test_a_pattern_says_where_each_element_comes_from() -> None:
    input_side, output_side = pattern.side("b (h d)"), pattern.side("h b d")

    starts, steps = pattern.sources(input_side, output_side, {"b": 2, "h": 2, "d": 2})

    assert starts == [0, 1, 4, 5, 2, 3, 6, 7]
    assert steps == [0]


@pytest.mark.parametrize(
    ("body", "check", "last"),
    [
        (
            "repeat(x, 'b h s e -> b h g s e', g=g)",
            "shape",
            "Your result keeps h and g as separate axes; the exercise wants them merged into (h g).",
        ),
        ("parse_shape(x, 'b h s e')", "shape", "The result is a dict of 4, wanted a tensor of shape"),
    ],
)
def test_wrong_shape_comes_before_gradients(torch_place: Place, body: str, check: str, last: str) -> None:
    exercise = catalog.rewrite_named("gqa_repeat")
    trials = list(trial.draw(exercise, random.Random(3), 2))
    right = expected(torch_place, exercise, trials)

    judgment = judged(torch_place, exercise, defined(exercise.signature, body), trials, right)

    assert next(each.name for each in judgment.checks if not each.passed) == check
    assert last in judgment.diagnosis


def test_wrong_composite_among_lines_is_found(torch_place: Place) -> None:
    exercise = catalog.rewrite_named("multi_head_attention")
    source = exercise.solution.replace("(three h e)", "(h three e)")

    result = grade(torch_place, exercise, source, random.Random(3)).judgment

    assert result.diagnosis.splitlines()[0] == (
        "On line 3 the composite (h three e) is in the wrong order; all else is right."
    )


@pytest.mark.parametrize(
    ("body", "passes"),
    [
        ("y = rearrange(x, 'b … -> (b …)')\n    return y", True),
        ("y = rearrange(x, 'b (… d) -> b … d', d=1)\n    return rearrange(y, 'b s d 1 -> (b s d)')", False),
    ],
)
def test_ellipsis_sign_is_read_as_dots(torch_place: Place, *, body: str, passes: bool) -> None:
    exercise = catalog.rewrite_named("flatten_all")

    graded = grade(torch_place, exercise, f"def f(x):\n    {body}\n", random.Random(1))

    assert isinstance(graded.judgment.verdict, Correct) is passes
    assert ("inside parenthesis" in graded.judgment.diagnosis) is not passes
