"""SM-2 against the published tables; the rest of the conformance tables is beside it."""

from datetime import date

from studykit import sm2
from studykit.sm2 import Grade

MONDAY = date(2026, 11, 23)


def test_a_failed_new_card_is_not_a_lapse() -> None:
    memory = sm2.after(None, Grade.AGAIN, MONDAY)

    assert memory.lapses == 0
