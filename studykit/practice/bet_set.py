"""`study exercise timing`: bets one after another, each with fresh sizes."""

from typing import TYPE_CHECKING

from studykit.cli.display import open_ui
from studykit.graders.host.measure import Bench, bench
from studykit.practice import bet_run
from studykit.practice.ask_bet import put
from studykit.scheduling.events import EventKind
from studykit.ui import Ui

if TYPE_CHECKING:
    from studykit.cli.context import Context

AGAIN = (("n", "next snippet"), ("r", "this one with fresh sizes"), ("q", "leave"))


def run(context: "Context", *, name: str = "", seed: int | None = None, plain: bool = False) -> int:
    """Ask bets until the learner leaves, the named one first. The exit code."""
    drawn = context.seed() if seed is None else seed
    first = bet_run.exercise_named(name) if name and name != "bet" else None
    with bench(context) as found:
        exercise = first or bet_run.any_exercise(found.device, drawn)
        with open_ui(context, plain=plain) as ui:
            while (key := _asked(context, found, exercise.id, ui, drawn)) is not None:
                drawn += 1
                if key == "n":
                    exercise = bet_run.any_exercise(found.device, drawn)
    return 0


def _asked(context: "Context", found: Bench, name: str, ui: Ui, seed: int) -> str | None:
    """One bet; the key of what the learner wants next, None to leave."""
    asked = put(context, found, bet_run.drawn(bet_run.exercise_named(name), found.device, seed), ui)
    if asked.showing is not None:
        context.store.log.record(EventKind.PRACTICE, bet_run.NO_CARD, grade=asked.grade, showing=asked.showing)
    elif not asked.message:
        return None
    key = ui.choose("What next?", AGAIN)
    return key if key in {"n", "r"} else None
