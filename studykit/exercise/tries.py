"""Save wrong tries at an open question as they are made, and find them again later."""

import json
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from studykit.cards.card import CardId
from studykit.cards.markdown import as_code
from studykit.exercise.entry import Exercise
from studykit.review.question import Asked, Phase, Question, Reply, tries_left_words
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.store.store import Store


@dataclass(frozen=True, slots=True)
class KeptTry:
    """Hold a wrong try, to be logged if its question is left open."""

    card: str
    showing: Showing
    grade: Grade | None = None
    took_ms: int = 0


class KeptTries:
    """Save the tries at an open question.

    They are dropped if it is answered. Else they are logged at the end of the context: the question was left by a
    command, Ctrl-C or a signal, or the terminal is gone.
    """

    def __init__(self, services: "Services", name: str) -> None:
        """Start without tries. `name` is the card's, or else the exercise's."""
        self._services = services
        self._name = name
        self._kept: Sequence[KeptTry] = ()

    def keep(self, tries: Sequence[KeptTry]) -> None:
        """Save all tries so far."""
        self._kept = tries
        # After a kill the tries are logged by a later process, but with the moment at which they were made.
        moment = self._services.now().isoformat()
        self._services.store.keep(self._name, json.dumps([moment, [astuple(one) for one in tries]]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        _log_tries(self._services.store, self._kept, None)
        self.drop()

    def drop(self) -> None:
        """Drop the tries, as the question is closed or they were undone."""
        if self._kept:
            self._services.store.keep(self._name, "")
        self._kept = ()


def begun(services: "Services", question: Question, tries: Sequence[Showing] = ()) -> Asked:
    """Return a question's state with its earlier tries and its drafts: the editor's text, the fields given."""
    state, drafts = Asked(question), services.open_drafts()
    if question.edited is not None and (text := drafts.of(_editor_place(question))):
        state = replace(state, edited=text).say("What you wrote in the editor is kept: `:editor` opens it.")
    if text := drafts.of(_fields_place(question)):
        given = tuple(text.split("\n"))
        fields = ", ".join(as_code(field) for field in given if field)
        words = f"You gave this before: {fields}."
        if len(given) == len(question.fields):
            return replace(state, given=given, phase=Phase.JUDGING).say(words)
        state = replace(state, given=given).say(f"{words} `:undo` goes back one field.")
    if not tries:
        return state
    replies = tuple(Reply(each.verdict, answer=each.answer, slips=each.slips) for each in tries)
    answers = tuple(each.answer for each in tries)
    last = f" `{answers[-1]}`." if "\n" not in answers[-1] else f"\n\n```python\n{answers[-1].strip()}\n```"
    words = f"You began this before: {tries_left_words(question.tries - len(tries))}. Your last answer was{last}"
    return replace(state, answers=answers, tries=replies).say(words)


def keep_unfinished(services: "Services", state: Asked) -> None:
    """Save the editor's text and the fields given so far as drafts, or drop the drafts of a closed question."""
    question, drafts = state.question, services.open_drafts()
    if question.edited is not None:
        drafts.keep(_editor_place(question), "" if state.is_closed else state.edited)
    if len(question.fields) > 1:
        drafts.keep(_fields_place(question), "\n".join(state.given))
    if state.is_closed:
        drafts.drop(f"{question.name} {question.seed}\n")


def unfinished_seed(services: "Services", name: str) -> int | None:
    """Return the seed of the question of this exercise that has the newest draft, or None."""
    place = services.open_drafts().newest(f"{name} ")
    seed = place.partition("\n")[0].removeprefix(f"{name} ")
    return int(seed) if seed.isdecimal() else None


def _editor_place(question: Question) -> str:
    """Return the name of the draft with the editor's text."""
    return f"editor {question.name}"


def _fields_place(question: Question) -> str:
    """Return the name of the draft with the fields given so far. It names the text of the question they fit."""
    return f"{question.name} {question.seed}\n\n{question.markdown}"


def log_lost(services: "Services") -> None:
    """Log the tries that a killed process had saved."""
    for name, text in services.store.kept().items():
        moment, tries = json.loads(text)
        _log_tries(services.store, [_try_from_json(fields) for fields in tries], datetime.fromisoformat(moment))
        services.store.keep(name, "")


def _log_tries(store: "Store", tries: Sequence[KeptTry], at: datetime | None) -> None:
    for kept_try in tries:
        store.log.record(
            EventKind.PRACTICE,
            CardId(kept_try.card),
            grade=kept_try.grade,
            took_ms=kept_try.took_ms,
            showing=kept_try.showing,
            at=at,
        )


def new_entries(card: str, state: Asked, logged_count: int) -> list[KeptTry]:
    """Return entries for the tries that are not in the log yet, to be logged if the question is left open."""
    pairs = list(zip(state.answers, state.tries, strict=False))[logged_count:]
    showings = [
        state.question.showing(reply.answer or answer, reply.verdict, state.slips) for answer, reply in pairs
    ]
    return [KeptTry(card, showing) for showing in showings if showing is not None]


def _try_from_json(fields: Sequence[Any]) -> KeptTry:
    card, showing, grade, took_ms = fields
    showing[-1] = tuple(showing[-1])
    return KeptTry(card, Showing(*showing), None if grade is None else Grade(grade), took_ms)


def open_tries(store: "Store", card: CardId, exercise: Exercise, open_verdicts: Collection[str]) -> list[Showing]:
    """Return a card's last tries at one variant, oldest first, or none if it was answered since.

    `open_verdicts` are those after which a question stays open.
    """
    history = store.log.history(card)
    undone_ids = {event.target for event in history if event.kind is EventKind.UNDO}
    tries: list[Showing] = []
    for event in reversed([event for event in history if str(event.id) not in undone_ids]):
        record = event.showing
        if event.kind is EventKind.UNDO:
            continue
        if event.kind is not EventKind.PRACTICE or record is None or not record.answer:
            break
        is_same = (record.template, record.version) == (exercise.id, exercise.version)
        if not is_same or record.verdict not in open_verdicts:
            break
        if tries and (record.seed, record.parameters) != (tries[0].seed, tries[0].parameters):
            break
        tries.insert(0, record)
    return tries
