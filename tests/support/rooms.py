"""The packages of the program and the floors they stand on, for the tests that hold them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = (
    {"errors", "text", "paths", "ordinary_file", "picture", "record_type", "exercises"},
    {"quantity", "formula"},
    {"cards"},
    {"scheduling"},
    {"ui", "store"},
    {"review", "exercise", "collection", "sync", "backup", "classroom"},
    {"sandbox", "terminal", "html", "formats", "config"},
    {"graders"},
    {"practice"},
    {"cli"},
    {"__main__"},
)
"""From the ground up: a package imports itself and what lies on a lower floor. One floor, no imports across it."""
FLOOR = {package: number for number, packages in enumerate(FLOORS) for package in packages}


def modules(folder: str) -> list[Path]:
    """The Python files of a folder."""
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """A file's module, under `studykit` whatever folder it lies in."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return name if name.startswith("studykit") else f"studykit.{name}"


def package_of(name: str) -> str:
    """The room of a module: the second part of its name."""
    return [*name.split("."), ""][1]
