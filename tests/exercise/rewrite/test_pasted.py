"""Check that the Python in a pasted answer is graded, and that the learner sees what was ignored."""

import json

import pytest
from shell import Shell

from studykit.exercise.rewrite.pasted import NOTEBOOK, python_of

CODE = "def f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)"
CELLS = [
    {"cell_type": "markdown", "source": ["# Heads"]},
    {"cell_type": "code", "source": ["%matplotlib inline\n", "import einops\n"], "outputs": []},
    {"cell_type": "code", "source": CODE.splitlines(keepends=True), "outputs": []},
]
SHELL = {"cell_type": "code", "source": "%%bash\npip install einops"}
DEEP = '{"cells": ' + "[" * 5000 + "]" * 5000 + "}"
PROMPTS = ">>> " + CODE.replace("\n", "\n... ") + "\n...\n>>> f(1, 2)\n12\n"


@pytest.mark.parametrize(
    ("text", "lines", "left_out"),
    [
        (CODE, CODE, ""),
        (f"```python\n{CODE}\n```\nDone.", f"\n{CODE}", "the fence ```"),
        (f"Mine:\n\n```\n{CODE}\n```\nDone.", f"\n\n\n{CODE}", "the fence ```"),
        (f"%matplotlib inline\n!pip install einops\n{CODE}", f"\n\n{CODE}", "lines with %, ! or ?"),
        (f"x?\n?x\nfiles = !ls\nspeed = %timeit -o f\n{CODE}", f"\n\n\n\n{CODE}", "lines with %, ! or ?"),
        (f"%%time\n{CODE}", f"\n{CODE}", "lines with %, ! or ?"),
        (CODE.replace("    ", "\u00a0" * 4), CODE, "curly quotes and hard spaces"),
        (PROMPTS, f"{CODE}\n\nf(1, 2)", "the prompts and what was printed"),
        (json.dumps({"cells": CELLS}), f"\nimport einops\n\n\n{CODE}", NOTEBOOK),
        (json.dumps({"cells": [SHELL, *CELLS]}), f"\n\n\nimport einops\n\n\n{CODE}", NOTEBOOK),
        (DEEP, DEEP, ""),
        ("b s (h d) -> b h s d", "b s (h d) -> b h s d", ""),
        ("x = 5 \\\n  % 3", "x = 5 \\\n  % 3", ""),
        ('{"cells": 3}', '{"cells": 3}', ""),
        ("def f(", "def f(", ""),
    ],
    ids=[
        *("plain", "fence", "words", "magic", "IPython", "cell", "spaces", "prompts", "notebook"),
        *("shell cell", "deep"),
        *("pattern", "modulo", "no notebook", "broken"),
    ],
)
def test_pasted_answer_is_its_python(text: str, lines: str, left_out: str) -> None:
    code, words = python_of(text)

    assert (code.rstrip(), words) == (lines, left_out)


RMS_NORM = """
def f(x, g):
    before, x = x.dtype, x.float()
    return (x * torch.rsqrt(reduce(x * x, "b s d -> b s 1", "mean")) * g).to(before)
"""


@pytest.mark.parametrize(
    ("exercise", "code", "verdict", "words"),
    [
        ("split_heads", f"```\n{CODE}\n```", "correct", '"left_out": "the fence ```"'),
        ("fold_layer", "def f(x, k): return Rearrange('b (s k) d -> b s (k d)', k=k)(x)", "correct", ""),
        ("fold_layer", "def f(x, k): return torch.cat(x.chunk(k, 1), -1)", "incorrect", "; n is s * k"),
        ("rms_norm", RMS_NORM, "correct", ""),
        ("rms_norm", RMS_NORM.replace(" * g", ""), "incorrect", "g"),
        ("rms_norm", RMS_NORM.replace("'mean'", "'sum'").replace('"mean"', '"sum"'), "incorrect", "mean"),
        ("rms_norm", RMS_NORM.replace("x * x, ", "x, "), "incorrect", ""),
        ("rms_norm", RMS_NORM.replace('b s 1"', 'b 1 1"'), "incorrect", ""),
        ("max_over_time", "def f(x): return reduce(x, 'b t d -> b d', torch.max)", "crashed", "stands in quotes"),
        ("max_over_time", "def f(x): return reduce(x, 'b t d -> b d', np.max)", "crashed", "stands in quotes"),
        ("mean_pool", "def f(x): return reduce(x, 'b s d -> b d', np.mean)", "crashed", "stands in quotes"),
        ("split_heads", f"await {CODE.rpartition('return ')[2]}", "malformed", 'outside async function",'),
        ("split_heads", "def f(x, h): return open('/none')", "refused", "tried on line 1: No such file"),
        ("add_axis", "def f(x): return x[:, None]", "incorrect", "a 1 on the right is a new axis"),
    ],
)
def test_pasted_answer_gets_its_words(study: Shell, exercise: str, code: str, verdict: str, words: str) -> None:
    pytest.importorskip("torch")
    answer = study.write("mine.py", code)

    output = study("grade", f"rewrite.{exercise}", str(answer), "--json")

    assert output.json["verdict"] == verdict, output.out
    assert words in output.out


@pytest.mark.parametrize("text", ["[1, 2]", '{"worksheets": []}', '{"cells": [{"cell_ty', ""])
def test_damaged_notebook_is_no_attempt(study: Shell, text: str) -> None:
    study.write("mine.ipynb", text)

    result = study("grade", "rewrite.split_heads", "mine.ipynb")

    assert (result.code, result.out) == (5, "")
    assert "mine.ipynb is not a notebook that can be read. Save it again" in result.err
