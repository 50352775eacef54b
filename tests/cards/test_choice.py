"""Test choices: parsing their options, shuffling them by a seed, and reading typed picks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards import choice
from studykit.cards.card import Card, Kind
from studykit.cards.choice import Option, OptionList
from studykit.cards.lint import lint
from studykit.cards.parser import parse_deck

VIEWS = """Q: Which move no bytes? {#views .einops}

- [x] `reshape` of `x # y` # only the strides change
- [ ] `contiguous()` # it copies
  every byte
* [X] transpose
check: 1 = 1
{.memory}
"""
FOUR = OptionList(
    (Option("w", right=True), Option("x", right=True), Option("y", right=False), Option("z", right=False))
)
ONE = OptionList((Option("2 GB", right=False), Option("4 GB", right=True), Option("bad", right=False)))


def one(text: str) -> Card:
    (card,) = read_deck(text, "d.md").cards
    return card


def test_options_end_a_question_that_has_no_answer() -> None:
    card = one(VIEWS)

    assert (card.kind, card.id, card.prompt, card.tags) == (
        Kind.CHOICE,
        "views",
        "Which move no bytes?",
        ("einops", "memory"),
    )
    assert card.checks == ((7, "1 = 1"),)
    assert choice.options_of(card).options == (
        Option("`reshape` of `x # y`", right=True, why="only the strides change"),
        Option("`contiguous()`", right=False, why="it copies every byte"),
        Option("transpose", right=True),
    )


def test_answer_below_marked_options_is_the_explanation() -> None:
    listed = choice.options_of(one("Q: Why?\n- [x] a\n- [ ] b\nA: Because $a$.\n\nAnd more."))

    assert (len(listed.options), listed.explanation) == (2, "Because $a$.\n\nAnd more.")


@pytest.mark.parametrize(
    "text",
    [
        "Q: What is left?\n- [ ] a\n- [ ] b\nA: b",  # of hashcards: a list of tasks in a question
        "Q: What is done?\nA:\n- [x] a\n- [ ] b",
        "Q: a\n- [x] b\nmore\nA: c",
        "Q: a\n- [x](b)\nA: c",
    ],
)
def test_tasks_elsewhere_are_words(text: str) -> None:
    assert one(text).kind is Kind.BASIC


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("- [ ] a\n- [ ] b", "a choice without a right option. Mark each right one: - [x]."),
        ("- [x] a", "a choice of one option. Add another: - [ ] a wrong one."),
        ("- [x] a b\n- [ ] A  B", "the option 'A  B' appears twice. Delete one."),
        ("- [x] a\n- [ ]", "an option without text. Write it after its box: - [ ] text."),
        ("- [x] a\n- [ ] b\n" * 11, "22 options in one choice; the limit is 20. Remove some."),
    ],
)
def test_options_that_are_no_question_are_told(options: str, message: str) -> None:
    deck, (problem,) = parse_deck(f"Q: a\n{options}\n\nQ: b\nA: c", "d.md")

    assert (str(problem), problem.lost) == (f"d.md:1: {message}", True)
    assert [card.prompt for card in deck.cards] == ["b"]


def test_choice_card_keeps_its_options_as_written() -> None:
    card = one(VIEWS)

    assert choice.options_of(card).markdown() == card.answer
    assert (card.content_hash, card.note) == (one(VIEWS.replace("{#views .einops}", "")).id, "views")


@given(st.integers(min_value=-(2**63), max_value=2**63 - 1), st.integers(min_value=1, max_value=20))
def test_a_seed_gives_one_order_of_all_options(seed: int, count: int) -> None:
    listed = OptionList(tuple(Option(str(place), right=not place) for place in range(count)))

    assert listed.order(seed) == listed.order(seed)
    assert sorted(listed.order(seed)) == list(range(count))


def test_seeds_that_follow_each_other_mix_well() -> None:
    first = [FOUR.order(seed)[0] for seed in range(400)]

    assert all(60 < first.count(place) < 140 for place in range(4))


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        ("1", {3}),
        ("1 3", {3, 1}),
        ("13", {3, 1}),
        ("a, c", {3, 1}),
        ("AC", {3, 1}),
        ("2. and 3.", {2, 1}),
        ("w", {0}),
        ("9", None),
        ("0", None),
        ("1 q", None),
        ("-1", None),
        ("", None),
        ("²", None),
    ],
)
def test_typed_line_picks_by_number_letter_or_words(typed: str, chosen: set[int] | None) -> None:
    pick = choice.picked(typed, FOUR, (3, 2, 1, 0))

    assert (None if pick is None else set(pick.chosen)) == chosen


def test_one_right_option_takes_one_pick() -> None:
    digits = OptionList((Option("3", right=True), Option("2", right=False), Option("1", right=False)))

    assert choice.picked("1 2", ONE, (0, 1, 2)) is None
    assert choice.picked("4 gb", ONE, (0, 1, 2)) == choice.judged(ONE, {1})
    assert choice.picked("bad", ONE, (0, 1, 2)) == choice.judged(ONE, {2})
    assert choice.picked("3", digits, (0, 1, 2)) == choice.judged(digits, {2})


@pytest.mark.parametrize(
    ("chosen", "verdict", "wrong", "missed"),
    [
        ({0, 1}, "correct", set(), set()),
        ({0}, "close", set(), {1}),
        ({0, 1, 2}, "incorrect", {2}, set()),
        ({2}, "incorrect", {2}, {0, 1}),
        (set(), "incorrect", set(), {0, 1}),
    ],
)
def test_pick_is_judged_by_all_options(chosen: set[int], verdict: str, wrong: set[int], missed: set[int]) -> None:
    pick = choice.judged(FOUR, chosen)

    assert (pick.verdict, set(pick.wrong), set(pick.missed)) == (verdict, wrong, missed)


def test_choice_slip_is_named_in_one_short_line() -> None:
    card = one(f"Q: {'long ' * 40}\nand more\n- [x] a\n- [ ] **b**\u200b `c`")

    (name,) = choice.slips(card, choice.options_of(card), choice.judged(choice.options_of(card), {1}))

    assert name.startswith("chose b c at long long")
    assert len(name) < 140
    assert name.isprintable()


def test_lint_warns_of_options_all_right() -> None:
    decks = [
        read_deck("Q: Which? {#a .flops}\n- [x] a\n- [x] b", "a.md"),
        read_deck("Q: Which letter? {#b .flops}\n- [x] letter\n- [ ] b\n- [ ] c\n- [ ] d", "b.md"),
    ]

    assert [str(problem) for problem in lint(decks)] == [
        "a.md:1: warning: every option is right. Add a wrong one that somebody could take for right."
    ]
