"""Ask what binds a recorded bet without an exact time, and whether it is faster than on an H100."""

from dataclasses import replace
from functools import partial

from studykit.errors import UsageError
from studykit.exercise.bet import describe
from studykit.exercise.bet.measuring import pictures
from studykit.exercise.bet.recorded import CARDS, Recording, recording
from studykit.exercise.bet.score import Bet, binding_words
from studykit.exercise.bet.snippet import BetVariant
from studykit.picture import Roofline
from studykit.quantity.formatting import digits, seconds
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.outcomes import CLOSE, INCORRECT, RIGHT

_SAME, _FASTER = 1.07, 1.15  # factors below and above which two cards are the same, or one is faster
_WORDS = ("faster", "same")
_HELP = "Say what binds it (`c`, `m` or `o`) and, where it is asked, `faster` or `same`."


def reason_question(question: Question, place: Recording, variant: BetVariant) -> Question:
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
        help=_HELP,
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
    if not word or not any(each.startswith(word) for each in _WORDS):
        raise UsageError(f"{text[:40]!r} is not an answer. Type faster or same.")
    return _WORDS[0].startswith(word)


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
