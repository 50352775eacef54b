"""Check bets in the log, and the statistics of many."""

import json
import math
import random
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from devices import ceilings
from templates import template_named

from studykit.cards.card import CardId
from studykit.exercise.bet.bounds import Binds, Bounds, Count
from studykit.exercise.bet.record import (
    ALL,
    COUNTED,
    MEASURED,
    RECORDED,
    ScoredBet,
    bet_text,
    document,
    scored_bets,
    showing_after,
    showing_of,
    statistics,
    statistics_lines,
)
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement
from studykit.exercise.bet.snippet import BetVariant, Snippet
from studykit.exercise.estimate.log import counted_bet
from studykit.exercise.estimate.template import draw
from studykit.exercise.verdict import Correct, Incorrect, Verdict
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing

BET = Bet(2e-4, Binds.MEMORY, 1e-4, 4e-4)
LIMITS = Bounds(1e-4, 1e-4, frozenset({Binds.MEMORY}), {})
TIMES = Measurement(3e-4, 3e-4, 3e-4, samples=9, calls=1, cold=True)


def outcome(verdict: Verdict) -> BetOutcome:
    return BetOutcome(BET, TIMES, Count((), 0), ceilings("cpu"), LIMITS, verdict)


def event(showing: Showing) -> Event:
    kind, day = EventKind.PRACTICE, date(2026, 11, 23)
    return Event(UUID(int=1), "me", "here", kind, CardId(""), 0, day, "UTC", showing=showing)


VARIANT = BetVariant("bet.relu", 1, 7, Snippet("", "bet.relu", {"n": 1024}))


def a_bet(factor: float, binds: Binds = Binds.MEMORY, *, covered: bool | None = None) -> ScoredBet:
    return ScoredBet("bet.relu", factor * 0.01, 0.01, frozenset({binds}), Binds.MEMORY, covered)


def test_bet_is_logged_before_it_is_measured() -> None:
    showing = showing_of(VARIANT, bet_text(BET))

    assert showing.answer == "0.0002 s memory 0.0001 s to 0.0004 s"
    assert (showing.verdict, json.loads(showing.parameters)) == ("", {"n": 1024})


def test_bet_without_interval_has_two_words() -> None:
    assert bet_text(Bet(0.5, Binds.COMPUTE)) == "0.5 s compute"


def test_a_settled_bet_comes_back_from_the_log() -> None:
    showing = showing_after(VARIANT, outcome(Correct()))

    assert scored_bets([event(showing)]) == (
        ScoredBet("bet.relu", 2e-4, 3e-4, frozenset({Binds.MEMORY}), Binds.MEMORY, covered=True),
    )
    assert json.loads(showing.parameters)["n"] == 1024


def test_the_slips_of_a_wrong_bet_are_logged() -> None:
    wrong = replace(outcome(Incorrect(9.0)), bet=Bet(1e-6, Binds.COMPUTE))

    slips = showing_after(VARIANT, wrong).slips

    assert slips == ("below_physics", "wrong_reason")


def test_without_bets_there_is_nothing_to_say() -> None:
    assert statistics_lines(statistics([])) == []
    assert document(statistics([])) == {}


@pytest.mark.parametrize("bias", [0.1, 0.25, 0.4, 0.5, 0.8, 1.0, 1.25, 2.0, 3.0, 10.0])
def test_statistics_recover_a_known_bias(bias: float) -> None:
    noise = random.Random(f"learner {bias}")
    bets = [a_bet(bias * 10 ** noise.gauss(0, 0.15)) for _ in range(400)]

    result = statistics(bets).biases[MEASURED][ALL]

    assert math.log10(result.lean) == pytest.approx(math.log10(bias), abs=0.03)


def test_bias_is_separate_for_each_reason() -> None:
    bets = [a_bet(0.5)] * 5 + [a_bet(4.0, Binds.OVERHEAD)] * 3

    result = statistics(bets)
    of = result.biases[MEASURED]

    assert of[Binds.MEMORY].lean == pytest.approx(0.5)
    assert of[Binds.OVERHEAD].lean == pytest.approx(4)
    assert result.reasons == 5


