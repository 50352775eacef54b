"""A review as the place that asks a card's question: its commands while an answer is typed, and what they do."""

from collections.abc import Mapping
from dataclasses import dataclass

from studykit.review.keymap import BESIDE, COMMANDS, OFFERED, Action
from studykit.review.question import Asked
from studykit.review.session import Session
from studykit.terminal.review_layout import ReviewStyle, keys_of, page_lines
from studykit.ui import Ui

_WORDS = {"undo": "undo", "keys": "keys"}
_NAMES = {action: name for name, action in COMMANDS.items()}
_LEAVING = {"edit", "back"}


@dataclass(slots=True)
class ReviewPlace:
    """A session whose card is asked in a Ui."""

    ui: Ui
    session: Session
    style: ReviewStyle

    @property
    def commands(self) -> Mapping[str, str]:
        """The review's commands; of a card that may be revealed also the way back."""
        return {**OFFERED, **({"back": ""} if self.session.state.is_typing else {})}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """The same by single keys, where nothing is typed."""
        return {key: (_NAMES[action], _WORDS.get(_NAMES[action], "")) for key, action in BESIDE.items()}

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command; return whether the question is left by it."""
        if name in _LEAVING:
            return True
        session, action = self.session, COMMANDS[name]
        if action in {Action.WHY, Action.INFO, Action.HELP}:
            self.ui.tell("\n".join(["```text", *self._page(action, asked), "```"]))
            return False
        card = session.state.card
        session.act(action)
        if session.state.is_asking(card):
            self.ui.tell(f"{session.state.flash}.".capitalize())
            return False
        return True

    def _page(self, action: Action, asked: Asked) -> list[str]:
        if action is Action.HELP:
            return [f"{key:<8} {does}" for key, does in keys_of(self.style).items()]
        info = [asked.question.info] if action is Action.INFO else []
        return [*info, *page_lines(self.session, self.style, action)]
