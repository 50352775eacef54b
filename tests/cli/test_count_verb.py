"""Test `study count` on the learner's own file, and its message for each mistake."""

from pathlib import Path

import pytest
from shell import Shell

pytest.importorskip("torch")

MODEL = """
import torch
from torch import nn

def build(layers=3, d=64):
    model = nn.Sequential(*(nn.Linear(d, d, bias=False) for _ in range(layers)))
    return model, torch.optim.AdamW(model.parameters()), torch.randn(32, d)

def step(model, optimizer, x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
"""
SNIPPET = """
def setup(n=256):
    return torch.randn(n, n), torch.randn(n, n)

def run(a, b):
    return a @ b
"""


def test_step_is_counted_with_its_parts(study: Shell, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(MODEL)

    count = study("count", str(path), "--json").json

    assert count["parameters"] == 3 * 64 * 64
    assert (count["weights"], count["states"]) == (4 * 3 * 64 * 64, 8 * 3 * 64 * 64 + 3 * 4)
    assert count["flops"]["forward"] == 3 * 2 * 32 * 64 * 64
    assert study("count", str(path), "layers=200", "--json").json["parameters"] == 200 * 64 * 64


def test_count_reports_a_snippet_in_words(study: Shell, tmp_path: Path) -> None:
    path = tmp_path / "snippet.py"
    path.write_text(SNIPPET)

    result = study("count", str(path), "n=512")

    assert "counted, not measured" in result.out
    assert "forward 268.4 MFLOP" in result.out
    assert "Alive at the peak: 3.146 MB" in result.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "mine.py needs setup() and run(...), or build() and step(...)."),
        ("def build(:\n", "mine.py:1: SyntaxError"),
        (SNIPPET.replace("a @ b", "a @ c"), "mine.py:6: NameError: name 'c' is not defined"),
        ("for n in range(3)\n", "mine.py:1: SyntaxError: expected ':'.\n"),
        (SNIPPET.replace("n, n)", "n, n, device='cuda')"), "mine.py:3: the count runs on the CPU"),
        (SNIPPET.replace("a @ b", "a.cuda() @ b"), "mine.py:6: the count runs on the CPU"),
        (MODEL.replace("return model,", 'return model.to("cuda"),'), "mine.py:7: the count runs on the CPU"),
    ],
)
def test_file_that_cannot_be_counted_gets_a_sentence(study: Shell, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)

    result = study("count", str(path))

    assert result.code != 0
    assert words in result.err
    assert len(result.err.splitlines()) == 1


def test_count_names_a_missing_file(study: Shell) -> None:
    result = study("count", "nofile.py")

    assert (result.code, result.err) == (3, "study: nofile.py does not exist. Name a Python file.\n")
