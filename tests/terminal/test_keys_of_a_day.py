"""Test how many keys a day of thirty mixed cards takes, besides those of answers. The number may only fall."""

import random
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from fake_terminal import FakeTerminal, edited
from shell import context_in

from studykit.cards.card import Card
from studykit.cli import display
from studykit.exercise.card_turn import CardTurn
from studykit.exercise.review_run import ReviewRun, ReviewServices
from studykit.review.keymap import Stage, keymap
from studykit.review.session import Session, SessionOptions
from studykit.terminal.input.keys import Key
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.mode import Style
from studykit.terminal.screen import Screen
from studykit.terminal.screen_ui import ScreenUi

if TYPE_CHECKING:
    from studykit.terminal.input.tty import Terminal

PLAIN, TYPED, ESTIMATES = 18, 2, 10  # as the course mixes them
NOT_KNOWN = {"plain-3", "plain-7", "plain-12"}  # at first
WRONG_AT_FIRST = {"estimate-3", "estimate-8"}
MOST_KEYS = 60
BEFORE = 84  # by the same learner, when a verdict and its grade were two screens and right answers waited


def deck() -> str:
    cards = [f"Q: plain {n}? {{#plain-{n}}}\nA: reply {n}\n" for n in range(PLAIN)]
    cards += [f"Q: typed {n}? {{#typed-{n} .typed}}\nA: word {n}\n" for n in range(TYPED)]
    cards += [f"E: flops.train_total N={n + 1}B D=2T {{#estimate-{n}}}\n" for n in range(ESTIMATES)]
    random.Random(1).shuffle(cards)
    return '---\nname = "Day"\n---\n\n' + "\n".join(cards)


class Learner:
    """Press the keys that the screen asks for, and count them, without the characters of answers."""

    def __init__(self) -> None:
        self.pressed = 0
        self.session: Session | None = None
        self.missed: set[str] = set()
        self._typing: list[Key] = []

    def read(self, _timeout: float | None = None) -> Key:
        if self._typing:
            return self._typing.pop(0)
        assert self.session is not None
        state = self.session.state
        assert state.card is not None
        self.pressed += 1
        if state.stage is Stage.ANSWER:
            is_forgotten = state.card.id in NOT_KNOWN - self.missed
            self.missed |= {state.card.id}
            return Key("1", "1") if is_forgotten else Key("enter")
        if state.stage is Stage.QUESTION:
            return Key("space", " ")
        first, *self._typing = [*(Key(sign, sign) for sign in self._answer(state.card)), Key("enter")]
        return first

    def _answer(self, card: Card) -> str:
        if card.task is None:
            return card.answer
        if card.id in WRONG_AT_FIRST - self.missed:
            self.missed |= {card.id}
            return "1e20"
        return f"6*{dict(card.task.pinned)['N'].removesuffix('B')}e9*2e12"


class LearnersTerminal(FakeTerminal):
    """Stand in for a terminal at which the learner types."""

    def __init__(self, learner: Learner) -> None:
        super().__init__(columns=80, rows=24)
        self.keys = learner  # type: ignore[assignment] # keys that look at the session


def day(folder: Path, *, confirm_right: bool) -> tuple[Learner, Session]:
    (folder / "day.md").write_text(deck())
    context = context_in(folder, STUDYKIT_DECKS=str(folder / "day.md"), STUDYKIT_SEED="1")
    store, seconds, learner = context.refreshed_store(), count(), Learner()
    cards = [card for card in store.cards.all() if card.path.endswith("day.md")]
    agenda = store.schedule.agenda(context.today(), new=len(cards), cards={card.id for card in cards})
    session = learner.session = Session(
        store,
        agenda,
        SessionOptions(confirm_right=confirm_right),
        lambda: 1_000_000_000 * next(seconds),
        context.today,
    )
    screen = Screen(cast("Terminal", LearnersTerminal(learner)), Style())
    services = display.services(context)
    around = ReviewServices(services, lambda card: (card, ""), lambda card: CardTurn(services, card), lambda: 1)
    ReviewRun(session, ScreenUi(screen, Notation(), edited), keymap(), around).through()
    store.close()
    return learner, session


@pytest.mark.parametrize("confirm_right", [False, True])
def test_a_day_of_thirty_cards_takes_few_keys(tmp_path: Path, confirm_right: bool) -> None:  # noqa: FBT001
    learner, session = day(tmp_path, confirm_right=confirm_right)

    summary = session.summary()
    assert (summary.cards, len(summary.missed), summary.remaining) == (30, len(NOT_KNOWN), 0)
    assert learner.pressed == (MOST_KEYS + TYPED + ESTIMATES if confirm_right else MOST_KEYS)
    assert MOST_KEYS <= 0.75 * BEFORE
