"""Who asks an exercise card, by the family in its name; each family is loaded when it is first asked."""

import importlib
from typing import TYPE_CHECKING, cast

from studykit.errors import MissingError
from studykit.ui import Asker

if TYPE_CHECKING:
    from studykit.cli.context import Context

_FAMILIES = {"rewrite": "rewrite", "bet": "bet"}


def family(exercise: str) -> str:
    """The family of an exercise: rewrite and bet by their prefix, everything else is numeric."""
    return _FAMILIES.get(exercise.partition(".")[0], "numeric")


def asker(context: "Context", exercise: str) -> Asker:
    """The asker for an exercise; MissingError where its family or a tool that it needs is not here."""
    name = family(exercise)
    try:
        module = importlib.import_module(f"studykit.practice.ask_{name}")
    except ModuleNotFoundError as error:
        what = error.name or name
        raise MissingError(f"exercise {exercise} needs {what}, which is not installed here.") from None
    return cast("Asker", module.make_asker(context))
