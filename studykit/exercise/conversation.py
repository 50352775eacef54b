"""Ask a question in a Ui: pass input to its state machine as events, and judge or edit answers as it asks."""

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from studykit.errors import MissingError, StudyError
from studykit.exercise.tries import keep_unfinished
from studykit.review.keymap import SCROLL_KEYS, Keymap, word_of
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
    tries_left_words,
)
from studykit.review.question_rules import step
from studykit.scheduling.event_kinds import EventKind
from studykit.ui import Command, Line, Quit, RunPosition, Seeded, Ui

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.review.question import Part
    from studykit.scheduling.events import UndoneEvent

QUIT, UNDO = "quit", "undo"
SEALED = "Lessons open after the exam."
COLON = ":"  # begins a command also where keys are read, whose letters would do something else
_RIGHT_OR_WRONG = (("y", "right"), ("n", "wrong"))
_REVEAL = (("space", "reveal"), ("", ""), ("t", "type"))


class Host(Protocol):
    """Define what a conversation needs from the set, quiz or review that asks: its commands, and saving tries."""

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the words of the commands by name. A command without a word works but is not shown."""

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return a command and its word for each key that works while no line is typed."""

    def obey(self, name: str, state: Asked) -> bool:
        """Run a command, and return True if it leaves the question."""

    def keep(self, state: Asked) -> None:
        """Save a closed question, or the tries so far, so that a kill loses none."""

    def is_early(self) -> bool:
        """Return whether a key came so soon that it was meant for the question before."""


