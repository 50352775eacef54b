"""Who may import whom: the rules of the house, held by reading every import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("cli", "store", "terminal", "html", "sandbox")
FACE = {"studykit.start", "studykit.cli"}
HEAVY = {"torch", "einops", "jinja2", "markdown_it", "alembic", "numpy", "math_core"}
SHELL = {  # flat modules that touch files, processes or libraries; every other flat module is core
    "studykit.catalog",
    "studykit.collection",
    "studykit.config",
    "studykit.deckfiles",
    "studykit.header",
    "studykit.home",
    "studykit.rereading",
    "studykit.rescan",
    "studykit.desk",
    "studykit.glance",
    "studykit.interop",
    "studykit.library",
    "studykit.paths",
    "studykit.sandbox",
    "studykit.trust",
}
STANDARD = set(__import__("sys").stdlib_module_names)
WORLD = {"random", "time", "secrets", "os", "sys", "subprocess", "socket", "pathlib", "sqlite3"}
"""Standard modules that core may not import, but for `random.Random` made from a seed."""
MAY_DRAW = {
    "studykit.exercise",
    "studykit.agenda",
    "studykit.quiz",
    "studykit.scenario",
    "studykit.snippet",
    "studykit.trial",
    "studykit.variant",
    "studykit.variety",
}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room(name: str) -> str:
    parts = name.split(".")
    if len(parts) > 1 and parts[1] in PACKAGES:
        return ".".join(parts[:2])
    return "studykit.sandbox" if len(parts) > 1 and parts[1].startswith("sandbox") else name


def imports(path: Path, *, at_import_time: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if at_import_time and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            skipped.update(ast.walk(node))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            skipped.update(child for statement in node.body for child in ast.walk(statement))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "studykit":
                yield from (f"studykit.{alias.name}" for alias in node.names)


def is_core(name: str) -> bool:
    return name.count(".") == 1 and room(name) not in SHELL | FACE and name.split(".")[1] not in PACKAGES


CORE = [path for path in modules("studykit") if is_core(name_of(path))]


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_core_imports_only_the_standard_library_and_core(path: Path) -> None:
    allowed = STANDARD - WORLD | ({"random"} if name_of(path) in MAY_DRAW else set())

    wrong = [
        name
        for name in imports(path)
        if name != "studykit"
        and not (is_core(name) if name.startswith("studykit") else name.split(".")[0] in allowed)
    ]

    assert wrong == []


@pytest.mark.parametrize("path", modules("studykit"), ids=name_of)
def test_only_the_face_imports_the_face(path: Path) -> None:
    if room(name_of(path)) in FACE:
        return

    assert [name for name in imports(path) if room(name) in FACE] == []


@pytest.mark.parametrize("path", modules("studykit"), ids=name_of)
def test_terminal_html_and_store_never_import_each_other(path: Path) -> None:
    rooms = {"studykit.terminal", "studykit.html", "studykit.store"}
    here = room(name_of(path))
    if here not in rooms:
        return

    assert [name for name in imports(path) if room(name) in rooms - {here}] == []


@pytest.mark.parametrize("path", [p for p in modules("studykit") if "html" not in p.parts], ids=name_of)
def test_nothing_heavy_is_imported_before_a_verb_needs_it(path: Path) -> None:
    assert [name for name in imports(path, at_import_time=True) if name.split(".")[0] in HEAVY] == []


@pytest.mark.parametrize("path", modules("studykit"), ids=name_of)
def test_the_program_itself_never_imports_torch(path: Path) -> None:
    assert [name for name in imports(path) if name.split(".")[0] == "torch"] == []


@pytest.mark.parametrize("path", modules("studykit"), ids=name_of)
def test_content_is_found_by_the_catalogue_never_imported_by_name(path: Path) -> None:
    content = ("studykit.exercises", "studykit.graders", "studykit.decks")

    assert [name for name in imports(path) if name.startswith(content)] == []


@pytest.mark.parametrize("path", modules("exercises"), ids=name_of)
def test_exercises_import_only_the_vocabulary_and_each_other(path: Path) -> None:
    ours = [name for name in imports(path) if name.startswith("studykit")]

    assert [
        name for name in ours if name.startswith(tuple(FACE)) or room(name) in SHELL - {"studykit.catalog"}
    ] == []
