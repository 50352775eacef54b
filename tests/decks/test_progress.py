"""Check that progress stays when cards of the course are split, reworded, or moved to another deck."""

import json
import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from shell import Shell

from decks import SHIPPED
from studykit.scheduling.progress_file import read_progress

DATA = Path(__file__).parents[1] / "data" / "decks"
FORMER = DATA / "before_two_questions.txt"
"""The decks before the course opened with two questions, each with its notes in order."""
LOG = DATA / "log_of_former_decks.json"
"""What the program of 72653bc1 logged of 30 cards of its decks, and that of 28bd270e of five."""
DROPPED = ("slow-axis", "ex-hfu")
ANSWERED_TWICE = "six"


@pytest.fixture
def study(study: Shell) -> Shell:
    return study.with_environ(STUDYKIT_NOW="2026-11-30T09:00:00+00:00")


def former_decks() -> dict[str, list[str]]:
    lines = FORMER.read_text(encoding="utf-8").splitlines()
    return {name[3:]: ids.split() for name, _, ids in (line.partition(": ") for line in lines)}


def test_no_card_of_the_former_decks_is_lost() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in SHIPPED.glob("*.md"))

    assert {note for ids in former_decks().values() for note in ids} <= set(re.findall(r"\{#([\w-]+)", texts))


def test_log_of_former_decks_goes_on(study: Shell) -> None:
    log = read_progress(json.loads(LOG.read_text("utf-8")), LOG.name)
    days = {str(event.card): event.day for event in log.events}  # of the last answer

    imported = study("import", str(LOG))
    cards = {card: study("show", card, "--json").json for card in days if card not in DROPPED}

    assert imported.code == 0
    due = {card: date.fromisoformat(found["memory"]["due"]) - days[card] for card, found in cards.items()}
    assert due.pop(ANSWERED_TWICE) == timedelta(days=6)
    assert set(due.values()) == {timedelta(days=1)}
    former = {note: deck for deck, notes in former_decks().items() for note in notes}
    assert sum(found["deck"] != former[found["note"]] for found in cards.values()) >= 10
    assert {study("show", card).code for card in DROPPED} == {3}
