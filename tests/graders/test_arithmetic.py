"""How much an answer may reckon with tensors: as much as one of the exercise's solutions."""

import pytest
from rewrite_spellings import SPELLINGS
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.exercise import catalog
from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite import arithmetic, flow, sizes
from studykit.graders.rewrite.sizes import SizeReader
from studykit.graders.rewrite.whitelist import Offence

EXERCISES = [found for found in catalog.of_set("einops") if isinstance(found, Rewrite)]
COPIES_NOTHING = "a `repeat` that copies nothing on line 4"
SUMS = "n = x.shape[2]\ns = reduce(x, 'b s d -> b s 1', 'sum')\nv = reduce(x * x, 'b s d -> b s 1', 'sum')\n"
RMS = "m = reduce(x * x, 'b s d -> b s 1', 'mean')\n"
ROOTS = "one root of a tensor too many, one quotient by a tensor too many"
APART = "n = x.shape[2] // 2\na, e = unpack(x, [[n], [n]], 'b s *')\n"
PAIR = "a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)\n"


def source(exercise: Rewrite, body: str) -> str:
    return f"def {exercise.signature}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


def known(text: str, exercise: Rewrite) -> SizeReader:
    return sizes.read_sizes(flow.read(plain_tree(text, exercise.helpers)), exercise)


def offences(name: str, body: str) -> list[Offence]:
    exercise = task(name)
    return arithmetic.offences(known(source(exercise, body), exercise))


def amounts(exercise: Rewrite, text: str) -> dict[str, int]:
    found = arithmetic.arithmetic(known(text, exercise))
    return {kind: len(lines) for kind, lines in found.items()}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_no_solution_has_more_than_itself(exercise: Rewrite) -> None:
    for text in (exercise.solution, *exercise.alternatives):
        assert arithmetic.offences(known(text, exercise)) == []


def test_most_exercises_need_no_sum_no_list_and_no_root() -> None:
    kinds = {
        "sum or difference of tensors",
        "number added to a tensor",
        "further tensor in a list",
        "root of a tensor",
    }
    needing = [
        one
        for one in EXERCISES
        if any(kinds & set(amounts(one, text)) for text in (one.solution, *one.alternatives))
    ]

    assert len(needing) * 4 < len(EXERCISES)


@pytest.mark.parametrize("name", SPELLINGS)
def test_right_spellings_have_no_more(name: str) -> None:
    assert [body for body in SPELLINGS[name] if offences(name, body)] == []


