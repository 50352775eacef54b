"""Check the house rules of every file: imports downward only, no name twice, safe writing, few ignored lints."""

import ast
import functools
import re
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from rooms import FLOOR, ROOT, modules, name_of, package_of

pytestmark = pytest.mark.no_cover  # they read files and run none of them
APART = {
    *((room, there) for room in ("exercise", "submissions") for there in ("terminal", "html", "collection")),
    *(("graders", "store"), ("exercise_model", "store")),
}
"""Who may not import whom although it lies lower."""
PURE = {"cards", "scheduling", "quantity", "review"}
"""Packages without files, processes, clocks or libraries but markdown-it; a seeded `Random` is fine."""
WORLD = {"time", "secrets", "os", "sys", "subprocess", "socket", "pathlib", "sqlite3", "tempfile", "shutil"}
HEAVY = {"torch", "einops", "jinja2", "markdown_it", "alembic", "numpy", "math_core"}
STANDARD = set(sys.stdlib_module_names)
WRITERS = {
    **dict.fromkeys(
        (
            "backup.archive",
            "backup.creation",
            "backup.snapshot",
            "cli.commands.backup",
            "cli.editor",
            "sandbox.probe",
            "store.recovery",
        ),
        "in a folder that tempfile has just made",
    ),
    **dict.fromkeys(("formats.takeover", "formats.media_files"), "in a folder that `staging_folder` just made"),
    "formats.anki_export": "into a file that `replacing` has opened",
    "cli.commands.add": "a file that tempfile makes",
    "store.sqlite": "in the learner's own folder",
    **dict.fromkeys(("cli.exit", "sandbox.lockdown"), "of the system: /dev/null, /proc"),
}
"""Who opens files to write them without the helpers of `ordinary_file`, and why no link or pipe lies there."""
ROLES = {"__init__", "kind", "question", "registry"}
"""Names of files that each kind of exercise, or of format, may have."""
WRITING = {"write_text", "write_bytes", "touch", "copyfile", "copytree", "NamedTemporaryFile"}
MOST_NOQA = 0.8  # per 1,000 lines; what a whole folder may do stands with its reason in pyproject.toml


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@functools.cache
def imports(path: Path, *, at_import_time: bool = False) -> tuple[str, ...]:
    """Return the names of modules that a file imports when it runs, with relative ones resolved."""
    return tuple(_imports(path, at_import_time=at_import_time))


def origin(path: Path, node: ast.ImportFrom) -> str:
    """Return the full name of the module that a file imports from."""
    here = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    above = here.rsplit(".", node.level - 1)[0] if node.level else ""
    return ".".join(filter(None, (above, node.module)))


def _imports(path: Path, *, at_import_time: bool) -> Iterator[str]:
    tree = parsed(path)
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
        elif isinstance(node, ast.ImportFrom):
            whole = origin(path, node)
            yield from (f"{whole}.{alias.name}" for alias in node.names) if whole == "studykit" else (whole,)


PROGRAM = [*modules("studykit"), *modules("graders")]
FILES = {name_of(path) for path in PROGRAM}
ROOMS = sorted({package_of(name_of(path)) for path in PROGRAM} - {""})


def of_room(room: str) -> list[Path]:
    return [path for path in PROGRAM if package_of(name_of(path)) == room]


def test_every_room_has_its_floor() -> None:
    assert set(ROOMS) <= set(FLOOR)


def test_every_room_has_its_folder_of_tests() -> None:
    folders = {path.parent.name for path in (ROOT / "studykit").glob("*/__init__.py")} | {"exercises", "decks"}

    assert [folder for folder in sorted(folders) if not list((ROOT / "tests" / folder).glob("test_*.py"))] == []


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_downward(room: str) -> None:
    inward = {(name_of(path), package_of(name)) for path in of_room(room) for name in named(path, FILES)}

    wrong = {
        (file, there)
        for file, there in inward
        if there not in {room, "", "__version__"}
        if FLOOR[there] >= FLOOR[room] or (room, there) in APART
    }

    assert wrong == set()


