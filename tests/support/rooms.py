"""Define the program's packages and the floors on which they lie, for the tests that check imports."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = (
    {"errors", "text", "paths", "ordinary_file", "picture", "help_pages", "exercises"},
    {"quantity", "formula"},
    {"cards"},
    {"scheduling"},
    {"ui", "store"},
    {"review", "exercise_model", "collection", "sync", "backup"},
    {"classroom", "sandbox", "terminal", "html", "formats", "config"},
    {"graders"},
    {"exercise", "submissions"},
    {"cli"},
    {"__main__"},
)
"""From the ground up: a package imports itself and what lies on a lower floor. One floor, no imports across it."""
FLOOR = {package: number for number, packages in enumerate(FLOORS) for package in packages}

LEARNER_SIDE = {
    *("kind", "registry", "services", "tries", "wrong_answers", "quiz"),
    *("conversation", "turn", "run", "lesson", "card_turn", "review_run", "question"),
    *("estimate.log", "estimate.turns", "estimate.model_turns", "estimate.scenario_chain"),
    *("bet.bench", "bet.snippet_bets", "rewrite.answer_file"),
}
"""Files of `exercise` that ask, judge and log; all others say what an exercise is, and graders import them."""


def modules(folder: str) -> list[Path]:
    """Return the Python files of a folder."""
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name of a file's module, under `studykit` whatever its folder."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return name if name.startswith("studykit") else f"studykit.{name}"


def package_of(name: str) -> str:
    """Return the room of a module: the second part of its name, with `exercise_model` apart from `exercise`."""
    room, *inside = [*name.split("."), ""][1:]
    if room == "exercise" and not {*inside, ".".join(inside[:2])} & LEARNER_SIDE:
        return "exercise_model"
    return room
