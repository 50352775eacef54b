"""Ask a bet as a question with three fields, log it, and measure the snippet."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import StudyError
from studykit.exercise.bet import describe, record
from studykit.exercise.bet.bounds import bounds
from studykit.exercise.bet.measuring import commit, pictures
from studykit.exercise.bet.reason_question import reason_question
from studykit.exercise.bet.recorded import Recording
from studykit.exercise.bet.score import Bet, BetOutcome, binding_words
from studykit.exercise.bet.snippet import BetVariant
from studykit.quantity.formatting import seconds
from studykit.review.question import Asked, Question, Reply
from studykit.sandbox.worker import has_torch
from studykit.scheduling.outcomes import JUDGED, NOT_SCORED
from studykit.text import sentence

if TYPE_CHECKING:
    from studykit.exercise.bet.bench import Bench
    from studykit.exercise.turn import Asking

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
        return _reply_of(variant, outcome, event.id)

    asks = f"What binds one call of `run` on {place.place}, and how long does it take?"
    right, opening = "", place.notice
    if isinstance(place, Recording):
        row = place.row_of(variant)
        asks = f"{place.origin} What binds one call of `run` there, and how long did it take?"
        right = f"{seconds(row.measured.median)}, {binding_words(bounds(row.count, place.ceilings))} binds it"
        if has_torch():
            opening = f"To measure it on this machine instead: `study time {variant.name} --device cpu`."
    command = f"study time {variant.snippet.path} --seed {variant.seed} --device {place.name}"
    question = Question(
        name=variant.name,
        seed=variant.seed,
        markdown=f"{variant.markdown}\n\n{asks}",
        fields=("compute, memory or overhead", "time", "80% interval, e.g. 10ms 30ms; Enter for none"),
        judge=judge,
        showing=partial(record.showing_of, variant),
        right=right,
        solution=variant.lesson,
        tries=1,
        opening=opening,
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


def _parse_bet(fields: tuple[str, ...]) -> Bet:
    binds, time, interval = fields
    ends: tuple[Any, Any] = describe.read_interval(interval) if interval.strip() else (None, None)
    return Bet(describe.read_time(time), describe.read_binds(binds), *ends)


def _reply_of(variant: BetVariant, outcome: BetOutcome, promise: UUID) -> Reply:
    table, reason = "\n".join(["```text", *describe.table(outcome), "```"]), describe.verdict_reason(outcome)
    if outcome.verdict.name in JUDGED:
        reason = sentence(f"{reason[:1].upper()}{reason[1:]}")
    return Reply(
        verdict=outcome.verdict.name,
        answer=record.bet_text(outcome.bet),
        read_as=describe.bet_words(outcome.bet),
        when_closed=f"{reason} {describe.omission(outcome)}".rstrip(),
        details="\n\n".join(filter(None, [table, variant.lesson])),
        is_explained=True,
        pictures=tuple(pictures(outcome)),
        right=seconds(outcome.measured.median),
        grade=outcome.grade,
        slips=outcome.slips,
        showing=record.showing_after(variant, outcome),
        promise=promise,
        has_remark=True,
    )
