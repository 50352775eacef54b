"""Keys of a session: which action a key stands for, by stage, scale and the learner's own choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studykit.errors import UsageError
from studykit.scheduling.recall_grade import Grade


class Action(StrEnum):
    """What a learner can do in a session, besides grading."""

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
    STEPS = "steps"
    HELP = "help"
    UP = "up"
    DOWN = "down"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    CLOSE = "close"
    QUIT = "quit"


class Stage(StrEnum):
    """Where a session is."""

    QUESTION = "question"
    EXERCISE = "exercise"
    ANSWER = "answer"
    OVER = "over"


Press = Action | Grade


@dataclass(frozen=True, slots=True)
class Button:
    """A grade that can be given: its key and its word."""

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

_EVERYWHERE = {
    "u": Action.UNDO,
    "e": Action.EDIT,
    "-": Action.BURY,
    "@": Action.SUSPEND,
    "*": Action.FLAG,
    "i": Action.INFO,
    "w": Action.WHY,
    "?": Action.HELP,
    "j": Action.DOWN,
    "down": Action.DOWN,
    "k": Action.UP,
    "up": Action.UP,
    "pgdn": Action.PAGE_DOWN,
    "pgup": Action.PAGE_UP,
    "q": Action.QUIT,
    "ctrl-d": Action.QUIT,
}
_QUESTION = {"space": Action.REVEAL, "enter": Action.REVEAL, "t": Action.TYPE}
_ANSWER = {"space": Action.ACCEPT, "enter": Action.ACCEPT, "s": Action.STEPS}
_PAGE = {"q": Action.CLOSE, "esc": Action.CLOSE, "space": Action.CLOSE, "enter": Action.CLOSE}
_VIM = {"h": "again", "j": "hard", "k": "good", "l": "easy"}

COMMANDS: Mapping[str, Action] = {
    "undo": Action.UNDO,
    "why": Action.WHY,
    "info": Action.INFO,
    "edit": Action.EDIT,
    "bury": Action.BURY,
    "suspend": Action.SUSPEND,
    "flag": Action.FLAG,
    "keys": Action.HELP,
}
"""What a review does for a line such as `:undo`, while an answer is typed."""
OFFERED: Mapping[str, str] = {name: name if name in {"undo", "why"} else "" for name in COMMANDS}
"""The same commands as they are offered; those without a word are not shown."""
BESIDE: Mapping[str, Action] = {key: action for key, action in _EVERYWHERE.items() if action in COMMANDS.values()}
"""Their keys, where nothing is typed."""
_DEFAULT_KEYS: Mapping[Press, str] = {
    **{action: key for key, action in BESIDE.items()},
    Action.QUIT: "q",
    Action.STEPS: "s",
    Action.ACCEPT: "",
    Action.REVEAL: "",
}

WORDS: Mapping[str, Grade] = {grade.name.lower(): grade for grade in Grade}
"""Names of the grades in settings and in the log."""


def word_of(grade: Grade) -> str:
    """The name of a grade."""
    return grade.name.lower()


@dataclass(frozen=True, slots=True)
class Keymap:
    """The buttons of a scale, and the keys that the learner changed."""

    buttons: tuple[Button, ...]
    changed: Mapping[str, Press]
    vim: bool = False

    def choices(self, options: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
        """Options of an exercise under the learner's own keys: each key with the option's and its word.

        The default key goes on working, without a word, unless the exercise or the learner uses it otherwise.
        """
        own = {_DEFAULT_KEYS[press]: key for key, press in self.changed.items() if press in _DEFAULT_KEYS}
        letters = {key for key, _ in options if key not in _DEFAULT_KEYS.values()}
        offered = {
            key if own.get(key, key) in letters else own.get(key, key): (key, word) for key, word in options
        }
        for key, _ in options:
            if key not in self.changed:
                offered.setdefault(key, (key, ""))
        return offered

    def press(self, key: str, stage: Stage, *, page: bool = False) -> Press | None:
        """What a key means now; None where it means nothing."""
        if page:
            return _PAGE.get(key) or _EVERYWHERE.get(key)
        if key in self.changed:
            return self.changed[key]
        if stage is Stage.ANSWER:
            if self.vim and key in _VIM:
                return WORDS[_VIM[key]]
            if button := next((button for button in self.buttons if button.key == key), None):
                return button.grade
            return _ANSWER.get(key) or _EVERYWHERE.get(key)
        return _QUESTION.get(key) or _EVERYWHERE.get(key)


def keymap(scale: str = "4", keys: Mapping[str, object] | None = None) -> Keymap:
    """The keymap of a scale with the learner's `[keys]`; UsageError for another scale or preset."""
    if scale not in SCALES:
        raise UsageError(f"grades is {scale!r}; give 4, 2 or sm2.")
    chosen = dict(keys or {})
    preset = chosen.pop("preset", "")
    if preset not in {"", "vim"}:
        raise UsageError(f"keys.preset is {preset!r}; the only preset is vim.")
    changed: dict[str, Press] = {
        str(key): WORDS[name] if name in WORDS else Action(name) for name, key in chosen.items()
    }
    return Keymap(SCALES[scale], changed, vim=preset == "vim")
