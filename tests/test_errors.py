"""Check every error and every help text of an option by the few rules of grammar that a machine can see."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from studykit import errors

ROOT = Path(errors.__file__).parents[1]
ERRORS = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
REASONS = {"BadAnswerError", "BadFormulaError", "DoubtError", "UnknownWordError"}
"""Errors that give a reason, which another sentence quotes."""
MAX_HELP_CHARACTERS = 70
VALUE, LIST = "\0", "\1"  # stand for a value, which may be a sentence, and for a list, which is not one
ENDS = re.compile(r"[.?]$|[.?:]? ?\0$|: (?:study|dask|pip install|--\w) ?.*$", re.DOTALL)


@cache
def files() -> list[tuple[Path, ast.Module]]:
    paths = [path for room in ("studykit", "graders") for path in sorted((ROOT / room).rglob("*.py"))]
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def error_names() -> set[str]:
    """Return the names of all error classes that end a command with a sentence."""
    bases = {
        node.name: set(map(name_of, node.bases))
        for _, tree in files()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    names = set(ERRORS)
    while more := {name for name, parents in bases.items() if parents & names} - names:
        names |= more
    return names - REASONS


def text_of(node: ast.expr) -> str | None:
    """Return a literal text with `VALUE` or `LIST` for its values, or None for another expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or "" for part in node.values)
    if isinstance(node, ast.FormattedValue):
        is_list = isinstance(node.value, ast.Call) and name_of(node.value.func) in {"join", "listed"}
        return LIST if is_list or node.conversion != -1 else VALUE
    return None


def raised() -> Iterator[tuple[str, str, bool]]:
    """Yield the place and text of each raised error, and whether a command follows the text."""
    names = error_names()
    for row in json.loads((ROOT / "studykit/store/database_errors.json").read_bytes()):
        yield "database_errors.json", row["says"].replace("{name}", VALUE), "command" in row
    for path, tree in files():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if name_of(node.func) == "explaining" and (parts := [text_of(part) for part in node.args[:2]])[1]:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", VALUE.join(part or "" for part in parts), False
            if name_of(node.func) in names:
                text = text_of(node.args[0])
                if text is not None:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", text, len(node.args) > 1


def helps() -> Iterator[tuple[str, str]]:
    """Yield the place and help of each option and argument."""
    for path, tree in files():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name_of(node.func) in {"Option", "Argument"}:
                for keyword in node.keywords:
                    if keyword.arg == "help" and (text := text_of(keyword.value)):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", text


def faults(text: str, *, has_command: bool = False) -> list[str]:
    """Name the rules that an error's text breaks."""
    rules = {
        "ends with a full stop, or a command follows": has_command or ENDS.search(text) is not None,
        "begins with a capital or its input": re.match(r"[A-Z\0\1'`\"#~./<\[-]|[a-z]+[.=]\S", text) is not None,
        "says 'not a' or 'unknown', not 'is no'": re.search(r"(?<!here) is no (?!longer|more)", text) is None,
        "has no double spaces": "  " not in text,
        "closes its quotes": text.count("`") % 2 == 0 and text.count('"') % 2 == 0,
        "has no clause after a semicolon": "; " not in text,
    }
    return [rule for rule, holds in rules.items() if not holds]


def test_errors_follow_one_grammar() -> None:
    texts = list(raised())

    broken = {
        f"{place}: {text!r}": wrong
        for place, text, command in texts
        if (wrong := faults(text, has_command=command))
    }

    assert len(texts) > 300
    assert not broken, "\n".join(f"{place} {', '.join(wrong)}" for place, wrong in broken.items())


def test_help_texts_are_short_phrases() -> None:
    texts = list(helps())

    broken = [
        f"{place}: {text!r}"
        for place, text in texts
        if len(text) > MAX_HELP_CHARACTERS or not re.match(r"[A-Z\0]", text) or "  " in text
    ]

    assert len(texts) > 80
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("'7' is not a valid grade. Use 1 to 4.", 0),
        ("No card has the id \0.", 0),
        ("'7' is no grade.", 1),
        ("\0 is a folder; name a file", 2),
        ("name a file.", 1),
        ("Close the `quote.", 1),
    ],
)
def test_faults_are_found(text: str, count: int) -> None:
    assert len(faults(text)) == count
