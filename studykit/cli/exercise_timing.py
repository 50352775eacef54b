"""`study exercise timing`: bets one after another, each with fresh sizes."""

from typing import TYPE_CHECKING

from studykit.cli import wager
from studykit.cli.ask_bet import put
from studykit.cli.bench import Bench, bench
from studykit.cli.faces import open_face
from studykit.face import Face
from studykit.log import EventKind

if TYPE_CHECKING:
    from studykit.cli.world import World

AGAIN = (("n", "next snippet"), ("r", "this one with fresh sizes"), ("q", "leave"))


def run(world: "World", *, name: str = "", seed: int | None = None, plain: bool = False) -> int:
    """Ask bets until the learner leaves, the named one first. The exit code."""
    drawn = world.seed() if seed is None else seed
    first = wager.exercise_named(name) if name and name != "bet" else None
    with bench(world) as found:
        exercise = first or wager.any_exercise(found.device, drawn)
        with open_face(world, plain=plain) as face:
            while (key := _asked(world, found, exercise.id, face, drawn)) is not None:
                drawn += 1
                if key == "n":
                    exercise = wager.any_exercise(found.device, drawn)
    return 0


def _asked(world: "World", found: Bench, name: str, face: Face, seed: int) -> str | None:
    """One bet; the key of what the learner wants next, None to leave."""
    asked = put(world, found, wager.drawn(wager.exercise_named(name), found.device, seed), face)
    if asked.showing is not None:
        world.store.record(EventKind.PRACTICE, wager.NO_CARD, grade=asked.grade, showing=asked.showing)
    elif not asked.message:
        return None
    key = face.choose("What next?", AGAIN)
    return key if key in {"n", "r"} else None
