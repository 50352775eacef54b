"""Check that a leech is reported at the lapse that makes it one, with three repairs."""

import pytest

from decks import read_deck
from studykit.review.leech import LeechReport
from studykit.scheduling.review_rule import becomes_leech

CARD, OTHER = read_deck("Q: Haus {#haus}\nA: house\n\nQ: Haut {#haut}\nA: skin\n", "a.md").cards


@pytest.mark.parametrize(
    ("lapses", "threshold", "named"),
    [
        (7, 8, False),
        (8, 8, True),
        (9, 8, False),
        (12, 8, True),
        (16, 8, True),
        (3, 3, True),
        (5, 3, True),
        (1, 1, True),
    ],
)
def test_leech_is_named_at_its_thresholds(lapses: int, threshold: int, named: bool) -> None:  # noqa: FBT001
    assert becomes_leech(lapses - 1, lapses, threshold) is named


def test_leech_needs_a_lapse_and_a_threshold() -> None:
    assert not becomes_leech(8, 8, 8)
    assert not becomes_leech(7, 8, 0)


def test_report_lists_confusion_and_repairs() -> None:
    assert LeechReport(CARD, 8, "skin", OTHER, "what you typed is its answer").lines() == [
        "Haus  (haus, 8 lapses)",
        "  you typed    skin",
        "  taken for    Haut  (haut): what you typed is its answer",
        "  edit         study edit haus    a hint, a reason, a picture",
        "  split        study edit haus    two notes that ask less each",
        "  suspend      study card suspend haus",
    ]
    assert len(LeechReport(CARD, 8).lines()) == 4
