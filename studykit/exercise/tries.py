"""Wrong tries at a question that is still open: on disk as they are made, and found again behind their card."""

import json
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from studykit.cards.card import CardId
from studykit.exercise.entry import Exercise
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store

if TYPE_CHECKING:
    from studykit.exercise.services import Services


@dataclass(frozen=True, slots=True)
class KeptTry:
    """An entry of the log that is to be made when its question is left."""

    card: str
    showing: Showing
    grade: Grade | None = None
    took_ms: int = 0


class KeptTries:
    """The tries at one question, kept until it is left: then they are logged, or dropped where it was answered."""

    def __init__(self, services: "Services", name: str) -> None:
        """`name` is the card's, else the exercise's."""
        self._services = services
        self._name = name
        self._kept: Sequence[KeptTry] = ()

    def keep(self, tries: Sequence[KeptTry]) -> None:
        """Write down all tries until now."""
        self._kept = tries
        moment = self._services.now().isoformat()
        self._services.store.keep(self._name, json.dumps([moment, [astuple(one) for one in tries]]))

    def log(self) -> None:
        """Log them, for the question is left open."""
        _record(self._services.store, self._kept, None)
        self.drop()

    def drop(self) -> None:
        """Forget them: the question is closed, or they were taken back."""
        if self._kept:
            self._services.store.keep(self._name, "")
        self._kept = ()


def begun(services: "Services", question: Question, tries: Sequence[Showing] = ()) -> Asked:
    """Return a question as it was left: with its earlier tries, and with what was written in the editor."""
    asked = Asked(question)
    if question.edited is not None and (text := services.open_drafts().of(editor_draft(question))):
        asked = replace(asked, edited=text).say("What you wrote in the editor is kept: `:editor` opens it.")
    if not tries:
        return asked
    replies = tuple(Reply(each.verdict, answer=each.answer, slips=each.slips) for each in tries)
    answers = tuple(each.answer for each in tries)
    left = question.tries - len(tries)
    last = f" `{answers[-1]}`" if "\n" not in answers[-1] else f"\n\n```python\n{answers[-1].strip()}\n```"
    words = f"You began this before: {left} {'try' if left == 1 else 'tries'} left. Your last answer was{last}"
    return replace(asked, answers=answers, tries=replies).say(words)


def editor_draft(question: Question) -> str:
    """Return the place of what was written in the editor and not judged as a line since."""
    return f"editor {question.name}"


def keep_edited(services: "Services", asked: Asked) -> None:
    """Keep what came back from the editor, until a judged line replaces it."""
    services.open_drafts().keep(editor_draft(asked.question), asked.edited)


def drop_edited(services: "Services", asked: Asked) -> None:
    """Forget what came back from the editor: its question is closed."""
    if asked.question.edited is not None:
        services.open_drafts().keep(editor_draft(asked.question), "")


def log_lost(services: "Services") -> None:
    """Log what a killed process had kept."""
    for name, text in services.store.kept().items():
        moment, tries = json.loads(text)
        _record(services.store, [_try(one) for one in tries], datetime.fromisoformat(moment))
        services.store.keep(name, "")


def _record(store: "Store", tries: Sequence[KeptTry], at: datetime | None) -> None:
    for one in tries:
        store.log.record(
            EventKind.PRACTICE,
            CardId(one.card),
            grade=one.grade,
            took_ms=one.took_ms,
            showing=one.showing,
            at=at,
        )


def _try(fields: Sequence[Any]) -> KeptTry:
    card, showing, grade, took_ms = fields
    template, version, seed, parameters, answer, verdict, slips = showing
    shown = Showing(template, version, seed, parameters, answer, verdict, tuple(slips))
    return KeptTry(card, shown, None if grade is None else Grade(grade), took_ms)


def open_tries(store: Store, card: CardId, exercise: Exercise, wrong: Collection[str]) -> list[Showing]:
    """Return the newest tries behind a card at one variant, oldest first, none once it was answered.

    `wrong` are the names of the verdicts after which a question stays open.
    """
    history = store.log.history(card)
    undone = {event.target for event in history if event.kind is EventKind.UNDO}
    tries: list[Showing] = []
    for event in reversed([event for event in history if str(event.id) not in undone]):
        record = event.showing
        if event.kind is EventKind.UNDO:
            continue
        if event.kind is not EventKind.PRACTICE or record is None or not record.answer:
            break
        is_same = (record.template, record.version) == (exercise.id, exercise.version)
        if not is_same or record.verdict not in wrong:
            break
        if tries and (record.seed, record.parameters) != (tries[0].seed, tries[0].parameters):
            break
        tries.insert(0, record)
    return tries
