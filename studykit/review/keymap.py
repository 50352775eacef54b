"""Map a session's keys to actions, by stage, scale and the learner's settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studykit.errors import UsageError
from studykit.scheduling.recall_grade import Grade


class Action(StrEnum):
    """Name what a learner can do in a session, besides grading."""

    REVEAL = "reveal"
    ACCEPT = "accept"  # the suggested grade; good where nothing is suggested
    TYPE = "type"
    UNDO = "undo"
    EDIT = "edit"
    BURY = "bury"
    SUSPEND = "suspend"
    FLAG = "flag"
    INFO = "info"
    WHY = "why"
    LESSON = "lesson"
    STEPS = "steps"
    HELP = "help"
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    CLOSE = "close"
    QUIT = "quit"


Press = Action | Grade


@dataclass(frozen=True, slots=True)
class Button:
    """Hold a grade with its key and its word."""

    key: str
    word: str
    grade: Grade


SCALES: Mapping[str, tuple[Button, ...]] = {
    "4": (
        Button("1", "again", Grade.AGAIN),
        Button("2", "hard", Grade.HARD),
        Button("3", "good", Grade.GOOD),
        Button("4", "easy", Grade.EASY),
    ),
    "2": (Button("1", "forgot", Grade.AGAIN), Button("2", "knew it", Grade.GOOD)),
    "sm2": (
        Button("0", "blackout", Grade.BLACKOUT),
        Button("1", "wrong", Grade.AGAIN),
        Button("2", "wrong but familiar", Grade.FAMILIAR),
        Button("3", "right with difficulty", Grade.HARD),
        Button("4", "right after hesitation", Grade.GOOD),
        Button("5", "perfect", Grade.EASY),
    ),
}
"""Four keys by default; two, or SM-2's own six, by setting."""

BESIDE: Mapping[str, Action] = {
    "u": Action.UNDO,
    "e": Action.EDIT,
    "?": Action.HELP,
    "-": Action.BURY,
    "@": Action.SUSPEND,
    "*": Action.FLAG,
    "i": Action.INFO,
    "w": Action.WHY,
    "o": Action.LESSON,
}
"""Keys of a review where nothing is typed; a narrow screen names the first ones."""
_SCROLLING: Mapping[Press, str] = {
    Action.UP: "up",
    Action.DOWN: "down",
    Action.PAGE_UP: "pgup",
    Action.PAGE_DOWN: "pgdn",
}
SCROLL_KEYS = frozenset(_SCROLLING.values())
_VIM = {"h": "again", "j": "hard", "k": "good", "l": "easy"}

COMMANDS: Mapping[str, Action] = {
    "keys" if action is Action.HELP else action.value: action for action in BESIDE.values()
}
"""What a review does for a line such as `:undo`, while an answer is typed."""
OFFERED: Mapping[str, str] = {name: name if name in {"undo", "why"} else "" for name in COMMANDS}
"""The same commands as they are offered; those without a word are not shown."""
_DEFAULT_KEYS: Mapping[Press, str] = {
    **{action: key for key, action in BESIDE.items()},
    Action.QUIT: "q",
    Action.STEPS: "s",
    Action.TYPE: "t",
    Action.ACCEPT: "",
    Action.REVEAL: "space",
}

WORDS: Mapping[str, Grade] = {grade.name.lower(): grade for grade in Grade}
"""Names of the grades in settings and in the log."""


def word_of(grade: Grade) -> str:
    """Return the name of a grade."""
    return grade.name.lower()


@dataclass(frozen=True, slots=True)
class Keymap:
    """Hold the buttons of a scale, and the learner's own keys."""

    buttons: tuple[Button, ...]
    changed: Mapping[str, Press]
    vim: bool = False

    def choices(self, options: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
        """Map each key that works to an option and its word, or to a direction to scroll.

        A default key keeps working, hidden, unless an option or the learner uses it for something else.
        """
        defaults: dict[Press, str] = {**_DEFAULT_KEYS, **{button.grade: button.key for button in self.buttons}}
        own = {defaults[press]: key for key, press in self.changed.items() if press in defaults}
        letters = {key for key, _ in options if key not in defaults.values()}
        offered = {
            key if own.get(key, key) in letters else own.get(key, key): (key, word) for key, word in options
        }
        for key, _ in options:
            # Keys with a meaning of their own are set first, so that a hidden default never hides one of them.
            if key not in self.changed:
                offered.setdefault(key, (key, ""))
        if self.vim and any(key == button.key for button in self.buttons for key, _ in options):
            offered |= {key: (defaults[WORDS[name]], "") for key, name in _VIM.items() if WORDS[name] in defaults}
        for key, press in self.changed.items():
            if press in _SCROLLING:
                offered.setdefault(key, (_SCROLLING[press], ""))
        return offered


def keymap(scale: str = "4", keys: Mapping[str, object] | None = None) -> Keymap:
    """Return the keymap of a scale and `[keys]`. Raise UsageError for an unknown scale or preset."""
    if scale not in SCALES:
        raise UsageError(f"{scale!r} is not a scale of grades. Use 4, 2 or sm2.")
    settings = dict(keys or {})
    preset = settings.pop("preset", "")
    if preset not in {"", "vim"}:
        raise UsageError(f"{preset!r} is not a preset of keys. The only preset is vim.")
    changed: dict[str, Press] = {
        str(key): WORDS[name] if name in WORDS else Action(name) for name, key in settings.items()
    }
    return Keymap(SCALES[scale], changed, vim=preset == "vim")