def test_coverage_counts_the_last_twenty_intervals() -> None:
    bets = [a_bet(1, covered=False)] * 30 + [a_bet(1, covered=True)] * 15 + [a_bet(1)] * 9

    result = statistics(bets)

    assert (result.covered, result.intervals) == (15, 20)


def test_bias_is_a_factor_and_a_direction() -> None:
    assert statistics_lines(statistics([a_bet(0.5), a_bet(0.4), a_bet(0.5, covered=True)])) == [
        "all bets (3): 2x too optimistic, typically off by 2x, 3 too low",
        "memory-bound (3): 2x too optimistic, typically off by 2x, 3 too low",
        "what binds it: named rightly 3 of 3 times",
        "80 % intervals: 1 of the last 1 held (100%)",
    ]


def test_a_small_bias_is_none() -> None:
    assert statistics_lines(statistics([a_bet(1.05), a_bet(0.97)]))[0].startswith("all bets (2): no bias")


def counted(seed: int, factor: float, behind: str = "", verdict: str = "incorrect") -> Showing:
    variant = draw(template_named("count.peak"), seed)
    return Showing("count.peak", 1, seed, "{}", f"{factor * variant.answer / 1e9} GB{behind}", verdict)


def test_counted_bets_have_a_bias_of_their_own() -> None:
    showings = [counted(1, 2), counted(2, 2, " [1, 2]"), counted(3, 0.5, " [1, 99]"), counted(4, 1, "", "skipped")]
    bets = scored_bets([event(showing) for showing in showings], counted_bet)

    figures: dict[str, Any] = document(statistics([a_bet(0.5), replace(a_bet(4), card="h100"), *bets]))

    assert [bet.error for bet in bets] == pytest.approx([math.log10(2), math.log10(2), math.log10(0.5)])
    assert (figures[COUNTED]["all"]["bets"], figures[COUNTED]["all"]["lean"]) == (3, pytest.approx(2))
    assert figures[MEASURED]["all"]["lean"] == pytest.approx(0.5)
    assert figures[RECORDED]["all"]["lean"] == pytest.approx(4)
    assert figures["intervals"] == {"held": 1, "of": 2}
    assert "counted bets (3): 2x too pessimistic, typically off by 2x, 1 too low" in statistics_lines(
        statistics(bets)
    )


def test_counted_question_is_bet_on_once() -> None:
    events = [event(counted(1, 2)), event(counted(1, 1, "", "correct")), event(counted(5, 1))]

    assert [bet.error for bet in scored_bets(events, counted_bet)] == pytest.approx([math.log10(2), 0], abs=1e-9)


OUTCOME = '{"outcome": {"bet": 1, "measured": 1, "binds": ["memory"], "said": null, "covered": "x"}}'


@pytest.mark.parametrize(
    ("name", "version", "parameters", "answer", "verdict"),
    [
        ("bet.relu", 1, "{}", "", "correct"),
        ("bet.relu", 1, "not JSON", "", "correct"),
        ("bet.relu", 1, "[" * 20_000, "", "correct"),
        ("bet.relu", 1, '{"outcome": {"bet": 0, "measured": 1}}', "", "close"),
        ("bet.relu", 1, '{"outcome": {"bet": 1, "measured": 1, "binds": ["?"]}}', "", "close"),
        ("bet.relu", 1, OUTCOME, "", "correct"),
        ("bet.relu", 1, "{}", "", "not_scored"),
        ("bet.relu", 1, "{}", "", ""),
        ("count.peak", 0, "{}", "6 GB", "correct"),
        ("count.nothing", 1, "{}", "6 GB", "correct"),
        ("count.peak", 1, '{"nothing": 1}', "6 GB", "correct"),
        ("count.peak", 1, "{}", "many", "incorrect"),
        ("count.peak", 1, "{}", "0", "incorrect"),
    ],
)
def test_unusable_bet_is_left_out(name: str, version: int, parameters: str, answer: str, verdict: str) -> None:
    showing = Showing(name, version, 1, parameters, answer, verdict)

    assert scored_bets([event(showing)], counted_bet) == ()
