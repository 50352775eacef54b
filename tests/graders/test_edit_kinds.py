"""Test every kind of small edit that is tried on a wrong answer: their order, and the line that each makes."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from rewrite_files import rows

from studykit.exercise.catalog import rewrite_named as task
from studykit.graders.rewrite.diagnosis import edits
from studykit.graders.rewrite.diagnosis.syntax_tree import Edit, corrected, expression, quoted_code

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "edits.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['exercise']}: {case['body']}")
def test_every_edit_is_described_and_made(case: dict[str, Any]) -> None:
    exercise = task(case["exercise"])
    lines = [f"    {line}" for line in case["body"].splitlines()]
    source = "\n".join([f"def {exercise.signature}:", *lines]) + "\n"
    before = corrected(source).split("\n")

    tried_edits = []
    for edit in edits.singles(source, exercise):
        after = corrected(source, edit).split("\n")
        changed = [new.strip() for new, old in zip(after, before, strict=True) if new != old]
        tried_edits.append([str(edit), "; ".join(changed), edit.likely])

    assert tried_edits == case["edits"]


def tried(name: str, body: str) -> dict[str, str]:
    """Map the description of each edit of an answer to the resulting lines. Of equal ones, the later wins."""
    exercise = task(name)
    source = f"def {exercise.signature}:\n    " + "\n    ".join(body.splitlines()) + "\n"
    return {
        edit.clause: "\n".join(line.strip() for line in corrected(source, edit).splitlines()[1:])
        for edit in edits.singles(source, exercise)
    }


@pytest.mark.parametrize("row", rows("edits"))
def test_edit_is_tried_where_it_makes_sense(row: dict[str, str]) -> None:
    edit_lines = tried(row["exercise"], row["body"])

    if "edit" in row:
        assert edit_lines.get(row["edit"]) == row["made"]
    else:
        assert [edit for edit in edit_lines if row["never"] in edit] == []


@pytest.mark.parametrize(("axes", "orders"), [("b c", 1), ("b c h", 5), ("b c h w", 23), ("b c h w n", 0)])
def test_composite_is_tried_in_every_order(axes: str, orders: int) -> None:
    source = f"def f(x):\n    return rearrange(x, '{axes} -> ({axes})')\n"

    singles = edits.singles(source, task("channels_last"))

    assert sum(edit.clause == f"the composite ({axes}) is in the wrong order" for edit in singles) == orders


def test_missing_or_extra_input_is_searched() -> None:
    for signature in ("f(q)", "f(q, k, v, w)"):
        assert edits.singles(f"def {signature}:\n    return softmax(q)\n", task("attention"))


def test_only_input_axes_are_likely_mistakes() -> None:
    source = "def f(q, k, v):\n    a = softmax(q)\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n"

    likely = {edit.clause: edit.likely for edit in edits.singles(source, task("attention"))}

    assert likely["the axes b and h of `v` are swapped"]
    assert not likely["the axes b and h of `a` are swapped"]


def test_braces_in_an_answer_stay_as_they_are() -> None:
    edit_lines = tried("attention", "m['{0}'], n = unpack(q, [[1], [1]], '* d')\nreturn n")

    assert edit_lines["the parts come as n, m['{0}'], not as m['{0}'], n"].startswith("n, m['{0}'] = ")


def one(clause: str, place: int, kind: int = 0) -> Edit:
    return Edit(1, clause, ((place, str(place)),), kind=kind)


@pytest.mark.parametrize(
    ("first", "other", "tried_together"),
    [
        (one("a", 1), one("b", 2), True),
        (one("a", 1), one("b", 1), False),
        (one("the composite (a b)", 1), one("the composite (c d)", 1), True),
        (one("the composite (a b)", 1), one("the composite (a b)", 1), False),
        (one("the composite (a b)", 1), one("b", 1), False),
    ],
)
def test_edits_of_one_place_are_not_paired(first: Edit, other: Edit, *, tried_together: bool) -> None:
    assert list(edits.pairs([first, other])) == ([(first, other)] if tried_together else [])


def test_repeated_mistake_is_tried_first() -> None:
    likely = [one("a", 1), one("b", 2, 1), one("c", 3, 2), one("d", 4, 3), one("e", 5)]

    order = ["".join(edit.clause for edit in pair) for pair in edits.pairs(likely)]

    assert order == ["ab", "ac", "ae", "ad", "bc", "bd", "be", "cd", "ce", "de"]


def test_edits_of_one_kind_are_known_as_such() -> None:
    exercise = task("attention")
    singles = edits.singles(exercise.solution, exercise)

    assert len({edit.kind for edit in singles if edit.clause.startswith("softmax runs over")}) == 1
    assert len({edit.kind for edit in singles}) > 3


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([Edit(2, "a is b", ())], "On line 2 a is b; all else is right."),
        ([Edit(2, "a is b", ()), Edit(2, "c is d", ())], "On line 2 a is b, and c is d; all else is right."),
        (
            [Edit(3, "c is d", ()), Edit(2, "a is b", ())],
            "On line 2 a is b, and on line 3 c is d; all else is right.",
        ),
    ],
)
def test_explanation_is_one_sentence_in_line_order(found: list[Edit], told: str) -> None:
    assert edits.explanation(found) == told


@pytest.mark.parametrize(("text", "quoted"), [("x" * 32, f"`{'x' * 32}`"), ("x" * 33, f"`{'x' * 29}...`")])
def test_quoted_code_is_cut_at_32_letters(text: str, quoted: str) -> None:
    assert quoted_code(expression(text)) == quoted


MANY = " ".join(f"a{n}" for n in range(600))


@pytest.mark.parametrize(
    "text", [f"[{'x, ' * 600}]", f"rearrange(x, '{MANY} -> {MANY}')"], ids=["list", "pattern"]
)
def test_million_edits_take_little_memory(text: str) -> None:
    wrong = f"def f(x):\n    m = {text}\n    return x * 2\n"

    tracemalloc.start()
    singles = edits.singles(wrong, task("layer_norm"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(singles) > 100
    assert most < 20 << 20
