"""Test the search for the one or two small changes that make a wrong answer right."""

import random
from dataclasses import replace

import pytest
from rewrite_files import AnswerCase, cases

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.verdict import TimedOut
from studykit.graders.host.explain import is_searchable
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place
from studykit.graders.rewrite.diagnosis import edits, syntax_tree
from studykit.sandbox.channel import Child
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker

SCALE = " / q.shape[-1] ** 0.5"


@pytest.fixture
def place(torch_worker: Worker) -> Place:
    return Place(torch_worker, limits=Limits(wall_s=40, cpu_s=30), search_s=60.0)


def changed(name: str, *replaced: tuple[str, str]) -> str:
    """Return the solution with some of its text replaced."""
    source = task(name).solution
    for old, new in replaced:
        assert old in source
        source = source.replace(old, new)
    return source


def cause(place: Place, name: str, source: str) -> str:
    """Return the line that names the cause. It precedes the values, which a short screen may cut off."""
    lines = grade(place, task(name), source, random.Random(3)).judgment.diagnosis.splitlines()
    first = next((number for number, line in enumerate(lines) if line.startswith("On ")), 0)
    assert not any(line.startswith(("First wrong element", "Got ")) for line in lines[:first])
    return lines[first]


@pytest.mark.parametrize("case", cases("mistakes"), ids=lambda case: f"{case.exercise}: {case.words}"[:60])
def test_small_mistakes_are_named(place: Place, case: AnswerCase) -> None:
    assert cause(place, case.exercise, case.answer) == case.words


THREE_MISTAKES = ((SCALE, ""), ("einsum(a, v", "einsum(3 + a, v"), ("softmax", "2 + softmax"))


@pytest.mark.parametrize(
    ("mistakes", "search_s"), [(THREE_MISTAKES, 60.0), (THREE_MISTAKES[:1], 0.0)], ids=["three", "no time"]
)
def test_nothing_is_claimed_without_a_cause(
    place: Place, mistakes: tuple[tuple[str, str], ...], search_s: float
) -> None:
    source = changed("attention", *mistakes)

    judgment = grade(replace(place, search_s=search_s), task("attention"), source, random.Random(3)).judgment

    assert judgment.verdict.name == "incorrect"
    assert "all else is right" not in judgment.diagnosis


UNSWAPPABLE = {
    "masked_attention": """def f(q, k, v, m):
    a = einsum(q, k, 'b h i d, b h j d -> b h i j') + m[None, :]
    return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')""",
    "prepend_token": "def f(x, y):\n    return pack([x[:, None], y], 'b d *')[0]",
    "squeeze_excite": """def f(x, w):
    s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'max'), w, 'b c, k c -> b k'))
    return x * s[:, :, None, None]""",
    "take_image": """def f(x, s, h, w):
    *_, image = unpack(x, [[s], [*(w,), h]], 'b * d')
    return image""",
}


@pytest.mark.parametrize("name", UNSWAPPABLE)
def test_slices_and_stars_end_in_a_verdict(place: Place, name: str) -> None:
    judgment = grade(place, task(name), UNSWAPPABLE[name], random.Random(3)).judgment

    assert judgment.verdict.name in {"incorrect", "crashed"}
    assert "bug" not in judgment.diagnosis


@pytest.mark.parametrize(
    ("where", "mistake", "verdict"),
    [
        ("edits.singles", "", "incorrect"),
        ("wrong_axes.WrongTensor.values", "", "incorrect"),
        ("sources.naming_mistake", "", "incorrect"),
        ("exceptions.exception_text", " / 0 * [1]", "crashed"),
    ],
)
def test_bug_in_explaining_keeps_the_verdict(
    place: Place, monkeypatch: pytest.MonkeyPatch, where: str, mistake: str, verdict: str
) -> None:
    def fail(*_: object, **__: object) -> str:
        raise RecursionError

    monkeypatch.setattr(f"studykit.graders.rewrite.diagnosis.{where}", fail)
    judgment = grade(place, task("attention"), changed("attention", (SCALE, mistake)), random.Random(3)).judgment

    assert judgment.verdict.name == verdict
    assert "a bug in studykit (RecursionError)" in judgment.diagnosis


LOOPING = """def f(x):
    exec("import sys; frame = sys._getframe()\\nwhile frame:\\n"
         "  while frame.f_code.co_name == '_serve_versions': pass\\n  frame = frame.f_back")
    return x
"""


def test_search_child_has_a_few_seconds(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[Child] = []
    start = Worker.start

    def started(
        worker: Worker, program: str, limits: Limits, device: str = "cpu", *, confined: bool = True
    ) -> Child:
        child = start(worker, program, limits, device=device, confined=confined)
        children.extend([child] if limits.cpu_s == 2 else [])
        return child

    monkeypatch.setattr(Worker, "start", started)

    grade(place, task("layer_norm"), LOOPING, random.Random(3))

    assert [child.ending in {TimedOut(2.0), TimedOut(4.0)} for child in children] == [True]


def test_a_right_answer_is_never_searched(place: Place) -> None:
    judgment = grade(place, task("attention"), task("attention").solution, random.Random(3)).judgment

    assert judgment.diagnosis == ""


def test_pair_from_lines_equals_pair_from_tree() -> None:
    exercise = task("multi_head_attention")
    source = changed("multi_head_attention", ("x, w, h", "x: int, w, h"))
    versions = edits.EditedAnswers(source)

    for pair in list(edits.pairs(edits.singles(source, exercise)))[:200]:
        assert versions.text_with(pair) == syntax_tree.corrected(source, *pair)


def test_an_f_string_is_not_written_out_again() -> None:
    source = "def f(x, y):\n    note = f\"{'b\u00a0s'}\"\n    return pack([y, x], 'b * d')[0]\n"

    assert edits.singles(source, task("prepend_token")) == ()


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
def test_odd_answers_are_searched_to_the_end(lines: list[str]) -> None:
    source = "def f(q, k, v):\n" + "".join(f"    {line}\n" for line in lines)

    assert isinstance(edits.singles(source, task("attention")), tuple)
