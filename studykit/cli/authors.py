"""Where this run finds the exercises of other authors: the folders that the configuration names."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cli.context import Context
from studykit.cli.exit import report_at_exit
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise

if TYPE_CHECKING:
    from studykit.exercise.trust import Trusted


def attach_authors(context: Context) -> None:
    """Let the catalogue find authored exercises; nothing is read or run until it looks for one."""
    kept: list[Sequence[Exercise]] = []

    def once() -> Sequence[Exercise]:
        from studykit.exercise.trust import available

        if not kept:
            kept.append([*available(folders(context), trusted(context), context.tell, report_at_exit)])
        return kept[0]

    catalog.set_author_source(once)


def trusted(context: Context) -> "Trusted":
    """What the learner trusts."""
    from studykit.exercise.trust import Trusted

    return Trusted(context.config_file.parent / "trusted.json")


def folders(context: Context) -> list[Path]:
    """The folders that the configuration names; relative ones are beside it."""
    named = context.config.get("exercises", [])
    names = named if isinstance(named, list) else []
    return [context.config_file.parent / paths.expanded(str(name)) for name in names]
