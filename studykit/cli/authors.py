"""The exercises of other authors: trusted folders that the configuration names, and installed packages."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cli.context import Context
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise

if TYPE_CHECKING:
    from studykit.exercise.authored import Trusted

GROUP = "studykit.exercises"
"""Entry points of this group name modules with `EXERCISES`; installing a package is trusting it."""


def attach_authors(context: Context) -> None:
    """Let the catalogue find authored exercises; nothing is read or run until it looks for one."""
    kept: list[Sequence[Exercise]] = []

    def once() -> Sequence[Exercise]:
        if not kept:
            kept.append([*_from_folders(context), *_from_packages(context)])
        return kept[0]

    catalog.set_author_source(once)


def trusted(context: Context) -> "Trusted":
    """What the learner trusts."""
    from studykit.exercise.authored import Trusted

    return Trusted(context.config_file.parent / "trusted.json")


def folders(context: Context) -> list[Path]:
    """The folders that the configuration names; relative ones are beside it."""
    named = context.config.get("exercises", [])
    names = named if isinstance(named, list) else []
    return [context.config_file.parent / paths.expanded(str(name)) for name in names]


def _from_folders(context: Context) -> Iterator[Exercise]:
    from studykit.exercise import authored

    known = trusted(context)
    for folder in folders(context):
        try:
            found = authored.files(folder)
            if not known.holds(folder, found):
                how = "is not trusted" if str(folder.resolve()) not in known.read() else "has changed since"
                context.tell(f"exercises: {folder} {how}; read it, then: study exercise trust {folder}")
                continue
            for module in authored.load(folder, found):
                yield from authored.exercises(module)
        except StudyError as error:
            context.tell(f"exercises: {error}")


def _from_packages(context: Context) -> Iterator[Exercise]:
    from importlib import metadata

    from studykit.exercise import authored

    for entry in metadata.entry_points(group=GROUP):
        try:
            yield from authored.exercises(entry.load())
        except Exception as error:  # noqa: BLE001 - a package of another author may raise anything
            context.tell(f"exercises: {entry.value} cannot be loaded: {type(error).__name__}: {error}")
