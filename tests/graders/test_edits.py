"""What a wrong answer of several lines is told: the one or two small things that make it right."""

import random
from dataclasses import replace

import pytest
from rewrites import task

from studykit.exercise.rewrite.rewrite import as_source
from studykit.exercise.verdict import Incorrect, TimedOut
from studykit.graders.host.explain import is_searchable
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite.diagnosis import edits, syntax_tree
from studykit.sandbox.channel import Child
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker

SCALE = " / q.shape[-1] ** 0.5"
EPSILON = "1e-5 is not added to `reduce(y * y, 'b g n -> b g 1...`"


@pytest.fixture
def place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)


def changed(name: str, *replaced: tuple[str, str]) -> str:
    """The solution with some of its text replaced."""
    source = task(name).solution
    for old, new in replaced:
        assert old in source
        source = source.replace(old, new)
    return source


def cause(place: Place, name: str, source: str) -> str:
    """The line that names the cause; it stands before the case and its figures, which a low screen cuts."""
    lines = grade(place, task(name), source, random.Random(3)).judgment.diagnosis.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("On ")), 0)
    assert not any(line.startswith(("First wrong element", "Got ")) for line in lines[:first])
    return lines[first]


@pytest.mark.parametrize(
    ("name", "replaced", "said"),
    [
        ("attention", (SCALE, ""), "line 2 the scores are not divided by sqrt(d)"),
        (
            "attention",
            (SCALE, " / q.shape[-2] ** 0.5"),
            "line 2 `/ q.shape[-2] ** 0.5` stands where `/ sqrt(d)` is wanted",
        ),
        ("attention", (SCALE, " / q.shape[-1]"), "line 2 `/ q.shape[-1]` stands where `/ sqrt(d)` is wanted"),
        ("attention", (SCALE, f"{SCALE}, dim=-2"), "line 2 softmax runs over the axis i instead of the axis j"),
        ("attention", ("softmax", ""), "line 3 `softmax` is missing around `a`"),
        ("masked_attention", ("a + m", "a"), "line 3 `m` is not added to the scores"),
        ("masked_attention", ("a + m", "a - m"), "line 3 `-` stands where `+` is wanted in `a - m`"),
        (
            "multi_head_attention",
            ("three h d", "three d h"),
            "line 3 the composite (three d h) is in the wrong order",
        ),
        ("masked_attention", ("softmax(a + m)", "softmax(a) + m"), "line 3 `m` is added after softmax instead of"),
        ("multi_head_attention", ("q, k, v =", "k, q, v ="), "line 3 the parts come as q, k, v, not as k, q, v"),
        ("multi_head_attention", ("n m -> b s n", "m n -> b s n"), "line 2 the axes m and n of `w` are swapped"),
        ("squeeze_excite", ("k c -> b k", "c k -> b k"), "line 2 the axes c and k of `w` are swapped"),
        ("squeeze_excite", ("'mean'", "'sum'"), "line 2 the sum is taken instead of the mean"),
        ("rms_norm", ("b s d -> b s 1", "b s d -> b 1 d"), "line 2 the reduction goes over s instead of d"),
        ("rms_norm", ("rsqrt", "sqrt"), "line 2 `sqrt` stands where `rsqrt` is wanted"),
        ("rms_norm", ("'mean')", "'mean') + 1e-5"), "line 2 `+ 1e-05` is too much"),
        ("rms_norm", (" * g", " * g * (g / 3)"), "line 2 `* (g / 3)` is too much"),
        ("rms_norm", (" * g", ""), "line 2 `g` is not there as a factor"),
        ("rms_norm", ("return x", "y = x - reduce(x, 'b s d -> b s 1', 'mean')\n    return y"), ""),
        (
            "layer_norm",
            ("x - reduce(x, 'b s d -> b s 1', 'mean')", "x"),
            "line 2 the mean of `x` is not subtracted",
        ),
        ("group_norm", (" + 1e-5", ""), f"line 4 {EPSILON}"),
        (
            "group_norm",
            ("y = y - reduce(y, 'b g n -> b g 1', 'mean')\n    ", ""),
            "line 2 the mean of `y` is not sub",
        ),
        ("rope_halves", ("x1 * c - x2 * z", "x1 * c + x2 * z"), "line 3 `+` stands where `-` is wanted in"),
        ("rope_halves", ("x1, x2 =", "x2, x1 ="), "line 2 the parts come as x1, x2, not as x2, x1"),
        ("rope_pairs", ("(d two) ->", "(two d) ->"), "line 2 the composite (two d) is in the wrong order"),
        ("token_mixing", ("x + ", ""), "line 3 `x` is not added"),
        ("token_mixing", ("relu", ""), "line 2 `relu` is missing around"),
        ("prepend_token", ("[x, y]", "[y, x]"), "line 2 `y` and `x` are in the wrong order"),
        ("take_image", ("[1]", "[0]"), "line 2 element [0] is taken instead of [1]"),
        ("trace", ("b i i", "b i j"), "line 2 i and j are one axis and need one name"),
        ("linear", ("e d ->", "d e ->"), "line 2 the axes d and e of `w` are swapped"),
    ],
)
def test_one_mistake_is_named(place: Place, name: str, replaced: tuple[str, str], said: str) -> None:
    told = cause(place, name, changed(name, replaced))

    assert told.startswith(f"On {said}")
    assert told.endswith("; all else is right.") or not said


