"""How far a wrong answer of several lines is right."""

import random

import pytest
from rewrites import task

from studykit.exercise.rewrite import trial
from studykit.graders.host.place import Place
from studykit.graders.host.right_part import right_so_far
from studykit.sandbox.worker import Worker

SCORES = "a = einsum(q, k, 'b h i d, b h j d -> b h i j')"
OUT = "return einsum(a, v, 'b h i j, b h j e -> b h i e')"


@pytest.mark.parametrize(
    ("name", "lines", "told"),
    [
        ("attention", [SCORES, "a = softmax(a, dim=0)", OUT], "`einsum` on line 2 gives what it should"),
        (
            "attention",
            [SCORES, "a = softmax(a / q.shape[-1] ** 0.5)", "y = 2 * a", OUT.replace("(a,", "(y,")],
            "`softmax` on line 3 gives what it should",
        ),
        ("rms_norm", ["m = reduce(x * x, 'b s d -> b s 1', 'mean')", "return x * m"], "`reduce` on line 2"),
        ("rms_norm", ["return x * reduce(x, 'b s d -> b s 1', 'sum')"], ""),
        ("rms_norm", ["return x.mean()"], ""),
        ("rms_norm", ["return rearrange(x, 'a b -> b a')"], ""),
    ],
)
def test_the_last_value_that_is_right_is_told(
    torch_worker: Worker, name: str, lines: list[str], told: str
) -> None:
    exercise = task(name)
    source = "\n".join([f"def {exercise.signature}:", *(f"    {line}" for line in lines)]) + "\n"

    said = right_so_far(Place(torch_worker), exercise, source, trial.draw(exercise, random.Random(1), 2)[0])

    assert said.startswith(told)
    assert bool(said) is bool(told)
