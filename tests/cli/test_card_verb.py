"""Test `study card`: marks that a learner sets on a card, finds and undoes."""

import pytest
from shell import Shell


@pytest.fixture
def study(study: Shell) -> Shell:
    """Return the shell of a learner with one due card."""
    study("answer", "six", "good", "--at", "2026-11-01T09:00:00+00:00")
    return study


def marks(study: Shell) -> dict[str, list[str]]:
    return {row["card"]: row["marks"] for row in study("card", "list", "--json").json["cards"]}


def due(study: Shell) -> int:
    return int(study("due", "--json").json["due"])


def test_suspended_card_is_not_due_until_unsuspended(study: Shell) -> None:
    assert (due(study), marks(study)) == (1, {})

    study("card", "suspend", "six")
    assert (due(study), marks(study)) == (0, {"six": ["suspended"]})

    study("card", "unsuspend", "six")
    assert (due(study), marks(study)) == (1, {})


def test_buried_card_is_back_tomorrow(study: Shell) -> None:
    study("card", "bury", "six")
    assert (due(study), marks(study)) == (0, {"six": ["buried"]})

    study.at("2026-11-24T09:00:00+00:00")
    assert (due(study), marks(study)) == (1, {})


def test_unburied_card_is_due_again(study: Shell) -> None:
    study("card", "bury", "six")
    assert study("card", "unbury", "six").out == "six: back in today's queue\n"
    assert (due(study), marks(study)) == (1, {})

    study("undo")
    assert (due(study), marks(study)) == (0, {"six": ["buried"]})


@pytest.mark.parametrize(
    ("before", "action", "state"),
    [
        ([], "unsuspend", "is not suspended"),
        (["suspend"], "suspend", "is suspended already"),
        ([], "unbury", "is not buried today"),
        (["flag"], "flag", "is flagged already"),
        (["flag", "unflag"], "unflag", "is not flagged"),
    ],
    ids=str,
)
def test_action_without_effect_logs_nothing(study: Shell, before: list[str], action: str, state: str) -> None:
    for each in before:
        study("card", each, "six")
    log = study("undo", "--list").out

    assert study("card", action, "six").out == f"six: {state}\n"
    assert study("undo", "--list").out == log


def test_undo_of_a_reset_restores_the_schedule(study: Shell) -> None:
    study("card", "reset", "six")
    assert due(study) == 0

    study("undo")
    assert due(study) == 1


def test_unknown_card_among_several_writes_nothing(study: Shell) -> None:
    assert study("card", "flag", "six", "no-such-card").code == 3
    assert marks(study) == {}


def test_empty_list_says_so(study: Shell) -> None:
    assert "No card is suspended" in study("card", "list").out
