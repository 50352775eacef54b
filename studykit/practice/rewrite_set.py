"""`study exercise einops`: rewrites one after another, typed, edited, or watched in a file."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import CardId
from studykit.cli.commands.grade_watch import watch_file
from studykit.cli.display import open_ui
from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.host.place import PREFIX, rewrite_named
from studykit.practice.ask_rewrite import converse
from studykit.scheduling.events import EventKind
from studykit.ui import Ui

if TYPE_CHECKING:
    from studykit.cli.context import Context


def run(
    context: "Context", *, name: str = "", seed: int | None = None, plain: bool = False, watch: bool = False
) -> int:
    """Ask rewrites until the learner leaves; `name` is an exercise or a family to begin with. The exit code."""
    drawn = context.seed() if seed is None else seed
    tasks = chosen(name, drawn)
    if watch:
        return watch_file(context, tasks[0], Path(tasks[0].id.removeprefix(PREFIX) + ".py"))
    with open_ui(context, plain=plain) as ui:
        for task in tasks:
            if not _practised(context, task, ui, drawn):
                break
    return 0


def chosen(name: str, seed: int) -> Sequence[Rewrite]:
    """The exercises in the order in which they are asked: the one that is named, then others of all families."""
    every = [found for found in catalog.of_set("einops") if isinstance(found, Rewrite)]
    families = sorted({task.family for task in every})
    if name in families:
        every = [task for task in every if task.family == name]
    order = Random(seed).sample(every, len(every))  # noqa: S311 - to be repeated, not secret
    if not name or name in families:
        return order
    try:
        first = rewrite_named(name)
    except NotFoundError as error:
        raise NotFoundError(f"{error} The families are {', '.join(families)}.") from None
    return [first, *(task for task in order if task.id != first.id)]


def _practised(context: "Context", task: Rewrite, ui: Ui, seed: int) -> bool:
    asked = converse(context, task, ui, seed)
    if asked.showing is None:
        return False
    context.store.log.record(EventKind.PRACTICE, CardId(""), grade=asked.grade, showing=asked.showing)
    key = ui.choose("What next?", (("n", "next rewrite"), ("r", "this one again"), ("q", "leave")))
    if key == "r":
        return _practised(context, task, ui, seed + 1)
    return key == "n"
