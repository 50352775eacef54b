"""One question asked in a Ui: what the learner does becomes events, and what its state machine wants is done."""

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from studykit.errors import MissingError, StudyError
from studykit.review.keymap import SCROLL_KEYS, Keymap
from studykit.review.question import (
    Asked,
    Broken,
    Commanded,
    Edited,
    Effect,
    Event,
    Judged,
    Marked,
    Phase,
    Policy,
    TimeUp,
    Typed,
)
from studykit.review.question_rules import step
from studykit.ui import Command, Line, Quit, RunPosition, Seeded, Ui

if TYPE_CHECKING:
    from studykit.review.question import Part

QUIT, UNDO = "quit", "undo"
COLON = ":"  # begins a command also where keys are read, whose letters would do something else
_RIGHT_OR_WRONG = (("y", "right"), ("n", "wrong"))


class Commander(Protocol):
    """The place that asks: a set, a quiz, a review. It has commands of its own."""

    @property
    def commands(self) -> Mapping[str, str]:
        """Return each command with its word. One without a word works but is not shown."""

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return the command and word of each key, where nothing is typed."""

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command, and return whether it leaves the question."""


class Host(Commander, Protocol):
    """The place that asks, with what it keeps of a question."""

    def take_back(self, event: UUID) -> str:
        """Undo what was logged while the question was open, and say what it was."""

    def keep(self, asked: Asked) -> None:
        """Write down a closed question, or the tries until now, so that a kill loses none."""

    def keep_edited(self, asked: Asked) -> None:
        """Write down what came back from the editor."""


