"""List small edits that are tried on an answer, with the line that each makes."""

import tracemalloc

import pytest
from rewrite_files import rows
from rewrites import task

from studykit.graders.rewrite.diagnosis.edits import edits_of
from studykit.graders.rewrite.diagnosis.syntax_tree import corrected, expression, quoted_code


def tried(name: str, body: str) -> dict[str, str]:
    """Return the lines that each edit of an answer makes. If two edits share a text, the later one wins."""
    exercise = task(name)
    source = f"def {exercise.signature}:\n    " + "\n    ".join(body.splitlines()) + "\n"
    return {
        edit.clause: "\n".join(line.strip() for line in corrected(source, edit).splitlines()[1:])
        for edit in edits_of(source, exercise)
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

    found_edits = edits_of(source, task("channels_last"))

    assert sum(edit.clause == f"the composite ({axes}) is in the wrong order" for edit in found_edits) == orders


def test_missing_or_extra_input_is_searched() -> None:
    for signature in ("f(q)", "f(q, k, v, w)"):
        assert edits_of(f"def {signature}:\n    return softmax(q)\n", task("attention"))


def test_braces_in_an_answer_stay_as_they_are() -> None:
    edit_lines = tried("attention", "m['{0}'], n = unpack(q, [[1], [1]], '* d')\nreturn n")

    assert edit_lines["the parts come as n, m['{0}'], not as m['{0}'], n"].startswith("n, m['{0}'] = ")


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
    found_edits = edits_of(wrong, task("layer_norm"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(found_edits) > 100
    assert most < 20 << 20
