"""Ask a bet as a question with three fields, log it, and measure the snippet."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import StudyError
from studykit.exercise.bet import describe, record
from studykit.exercise.bet.bounds import Binds, bounds
from studykit.exercise.bet.measuring import commit, pictures, problems
from studykit.exercise.bet.reason_question import reason_question
from studykit.exercise.bet.recorded import Recording
from studykit.exercise.bet.score import Bet, BetOutcome, binding_words
from studykit.exercise.bet.snippet import BetVariant
from studykit.quantity.formatting import seconds
from studykit.review.question import Asked, Question, Reply
from studykit.sandbox.worker import has_torch
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.outcomes import JUDGED, NOT_SCORED
from studykit.text import sentence

if TYPE_CHECKING:
    from studykit.exercise.bet.bench import Bench
    from studykit.exercise.turn import Asking

_INTERVAL = "80% interval, e.g. 10ms 30ms; Enter for none"
_FIELDS = ("compute, memory or overhead", "time", _INTERVAL)
_READERS: tuple[Callable[[str], object], ...] = (describe.read_binds, describe.read_time, describe.read_interval)
_HELP = "Say what binds it (`c`, `m` or `o`), then a time such as `0.2 ms`, then an interval if you like."


def question_of(asking: "Asking", place: "Bench", variant: BetVariant, card: CardId = NO_CARD) -> Question:
    """Return the question of a bet, which is logged before any of the snippet runs."""

    def judge(state: Asked) -> Reply:
        bet = _parse_bet(state.given)
        event = commit(asking.services.store, variant, bet, card)
        try:
            outcome = place.outcome(variant, bet, asking.ui)
        except StudyError as error:  # nothing was measured; the bet stays
            return Reply(NOT_SCORED, record.bet_text(bet), when_closed=str(error), promise=event.id)
        return _reply_of(variant, outcome, event)

    command = f"study time {variant.snippet.path} --seed {variant.seed} --device {place.name}"
    question = Question(
        name=variant.name,
        seed=variant.seed,
        markdown=f"{variant.markdown}\n\n{_question_text(place)}",
        fields=_FIELDS,
        judge=judge,
        showing=partial(_skipped_showing, variant),
        right=_recorded_answer(place, variant),
        solution=variant.lesson,
        tries=1,
        opening=place.notice or _own_machine_hint(place, variant),
        info=f"{variant.name}, seed {variant.seed}. The same sizes again: `{command}`",
        command=command,
        help=_HELP,
        field_error=partial(describe.field_error, _READERS),
        optional=frozenset({2}),
        text=f"`{variant.name}`",
    )
    if isinstance(place, Recording) and not place.row_of(variant).is_exact:
        return reason_question(question, place, variant)
    return question


def _question_text(place: "Bench") -> str:
    if not place.origin:
        return f"What binds one call of `run` on {place.place}, and how long does it take?"
    return f"{place.origin} What binds one call of `run` there, and how long did it take?"


def _recorded_answer(place: "Bench", variant: BetVariant) -> str:
    """Return the right answer to a recorded bet, or "" for a bet that is measured here."""
    if not isinstance(place, Recording):
        return ""
    row = place.row_of(variant)
    return f"{seconds(row.measured.median)}, {binding_words(bounds(row.count, place.ceilings))} binds it"


def _own_machine_hint(place: "Bench", variant: BetVariant) -> str:
    """Return how to measure a recorded bet here instead, or "" if it is measured here or torch is missing."""
    if not place.origin or not has_torch():
        return ""
    return f"To measure it on this machine instead: `study time {variant.name} --device cpu`."


def _parse_bet(fields: tuple[str, ...]) -> Bet:
    binds, time, interval = fields
    ends: tuple[Any, Any] = describe.read_interval(interval) if interval.strip() else (None, None)
    return Bet(describe.read_time(time), Binds(describe.read_binds(binds)), *ends)


def _skipped_showing(variant: BetVariant, answer: str, verdict: str, slips: tuple[str, ...]) -> Showing:
    """Return what the log records of a skipped bet."""
    showing = Showing(variant.name, variant.version, variant.seed, record.parameters_of(variant))
    return replace(showing, answer=answer, verdict=verdict, slips=slips)


def _reply_of(variant: BetVariant, outcome: BetOutcome, event: Event) -> Reply:
    _, _, why = describe.verdict_line(outcome).partition(": ")
    table = "\n".join(["```text", *describe.table(outcome), *problems(outcome.count), "```"])
    is_judged = outcome.verdict.name in JUDGED
    reason = f"{why[:1].upper()}{why[1:]}" if is_judged else why
    words = sentence(reason) if is_judged else reason
    return Reply(
        verdict=outcome.verdict.name,
        answer=record.bet_text(outcome.bet),
        read_as=describe.bet_words(outcome.bet),
        when_closed=f"{words} {describe.omission(outcome)}".rstrip(),
        details="\n\n".join(filter(None, [table, variant.lesson])),
        is_explained=True,
        pictures=tuple(pictures(outcome)),
        right=seconds(outcome.measured.median),
        grade=outcome.grade,
        slips=outcome.slips,
        showing=record.showing_after(event.showing, outcome) if event.showing is not None else None,
        promise=event.id,
        has_remark=True,
    )
