"""What an answer may do with sizes: products alone, so that no length is told from another."""

import ast
import random
import warnings
from math import isfinite

import numpy as np
import pytest
from plain_evaluator import Run, result, same
from rewrite_sizes import NAMES, told_apart
from rewrite_spellings import SPELLINGS
from rewrites import task
from trusted_grade import TrustedGrade

from studykit.exercise import catalog
from studykit.exercise.rewrite import pattern, trial
from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, TimedOut
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite import flow, products, sizes
from studykit.graders.rewrite.need import Equalities
from studykit.graders.rewrite.products import axis
from studykit.graders.rewrite.shapes import Axis
from studykit.sandbox.worker import Worker

FITS = "that fits for some sizes alone"
SPLIT = "rearrange(x, 'b s (h d) -> b h s d', h=%s)"
CASES = 24
NO_TENSOR = {"split_pair", "read_shape", "image_size"}
"""What they give is a list or a dictionary."""
PARTS = """x[0][0], rearrange(x, 'b s c -> b (s c)')[0], rearrange(x, 'b s c -> c s b')[0][0],
 rearrange(x, 'b s c -> s b c')[0][0], rearrange(x, 'b s c -> (b s c)'), repeat(x[0][0][0], '-> r', r=2)"""


def source(exercise: Rewrite, body: str) -> str:
    return f"def {exercise.signature}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


def told(name: str, body: str) -> list[str]:
    exercise = task(name)
    read = flow.read(plain_tree(source(exercise, body), exercise.helpers))
    return [str(one) for one in sizes.offences(sizes.read_sizes(read, exercise))]


def is_right_for_many_sizes(exercise: Rewrite, answer: str) -> bool:
    """Whether an answer agrees with the solution for short axes, equal ones too."""
    answer = ast.unparse(plain_tree(answer, exercise.helpers))  # numpy's arrays have none of torch's methods
    drawn = random.Random(3)
    for case in range(CASES):
        equal = case % 7 + 1
        free = {axis: drawn.randint(1, 7) if case % 2 else equal for axis in trial.free_axes(exercise)}
        lengths = trial.with_sizes(exercise, drawn, free).sizes
        numbers = np.random.RandomState(case)
        given = [
            lengths[a.name] if a.groups is None else numbers.normal(size=pattern.shape(a.groups, lengths))
            for a in exercise.arguments
        ]
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted, got = (result(one, given, Run()) for one in (exercise.solution, answer))
        if all(map(isfinite, np.ravel(wanted))) and not same(wanted, got):
            return False
    return True


@pytest.mark.timeout(600)  # several hundred attempts at some of them
@pytest.mark.parametrize("name", NAMES)
def test_no_sizes_are_told_from_others(name: str) -> None:
    exercise = task(name)
    judge = TrustedGrade(exercise, count=5)
    tried = told_apart(name, exercise.signature)

    assert [(judge.why_not(one).partition(":")[0] or "passes", one) for _, one in tried] == tried


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_TENSOR])
def test_what_passes_is_right_for_all_sizes(name: str) -> None:
    passing = [one for why, one in told_apart(name, task(name).signature) if why == "passes"]

    assert [one for one in passing if not is_right_for_many_sizes(task(name), one)] == []


def test_there_are_hundreds_of_attempts() -> None:
    assert sum(len(told_apart(name, "f()")) for name in NAMES) >= 350


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_right_answer_may_be_spelt_in_many_ways(name: str) -> None:
    judge = TrustedGrade(task(name), count=5)

    assert [(body, judge.why_not(source(task(name), body))) for body in SPELLINGS[name]] == [
        (body, "") for body in SPELLINGS[name]
    ]


def test_there_are_thirty_spellings_over_sixteen_rewrites() -> None:
    assert len(SPELLINGS) >= 16
    assert sum(map(len, SPELLINGS.values())) >= 30


@pytest.mark.parametrize("exercise", catalog.of_set("einops"), ids=lambda e: e.id)
def test_no_solution_needs_more_than_products(exercise: Rewrite) -> None:
    for one in (exercise.solution, *exercise.alternatives):
        assert sizes.offences(sizes.read_sizes(flow.read(plain_tree(one, exercise.helpers)), exercise)) == []