@pytest.mark.parametrize(
    ("name", "result", "what"),
    [
        ("split_heads", "rearrange(x + x, 'a')", "a sum or difference of tensors"),
        ("split_heads", "rearrange(x - x, 'a')", "a sum or difference of tensors"),
        ("split_heads", "rearrange(x + 1, 'a')", "a number added to a tensor"),
        ("split_heads", "rearrange(h - x, 'a')", "a number added to a tensor"),
        ("split_heads", "rearrange(x * x, 'a')", "a product with a tensor"),
        ("split_heads", "rearrange(x * 2, 'a')", "a factor that is no length"),
        ("split_heads", "rearrange(-x, 'a')", "a minus before a tensor or factor of 1"),
        ("split_heads", "rearrange(x ** 2, 'a')", "a product with a tensor"),
        ("split_heads", "rearrange(einsum(x, 'a'), 'a')", "a product with a tensor"),
        ("split_heads", "rearrange(x ** 0.5, 'a')", "a root of a tensor"),
        ("split_heads", "rearrange(x ** -1, 'a')", "a quotient by a tensor"),
        ("split_heads", "rearrange(x ** h, 'a')", "a root of a tensor"),
        ("split_heads", "rearrange(2 ** x, 'a')", "a root of a tensor"),
        ("split_heads", "rearrange([x, rearrange(x, 'a b c -> b a c')], 'a')", "a further tensor in a list"),
        ("split_heads", "rearrange([[x, x], [x]], 'a')", "a `repeat`"),
        ("split_heads", "rearrange(tensor=[x, x], pattern='a')", "a `repeat`"),
        ("split_heads", "rearrange(unpack(x, [[h], [h]], '* b s'), 'a')", "a `unpack`"),
        ("split_heads", "pack(x, '*')", "a `pack`"),
        ("split_heads", "repeat(x, 'b s d -> b s d k', k=2)", "a `repeat`"),
        ("split_heads", "rearrange(x, 'a')[0]", "a part of a tensor"),
        ("split_heads", "rearrange(x[0], 'a')", "a part of an input"),
        ("mean_pool", "reduce(einsum(x, 'b s d -> b s'), 'b s -> b', 'sum')", "a `einsum`"),
        (
            "linear",
            "reduce(reduce(reduce(einsum(x, w, 'a'), 'a', 'sum'), 'a', 'sum'), 'a', 'sum')",
            "one `reduce` by sum or mean too many",
        ),
        ("linear", "einsum(x * w, 'a')", "a product of tensors without einsum"),
        (
            "linear",
            "einsum(x, w, x, reduce(x, 'b s d -> b s 1', 'sum'), 'b s d, e d, b s k, b s k -> b s e')",
            "a sum of one tensor inside an `einsum` of several",
        ),
        ("rope_halves", "rearrange([x[0], x[1]], 'a')", "a part of an input"),
        (
            "layer_norm",
            "reduce(x + einsum(x, 'b s d -> b s'), 'a', 'mean') / sqrt(reduce(x * x, 'a', 'mean'))",
            "one sum over an axis too many",
        ),
        (
            "layer_norm",
            "reduce(x + reduce(x, 'a', 'mean'), 'a', 'mean') / sqrt(reduce(x * x, 'a', 'mean'))",
            "one `reduce` by sum or mean too many",
        ),
        (
            "rms_norm",
            "x / x.shape[2] / x.shape[1] / x.shape[0] * rsqrt(reduce(x * x, 'a', 'mean')) * g",
            "one length as a factor too many",
        ),
        ("split_heads", "rearrange(reduce(x, 'a', 'sum'), 'a')", "a `reduce` by sum or mean"),
        ("split_heads", "rearrange(reduce(x, 'a', 'max'), 'a')", "a `reduce` by 'max'"),
        ("mean_pool", "reduce(x, 'b s d -> b d', 'max')", "a `reduce` by 'max'"),
        ("mean_pool", "reduce(x, 'b s d -> b d', reduction='prod')", "a `reduce` by 'prod'"),
        ("mean_pool", "reduce(x, 'a', 'sum') / 4096", "a factor that is no length"),
        ("mean_pool", "reduce(x, 'a', 'sum') * 0", "a factor that is no length"),
        ("mean_pool", "reduce(x, 'a', 'sum') / x.shape[1] * 1.0000000001", "a factor that is no length"),
        ("mean_pool", "reduce(x, 'a', 'sum') / (x.shape[1] * 65)", "a factor that is no length"),
        ("mean_pool", "reduce(x, 'a', 'sum') / x.shape[1] * 2", "a factor that is no length"),
        ("linear", "einsum(x, w, x, w, x, 'a')", "one product with a tensor too many"),
        ("linear", "einsum(einsum(x, w, 'a'), x, x, x, 'a')", "one product with a tensor too many"),
        ("max_pool", "reduce(x, 'a', 'sum')", "a `reduce` by sum or mean"),
        ("token_mixing", "relu(relu(einsum(x, w, 'a'))) + x", "one `relu` too many"),
        (
            "token_mixing",
            f"x + {'-' * 10}relu(einsum(x, w, 'a'))",
            "one minus before a tensor or factor of 1 too many",
        ),
        ("token_mixing", "relu(einsum(x, w, 'a')) + x + w", "one sum or difference of tensors too many"),
        (
            "rms_norm",
            "x * x * g * rsqrt(reduce(x * x * einsum(g, 'd -> '), 'a', 'mean'))",
            "one product of tensors too many, one sum over an axis too many",
        ),
        ("rms_norm", "einsum(x, x, g, g, 'a') * rsqrt(x)", "one product of tensors too many"),
        ("mean_pool", "reduce(x, 'a', 'sum') / x.shape[1] ** 1.5", "a factor that is no length"),
        ("mean_pool", "reduce(x, 'a', 'sum') / (x.shape[0] * x.shape[1] ** 1.5)", "a factor that is no length"),
        ("rms_norm", "x / rsqrt(reduce(x * x, 'a', 'mean')) * g", "one quotient by a tensor too many"),
        ("rms_norm", "torch.rsqrt(x) * torch.rsqrt(reduce(x * x, 'a', 'mean')) * g", ROOTS),
        ("rms_norm", "x * reduce(x * x, 'a', 'mean') ** -0.5000000001 * g", "one root of a tensor too many"),
        ("token_mixing", "x + relu(torch.relu(einsum(x, w, 'a')))", "one `relu` too many"),
        ("rms_norm", "sqrt(x * rsqrt(reduce(x * x, 'a', 'mean')) * g)", "one root of a tensor too many"),
    ],
)
def test_what_is_too_much_is_told_by_name(name: str, result: str, what: str) -> None:
    told = [str(one) for one in offences(name, f"return {result}")]

    assert told == [f"{one} on line 2" for one in what.split(", ")]


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("split_heads", "y = rearrange([x], '1 b s d -> b s d')\nreturn rearrange(y, 'a', h=h)"),
        ("split_heads", "return rearrange(x, 'a', d=x.shape[2] // h - 0)"),
        ("split_heads", "y = rearrange(x, 'b s d -> 1 b s d')[0]\nreturn rearrange(y, 'a')"),
        ("mean_pool", "return reduce(x, 'a', 'sum') / x.shape[1]"),
        ("layer_norm", f"{SUMS}return (x - s / n) / sqrt(v / n - s * s / n ** 2)"),
        (
            "layer_norm",
            "return einsum(x, rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')), 'b s d, b s k -> b s d')",
        ),
        ("mean_pool", "return reduce(reduce(reduce(x, 'a', 'sum'), 'a', 'mean'), 'a', 'mean')"),
        ("max_pool", "return reduce(reduce(reduce(x, 'a', 'max'), 'a', 'max'), 'a', 'max')"),
        ("mean_pool", "return reduce(x / x.shape[1], 'a', 'sum') * x.shape[1]"),
        ("mean_pool", "return reduce(tensor=x, pattern='a', reduction='mean')"),
        ("linear", "return einsum(einsum(x, 'a'), w, 'a')"),
        ("linear", "return einsum(x, w, w, w, 'a')"),
        ("linear", "return reduce(einsum(x, w, 'a'), 'a', 'sum')"),
        ("moe_combine", "return reduce(reduce(einsum(x, y, 'a'), 'a', 'sum'), 'a', 'sum')"),
        ("token_mixing", "return 1 * x + 1.0 * relu(einsum(x, w, 'a'))"),
        ("bilinear", "return einsum(einsum(x, w, 'a'), y, 'a')"),
        ("attention", "return torch.softmax(einsum(q, k, 'a') / q.shape[-1] ** 0.5, -1)"),
        ("attention", "s = q.shape[3] ** 0.25\nreturn softmax(einsum(q / s, k / s, 'a'))"),
        ("rms_norm", "return einsum(x * rsqrt(reduce(x * x, 'a', 'mean')), g, 'b s d, d -> b s d')"),
        ("rms_norm", f"{RMS}return x / m ** 0.5 * g"),
        ("rms_norm", f"{RMS}return x * (rsqrt(m) * g) * x.shape[2]"),
        ("token_mixing", "return einsum(x, w, v, 'a')"),
        ("rope_halves", f"{PAIR}return rearrange([a * c - b * z, b * c + a * z], 'a')"),
        ("skip_connection", "return pack([x, y], 'a')"),
    ],
)
def test_what_is_enough_is_not_told(name: str, body: str) -> None:
    assert offences(name, body) == []


