"""Ask a bet as a question with three fields, log it, and measure the snippet.

Of a recorded bet without an exact time, only what binds it is asked, and whether it is faster than on an H100.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import StudyError, UsageError
from studykit.exercise.bet import describe, record
from studykit.exercise.bet.bench import Bench, commit, pictures
from studykit.exercise.bet.bounds import bounds
from studykit.exercise.bet.recorded import CARDS, Recording, recording
from studykit.exercise.bet.score import Bet, BetOutcome, binding_words
from studykit.exercise.bet.snippet import BetVariant
from studykit.picture import Roofline
from studykit.quantity.formatting import digits, seconds
from studykit.review.question import Asked, Question, Reply
from studykit.sandbox.worker import has_torch
from studykit.scheduling.outcomes import CLOSE, INCORRECT, JUDGED, NOT_SCORED, RIGHT
from studykit.text import sentence

if TYPE_CHECKING:
    from studykit.exercise.turn import Asking

_READERS: tuple[Callable[[str], object], ...] = (describe.read_binds, describe.read_time, describe.read_interval)
_HELP = "Say what binds it (`c`, `m` or `o`), then a time such as `0.2 ms`, then an interval if you like."
_SAME, _FASTER = 1.07, 1.15  # factors below and above which two cards are the same, or one is faster
_COMPARISONS = ("faster", "same")
_REASON_HELP = "Say what binds it (`c`, `m` or `o`) and, where it is asked, `faster` or `same`."


def question_of(asking: "Asking", place: Bench, variant: BetVariant, card: CardId = NO_CARD) -> Question:
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
        return _reason_question(question, place, variant)
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


def _reason_question(question: Question, place: Recording, variant: BetVariant) -> Question:
    """Return the question of a recorded bet without asking its time."""
    ratio = _speedup_over_h100(place, variant)
    asks = f"{place.origin} Its time is not exact enough to bet on. What binds one call of `run` there?"
    if ratio:
        base = recording(CARDS[0])
        took = seconds(base.row_of(variant).measured.median)
        asks += f" An {base.card} took {took}. Is it faster here, or the same?"
    return replace(
        question,
        markdown=f"{variant.markdown}\n\n{asks}",
        fields=("compute, memory or overhead", *(["faster or same"] if ratio else [])),
        judge=partial(_judge_reason, place, variant, ratio),
        field_error=partial(describe.field_error, (describe.read_binds, _read_comparison)),
        optional=frozenset(),
        help=_REASON_HELP,
    )


def _speedup_over_h100(place: Recording, variant: BetVariant) -> float:
    """Return a bet's speedup over an H100, or 0 if it is unknown or unclear."""
    base = recording(CARDS[0])
    rows = [row for row in base.rows.get(variant.name, ()) if row.sizes == variant.snippet.sizes and row.is_exact]
    if place is base or not rows:
        return 0.0
    ratio = rows[0].measured.median / place.row_of(variant).measured.median
    return ratio if 1 / _SAME < ratio < _SAME or ratio > _FASTER else 0.0


def _read_comparison(text: str) -> bool:
    """Parse `faster` or `same`, and return True for faster."""
    word = text.strip().lower()
    if not word or not any(each.startswith(word) for each in _COMPARISONS):
        raise UsageError(f"{text[:40]!r} is not an answer. Type faster or same.")
    return _COMPARISONS[0].startswith(word)


def _judge_reason(place: Recording, variant: BetVariant, ratio: float, state: Asked) -> Reply:
    reason, *comparisons = state.given
    choice = describe.read_binds(reason)
    outcome = place.outcome(variant, Bet(place.row_of(variant).measured.median, choice))
    rights = [
        choice in outcome.limits.binds,
        *(_read_comparison(word) == (ratio > _FASTER) for word in comparisons),
    ]
    table = "\n".join(["```text", *describe.table(outcome)[1:], "```"])  # all but what the learner would have bet
    binds, took_text = binding_words(outcome.limits), seconds(outcome.measured.median)
    words = f"{binds.capitalize()} binds it: it took {took_text}"
    words += f", {digits(ratio, 3)}x the speed of {recording(CARDS[0]).place}." if ratio else "."
    return Reply(
        verdict=RIGHT if all(rights) else CLOSE if any(rights) else INCORRECT,
        answer=" ".join([choice, *comparisons]),
        when_closed=words,
        details=f"{table}\n\n{variant.lesson}",
        is_explained=True,
        pictures=tuple(each for each in pictures(outcome) if isinstance(each, Roofline)),
        right=" and ".join([binds, *(["faster" if ratio > _FASTER else "the same"] if ratio else [])]),
        has_remark=True,
    )
