"""Test figures that the store's queries compute: the hardest cards, counted tries, distributions."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest
from stores import opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "study.db", NOW) as store:
        yield store


def adopt(store: Store, card: str, lapses: int, ease: int) -> None:
    """Record a card whose state came from another program."""
    store.log.record(EventKind.ADOPT, CardId(card), target=f"3 10 {ease} {lapses}", at=NOW)


@pytest.mark.parametrize("suspended", [0, 3, 30])
def test_hardest_are_the_ten_with_most_lapses(store: Store, tmp_path: Path, suspended: int) -> None:
    chance = Random(suspended)
    cards = {f"c{number:02}": (chance.randrange(6), chance.choice([130, 200, 250])) for number in range(60)}
    for card, (lapses, ease) in cards.items():
        adopt(store, card, lapses, ease)
    away = sorted(cards, key=lambda card: -cards[card][0])[:suspended]
    with closing(sqlite3.connect(tmp_path / "study.db")) as connection, connection:
        connection.execute("UPDATE memory SET live = 1")  # as if they were in a deck
        connection.executemany("UPDATE memory SET live = 0 WHERE card_id = ?", [(card,) for card in away])

    hardest = [card.card for card in store.schedule.stats(NOW.date()).hardest]

    with_lapses = [card for card, (lapses, _) in cards.items() if lapses and card not in away]
    assert hardest == sorted(with_lapses, key=lambda card: (-cards[card][0], cards[card][1], card))[:10]


def test_tries_are_graded_answers_to_exercises(store: Store) -> None:
    number = count()

    def record_try(kind: EventKind, grade: Grade | None, template: str = "flops.mm", card: str = "") -> None:
        showing = Showing(template, 1, 7, "{}", "1", "correct")
        at = NOW + timedelta(seconds=next(number))
        store.log.record(kind, CardId(card), grade=grade, showing=showing, at=at)

    record_try(EventKind.PRACTICE, Grade.GOOD)
    record_try(EventKind.QUIZ, Grade.AGAIN)
    record_try(EventKind.PRACTICE, None)  # left open
    record_try(EventKind.ANSWER, Grade.AGAIN, card="e")
    record_try(EventKind.ANSWER, Grade.GOOD, card="e")  # drill
    record_try(EventKind.BET, None)
    record_try(EventKind.PRACTICE, Grade.GOOD, "mem.kv")
    store.log.undo()

    assert store.schedule.tries({"flops.mm": "flops", "mem.kv": "memory"}.get) == {"flops": (1, 3)}


def test_without_objectives_the_log_is_not_gone_through(store: Store) -> None:
    store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
    steps: list[int] = []

    assert store.schedule.mastery(NOW.date(), Fsrs(), lambda _: None, steps.append) == ()
    assert steps == []