def test_the_advice_says_how_many_are_enough() -> None:
    assert offences("masked_attention", "return q + k + v + m")[0].advice == "Leave it out: one is enough here."
    assert offences("linear", "return einsum(x, w, x, w, x, 'a')")[0].advice == "Leave it out: 3 are enough here."


@pytest.mark.parametrize(
    ("name", "result", "advice"),
    [
        ("split_heads", "x + x", "Leave it out: no tensors are added or subtracted here."),
        ("split_heads", "pack(x, '*')", "Leave it out: none is needed here."),
        ("linear", "einsum(x * w, 'b d -> b')", "Let einsum multiply them: it takes all tensors"),
        ("linear", "einsum(x, w, 'a') / w.shape[0]", "Leave it out: no length multiplies or divides here."),
        ("mean_pool", "reduce(x / 2, 'a', 'sum')", "A mean divides by its length; no written number"),
        ("split_heads", "rearrange(x, 'a')[0]", "Let the pattern take the axis apart"),
        ("split_heads", "rearrange(x[0], 'a')", "Let the pattern take the axis apart"),
        (
            "keep_axis_mean",
            "repeat(reduce(x, 'a', 'mean'), 'b s -> b s 1')",
            "Leave it out: rearrange adds an axis",
        ),
    ],
)
def test_the_advice_says_what_to_do_where_none_is_needed(name: str, result: str, advice: str) -> None:
    assert offences(name, f"return {result}")[0].advice.startswith(advice)


def test_equal_steps_count_once() -> None:
    assert offences("rms_norm", "return x * rsqrt(reduce(x * x, 'a', 'mean')) * g + 0 * x / x") != []
    assert offences("rms_norm", "return rsqrt(x * x) * (x * x) * reduce(x * x, 'a', 'mean')") == []


def test_the_nearest_solution_is_the_measure_and_not_the_most_of_each() -> None:
    """One solution of the norm has a second difference, another a root and no quotient: none has all of it."""
    exercise = task("layer_norm")
    kinds = [amounts(exercise, text) for text in (exercise.solution, *exercise.alternatives)]

    assert len({one["sum or difference of tensors"] for one in kinds}) == 2
    assert all(one["root of a tensor"] == 1 for one in kinds)