@dataclass(slots=True)
class Conversation:
    """A Ui in which questions are asked by the rules of one place."""

    ui: Ui
    policy: Policy
    host: Host
    keymap: Keymap
    deadline: float | None = None  # by the monotonic clock
    left: str = ""  # the command by which the last question was left
    current: Asked | None = None  # the question as it is now

    def ask(self, asked: Asked, title: str = "", place: RunPosition | None = None) -> Asked:
        """Ask until the question is closed or left."""
        self.left = ""
        self.show(asked, title, place)
        self.current = asked
        while not asked.is_closed and not self.left:
            after = self.current = self._advance(asked)
            if after.edited != asked.edited:
                self.host.keep_edited(after)
            if after.is_closed or after.tries != asked.tries:
                self.host.keep(after)  # before it is drawn
            if after.page[: len(asked.page)] == asked.page:
                is_repeated = after == asked and after is not asked  # the same line again gets the same reply
                self._say(after.page[-1:] if is_repeated else after.page[len(asked.page) :])
            else:  # a try was taken back
                self.show(after, title, place)
            asked = after
        return asked

    def choose(self, words: str, options: Sequence[tuple[str, str]], asked: Asked) -> str | None:
        """Return the key of an option, by the learner's own keys, or None if they leave."""
        offered = dict(options)
        beside = [(key, word) for key, (_, word) in self.host.keys.items() if key not in offered]
        leave = [] if "q" in offered else [("q", "quit")]
        choices = self.keymap.choices([*options, *beside, *leave, (COLON, "")])
        names = [(name, key) for key, (name, _) in self.host.keys.items()]
        names += [*((word, key) for key, word in options), (QUIT, "q")]
        named = [(key, word) for key, (option, word) in choices.items() if option in offered]
        rest = [(key, word) for key, (option, word) in choices.items() if option not in offered]
        self.left = ""
        while True:
            key = self.ui.choose(words, named, rest)
            choice = None if key is None else choices.get(key, (key, ""))[0]
            if choice == COLON and (choice := self._named(names)) is None:
                continue
            if choice in offered:
                return choice
            name, _ = self.host.keys.get(choice or "", (QUIT, ""))
            if choice in SCROLL_KEYS:
                self.ui.scroll(choice)
            elif name == QUIT or self.host.obey(name, asked):
                self.left = name
                return None

    def _named(self, keys: Sequence[tuple[str, str]]) -> str | None:
        """Read the word of a key behind a colon, as where an answer is typed, and return the key."""
        words = {name: name for name, _ in keys if name.isalpha() and name != QUIT}
        reply = self.ui.read("command", words)
        text = QUIT if isinstance(reply, Quit) else reply.text.strip() if isinstance(reply, Line) else reply.key
        key = next((key for name, key in keys if text and name.startswith(text)), None)
        if key is None and text:
            self.ui.tell(f"`:{text}` is not a command here.")
        return key

    def show(self, asked: Asked, title: str, place: RunPosition | None) -> None:
        """Show a question with all that was said at it."""
        question = asked.question
        seeded = Seeded(question.name, question.seed)
        self.ui.show(question.markdown, title=title, place=place, seeded=seeded)
        self._say([question.opening, *asked.page])

    def _say(self, parts: "Sequence[Part]") -> None:
        for part in parts:
            if isinstance(part, str):
                if part:
                    self.ui.tell(part)
            else:
                self.ui.draw(part)

    def _advance(self, asked: Asked) -> Asked:
        event = self._marked(asked) if asked.phase is Phase.MARKING else self._read(asked)
        while event is not None:
            if isinstance(event, Commanded) and event.name == UNDO:
                return self._undone(asked)
            asked, effect = step(asked, event, self.policy)
            event = None
            if effect is Effect.JUDGE:
                event = self._judged(asked)
            elif effect is Effect.EDIT:
                event = self._edited(asked)
        return asked

    def _read(self, asked: Asked) -> Event | None:
        """Read a line as an event, or None if the question is left or its place has handled it."""
        question, commands = asked.question, asked.commands(self.policy, self.host.commands)
        history = (*question.history, *asked.answers)
        lines = question.edited is not None
        reply = self.ui.read(asked.label, commands, history=history, lines=lines)
        if self.deadline is not None and time.monotonic() > self.deadline:
            return TimeUp(reply.text if isinstance(reply, Line) else "")
        match reply:
            case Line(text):
                return Typed(text)
            case Command("q") | Quit():
                self.left = QUIT
            case Command(name) if name in self.host.commands and name != UNDO:
                self.left = name if self.host.obey(name, asked) else ""
            case Command(name):
                if name == "help":
                    self._say([f"Commands: {', '.join(f':{word}' for word in _words(commands))}."])
                return Commanded(name)
        return None

    def _marked(self, asked: Asked) -> Event | None:
        key = self.choose("Was yours right?", _RIGHT_OR_WRONG, asked)
        if self.left == UNDO:
            self.left = ""
            return Commanded(UNDO)
        return None if key is None else Marked(key == "y")

    def _judged(self, asked: Asked) -> Event:
        doing = asked.question.doing
        try:
            with self.ui.busy(doing) if doing else nullcontext():
                return Judged(asked.question.judge(asked))
        except StudyError as error:
            return Broken(f"Not judged: {error}")
        except KeyboardInterrupt:  # stops what runs; the line comes back
            return Broken("Stopped. Nothing was judged.")

    def _edited(self, asked: Asked) -> Event:
        try:
            text = self.ui.edit(asked.edited or asked.answer or asked.question.edited or "")
        except MissingError as error:
            return Edited(None, f"Nothing was changed: {error}")
        if text is not None:
            self.host.keep_edited(replace(asked, edited=text))
        return Edited(text)

    def _undone(self, asked: Asked) -> Asked:
        """Take back one step: a field, a promise, a try. The host undoes what came before the question."""
        if asked.given:
            return replace(asked, given=asked.given[:-1])
        if asked.promises:
            return replace(asked, promises=asked.promises[:-1]).say(self.host.take_back(asked.promises[-1]))
        if asked.previous is not None:
            seen = asked.answer_seen or asked.phase is Phase.MARKING
            back = replace(asked.previous, hints=asked.hints, answer_seen=seen, warned=asked.warned)
            return replace(back, page=back.page[: len(asked.previous.page)])
        if self.host.obey(UNDO, asked):
            self.left = UNDO
        return asked


def _words(commands: Mapping[str, str]) -> list[str]:
    """Return the words of commands, those that are not shown behind the others."""
    shown = [word for word in commands.values() if word]
    return [*shown, *(name for name, word in commands.items() if not word and name != "back")]