@pytest.mark.parametrize(
    ("name", "one", "other", "said"),
    [
        (
            "attention",
            (SCALE, ""),
            ("'b h i d, b h j d -> b h i j')", "'b h i d, b h j d -> b h i j'), dim=-2"),
            (
                "On line 2 softmax runs over the axis i instead of the axis j, "
                "and the scores are not divided by sqrt(d)"
            ),
        ),
        (
            "masked_attention",
            (SCALE, ""),
            ("a + m", "a - m"),
            (
                "On line 2 the scores are not divided by sqrt(d), "
                "and on line 3 `-` stands where `+` is wanted in `a - m`"
            ),
        ),
        (
            "masked_attention",
            ("softmax(a + m)", "softmax(a, dim=-2)"),
            ("", ""),
            "On line 3 softmax runs over the axis i instead of the axis j, and `m` is not added to the scores",
        ),
        (
            "multi_head_attention",
            (SCALE, ""),
            ("b s (h d)'", "b s (d h)'"),
            (
                "On line 4 the scores are not divided by sqrt(d), "
                "and on line 6 the composite (d h) is in the wrong order"
            ),
        ),
        (
            "squeeze_excite",
            ("'mean'", "'sum'"),
            ("k c -> b k", "c k -> b k"),
            "On line 2 the sum is taken instead of the mean, and the axes c and k of `w` are swapped",
        ),
        (
            "rope_halves",
            ("x1 * c - x2 * z", "x1 * c + x2 * z"),
            ("x2 * c + x1 * z", "x2 * c - x1 * z"),
            (
                "On line 3 `+` stands where `-` is wanted in `x1 * c + x2 * z`, "
                "and `-` stands where `+` is wanted in `x2 * c - x1 * z`"
            ),
        ),
        (
            "rms_norm",
            ("'mean'", "'sum'"),
            (" * g", ""),
            "On line 2 the sum is taken instead of the mean, and `g` is not there as a factor",
        ),
        (
            "group_norm",
            (" + 1e-5", ""),
            ("y * y, 'b g n -> b g 1', 'mean'", "y * y, 'b g n -> b g 1', 'sum'"),
            f"On line 4 {EPSILON}, and the sum is taken instead of the mean",
        ),
    ],
)
def test_two_mistakes_together_are_both_named(
    place: Place, name: str, one: tuple[str, str], other: tuple[str, str], said: str
) -> None:
    assert cause(place, name, changed(name, one, other)) == f"{said}; all else is right."


def test_dividing_by_the_standard_deviation_is_told_from_the_root_of_the_mean_square(place: Place) -> None:
    source = (
        "def f(x, g):\n    y = x - reduce(x, 'b s d -> b s 1', 'mean')\n"
        "    return x * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g\n"
    )

    told = cause(place, "rms_norm", source)

    assert told == "On line 2 `- reduce(x, 'b s d -> b s 1...` is too much; all else is right."


