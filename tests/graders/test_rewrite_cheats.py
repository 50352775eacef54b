"""Attempts by hand to pass a rewrite without what it asks for: none does, each for the reason it was seen for."""

from random import Random

import pytest
from plain_evaluator import opinion
from rewrite_cheats import CHEATED, cheats
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.exercise.verdict import Correct
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.sandbox.worker import Worker


def test_there_are_two_hundred_over_more_than_ten_exercises() -> None:
    count = sum(len(cheats(name, "f()")) for name in CHEATED)

    assert len(CHEATED) >= 10
    assert count >= 200


@pytest.mark.parametrize("name", CHEATED)
def test_no_attempt_passes(name: str) -> None:
    exercise = task(name)
    judge = TrustedGrade(exercise)

    got = [(judge.why_not(source).partition(":")[0], source) for _, source in cheats(name, exercise.signature)]

    assert got == cheats(name, exercise.signature)


@pytest.mark.parametrize("name", CHEATED)
def test_where_the_need_decides_the_values_are_right(name: str) -> None:
    exercise = task(name)
    decided = [source for why, source in cheats(name, exercise.signature) if why == "need"]

    assert [source for source in decided if not opinion(exercise, source).right] == []


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "split_heads",
            ["y = rearrange(x, 'b s (h d) -> h b s d', h=h)", "return rearrange(y, 'h b s d -> b h s d')"],
        ),
        (
            "split_heads",
            ["heads = h", "d = x.shape[-1] // heads", "return rearrange(x, 'b s (h d) -> b h s d', d=d)"],
        ),
        ("merge_heads", ["y = rearrange(x, 'b h s d -> b s h d')", "return rearrange(y, 'b s h d -> b s (h d)')"]),
        ("merge_heads", ["out: object = einops.rearrange(x, 'b h s d -> b s (h d)')", "return out"]),
        ("flatten_tokens", ["y = rearrange(x, 'b s v -> (b s) v')", "return y"]),
        (
            "gqa_repeat",
            ["y = repeat(x, 'b h s d -> b h g s d', g=g)", "return rearrange(y, 'b h g s d -> b (h g) s d')"],
        ),
        ("mean_pool", ["y = rearrange(x, 'b s d -> s b d')", "return reduce(y, 's b d -> b d', 'mean')"]),
        ("mean_pool", ["total = reduce(x, 'b s d -> b d', 'sum')", "return total / x.shape[1]"]),
        ("global_pool", ["y = reduce(x, 'b c h w -> b c h', 'mean')", "return reduce(y, 'b c h -> b c', 'mean')"]),
        ("keep_axis_mean", ["y = reduce(x, 'b s d -> b s', 'mean')", "return rearrange(y, 'b s -> b s 1')"]),
        ("bilinear", ["t = einsum(w, x, 'o i j, b i -> b o j')", "return einsum(t, y, 'b o j, b j -> b o')"]),
        (
            "image_tokens",
            ["z = rearrange(y, 'b h w d -> b (h w) d')", "out, _ = pack([x, z], 'b * d')", "return out"],
        ),
        ("split_pair", ["parts = unpack(x, [[p], [q]], 'b s *')", "return [parts[0], parts[1]]"]),
        (
            "take_image",
            ["_, y = unpack(x, [[s], [h * w]], 'b * d')", "return rearrange(y, 'b (h w) d -> b h w d', h=h)"],
        ),
        ("read_shape", ["sizes = parse_shape(x, 'b s d')", "return sizes"]),
        (
            "layer_norm",
            [
                "m = reduce(x, 'b s d -> b s 1', 'mean')",
                "y = x - m",
                "v = einsum(y, y, 'b s d, b s d -> b s') / x.shape[-1]",
                "return y / sqrt(rearrange(v, 'b s -> b s 1'))",
            ],
        ),
        (
            "squeeze_excite",
            [
                "m = reduce(x, 'b c h w -> b c', 'mean')",
                "z = einsum(m, w, 'b c, k c -> b k')",
                "z = rearrange(z, 'b k -> b k 1 1')",
                "return sigmoid(z) * x",
            ],
        ),
    ],
)
def test_an_honest_way_of_several_lines_passes(name: str, lines: list[str]) -> None:
    exercise = task(name)
    source = f"def {exercise.signature}:\n" + "".join(f"    {line}\n" for line in lines)

    assert TrustedGrade(exercise).why_not(source) == ""
    assert opinion(exercise, source).deserved


@pytest.mark.parametrize("name", ["split_heads", "mean_pool", "group_norm"])
def test_in_the_sandbox_it_is_the_method_that_fails(torch_worker: Worker, name: str) -> None:
    exercise = task(name)
    place = Place(torch_worker).replaced(search_s=0.01)
    decided = [source for why, source in cheats(name, exercise.signature) if why == "need"]

    for source in (decided[0], decided[-1]):
        found = grade(place, exercise, source, Random(3)).judgment
        assert not isinstance(found.verdict, Correct)
        assert [check.name for check in found.checks if not check.passed] == ["method"], source
        assert found.diagnosis.startswith("The values are right, the method is not allowed here:")


def test_a_result_of_one_number_is_sent_whatever_its_stride_is(torch_worker: Worker) -> None:
    """Part of an axis of 2 that is 1 long: torch calls it contiguous, and views it as no bytes."""
    lines = [
        "n = x.shape[-1]",
        "a, c = unpack(rearrange(x, 'b s n -> n b s'), [[p], [n - p]], '* b s')",
        "return [rearrange(a, 'p b s -> b s p'), rearrange(c, 'q b s -> b s q')]",
    ]
    exercise = task("split_pair")
    source = f"def {exercise.signature}:\n" + "".join(f"    {line}\n" for line in lines)

    assert isinstance(grade(Place(torch_worker), exercise, source, Random(3)).judgment.verdict, Correct)