@pytest.mark.parametrize(
    ("name", "body", "what"),
    [
        ("split_heads", SPLIT % "h - 4", "`-` between sizes"),
        ("split_heads", SPLIT % "h + x.shape[0]", "`+` between sizes"),
        ("split_heads", SPLIT % "h // 2", "a `//` that leaves a remainder"),
        ("split_heads", SPLIT % "h // x.shape[0]", "a `//` that leaves a remainder"),
        ("split_heads", SPLIT % "2 ** h", "an exponent that a size changes"),
        ("split_heads", SPLIT % "h ** 3", "a number that grows too large"),
        ("split_heads", SPLIT % "h * 2 ** 300", "a number that grows too large"),
        ("split_heads", SPLIT % "h ** 0.5", "a length that is no whole number"),
        ("split_heads", SPLIT % "(-2) ** 0.5", "a power that is no number"),
        ("split_heads", SPLIT % "(0 * h + 2) ** -1", "a length that is no whole number"),
        ("split_heads", SPLIT % "x.shape[h]", "an index that a size makes"),
        ("split_heads", SPLIT % "x.shape[:h][0]", "an index that a size makes"),
        ("split_heads", SPLIT % "-h", "a size with a minus"),
        ("split_heads", SPLIT % "(h - 2 * h)", "a size with a minus"),
        ("split_heads", SPLIT % "-(-1) * h", ""),
        ("split_heads", SPLIT % "2 * h", f"a `rearrange` {FITS}"),
        (
            "mean_pool",
            "return reduce(x, 'b s d -> b d', 'mean') * (x.shape[1] / 3 - x.shape[1] / 3)",
            "`-` between sizes",
        ),
        ("mean_pool", "return reduce(x, 'b s d -> b d', 'mean') * (0.1 + 0.2 - 0.3)", ""),
        ("split_heads", "unpack(x, [[1], [-1]], 'b s *')", f"a `unpack` {FITS}"),
        ("split_heads", "unpack(x, [[h], [-1], [1]], 'b s *')", f"a `unpack` {FITS}"),
        ("split_heads", "rearrange(x, 'a b c -> c b a') // 2", "`//` of a tensor"),
        ("split_heads", "rearrange(x, 'a b c -> a b c') / x", "`/` by a tensor"),
        ("split_heads", "rearrange(x, 'a b c -> c b a') ** h", "`**` of a tensor"),
        ("split_heads", "rearrange(x, 'a b c -> c b a') ** 2", ""),
        ("split_heads", "rearrange(x, 'a b c -> c b a') * x", f"a `*` {FITS}"),
        (
            "split_heads",
            "rearrange([x, rearrange(x, 'b s d -> s b d')], 'n a b c -> n c a b')",
            f"a `rearrange` {FITS}",
        ),
        ("rms_norm", "return x / g", ""),
        ("take_image", "unpack(x, [[s], [x.shape[1] - s]], 'b * d')", ""),
        ("take_image", "unpack(x, [[s], [x.shape[1] - h]], 'b * d')", "`-` between sizes"),
        ("take_image", "unpack(x, [[s], [h // x.shape[1]]], 'b * d')", "`//` by a sum of sizes"),
        ("take_image", "unpack(x, [[x.shape[1] ** 2]], 'b * d')", "a power of a sum of sizes"),
        ("take_image", "unpack(x, [[x.shape[1] // x.shape[1]]], 'b * d')", f"a `unpack` {FITS}"),
        ("take_image", "unpack(x, [[s], [h, -1]], 'b * d')", ""),
        ("take_image", "unpack(x, [[-1], [h, w]], 'b * d')", ""),
        ("take_image", "unpack(x, [[-1], [-1]], 'b * d')", f"a `unpack` {FITS}"),
        ("take_image", "unpack(x, [[w], [-1]], 'b * d')", f"a `unpack` {FITS}"),
    ],
)
def test_each_kind_is_told_by_name(name: str, body: str, what: str) -> None:
    lines = told(name, body if body.startswith("return") else f"return {body}")

    assert lines == ([f"{what} on line 2"] if what else [])


def test_a_sum_that_is_an_axis_of_an_input_is_a_length() -> None:
    whole = "n = s + h * w\ny = rearrange(x, 'b n d -> b n d', n=n)\n"
    assert told("take_image", whole + "return unpack(y, [[s], [h, w]], 'b * d')[1]") == []
    assert told("take_image", whole.replace("s + h", "2 * s + h") + "return y") == ["`+` between sizes on line 2"]


def test_a_list_of_lengths_may_be_repeated_so_often_as_is_written() -> None:
    split = "return unpack(x, [[x.shape[2] // 2]] * %s, 'b s *')"

    assert told("rope_halves", split % "2") == []
    assert told("rope_halves", split % "2.0") == ["`*` of lists or texts on line 2"]
    assert told("rope_halves", split % "x.shape[0]") == ["`*` of lists or texts on line 2"]
    assert told("rope_halves", "y = [x] * 2\nreturn rearrange(y, 'a')") == ["`*` of lists or texts on line 2"]


