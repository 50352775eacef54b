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
from studykit.exercise.card_turn import queue, turn_of
from studykit.exercise.review_run import ReviewOptions, ReviewRun, ReviewServices
from studykit.exercise.turn import Asking
from studykit.review.keymap import keymap
from studykit.review.question import Phase
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
        self.run: ReviewRun | None = None
        self.missed: set[str] = set()
        self._typing: list[Key] = []

    def read(self, _timeout: float | None = None) -> Key:
        if self._typing:
            return self._typing.pop(0)
        assert self.run is not None
        card, asked = self.run.card, self.run.state.asked
        assert asked is not None
        self.pressed += 1
        if asked.is_closed:
            is_forgotten = card.id in NOT_KNOWN - self.missed
            self.missed |= {card.id}
            return Key("1", "1") if is_forgotten else Key("enter")
        if asked.phase is Phase.FACE:
            return Key("space", " ")
        first, *self._typing = [*(Key(sign, sign) for sign in self._answer(card)), Key("enter")]
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


def day(folder: Path, *, confirm_right: bool) -> tuple[Learner, ReviewRun]:
    (folder / "day.md").write_text(deck())
    context = context_in(folder, STUDYKIT_DECKS=str(folder / "day.md"), STUDYKIT_SEED="1")
    store, seconds, learner = context.refreshed_store(), count(), Learner()
    cards = [card for card in store.cards.all() if card.path.endswith("day.md")]
    agenda = store.schedule.agenda(context.today(), new=len(cards), cards={card.id for card in cards})
    screen = Screen(cast("Terminal", LearnersTerminal(learner)), Style())
    services = display.services(context)
    around = ReviewServices(
        lambda card: (card, ""), lambda card, seed: turn_of(services, card, {}, seed), lambda: 1
    )
    with Asking(services) as asking:
        asking.ui = ScreenUi(screen, Notation(), edited)
        run = learner.run = ReviewRun(
            asking,
            keymap(),
            queue(agenda),
            around=around,
            today=context.today,
            options=ReviewOptions(confirm_right=confirm_right),
            clock=lambda: float(next(seconds)),
        )
        run.through()
    store.close()
    return learner, run


@pytest.mark.parametrize("confirm_right", [False, True])
def test_a_day_of_thirty_cards_takes_few_keys(tmp_path: Path, confirm_right: bool) -> None:  # noqa: FBT001
    learner, run = day(tmp_path, confirm_right=confirm_right)

    summary = run.summary()
    assert (summary.cards, len(summary.missed), summary.remaining) == (30, len(NOT_KNOWN), 0)
    assert learner.pressed == (MOST_KEYS + TYPED + ESTIMATES if confirm_right else MOST_KEYS)
    assert MOST_KEYS <= 0.75 * BEFORE
