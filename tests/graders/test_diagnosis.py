"""From a wrong rewrite to a right one by what the program says: plausible wrong answers of every family."""

import random

import pytest

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.graders.host import grade as report
from studykit.graders.host.grade import Graded, grade
from studykit.graders.host.place import Place
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker


@pytest.fixture
def place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)


def graded(place: Place, name: str, typed: str) -> Graded:
    exercise = catalog.find(f"rewrite.{name}")
    assert isinstance(exercise, Rewrite)
    return grade(place, exercise, as_source(exercise, typed), random.Random(5))


SPLIT = "rearrange(x, 'b s (h d) -> b h s d', h=h)"
ROADS = {
    "shapes": [
        (
            "read_shape",
            "parse_shape(x, 'b s')",
            "The pattern names each axis of the tensor, _ for one not wanted.",
        ),
        ("read_shape", "parse_shape('b s d', x)", "einops takes the tensor first and the pattern after it."),
        ("read_shape", "x.shape", "Return what parse_shape gives."),
        ("read_shape", "parse_shape(x, 'b d s')", "Your sizes are b=11, d=5, s=7; wanted b=11, s=5, d=7."),
        ("image_size", "parse_shape(x, 'b c h w')", "An axis named _ in the pattern is passed over."),
        ("flatten_tokens", "b s v -> bs v", "Names are separated by spaces: b s, or (b s) to merge them."),
        ("flatten_tokens", "b s v -> (b s v)", "b and s are merged with v, and not with it in what is wanted."),
        ("unflatten_tokens", "b s d -> b s d", "The left side names 3 axes, the tensor has 2: n d."),
        ("add_axis", "b s t -> b s t", "An axis of size 1 is missing: write a 1 in its place."),
        ("drop_axis", "b 1 d -> b 1 d", "There is one size-1 axis too many: leave the 1 out."),
    ],
    "rearrange": [
        ("split_heads", "b s (d h) -> b h s d", "yours acts as (d h), not (h d)."),
        ("group_tokens", "(g b) s d -> g b s d", "yours acts as (g b), not (b g)."),
        ("split_heads", "b s (h d) - > b h s d", "an arrow is written ->, in one piece."),
        ("split_heads", "b s (h d) => b h s d", "an arrow is written ->, in one piece."),
        ("split_heads", "b s (h d -> b h s d", "Each ( needs its ), as in (h d)."),
        ("split_heads", "b s h d -> b h s d", "An axis that is cut in parts stands in parentheses, as in (h d)."),
        (
            "split_heads",
            SPLIT.replace("x, ", "").replace("h=h", "x"),
            "einops takes the tensor first and the pattern",
        ),
        ("split_heads", SPLIT.replace("h=h", "h"), "After the pattern sizes are given by name: h=h."),
        ("split_heads", SPLIT.replace("h=h", "h=8"), "fixes a size: h=8. The judge draws other sizes; write h=h."),
        ("split_heads", SPLIT.replace("rearr", "rear"), "Did you mean rearrange?"),
        (
            "split_heads",
            "x." + SPLIT.replace("x, ", ""),
            "rearrange is not a method of a tensor: write rearrange(x, ...).",
        ),
        (
            "split_heads",
            f"def f(x, h):\n    {SPLIT}",
            "Return the result: the last line of the function begins with `return`.",
        ),
        ("split_heads", SPLIT.replace("x, ", "x "), "  rearrange(x 'b s (h d) -> b h s d', h=h)\n              ^"),
        ("split_heads", f"import einops\n{SPLIT}", "defines no function; write `def f(x, h):`"),
        (
            "split_heads",
            f"def f(x):\n    return {SPLIT}",
            "No function of the answer takes x and h. Write `def f(x, h):`",
        ),
        ("split_heads", "x.unsqeeze(1)", "'Tensor' object has no attribute 'unsqeeze'"),
        ("channels_last", "x -> b h w c", "x is the tensor; a pattern names its axes, here b c h w."),
    ],
    "reduce": [
        ("mean_pool", "b s d -> b s", "d is gone and s is still there: the wrong axis was reduced."),
        ("mean_pool", "reduce(x, 'b s d -> b d', mean)", "The operation of reduce stands in quotes: 'mean'."),
        (
            "mean_pool",
            "reduce(x, 'b s d -> b d', sum)",
            "The operation of reduce stands in quotes: 'mean', 'sum',",
        ),
        ("mean_pool", "reduce(x, 'b s d -> b d', 'avg')", "reduce takes the operation last: 'mean', 'sum',"),
        ("mean_pool", "reduce(x, 1, 'mean')", "The pattern is a text in quotes: '... -> ...'."),
        (
            "mean_pool",
            "reduce(x, 'mean', 'b s d -> b d')",
            "The pattern comes second: reduce(x, '... -> ...', oper",
        ),
        (
            "max_pool",
            "b c h w -> b c (h p) (w q)",
            "reduce makes no new axis: an axis is cut in parts on the left",
        ),
        ("max_pool", "reduce(x, 'b c (h 2) (w 2) -> b c h w', 'max')", "fixes a size: 2 in the pattern."),
        (
            "group_means",
            "b s g -> b s g",
            "An axis is longer or shorter than its size: is it a composite, as in (h d)?",
        ),
        ("keep_axis_mean", "b s d -> b s", "An axis of size 1 is missing: write a 1 in its place."),
    ],
    "repeat": [
        ("gqa_repeat", "b h s d -> b (g h) s d", "yours acts as (g h), not (h g)."),
        (
            "gqa_repeat",
            "b h s d -> b g s d",
            "repeat drops no axis: each name on the left stands on the right as well.",
        ),
        ("gqa_repeat", "repeat(x, 'b h s d -> b (h g) s d')", "A new axis needs its size by name: g=g."),
        ("upsample", "b c h w -> b c hp wq", "repeat drops no axis"),
        ("broadcast_batch", "1 s d -> b s d", "The left side names 3 axes, the tensor has 2: s d."),
    ],
    "einsum": [
        ("attention_scores", "bhqd,bhkd->bhqk", "Names are separated by spaces: b h q k."),
        (
            "attention_scores",
            "torch.einsum(x, y, 'bhqd,bhkd->bhqk')",
            "einops' einsum the tensors first: einsum",
        ),
        ("attention_scores", "b h q d b h k d -> b h q k", "Each input has its axes in the pattern, with a comma"),
        (
            "linear",
            "b s d, d e -> b s e",
            "The left side names the axes of w in another order than they come: w is e d.",
        ),
        ("trace", "b i j -> b", "i and j are one axis and need one name; all else is right."),
        ("trace", "b i i -> b i", "Drop i from the right-hand side."),
        ("batch_dot", "b d, b d ->", "Keep b on the right-hand side."),
    ],
    "pack": [
        ("prepend_token", "b * d", "a pattern alone is not enough here, write the whole call: pack(..., '...')."),
        ("prepend_token", "pack(x, y, 'b * d')[0]", "pack takes its tensors as one list: pack([x, y], '...')."),
        ("prepend_token", "pack([x, y], 'b * d')", "Return its element [0]."),
        ("prepend_token", "pack([x, y], '* d')[0]", "The star takes in every axis that the pattern does not name"),
        ("prepend_token", "pack([x, y], 'b d *')[0]", "The star stands for the axis in which the tensors differ."),
        ("prepend_token", "pack([y, x], 'b * d')[0]", "`y` and `x` are in the wrong order; all else is right."),
        (
            "prepend_token",
            "rearrange([x, y], 'b s d')",
            "rearrange stacks tensors of one shape; pack takes others.",
        ),
        (
            "split_pair",
            "unpack(x, [p, q], 'b s *')",
            "The shape of each part is a list, also where it is one size",
        ),
        (
            "split_pair",
            "unpack(x, 'b s *')",
            "unpack takes the tensor, the list of its parts' shapes, and the pattern.",
        ),
        ("split_pair", "unpack(x, [[q], [p]], 'b s *')", "q stands where p should be."),
        ("split_pair", "unpack(x, [[p, q]], 'b s *')", "each inner list is one part of it."),
        (
            "take_image",
            "unpack(x, [[s], [h * w]], 'b * d')[1]",
            "grouped differently: each inner list is the shape of",
        ),
    ],
    "modules": [
        (
            "attention",
            "einsum(q, k, 'b h i d, b h j d -> b h i j') / d",
            "d is an axis; its size is `q.shape[3]`.",
        ),
        ("attention", "softmax(q, axis=-1)", "softmax takes the tensor and the axis: softmax(x, dim=-1)."),
        ("attention", "q / q.shapes", "Did you mean shape?"),
        ("rms_norm", "x / sqrt(x.shape[-1])", "the root of a size is written ** 0.5."),
        ("squeeze_excite", "print(x)", "Besides, the answer never calls reduce on its input."),
    ],
}


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [road for roads in ROADS.values() for road in roads],
    ids=lambda text: str(text)[:40],
)
def test_a_wrong_answer_is_told_what_to_do(place: Place, name: str, typed: str, said: str) -> None:
    found = graded(place, name, typed)

    assert found.judgment.verdict.name in {"incorrect", "crashed", "malformed"}
    assert said in found.judgment.diagnosis


def test_every_family_has_a_road() -> None:
    assert set(ROADS) >= {found.family for found in catalog.of_set("einops") if isinstance(found, Rewrite)}


def test_a_typo_is_not_called_a_forbidden_method(place: Place) -> None:
    assert "Besides" not in graded(place, "split_heads", SPLIT.replace("rearr", "rear")).judgment.diagnosis


def test_what_an_answer_printed_is_shown_also_when_it_raised(place: Place) -> None:
    source = "def f(x, h):\n    print('shape', x.dim())\n    return rearrange(x, 'b s d -> b h s d')\n"

    assert graded(place, "split_heads", source).printed == "shape 3\n"


def test_names_that_would_steer_a_terminal_are_cleaned(place: Place) -> None:
    source = (
        "def f(x, h):\n    raise type('\\x1b[2J', (Exception,), {})('\\x1b]0;passed\\x07')\n"
        "    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
    )

    assert "\x1b" not in graded(place, "split_heads", source).judgment.diagnosis


def test_malformed_answer_says_that_it_cannot_be_read(place: Place) -> None:
    assert report.ending(graded(place, "split_heads", "rearrange(x")) == "Malformed: the answer cannot be read."