def test_sizes_of_results_are_sizes_as_well() -> None:
    packed = "a, p = pack([x], 'b * w')\nn = p[0]\nreturn rearrange(a, 'b s (h d) -> b h s d', h=h, s=%s)"

    assert told("split_heads", packed % "n[0]") == []
    assert told("split_heads", packed % "n[0] - 7") == ["`-` between sizes on line 4"]
    flat = "y = rearrange(x, 'b s d -> (b s d)')\nn = y.shape[0]\nreturn rearrange(y, '(n k) -> n k', n=%s)"
    assert told("split_heads", flat % "x.shape[0]") == []
    assert told("split_heads", flat % "n // h") == [
        "a `rearrange` that mixes up the parts of a merged axis on line 4"
    ]
    assert told("split_heads", flat % "n // 2") == ["a `//` that leaves a remainder on line 4"]
    assert told("split_heads", "return rearrange(x, 'b s (k d) -> b k s d', k=2)") == [
        f"a `rearrange` {FITS} on line 2"
    ]


MIXED = "need: a `rearrange` that mixes up the parts of a merged axis on line 5"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("column_vectors", "return rearrange(x, '(b d) -> b d 1', b=b)"),
        ("batch_dot", "x = rearrange(x, '(b d) -> b d', b=b)\nreturn einsum(x, y, 'b d, b d -> b')"),
    ],
)
def test_shuffles_that_undo_each_other_for_all_lengths_that_are_drawn_do_not_pass(name: str, body: str) -> None:
    """The order of `(b d) -> (d b)` divides 48 for every two of 2, 3, 5 and 7."""
    shuffle = "x = rearrange(x, '(b d) -> (d b)', b=b)\n" * 48
    exercise = task(name)
    answer = source(exercise, f"b = x.shape[0]\nx = rearrange(x, 'b d -> (b d)')\n{shuffle}{body}")

    assert TrustedGrade(exercise, count=5).why_not(answer) == MIXED


def test_lists_that_double_are_not_looked_at_value_by_value() -> None:
    """Sixty of them hold more values than could be counted in a life."""
    lines = ["a = [x, x]", *["a = [a, a]"] * 60, f"return {SPLIT % 'h'}"]

    assert sizes.too_large(source(task("split_heads"), "\n".join(lines)), task("split_heads")) is None
    assert (
        TrustedGrade(task("split_heads"))
        .why_not(source(task("split_heads"), "\n".join(lines[:2] + lines[-40:])))
        .startswith("need: a list of lists that grows too large on line")
    )


def test_what_is_made_of_a_tensor_and_a_list_is_no_tensor_that_is_known() -> None:
    assert told("mean_pool", "return reduce(x * [1], 'b s d -> b d', 'mean')") == [
        "`*` between a tensor and a list on line 2"
    ]
    assert told("mean_pool", "return x + x.shape") == ["`+` between a tensor and a list on line 2"]
    assert told("split_pair", "return unpack(x, [[p], [q]], 'b s *') - x") == [
        "`-` between a tensor and a list on line 2"
    ]


@pytest.mark.parametrize(
    ("made", "sign"),
    [
        ("pack([x], 'a *')[1] + [x]", "+"),
        ("(x,) + y.shape", "+"),
        ("[x] * 2", "*"),
        ("h * [[h]]", "*"),
        ("x.shape[:2] + x.shape[2:]", "+"),
        ("'a' + ' b'", "+"),
        ("'a' * 2", "*"),
        ("'a' * h", "*"),
    ],
)
def test_a_list_and_a_text_are_written_as_they_are(made: str, sign: str) -> None:
    lines = told("split_heads", f"y = rearrange(x, 'a b c -> a c b')\nreturn rearrange([y, {made}], 'a')")

    assert lines == [f"`{sign}` of lists or texts on line 3"]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["p = h", *["p = p * p"] * 60, f"return {SPLIT % 'h'}"], 4),
        (["p = x.shape[2]", *["p = p * p"] * 60, f"return {SPLIT % 'h + 0 * p'}"], 4),
        (["p = 2 ** 4096 ** 4096", f"return {SPLIT % 'h'}"], 2),
    ],
)
def test_a_number_without_end_is_said_to_be_one(torch_worker: Worker, lines: list[str], line: int) -> None:
    exercise = task("split_heads")

    found = grade(Place(torch_worker), exercise, source(exercise, "\n".join(lines)), random.Random(3)).judgment

    assert isinstance(found.verdict, TimedOut)
    assert f"It makes a number that grows too large on line {line}. " in found.diagnosis
    assert "No size is needed more than twice in a product here." in found.diagnosis


