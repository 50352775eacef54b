"""`study exercise timing`: bets one after another, each with fresh sizes."""

from typing import TYPE_CHECKING

from studykit.cli.display import open_face
from studykit.graders.host.measure import Bench, bench
from studykit.practice import bet_run
from studykit.practice.ask_bet import put
from studykit.scheduling.events import EventKind
from studykit.ui import Face

if TYPE_CHECKING:
    from studykit.cli.context import World

AGAIN = (("n", "next snippet"), ("r", "this one with fresh sizes"), ("q", "leave"))


def run(world: "World", *, name: str = "", seed: int | None = None, plain: bool = False) -> int:
    """Ask bets until the learner leaves, the named one first. The exit code."""
    drawn = world.seed() if seed is None else seed
    first = bet_run.exercise_named(name) if name and name != "bet" else None
    with bench(world) as found:
        exercise = first or bet_run.any_exercise(found.device, drawn)
        with open_face(world, plain=plain) as face:
            while (key := _asked(world, found, exercise.id, face, drawn)) is not None:
                drawn += 1
                if key == "n":
                    exercise = bet_run.any_exercise(found.device, drawn)
    return 0


def _asked(world: "World", found: Bench, name: str, face: Face, seed: int) -> str | None:
    """One bet; the key of what the learner wants next, None to leave."""
    asked = put(world, found, bet_run.drawn(bet_run.exercise_named(name), found.device, seed), face)
    if asked.showing is not None:
        world.store.record(EventKind.PRACTICE, bet_run.NO_CARD, grade=asked.grade, showing=asked.showing)
    elif not asked.message:
        return None
    key = face.choose("What next?", AGAIN)
    return key if key in {"n", "r"} else None
