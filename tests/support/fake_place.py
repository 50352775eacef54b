"""A place that asks questions without a run or a review around it."""

from collections.abc import Mapping
from uuid import UUID

from studykit.exercise.conversation import Conversation
from studykit.review.keymap import keymap
from studykit.review.question import Asked, Policy, Question
from studykit.ui import Ui


class NoPlace:
    """It has no commands of its own, and keeps nothing."""

    commands: Mapping[str, str] = {}
    keys: Mapping[str, tuple[str, str]] = {}

    def obey(self, _name: str, _asked: Asked) -> bool:
        return False

    def take_back(self, _event: UUID) -> str:
        return ""

    def keep(self, asked: Asked) -> None:
        """Keep nothing."""

    def keep_edited(self, asked: Asked) -> None:
        """Keep nothing."""


def ask(question: Question, ui: Ui) -> Asked:
    """Ask one question by the rules of a set."""
    return Conversation(ui, Policy(), NoPlace(), keymap()).ask(Asked(question))