@pytest.mark.parametrize(
    "body",
    [
        "p = [x]\n" + "p = p + p\n" * 40 + f"return {SPLIT % 'h'}",
        "p = 'b'\n" + "p = p + p\n" * 40 + f"return {SPLIT % 'h'}",
        "p = 'b' * 4096 * 4096 * 4096 * 4096\n" + f"return {SPLIT % 'h'}",
        "p = x.shape\n" + "p = p + p\n" * 40 + f"return {SPLIT % 'h'}",
    ],
)
def test_a_list_without_end_is_too_much_memory_or_time(torch_worker: Worker, body: str) -> None:
    exercise = task("split_heads")

    found = grade(Place(torch_worker), exercise, source(exercise, body), random.Random(3)).judgment

    assert not isinstance(found.verdict, Correct)
    sentences = ("The answer asked for more memory than it may have on line ", "The answer did not finish within ")
    assert found.diagnosis.startswith(sentences)


def test_a_refused_size_never_hides_what_is_wrong_with_the_values(torch_worker: Worker) -> None:
    exercise = task("split_heads")
    wrong = "return rearrange(x, 'b s (d h) -> b h s d', h=h + 0 // (x.shape[2] - 6 * h + 4095))"
    right = "return rearrange(x, 'b s (h d) -> b h s d', h=h + 0 // (x.shape[2] - 6 * h + 4095))"

    diagnosed, refused = (
        grade(Place(torch_worker), exercise, source(exercise, body), random.Random(3)).judgment.diagnosis
        for body in (wrong, right)
    )

    assert "composite" in diagnosed
    assert refused.startswith("The values are right, the method is not allowed here: `-` between sizes on line 2")
    assert "Make a size of others by * and // alone" in refused


@pytest.mark.parametrize(
    ("number", "count", "met"), [(12.0, 70, True), (12.5, 70, False), (12.0, 71, False), (None, 70, True)]
)
def test_what_is_read_of_the_steps_is_held_against_a_run(number: float | None, count: int, *, met: bool) -> None:
    tensor, size = sizes.SomeTensor((Axis.of(axis("b")), Axis.of(axis("d")))), products.plus(axis("s"), axis("s"))
    seen = Equalities({}, (count, 1), frozenset(), {} if number is None else {1: number})

    assert sizes.are_met([tensor, size], {"b": 7, "d": 10, "s": 6}, seen) is met


def test_an_answer_whose_shapes_are_not_those_of_its_run_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = "y = rearrange(x, 'b s (h d) -> b s h d', h=h)\nreturn rearrange(y, 'b s h d -> b h s d')"
    exercise = task("split_heads")

    assert TrustedGrade(exercise).why_not(source(exercise, answer)) == ""

    monkeypatch.setattr("studykit.graders.rewrite.shapes.moved", lambda *_: (Axis.of(axis("b")),))
    assert (
        TrustedGrade(exercise)
        .why_not(source(exercise, answer))
        .startswith("need: a result that cannot be followed")
    )


@pytest.mark.parametrize(
    "body",
    [
        "t = (x, x)\n" + "t = (t, t)\n" * 60 + "rearrange(t, 'a -> a')",
        "t = [x, x]\n" + "t = [t, t][0:2]\n" * 60 + "pack(t, '*')",
        f"y, p = pack([{PARTS}], '*')\nrearrange(y, 'a -> ({'a ' * 40})')",
        f"y, p = pack([{PARTS}], '*')\nm = y.shape[0]\n" + "m = m * m\n" * 60 + "rearrange(y, 'a -> a m', m=m)",
        f"m = 0x{'f' * 3800}",
    ],
    ids=["tuples", "lists", "a sum by itself", "a size by itself", "a number"],
)
def test_what_grows_by_each_line_is_read_to_its_end(body: str) -> None:
    exercise = task("split_heads")

    found = sizes.too_large(source(exercise, f"n = 9**9**9\n{body}\nreturn {SPLIT % 'h'}"), exercise)

    assert str(found) == "a number that grows too large on line 2"


def test_each_flow_is_read_once_in_a_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = task("rope_halves")
    read = sizes.read_sizes
    seen: list[flow.Flow] = []

    def counted(one: flow.Flow, of: Rewrite) -> sizes.SizeReader:
        assert not any(one is other for other in seen)
        seen.append(one)
        return read(one, of)

    judge = TrustedGrade(exercise)
    monkeypatch.setattr(sizes, "read_sizes", counted)

    assert judge.why_not(exercise.solution) == ""
    assert len(seen) >= 2