def test_no_files_import_each_other_in_a_circle() -> None:
    files = {name_of(path): path for path in PROGRAM}
    reached = {name: set(named(path, FILES)) - {name} for name, path in files.items()}

    TopologicalSorter(reached).prepare()  # CycleError tells the circle


def named(path: Path, files: set[str]) -> Iterator[str]:
    """Yield our files that a file imports at any time, including those that a string names."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            whole = origin(path, node)
            inside = [f"{whole}.{alias.name}" for alias in node.names]
            yield from (name if name in files else whole for name in inside if name in files or whole in files)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (
                str(word.value) for word in node.args if isinstance(word, ast.Constant) and word.value in files
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
            yield from {node.value.partition(":")[0]} & files  # MODULE:NAME, a line of a registry


@pytest.mark.parametrize("room", sorted(PURE))
def test_pure_rooms_know_nothing_of_the_world(room: str) -> None:
    outside = {(name_of(path), name.split(".")[0]) for path in of_room(room) for name in imports(path)}

    allowed = {"studykit", "markdown_it", *(STANDARD - WORLD)}
    assert {(file, name) for file, name in outside if name not in allowed} == set()


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in {"html", "graders"}])
def test_heavy_modules_are_imported_on_demand(room: str) -> None:
    early = [(name_of(path), name) for path in of_room(room) for name in imports(path, at_import_time=True)]

    assert [(file, name) for file, name in early if name.split(".")[0] in HEAVY] == []


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "graders"])
def test_the_program_itself_never_imports_torch(room: str) -> None:
    outside = [(name_of(path), name) for path in of_room(room) for name in imports(path)]

    assert [(file, name) for file, name in outside if name.split(".")[0] == "torch"] == []


def test_exercises_import_only_the_vocabulary_and_each_other() -> None:
    ours = [(path.name, name) for path in modules("exercises") for name in imports(path)]

    assert [
        (file, name)
        for file, name in ours
        if name.startswith("studykit") and name != "studykit.exercise" and "exercises" not in name
    ] == []


def test_no_file_has_another_ones_name() -> None:
    stems = Counter(path.stem for path in PROGRAM if path.stem not in ROLES and "commands" not in path.parts)

    assert [stem for stem, count in stems.items() if count > 1] == []


def test_no_class_has_another_ones_name() -> None:
    names = Counter(
        node.name
        for path in PROGRAM
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )

    assert [name for name, count in names.items() if count > 1] == []


def test_files_are_written_by_the_helpers() -> None:
    writers = {
        name_of(path).removeprefix("studykit.")
        for path in [*PROGRAM, *modules("exercises")]
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and writes(node)
    }

    assert writers == set(WRITERS)


def writes(call: ast.Call) -> bool:
    """Return whether a call opens a file to write it and follows links. `x` and O_EXCL follow none."""
    name, text = ast.unparse(call.func).rpartition(".")[2], ast.unparse(call)
    if name not in {"open", "ZipFile"} or "opener=open_ordinary" in text:
        return name in WRITING
    flags = set(re.findall(r"O_[A-Z]+", text))
    modes = [word.value for word in ast.walk(call) if isinstance(word, ast.Constant)]
    plain = any(re.fullmatch(r"[rbt]*[wa+][bt+]*", str(mode)) for mode in modes)
    return plain or bool(flags & {"O_CREAT", "O_WRONLY", "O_RDWR"} and not flags & {"O_EXCL", "O_NOFOLLOW"})


def test_few_lines_set_a_lint_rule_aside() -> None:
    lines = [line for path in [*PROGRAM, *modules("exercises")] for line in path.read_text().splitlines()]
    noqa = [line for line in lines if re.search(r"#\s*(?:ruff:\s*)?noqa", line)]

    assert 1000 * len(noqa) / len(lines) <= MOST_NOQA