@dataclass(slots=True)
class Conversation:
    """Ask one question after another in a Ui, by the same policy."""

    services: "Services"
    ui: Ui
    policy: Policy
    host: Host
    keymap: Keymap
    deadline: float | None = None  # by the monotonic clock
    exit_command: str = ""  # the command by which the last question was left
    current: Asked | None = None  # the question as it is now

    def ask(self, state: Asked, title: str = "", place: RunPosition | None = None) -> Asked:
        """Ask until the question is closed or left, and return its state."""
        self.exit_command = ""
        self.show(state, title, place)
        self.current = state
        while not state.is_closed and not self.exit_command:
            next_state = self.current = self._run_step(state)
            if next_state.is_closed or next_state.tries != state.tries:
                self.host.keep(next_state)  # before it is drawn
            keep_unfinished(self.services, next_state)
            # The same line typed again gets the same reply, which must be seen to come again.
            is_repeated = next_state == state and next_state is not state
            self._show_parts(next_state.page[-1:] if is_repeated else next_state.page[len(state.page) :])
            state = next_state
        return state

    def choose(self, words: str, options: Sequence[tuple[str, str]], state: Asked) -> str | None:
        """Let the learner choose an option by the keys they set. Return its default key, or None if they leave."""
        offered = dict(options)
        host_options = [(key, word) for key, (_, word) in self.host.keys.items()]
        choices = self.keymap.choices([*options, *host_options, ("q", "quit"), (COLON, "")])
        names = [(name, key) for key, (name, _) in self.host.keys.items()]
        names += [*((word, key) for key, word in options), (QUIT, "q")]
        named_options = [(key, word) for key, (option, word) in choices.items() if option in offered]
        rest = [(key, word) for key, (option, word) in choices.items() if option not in offered]
        self.exit_command = ""
        while True:
            key = self.ui.choose(words, named_options, rest)
            choice = None if key is None else choices.get(key, (key, ""))[0]
            if choice == COLON and (choice := self._read_key_name(names)) is None:
                continue
            if choice in offered:
                return choice
            # A key of None means that the input has ended, which leaves like q.
            name, _ = self.host.keys.get(choice or "", (QUIT, ""))
            if choice in SCROLL_KEYS:
                self.ui.scroll(choice)
            elif name == QUIT or self._obey(name, state):
                self.exit_command = name
                return None

    def _obey(self, name: str, state: Asked) -> bool:
        """Run a command, and return True if it leaves the question."""
        if name == UNDO and self.policy.can_undo and state.phase is Phase.MARKING:
            return True  # which takes back the line that is marked
        if name != "lesson":
            return self.host.obey(name, state)
        from studykit.exercise.lesson import lesson

        self.ui.tell(SEALED if self.policy.is_silent else lesson(self.services, state.question.name))
        return False

    def _read_key_name(self, keys: Sequence[tuple[str, str]]) -> str | None:
        """Read a command's word after a colon, and return the command's key, or None if there is none."""
        words = {name: name for name, _ in keys if name.isalpha() and name != QUIT}
        reply = self.ui.read("command", words)
        text = QUIT if isinstance(reply, Quit) else reply.text.strip() if isinstance(reply, Line) else reply.key
        start = {"help": "keys"}.get(text, text)
        key = next((key for name, key in keys if start and name.startswith(start)), None)
        if key is None and text:
            self.ui.tell(f"`:{text}` is not a command here.")
        return key

    def show(self, state: Asked, title: str, place: RunPosition | None) -> None:
        """Show a question with its messages so far."""
        question = state.question
        seeded = Seeded(question.name, question.seed)
        self.ui.show(question.markdown, title=title, place=place, seeded=seeded)
        self._show_parts([question.opening, *state.page])

    def _show_parts(self, parts: "Sequence[Part]") -> None:
        for part in parts:
            if isinstance(part, str):
                if part:
                    self.ui.tell(part)
            else:
                self.ui.draw(part)

    def _run_step(self, state: Asked) -> Asked:
        if state.phase is Phase.JUDGING:  # as it was when the process was killed
            event: Event | None = self._judge_event(state)
        elif state.phase is Phase.FACE:
            event = self._reveal_event(state)
        else:
            event = self._mark_event(state) if state.phase is Phase.MARKING else self._read_event(state)
        while event is not None:
            if isinstance(event, Commanded) and event.name == UNDO:
                return self._undo_step(state)
            state, effect = step(state, event, self.policy)
            event = None
            if effect is Effect.JUDGE:
                if len(state.given) > 1:  # a bet, which is measured after a kill
                    keep_unfinished(self.services, state)
                event = self._judge_event(state)
            elif effect is Effect.EDIT:
                event = self._edit_event(state)
        return state

    def _read_event(self, state: Asked) -> Event | None:
        """Read a line as an event, or return None if the question is left or the host handled a command."""
        question, commands = state.question, state.commands(self.policy, self.host.commands)
        history = (*question.history, *state.answers)
        lines = question.edited is not None
        reply = self.ui.read(state.label, commands, history=history, lines=lines)
        if self.deadline is not None and time.monotonic() > self.deadline:
            return TimeUp(reply.text if isinstance(reply, Line) else "")
        match reply:
            case Line(text):
                return Typed(text)
            case Command("q") | Quit():
                self.exit_command = QUIT
            case Command(name) if name in self.host.commands and name != UNDO:
                self.exit_command = name if self._obey(name, state) else ""
            case Command(name):
                if name == "help":
                    # Hidden commands come last, by their names.
                    names = [word for word in commands.values() if word]
                    names += [name for name, word in commands.items() if not word and name != "back"]
                    self._show_parts([f"Commands: {', '.join(f':{name}' for name in names)}."])
                return Commanded(name)
        return None

    def _reveal_event(self, state: Asked) -> Event | None:
        key = self.choose("", _REVEAL, state)
        if key == "t":
            self.exit_command = "type" if self.host.obey("type", state) else ""
        elif key is not None and not self.host.is_early():
            return Commanded("reveal")
        return None

    def _mark_event(self, state: Asked) -> Event | None:
        key = self.choose("Was yours right?", _RIGHT_OR_WRONG, state)
        if self.exit_command == UNDO:
            self.exit_command = ""
            return Commanded(UNDO)
        return None if key is None else Marked(key == "y")

    def _judge_event(self, state: Asked) -> Event:
        doing = state.question.doing
        try:
            with self.ui.busy(doing) if doing else nullcontext():
                return Judged(state.question.judge(state))
        except StudyError as error:
            return Broken(f"Not judged: {error}")
        except KeyboardInterrupt:  # stops what runs; the line comes back
            return Broken("Stopped. Nothing was judged.")

    def _edit_event(self, state: Asked) -> Event:
        try:
            text = self.ui.edit(state.edited or state.answer or state.question.edited or "")
        except MissingError as error:
            return Edited(None, f"Nothing was changed: {error}")
        if text is not None:
            keep_unfinished(self.services, replace(state, edited=text))
        return Edited(text)

    def _undo_step(self, state: Asked) -> Asked:
        """Undo one step: a field, a bet, or a try. The host undoes what came before the question."""
        if state.given:
            return replace(state, given=state.given[:-1])
        if state.promises:
            words = undone_words(self.services.store.log.undo(state.promises[-1]))
            return replace(state, promises=state.promises[:-1]).say(f"{words.capitalize()}.")
        if state.previous is not None:
            is_answer_seen = state.answer_seen or state.phase is Phase.MARKING
            previous_state = replace(
                state.previous, hints=state.hints, answer_seen=is_answer_seen, warned=state.warned, page=state.page
            )
            return previous_state.say(f"Taken back: {tries_left_words(previous_state.tries_left(self.policy))}.")
        if self.host.obey(UNDO, state):
            self.exit_command = UNDO
        return state


def undone_words(undone_event: "UndoneEvent | None") -> str:
    """Describe an undone event in a few words, or say that there was nothing to undo."""
    if undone_event is None:
        return "there is nothing to undo"
    event = undone_event.target
    subject = event.card or (event.showing.template if event.showing is not None else "")
    if event.kind is EventKind.BET:
        return f"undone: your bet on {subject}" if subject else "undone: your bet"
    if event.kind in {EventKind.PRACTICE, EventKind.QUIZ}:
        return f"undone: your answer to {subject}" if subject else "undone: your answer"
    grade = f" {word_of(event.grade)}" if event.grade is not None else ""
    return f"undone: {event.kind.value}{grade} {subject}".rstrip()
