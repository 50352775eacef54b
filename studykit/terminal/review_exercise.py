"""An exercise inside a review: the learner's side of it, with the review's own commands added."""

from collections.abc import Mapping, Sequence

from studykit.review.keymap import BESIDE, COMMANDS, OFFERED, Action, Keymap, Stage
from studykit.review.session import Session
from studykit.terminal.review_layout import ReviewStyle, keys_of, page_lines
from studykit.ui import Command, ForwardingUi, Quit, Reply, Ui


class ExerciseInReview(ForwardingUi):
    """Passes everything on, but the commands of the review: `left` says that one of them ended the exercise."""

    def __init__(self, ui: Ui, session: Session, style: ReviewStyle, keys: Keymap) -> None:
        super().__init__(ui)
        self._keys = keys
        self._session = session
        self._style = style
        self._card = session.state.card
        self.left: Action | None = None

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """A typed line, or a command of the exercise; one of the review is done here."""
        while True:
            reply = self._ui.read(label, {**commands, **OFFERED}, history=history, lines=lines)
            action = Action.QUIT if isinstance(reply, Quit) else None
            if isinstance(reply, Command) and reply.key not in commands:
                action = COMMANDS.get(reply.key)
            if action is None:
                return reply
            if self._leaves(action):
                return Quit()

    def choose(self, question: str, options: Sequence[tuple[str, str]]) -> str | None:
        """The key of an option; the review's own keys work too."""
        offered = dict(options)
        words = {"u": "undo", "?": "keys"}
        beside = [(key, words.get(key, "")) for key in BESIDE if key not in offered]
        choices = self._keys.choices([*options, *beside, ("q", "quit")])
        while True:
            key = self._ui.choose(question, [(key, word) for key, (_, word) in choices.items()])
            choice = None if key is None else choices.get(key, (key, ""))[0]
            if choice in offered:
                return choice
            if self._leaves(BESIDE.get(choice or "", Action.QUIT)):
                return None

    def _leaves(self, action: Action) -> bool:
        """Do what the review is asked for; whether the exercise is left by it."""
        session = self._session
        if action in {Action.EDIT, Action.QUIT}:
            self.left = action
            return True
        if action in {Action.WHY, Action.INFO, Action.HELP}:
            self._ui.tell("\n".join(["```text", *self._page(action), "```"]))
            return False
        session.act(action)
        if session.state.stage is Stage.EXERCISE and session.state.card == self._card:
            self._ui.tell(f"{session.state.flash}.".capitalize())
            return False
        self.left = action
        return True

    def _page(self, action: Action) -> list[str]:
        if action is Action.HELP:
            return [f"{key:<8} {does}" for key, does in keys_of(self._style).items()]
        title = [self.title] if self.title and action is Action.INFO else []
        return [*title, *page_lines(self._session, self._style, action)]
