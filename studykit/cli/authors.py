"""The exercises of other authors: trusted folders that the configuration names, and installed packages."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.context import World
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.numeric.template import Exercise

if TYPE_CHECKING:
    from studykit.exercise.authored import Trusted

GROUP = "studykit.exercises"
"""Entry points of this group name modules with `EXERCISES`; installing a package is trusting it."""


def attach(world: World) -> None:
    """Let the catalogue find authored exercises; nothing is read or run until it looks for one."""
    kept: list[Sequence[Exercise]] = []

    def once() -> Sequence[Exercise]:
        if not kept:
            kept.append([*_from_folders(world), *_from_packages(world)])
        return kept[0]

    catalog.also(once)


def trusted(world: World) -> "Trusted":
    """What the learner trusts."""
    from studykit.exercise.authored import Trusted

    return Trusted(world.config_file.parent / "trusted.json")


def folders(world: World) -> list[Path]:
    """The folders that the configuration names; relative ones are beside it."""
    named = world.config.get("exercises", [])
    names = named if isinstance(named, list) else []
    return [world.config_file.parent / Path(str(name)).expanduser() for name in names]


def _from_folders(world: World) -> Iterator[Exercise]:
    from studykit.exercise import authored

    known = trusted(world)
    for folder in folders(world):
        try:
            found = authored.files(folder)
            if not known.holds(folder, found):
                how = "is not trusted" if str(folder.resolve()) not in known.read() else "has changed since"
                world.tell(f"exercises: {folder} {how}; read it, then: study exercise trust {folder}")
                continue
            for module in authored.load(folder, found):
                yield from authored.exercises(module)
        except StudyError as error:
            world.tell(f"exercises: {error}")


def _from_packages(world: World) -> Iterator[Exercise]:
    from importlib import metadata

    from studykit.exercise import authored

    for entry in metadata.entry_points(group=GROUP):
        try:
            yield from authored.exercises(entry.load())
        except Exception as error:  # noqa: BLE001 - a package of another author may raise anything
            world.tell(f"exercises: {entry.value} cannot be loaded: {type(error).__name__}: {error}")
