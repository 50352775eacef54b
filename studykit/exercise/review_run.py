"""Run a review: each card is a turn of the run. Its answer is graded, and a failed card comes again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Unpack

from studykit.cards.card import GAP, JUDGED, Card, CardId, Kind
from studykit.cards.front_matter import filled_in
from studykit.errors import StudyError
from studykit.exercise.card_turn import face_of, turn_to_come
from studykit.exercise.conversation import QUIT, Conversation
from studykit.exercise.run import Run
from studykit.exercise.tries import begun, new_entries
from studykit.exercise.turn import Done, Turn
from studykit.review.keymap import BESIDE, COMMANDS, OFFERED, SCALES, Button, word_of
from studykit.review.preview import buttons_line, day_name, span
from studykit.review.progress import SessionAnswer, Summary, minutes_left, summary
from studykit.review.question import Asked, Phase
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import AnswerKind
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import becomes_leech
from studykit.ui import RunPosition

if TYPE_CHECKING:
    from datetime import date

    from studykit.scheduling.events import EventDetails, RecordedEvent
    from studykit.scheduling.memory import Memory

GUARD_MS = 250
"""A held space bar repeats: within this time of a reveal, space and enter do not grade."""
APART = 3
"""Other cards between a failed card and its return, as long as there are others."""
PAUSE_MS = 800
"""For this long after a card that came by itself, an Enter that was meant for the one before it does nothing."""
_NAMES = {action: name for name, action in COMMANDS.items()}
_STEPS = "s"
_GRADES = "1 2 3 4"
_PUT_OFF = {
    "bury": (EventKind.BURY, "buried until tomorrow"),
    "suspend": (EventKind.SUSPEND, "suspended until you unsuspend it"),
}


class ReviewServices(NamedTuple):
    """Hold the functions that a running review calls."""

    edit: Callable[[Card], tuple[Card | None, str]]
    turn: Callable[[Card, int], Turn]  # of a card, with the numbers of a seed
    seed: Callable[[], int]
    macros: Callable[[Card], Mapping[str, str]] = lambda _: {}  # TeX macros of the card's deck


class ReviewOptions(NamedTuple):
    """Hold a review's limits, the learner's settings, and the names of the decks."""

    minutes: float | None = None
    space_grades: bool = True
    confirm_right: bool = True  # a right answer waits for its grade; else it is given, and undo brings it back
    guard_ms: int = GUARD_MS  # 0 where lines are typed, which no held key ends
    leech_lapses: int = 0  # that make a card a leech; 0: none is one
    decks: Mapping[str, str] = {}  # names by id
    intervals: bool = True  # buttons say what they bring
    timer: bool = False


def _is_revealed(asked: Asked) -> bool:
    """Return whether a card's answer was revealed, and none of the learner's was judged."""
    return asked.phase is Phase.CLOSED and not asked.tries and not asked.verdict


@dataclass(slots=True, kw_only=True)
class ReviewRun(Run):
    """Run a review in a Ui."""

    around: ReviewServices
    today: "Callable[[], date]"
    options: ReviewOptions = field(default_factory=ReviewOptions)
    skipped: list[str] = field(default_factory=list)  # sentences about questions that were not asked
    _seeds: dict[CardId, int] = field(default_factory=dict)  # of cards that are asked or were left for a while
    _new_ids: dict[CardId, CardId] = field(default_factory=dict)  # of cards that an edit gave another one
    _revealed_s: float = 0.0
    _paused_until_s: float = 0.0

    @property
    def card(self) -> Card:
        """Return the card that is asked."""
        card: Card = self.turn.detail
        return card

    @property
    def answers(self) -> tuple[SessionAnswer, ...]:
        """Return the graded answers."""
        return tuple(one.graded for one in self.state.done if one.graded is not None)

    def summary(self) -> Summary:
        """Return the numbers at the end of the review."""
        return summary(self.answers, int(self.clock() - self.started), self.remaining)

    @property
    def kept_text(self) -> str:
        """Return a sentence if typed text or tries at this card are saved, or ""."""
        asked = self.state.asked
        is_open = asked is not None and asked.phase not in {Phase.FACE, Phase.CLOSED}
        history = self.store.log.history(self.card.id) if is_open else ()
        has_open_try = bool(history) and history[-1].kind is EventKind.PRACTICE
        is_kept = self.asking.services.open_drafts().unfinished or has_open_try
        return "What you typed is kept." if is_kept else ""

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the review's commands, and `back` while an answer is typed that may be revealed."""
        asked = self.state.asked
        return {**OFFERED, **({"back": ""} if asked is not None and asked.question.can_reveal else {})}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return the commands by single key, for use when no line is typed. After a miss the lesson is first."""
        asked = self.state.asked
        first = ["o"] if asked is not None and outcomes.is_missed(asked.verdict) else []
        return {key: (_NAMES[BESIDE[key]],) * 2 for key in [*first, *BESIDE]}

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command, and return whether it leaves the question."""
        match name:
            case "undo":
                return self._undo_on_page()
            case "edit":
                self._edit(asked)
                return True
            case "type":
                self.state = self.state._replace(asked=self._first_state(self.card))
                return True
            case "back":
                self.asking.services.open_drafts().keep(self.card.id, "")
                self.state = self.state._replace(begun=None, asked=None)
                return True
            case "bury" | "suspend":
                kind, message = _PUT_OFF[name]
                self._record(kind)
                self.advance()
                self.message = message
                return True
            case "flag":
                is_flagged = self.store.schedule.flagged(self.card.id)
                self._record(EventKind.UNFLAG if is_flagged else EventKind.FLAG)
                self.asking.ui.tell("Flag taken off." if is_flagged else "Flagged.")
            case _:
                self.asking.ui.page(self._info_page(name, asked))
        return False

    def keep(self, asked: Asked) -> None:
        """Save the tries of an open question. A closed one is logged with its grade."""
        if self._tries is None:
            return
        if asked.is_closed:
            self._tries.drop()
        else:
            self._tries.keep(new_entries(self.turn.card, asked, len(self.turn.tries)))

    def is_early(self) -> bool:
        """Return whether the card has just come by itself."""
        return self.clock() < self._paused_until_s

    # A card

    def _begin(self) -> Asked | None:
        """Return the question of the current card, or None if it is gone or cannot be asked here."""
        if self.options.minutes is not None and self.clock() - self.started >= 60 * self.options.minutes:
            self.time_up = True
            return None
        name = CardId(self.turn.card)
        # A card may leave the decks while the review runs, by an edit here or elsewhere.
        card = self.store.cards.present(self._new_ids.get(name, name))
        if card is None:
            Run.advance(self)
            return None
        if not (card.kind in JUDGED or card.typed or self.asking.services.open_drafts().of(card.id)):
            self.state = self.state._replace(begun=replace(self.turn, card=card.id, detail=card))
            return Asked(face_of(card, self.around.macros(card)), Phase.FACE)
        if card.kind in JUDGED and card.id not in self._seeds:
            self._seeds[card.id] = self.around.seed()
        try:
            return self._first_state(card)
        except StudyError as error:
            self.skipped.append(str(error))
            Run.advance(self)
            before = f"{self.message.rstrip('.')}. " if self.message else ""
            self.message = f"{before}Passed over: {error.in_one_line}"
            return None

    def _first_state(self, card: Card) -> Asked:
        """Return a card's question, with the tries that were left open if their numbers are still possible."""
        turn = self.around.turn(card, self._seeds.get(card.id, 0))
        try:
            question = turn.pose(self.asking, ())
        except StudyError:
            if turn.again is None:
                raise
            turn = turn.again()
            question = turn.pose(self.asking, ())
        self.state = self.state._replace(begun=turn)
        return begun(self.asking.services, question, turn.tries)

    def advance(self) -> None:
        """Go on to the next card. What was typed at this one is done with."""
        self.asking.services.open_drafts().keep(self.turn.card, "")
        self._seeds.pop(CardId(self.turn.card), None)
        Run.advance(self)

    def _finish_question(self, talk: Conversation, asked: Asked) -> bool:
        """Take a closed question and give its grade or ask for it. Return whether the review goes on."""
        if not _is_revealed(asked):
            self.past.append((self.state._replace(asked=asked.reopened), None))
        self.state = self.state._replace(asked=asked)
        asked, has_followed = self._ask_follow_up(talk, asked)
        if talk.exit_command not in {"", QUIT}:  # a command has changed the state
            return True
        self.state = self.state._replace(asked=asked)
        is_read = _is_revealed(asked) or asked.waits or has_followed
        if is_read or self.options.confirm_right or asked.grade is None:
            return self._choose_next(talk, asked, has_followed=has_followed)
        self._apply_grade(asked, asked.grade)
        self._paused_until_s = self.clock() + PAUSE_MS / 1000
        line = self.asking.services.in_a_line(asked.line)
        self.message = "; ".join([line, self.message, *(["u brings it back"] if self.remaining else [])])
        return True

    def _ask_follow_up(self, talk: Conversation, asked: Asked) -> tuple[Asked, bool]:
        """Offer a follow-up if a slip recurs or nothing was scored. Return what to grade, and whether it came."""
        is_unscored = asked.verdict == outcomes.NOT_SCORED
        if self.turn.follow is None or (asked.grade is None and not is_unscored):
            return asked, False
        log, card = self.store.log, self.card.id
        if is_unscored and asked.promises:
            log.record(EventKind.PRACTICE, card, showing=asked.showing)
        extra_turn = self.turn.follow(asked)
        if extra_turn is None or talk.ui.choose("", [("", extra_turn.reason)]) is None:
            return asked, False
        self._tries = None  # it is logged once it is closed
        question = extra_turn.pose(self.asking, ())
        extra_asked = talk.ask(Asked(question), f"{extra_turn.name} · {extra_turn.heading}")
        if is_unscored:  # the recorded bet is logged as the card's answer
            return (extra_asked if extra_asked.is_closed else asked), False
        if extra_asked.is_closed:
            log.record(EventKind.PRACTICE, card, showing=extra_asked.showing)
        return asked, True

    def _choose_next(self, talk: Conversation, asked: Asked, *, has_followed: bool = False) -> bool:
        """Let the learner grade the closed question or give a command. Return whether the review goes on."""
        self._revealed_s, has_steps = self.clock(), not has_followed
        if _is_revealed(asked):
            self._tell_answer()
        grades = {button.key: button.grade for button in self.keymap.buttons}
        suggested = Grade.GOOD if _is_revealed(asked) else asked.grade
        while True:
            key = talk.choose(self._time_text(), self._key_options(asked, suggested, has_steps=has_steps), asked)
            if key is None:
                return talk.exit_command != QUIT
            if key == _STEPS:
                self.asking.ui.tell(asked.question.steps)
                has_steps = False
            elif key in grades:
                self._apply_grade(asked, grades[key])
                return True
            elif 1000 * (self.clock() - self._revealed_s) < self.options.guard_ms:
                self._revealed_s = self.clock()  # the bar is still held
            elif suggested is None:
                self.advance()
                self.message = self.asking.services.in_a_line(asked.line)
                return True
            else:
                self._apply_grade(asked, suggested)
                return True

    def _apply_grade(self, asked: Asked, grade: Grade) -> None:
        """Log a grade, let a failed card come again, and go on."""
        if self.past and self.past[-1][1] is None:
            self.past.pop()  # from now on the grade is what is undone, so that a chain goes from card to card
        took_ms, judged, card = self._took_ms(), None if _is_revealed(asked) else asked, self.card
        recorded = self._record(
            EventKind.ANSWER,
            grade=grade,
            took_ms=took_ms,
            showing=judged.showing if judged else None,
            typed=judged.typed if judged else "",
            is_recalled=outcomes.is_recalled(judged.verdict) if judged else None,
        )
        lapses_before, lapses = (memory.lapses if memory else 0 for memory in (recorded.before, recorded.after))
        leech = lapses if becomes_leech(lapses_before, lapses, self.options.leech_lapses) else 0
        graded = SessionAnswer(card, grade, took_ms, recorded.before, recorded.answer_kind, leech, judged)
        done = Done(self.turn, self.state.place, asked, took_ms, recorded.event.id, graded)
        turns = [*self.state.turns]
        if grade.drilled:
            turns.insert(self.state.place + 1 + APART, turn_to_come(card.id))
        self.state = self.state._replace(turns=tuple(turns), done=(*self.state.done, done))
        self.advance()
        note = f"; lapse {leech}, a leech: more at the end of the session" if leech else ""
        self.message = self._effect_of(grade, recorded) + note

    def _effect_of(self, grade: Grade, recorded: "RecordedEvent") -> str:
        """Describe briefly what a grade did to the schedule."""
        word, memory = word_of(grade), recorded.after
        if memory is None or recorded.answer_kind is not AnswerKind.REVIEW:
            return f"{word}, {'back today' if grade.drilled else 'done for today'}; the schedule stays"
        due = f"{day_name(memory.due, self.today())} ({span(memory.interval)})"
        return f"{word}, back today, then {due}" if grade.drilled else f"{word}, next {due}"

    def _record(
        self, kind: EventKind, *, is_recalled: bool | None = None, **details: "Unpack[EventDetails]"
    ) -> "RecordedEvent":
        """Log an event of the card, which undo takes back."""
        recorded = self.store.log.record(kind, self.card.id, is_recalled=is_recalled, **details)
        self.past.append((self.state, recorded.event.id))
        return recorded

    def undo(self) -> bool:
        """Undo the last action, or else that of an earlier review. Return whether another question is asked."""
        if not self.past:
            return self._undo_earlier()
        is_another = self.past[-1][0] is not self.state  # a flag changes nothing else
        try:
            Run.undo(self)
        except StudyError as error:
            self.message = error.message
            return False
        self.message = "undone"  # the id of a card may give its answer away
        return is_another

    def _undo_earlier(self) -> bool:
        """Undo the last event of an earlier review, and ask its card next."""
        undone_event = self.store.log.undo()
        if undone_event is None:
            self.message = "nothing to undo"
            return False
        (_, place, *_), target = self.state, undone_event.target
        ahead = [turn for turn in self.state.turns[place:] if turn.card != target.card]
        turns = (*self.state.turns[:place], turn_to_come(CardId(target.card)), *ahead)
        self.state = self.state._replace(turns=turns, begun=None, asked=None)
        self.message = "undone, from before"
        if target.kind is EventKind.ANSWER:
            self._begin_revealed()
        return True

    def _edit(self, asked: Asked) -> None:
        """Let the learner edit the card, and ask it again as it is then."""
        with self.asking.ui.away():
            card, message = self.around.edit(self.card)
        self.message = message
        if card is None:
            self.advance()
            return
        self._new_ids[self.card.id] = card.id
        if _is_revealed(asked):
            self._begin_revealed()
        elif asked.is_closed:
            self.state = self.state._replace(begun=replace(self.turn, card=card.id, detail=card))
        else:
            self.state = self.state._replace(begun=None, asked=None)

    def _begin_revealed(self) -> None:
        """Begin the current card with its answer shown, unless that is typed."""
        asked = self._begin()
        if asked is not None and asked.phase is Phase.FACE:
            asked = replace(asked, phase=Phase.CLOSED)
        self.state = self.state._replace(asked=asked)

    def _tell_answer(self) -> None:
        from studykit.review.typed_answer import shown

        card, macros = self.card, self.around.macros(self.card)
        is_cloze = card.kind is Kind.CLOZE and bool(card.full)
        self.asking.ui.tell(f"**{card.answer}**" if is_cloze else filled_in(shown(card), macros), label="Answer")
        if is_cloze:
            in_full = filled_in(card.prompt.replace(GAP, f"**{card.answer}**"), macros)
            self.asking.ui.tell(in_full, label="In full")

    def _title(self) -> str:
        deck = self.options.decks.get(self.card.deck, self.card.deck)
        flagged = ", flagged" if self.store.schedule.flagged(self.card.id) else ""
        return " · ".join(filter(None, [deck + flagged, self.turn.heading]))

    def _position(self) -> RunPosition:
        answers = self.answers
        minutes = minutes_left(answers, self.remaining)
        after = "" if minutes is None else f" ~{minutes} min"
        return RunPosition(len(answers), len(answers) + self.remaining, self.message, (), after, "Card")

    def _time_text(self) -> str:
        return f"{int(self._revealed_s - self._began_s)} s" if self.options.timer else ""

    def _key_options(self, asked: Asked, suggested: Grade | None, *, has_steps: bool) -> Sequence[tuple[str, str]]:
        buttons = self.keymap.buttons
        if suggested is None:
            return [("", "go on, it stays due")]
        pairs = [(button.key, button.word) for button in buttons]
        if self.options.intervals:
            pairs = buttons_line(self._memory, self.today(), buttons, self.store.schedule.fsrs)
        own = next((each.word for each in buttons if each.grade is suggested), word_of(suggested))
        accept = [("", f"= {own}")] if self.options.space_grades else []
        is_shown = has_steps and outcomes.is_right(asked.verdict) and bool(asked.question.steps)
        return [*pairs, *accept, *([(_STEPS, "steps")] if is_shown else [])]

    @property
    def _memory(self) -> "Memory | None":
        return self.store.schedule.memory(self.card.id)

    def _info_page(self, name: str, asked: Asked) -> list[str]:
        if name == "keys":
            return [f"{key:<8} {does}" for key, does in keys_of(self.keymap.buttons).items()]
        from studykit.review.why import facts, why

        card, fsrs = self.card, self.store.schedule.fsrs
        if name == "why":
            return why(self._memory, self.today(), self.store.log.history(card.id), fsrs)
        rows = [
            asked.question.info if card.task is not None else "",
            f"card {card.id}   deck {self.options.decks.get(card.deck, card.deck)}",
            f"{card.path}:{card.line}",
            f"tags {' '.join(card.tags)}" if card.tags else "",
            f"lesson {card.url}" if card.url else "",
            f"source {card.source}" if card.source else "",
            "flagged" if self.store.schedule.flagged(card.id) else "",
        ]
        return [*filter(None, rows), "", *facts(self._memory, self.today(), fsrs)]


def keys_of(buttons: Sequence[Button]) -> dict[str, str]:
    """Return the keys of a review and their uses, as in `study help keys`, with this learner's buttons."""
    from studykit.help_pages import tables

    rows = tables("keys")["Keys of a review"]
    if buttons == SCALES["4"]:
        return rows
    keys, words = f"{buttons[0].key} to {buttons[-1].key}", "; ".join(button.word for button in buttons)
    return {keys if key == _GRADES else key: words if key == _GRADES else use for key, use in rows.items()}