def test_a_right_answer_with_more_is_told_in_a_sentence() -> None:
    exercise = task("max_over_time")
    body = "y = reduce([x, x - 1], 'n b t d -> n b t d', 'max')\nreturn reduce(y, 'n b t d -> b d', 'max')"

    assert TrustedGrade(exercise).why_not(source(exercise, body)).startswith("need: a number added to a tensor")


@pytest.mark.parametrize(
    ("name", "body", "what"),
    [
        ("rope_halves", f"{APART}return pack([a, e], 'b s *')[0]", "a `pack` on line 4"),
        ("rope_halves", f"{APART}return rearrange([a, e], 'k b s d -> b s (k d)')", ""),
        ("rope_halves", "a, e = rearrange(x, 'b s (k d) -> k b s d', k=2)\nreturn pack([a, e], 'b s *')[0]", ""),
        ("rope_halves", f"{APART}return repeat([a, e], 'k b s d -> b s (k d r)', r=1)", COPIES_NOTHING),
        (
            "rope_halves",
            "return rearrange(x, 'b s (k d) -> b s k d', k=2) + rearrange([c, c], 'k s d -> s k d')",
            "",
        ),
        ("rope_pairs", f"{APART}return pack([a, e], 'b s *')[0]", ""),
        ("rms_norm", "return repeat(g, 'd -> b d', b=x.shape[0])", ""),
        ("rms_norm", "return repeat(x, 'b s d -> b s d 1')", "a `repeat` that copies nothing on line 2"),
        ("rms_norm", "return repeat(x, 'b s d -> (b s) d')", "a `repeat` that copies nothing on line 2"),
    ],
)
def test_what_leaves_nothing_to_do_for_a_rearrange_is_told(name: str, body: str, what: str) -> None:
    assert [str(one) for one in offences(name, body)] == ([what] if what else [])


def test_exercises_that_move_multiply_and_sum_alone_compute_no_more() -> None:
    assert [one.id.partition(".")[2] for one in EXERCISES if arithmetic.computes_more(one)] == [
        "attention",
        "masked_attention",
        "multi_head_attention",
        "rope_halves",
        "rope_pairs",
        "rms_norm",
        "layer_norm",
        "group_norm",
        "token_mixing",
        "squeeze_excite",
    ]


ALL_TWICE = "b times b times d times d times h times h times k times q"


@pytest.mark.parametrize(
    ("name", "body", "told"),
    [
        ("attention_scores", "z = einsum(x, y, 'b h q d, c g k e -> b h q d c g k e')\nreturn z", ALL_TWICE),
        (
            "batch_dot",
            "z = einsum(x, y, 'b d, b e -> b d e')\nreturn einsum(z, 'b d d -> b')",
            "b times d times d",
        ),
        ("rms_norm", "return repeat(x, 'b s d -> n b s d', n=99)", "99 times b times d times s"),
        ("rms_norm", "return repeat(x, 'b s d -> (n b) s d', n=2)", "2 times b times d times s"),
        ("rms_norm", "return repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])", ""),
        ("token_mixing", "return repeat(x, 'b s d -> t b s d', t=w.shape[0])", "b times d times s times t"),
        ("attention_scores", "z = einsum(x, y, 'b h q d, b h k d -> b h q k d')\nreturn einsum(z, 'a')", ""),
        ("trace", "return einsum(x, 'b i i -> b')", ""),
        ("gram", "return einsum(x, y, 'b c n, b k n -> b c k')", ""),
    ],
)
def test_a_tensor_that_would_fill_the_memory_is_told(name: str, body: str, told: str) -> None:
    assert [str(one) for one in offences(name, body)] == (
        [f"a tensor of {told} numbers on line 2"] if told else []
    )


def test_what_solutions_sum_over_is_read_once_for_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def summed_axes(exercise: Rewrite) -> frozenset[str]:
        asked.append(exercise.id)
        return usual(exercise)

    usual = arithmetic.summed_axes
    monkeypatch.setattr(arithmetic, "summed_axes", summed_axes)
    exercise = task("layer_norm")
    lines = [
        "y = x * x.shape[2] - reduce(x, 'b s d -> b s 1', 'sum')",
        f"v = {'+' * 8}reduce(y * y, 'b s d -> b s 1', 'sum')",
        "return y * rsqrt(v / x.shape[2])",
    ]
    body = "".join(f"    {line}\n" for line in lines)

    assert TrustedGrade(exercise).why_not(f"def {exercise.signature}:\n{body}") == ""
    assert len(asked) == len(exercise.must)
