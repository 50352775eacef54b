"""What is right for short axes and wrong for long ones, and what an honest answer may do with sizes."""
# ruff: noqa: E501 - an answer reads best in one piece

import re
from collections.abc import Sequence
from random import Random

import pytest
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Refused
from studykit.graders.host.grade import grade
from studykit.graders.host.long_axes import LongAxes, computes
from studykit.graders.host.place import Place
from studykit.graders.rewrite import flow
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message
from studykit.sandbox.worker import Worker


def source(exercise: Rewrite, body: str) -> str:
    return f"def {exercise.signature}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


def offences(exercise: Rewrite, body: str) -> list[Offence]:
    read = flow.read(plain_tree(source(exercise, body), exercise.helpers))
    return list(LongAxes(exercise, read, Random(1), TrustedGrade(exercise).ask).offences())


SPLIT = "rearrange(x, 'b s (h d) -> b h s d', h=%s)"


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("split_heads", f"return {SPLIT}" % "h + h // 100", "a result that is wrong for h = "),
        (
            "mean_pool",
            "n = x.shape[1]\nreturn reduce(x, 'b s d -> b d', 'sum') / (n + (n / 50) ** 40)",
            "a result that is wrong for s = ",
        ),
        (
            "mean_loss",
            "y = rearrange(x, 'b s -> (b s)')[1]\nreturn reduce(x, 'b s -> ', 'mean') + y - y",
            "a result that is wrong for axes that are all 1 long",
        ),
        (
            "layer_norm",
            (
                "u = rearrange(x, 'b s d -> (b s d)')[1]\ny = x - reduce(x, 'b s d -> b s 1', 'mean') + u - u\n"
                "return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))"
            ),
            "a result that is wrong for axes that are all 1 long",
        ),
        (
            "token_mixing",
            (
                "y = (relu(x / 2 / 2 / 2 / 2 / 2 / 2 / 2 / 2 + 1) - 1) * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2\n"
                "y = relu(einsum(y, w, 'b s d, t s -> b t d'))\nreturn x + einsum(y, v, 'b t d, s t -> b s d')"
            ),
            "a result that is wrong for large numbers",
        ),
        (
            "rms_norm",
            "return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean') + 1e-13) * g",
            "a result that is wrong for b = 1",
        ),
        (
            "layer_norm",
            (
                "b, s, d = x.shape\ny = x * (b * s) - x\ny = y - reduce(y, 'b s d -> b s 1', 'mean')\n"
                "return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))"
            ),
            "a result that is wrong for d = 3 and all others 1",
        ),
        (
            "transpose_keys",
            "y = repeat(x, 'b h s d -> n b h d s', n=x.shape[0])\nreturn rearrange(y[1], 'b h d s -> b h d s')",
            "a result that is wrong for b = 1",
        ),
        (
            "mean_pool",
            (
                "c = reduce([x ** 0 * x.shape[1], x ** 0 * x.shape[0], x ** 0 * x.shape[2]], 'n b s d -> b d', 'min')\n"
                "c = reduce([c, c ** 0 * 20], 'n b d -> b d', 'max') - 20\n"
                "return reduce(x, 'b s d -> b d', 'mean') + c"
            ),
            "a result that is wrong for axes that are all 29 long",
        ),
        (
            "mean_pool",
            "y = reduce([x, x ** 0 * 4000], 'n b s d -> b s d', 'min')\nreturn reduce(y, 'b s d -> b d', 'mean')",
            "a result that is wrong for b = ",
        ),
    ],
)
def test_what_holds_for_short_axes_alone_is_seen(name: str, body: str, said: str) -> None:
    assert next(str(one) for one in offences(task(name), body)).startswith(said)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("split_heads", "d = x.shape[-1] // h\nreturn rearrange(x, 'b s (h d) -> b h s d', d=d)"),
        ("split_heads", "n = x.shape[0] * x.shape[1]\nreturn " + SPLIT % "h * n // n"),
        ("mean_pool", "return reduce(x, 'b s d -> b d', 'sum') * x.shape[1] ** -1"),
        (
            "take_image",
            "n = x.shape[1] - s\nreturn rearrange(unpack(x, [[s], [n]], 'b * d')[1], 'b (h w) d -> b h w d', h=h)",
        ),
        (
            "rope_halves",
            "n = x.shape[-1] // 2\na, b = unpack(x, [[n], [n]], 'b s *')\nreturn pack([a * c - b * z, b * c + a * z], 'b s *')[0]",
        ),
        ("mean_loss", "return 2 * reduce(x, 'b s -> ', 'mean') / 2"),
    ],
)
def test_honest_arithmetic_with_sizes_is_let_be(name: str, body: str) -> None:
    assert offences(task(name), body) == []


def test_an_answer_without_signs_is_not_asked() -> None:
    assert not computes(flow.read(plain_tree(task("split_heads").solution, ())))
    assert computes(flow.read(plain_tree("def f(x, h): return x.shape[0] // h", ())))
    assert computes(flow.read(plain_tree("def f(x, h): return rearrange(x, 'a')[1]", ())))
    assert not computes(flow.read(plain_tree("def f(x, h): return rearrange(x, 'a', h=x.shape[1])", ())))


@pytest.mark.parametrize(
    ("failing", "said"), [("steps", ["a result that is wrong for b = 101"]), ("arguments alone", [])]
)
def test_what_cannot_be_computed_there_is_wrong_but_for_the_exercise_itself(failing: str, said: list[str]) -> None:
    exercise = task("mean_pool")
    read = flow.read(plain_tree(source(exercise, "return reduce(x, 'b s d -> b d', 'sum') / x.shape[1]"), ()))
    honest = TrustedGrade(exercise).ask

    def ask(header: dict[str, object], blobs: Sequence[bytes]) -> Message | Refused:
        fails = ("steps" in header) == (failing == "steps")
        return Message({"error": {}}) if fails else honest(header, blobs)

    assert [re.sub(r"\d+", "101", str(one)) for one in LongAxes(exercise, read, Random(1), ask).offences()] == said


@pytest.mark.parametrize("name", ["attention", "split_heads", "take_image"])
def test_a_trial_of_chosen_sizes_holds_numbers_that_repeat(name: str) -> None:
    exercise = task(name)
    free = dict.fromkeys(trial.free_axes(exercise), 7)

    drawn = trial.with_sizes(exercise, Random(1), free, times=10)

    assert all(drawn.sizes[axis] == 7 for axis in free)
    assert trial.most_elements(exercise, free) == max(len(tensor.numbers) for tensor in drawn.tensors)
    assert max(abs(number) for tensor in drawn.tensors for number in tensor.numbers) > 10
    assert len({tensor.numbers[:9] for tensor in drawn.tensors}) == len(drawn.tensors)


def test_in_the_sandbox_a_long_axis_shows_the_rule(torch_worker: Worker) -> None:
    exercise = task("split_heads")
    place = Place(torch_worker).replaced(search_s=0.01)

    found = grade(place, exercise, source(exercise, f"return {SPLIT}" % "h + h // 100"), Random(3)).judgment

    assert not isinstance(found.verdict, Correct)
    assert "a `//` that leaves a remainder on line 2" in found.diagnosis
    assert "whatever the sizes are" in found.diagnosis
