"""Who may import whom: packages on floors, imports downward only, held by reading every import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import FLOOR, modules, name_of, package_of

APART = {("practice", "terminal"), ("practice", "html"), ("practice", "collection"), ("graders", "store")}
"""Who may not import whom although it lies lower."""
PURE = {"cards", "scheduling", "quantity", "review"}
"""Packages without files, processes, clocks or libraries; `random.Random` made from a seed is no clock."""
WORLD = {"time", "secrets", "os", "sys", "subprocess", "socket", "pathlib", "sqlite3", "tempfile", "shutil"}
HEAVY = {"torch", "einops", "jinja2", "markdown_it", "alembic", "numpy", "math_core"}
STANDARD = set(__import__("sys").stdlib_module_names)


def imports(path: Path, *, at_import_time: bool = False, types_too: bool = False) -> Iterator[str]:
    """Names of modules that a file imports, relative ones made whole."""
    here = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    tree = ast.parse(path.read_text())
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if at_import_time and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            skipped.update(ast.walk(node))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not types_too:
            skipped.update(child for statement in node.body for child in ast.walk(statement))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here.rsplit(".", node.level - 1)[0] if node.level else ""
            whole = ".".join(filter(None, (above, node.module)))
            yield from (f"{whole}.{alias.name}" for alias in node.names) if whole == "studykit" else (whole,)


PROGRAM = [*modules("studykit"), *modules("graders")]


@pytest.mark.parametrize("path", PROGRAM, ids=name_of)
def test_imports_point_downward(path: Path) -> None:
    here = package_of(name_of(path))
    there = {package_of(name) for name in imports(path, types_too=True) if name.startswith("studykit")} - {
        here,
        "",
    }

    wrong = {
        package for package in there - {"__version__"} if FLOOR[package] >= FLOOR[here] or (here, package) in APART
    }

    assert wrong == set()


def test_every_package_has_its_floor() -> None:
    found = {package_of(name_of(path)) for path in PROGRAM} - {""}

    assert found <= set(FLOOR)


@pytest.mark.parametrize("path", [p for p in PROGRAM if package_of(name_of(p)) in PURE], ids=name_of)
def test_pure_packages_know_nothing_of_the_world(path: Path) -> None:
    outside = {name.split(".")[0] for name in imports(path)} - {"studykit"}

    assert outside <= STANDARD - WORLD


@pytest.mark.parametrize("path", [p for p in modules("studykit") if "html" not in p.parts], ids=name_of)
def test_nothing_heavy_is_imported_before_a_verb_needs_it(path: Path) -> None:
    assert [name for name in imports(path, at_import_time=True) if name.split(".")[0] in HEAVY] == []


@pytest.mark.parametrize("path", modules("studykit"), ids=name_of)
def test_the_program_itself_never_imports_torch(path: Path) -> None:
    assert [name for name in imports(path) if name.split(".")[0] == "torch"] == []


@pytest.mark.parametrize("path", modules("exercises"), ids=name_of)
def test_exercises_import_only_the_vocabulary_and_each_other(path: Path) -> None:
    ours = [name for name in imports(path) if name.startswith("studykit")]

    assert [name for name in ours if name != "studykit.exercise" and "exercises" not in name] == []