def test_three_mistakes_are_not_explained_away(place: Place) -> None:
    source = changed("attention", (SCALE, ""), ("einsum(a, v", "einsum(3 + a, v"), ("softmax", "2 + softmax"))

    judgment = grade(place, task("attention"), source, random.Random(3)).judgment

    assert isinstance(judgment.verdict, Incorrect)
    assert "all else is right" not in judgment.diagnosis


def test_without_time_to_search_nothing_is_claimed(place: Place) -> None:
    source = changed("attention", (SCALE, ""))

    judgment = grade(replace(place, search_s=0.0), task("attention"), source, random.Random(3)).judgment

    assert judgment.verdict.name == "incorrect"
    assert "all else is right" not in judgment.diagnosis


LOOPING = """def f(x):
    exec("import sys; frame = sys._getframe()\\nwhile frame:\\n  at = frame.f_globals.get('__name__') or ''\\n"
         "  while 'run_edited' in at: pass\\n  frame = frame.f_back")
    return x
"""


def test_however_long_a_search_may_be_its_child_has_a_few_seconds(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    children: list[Child] = []
    start = Worker.start

    def started(
        worker: Worker, program: str, limits: Limits, device: str = "cpu", *, confined: bool = True
    ) -> Child:
        child = start(worker, program, limits, device=device, confined=confined)
        children.extend([child] if program == "run_edited" else [])
        return child

    monkeypatch.setattr(Worker, "start", started)

    grade(place, task("layer_norm"), LOOPING, random.Random(3))

    assert [child.ending in {TimedOut(2.0), TimedOut(4.0)} for child in children] == [True]


def test_a_right_answer_is_never_searched(place: Place) -> None:
    judgment = grade(place, task("attention"), task("attention").solution, random.Random(3)).judgment

    assert judgment.diagnosis == ""


def test_a_pair_is_the_same_from_its_lines_as_from_the_tree() -> None:
    exercise = task("multi_head_attention")
    source = changed("multi_head_attention", ("x, w, h", "x: int, w, h"))
    versions = edits.EditedAnswers(source)

    for pair in list(edits.pairs(edits.singles(source, exercise)))[:200]:
        assert versions.made(pair) == syntax_tree.corrected(source, *pair)


def test_an_f_string_is_not_written_out_again() -> None:
    source = "def f(x, y):\n    note = f\"{'b\u00a0s'}\"\n    return pack([y, x], 'b * d')[0]\n"

    assert edits.singles(source, task("prepend_token")) == ()


def test_a_single_line_is_searched_as_well(place: Place) -> None:
    source = as_source(task("rms_norm"), "x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'sum')) * g")

    assert cause(place, "rms_norm", source) == "On line 1 the sum is taken instead of the mean; all else is right."


@pytest.mark.parametrize(
    ("source", "searchable"),
    [
        ("def f(x):\n    return x @ x.T\n", True),
        ("def f(x):\n    r = lambda t: t\n    return r(x)\n", False),
        ("def f(x):\n    for y in x:\n        pass\n    return y\n", False),
        ("class f:\n    def f(x):\n        return x\n", False),
        ("def g(x): return x\ndef f(x): return g(x)\n", False),
        ("f = 1\n", False),
        (f"def f(x):\n    return x + 0x{'f' * 3850}\n", False),
    ],
)
def test_only_one_plain_function_is_edited(source: str, *, searchable: bool) -> None:
    assert is_searchable(source) is searchable


@pytest.mark.parametrize(
    "lines",
    [
        ["return v", "softmax(q, {[]})"],
        ["return v", "a = b * b", "b = a * a", "softmax(a)"],
        ["a0 = q", *(f"a{n + 1} = a{n} + a{n}" for n in range(40)), "return softmax(a40)"],
    ],
    ids=["a set of lists", "names in a ring", "names twice in the next"],
)
def test_a_strangers_text_is_looked_through_to_its_end(lines: list[str]) -> None:
    source = "def f(q, k, v):\n" + "".join(f"    {line}\n" for line in lines)

    assert isinstance(edits.singles(source, task("attention")), tuple)
