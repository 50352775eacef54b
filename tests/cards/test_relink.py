"""Check that edited cards are matched with their former ones, and new cards are not."""

# ruff: noqa: E501 - tables of deck texts, a row a case

from itertools import permutations
from pathlib import Path

import pytest
from cases import cases

from decks import read_deck
from studykit.cards import relink as limits
from studykit.cards.card import Card
from studykit.cards.relink import relink, renumbered


def _cards(text: str) -> tuple[Card, ...]:
    return read_deck(text, "d.md").cards


def _relinked(before: str, after: str) -> int:
    return len(relink(_cards(before), _cards(after)).certain)


_QUESTION = "Q: Why does decoding one token at a time leave the tensor cores of a GPU idle?\n"
_ANSWER = "A: Every weight is read from memory for a single multiply and add, so bandwidth is the limit.\n"


@pytest.mark.parametrize(("before", "after"), cases("cards/reworded_cards"))
def test_a_reworded_card_goes_on(before: str, after: str) -> None:
    assert _relinked(before, after) == 1


@pytest.mark.parametrize(("before", "after"), cases("cards/replaced_cards"))
def test_a_replaced_card_never_inherits(before: str, after: str) -> None:
    assert _relinked(before, after) == 0


def test_each_card_goes_on_as_one_card_only() -> None:
    before = "".join(
        f"Q: What happens at step number {n} of the plan?\nA: Answer number {n}\n\n" for n in range(50)
    )
    after = before.replace("happens", "hapens")

    relinks = relink(_cards(before), _cards(after))

    assert len(relinks.certain) == 50
    assert all(pair.old.answer == pair.new.answer for pair in relinks.certain)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("bf16 has [8] and [7] bits", "[bf16] has [8] and [7] bits", [("x.2", "x.3"), ("x.1", "x.2")]),
        ("[bf16] has [8] and [7] bits", "bf16 has [8] and [7] bits", [("x.2", "x.1"), ("x.3", "x.2")]),
        ("a step costs [6] FLOPs", "a [step] costs [6] FLOPs", [("x", "x.2")]),
    ],
    ids=["inserted", "taken away", "second"],
)
def test_progress_follows_a_renumbered_gap(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    moves = renumbered(_cards(f"C: {before} {{#x}}"), _cards(f"C: {after} {{#x}}"))

    assert [(move.old.id, move.new.id) for move in moves] == expected


def test_course_cards_relink_to_no_other_note() -> None:
    folder = Path(__file__).parents[2] / "decks"
    cards = [
        card
        for path in folder.glob("*.md")
        for card in read_deck(path.read_text(encoding="utf-8"), path.name).cards
    ]

    went_wrong = [
        (pair.old.id, pair.new.id)
        for nth in range(2)
        for pair in relink(cards[nth::2], [card for card in cards[1 - nth :: 2] if card.task is None]).certain
        if pair.old.note != pair.new.note
    ]

    assert went_wrong == []


_TYPO_IN_BOTH = _QUESTION.replace("decoding", "decodng") + _ANSWER.replace("memory", "memry")


def test_typo_fix_is_certain_without_a_rival_card() -> None:
    other = _QUESTION.replace("idle?", "idle then?") + _ANSWER.replace("limit", "limits")

    assert _relinked(_QUESTION + _ANSWER, _TYPO_IN_BOTH) == 1
    claimed = relink(_cards(f"{_QUESTION}{_ANSWER}\n{other}"), _cards(_TYPO_IN_BOTH))
    assert (claimed.certain, len(claimed.likely)) == ((), 2)


def test_relink_takes_the_most_similar_card() -> None:
    alike = _QUESTION.replace("leave the tensor cores of a GPU idle", "keep most of it idle") + _ANSWER.replace(
        "limit", "end"
    )
    before = f"Q: zebra\nA: gnu\n\nE: flops.step {{#e}}\n\n{_QUESTION}{_ANSWER}"

    relinks = relink(_cards(before), _cards(f"{alike}\n{_TYPO_IN_BOTH}\nE: flops.matmul {{#f}}"))

    assert [(move.old.prompt, move.new.prompt) for move in relinks.certain] == [
        (_cards(_QUESTION + _ANSWER)[0].prompt, _cards(_TYPO_IN_BOTH)[0].prompt)
    ]


def test_very_long_text_relinks_by_unchanged_part_only() -> None:
    long = "each of these many words " * 100

    assert _relinked(f"Q: {long} ab\nA: c {long}", f"Q: {long} abc\nA: cd {long}") == 0
    assert _relinked(f"Q: {long} ab\nA: c", f"Q: {long} abc\nA: c") == 0  # and a short answer is no such part
    assert _relinked(f"Q: {long} ab\nA: c {long}", f"Q: {long} ab\nA: cd {long}") == 1


def test_exercise_cards_relink_by_equal_content_only() -> None:
    assert _relinked("E: flops.matmul", "E: flops.step") == 0
    assert relink(_cards("E: flops.matmul"), _cards("E: flops.step")).likely == ()


def _typos(text: str, count: int, sign: str = "q") -> str:
    """Return the text with its last `count` letters replaced by `sign`."""
    letters = [place for place, letter in enumerate(text) if letter.isalpha()]
    places = {*letters[-count:]}
    return "".join(sign if place in places else letter for place, letter in enumerate(text))


_TREES = "alder birch cedar el", "fir gum hazel maple"  # 40 letters with the break between them


@pytest.mark.parametrize(
    ("typos", "certain", "likely"),
    [((2, 2), 1, 0), ((3, 2), 0, 1), ((6, 6), 0, 1), ((6, 7), 0, 0)],
    ids=["nine tenths alike", "less", "seven tenths alike", "much less"],
)
def test_nine_tenths_are_certain_and_seven_are_likely(typos: tuple[int, int], certain: int, likely: int) -> None:
    question, answer = map(_typos, _TREES, typos)

    relinks = relink(_cards(f"Q: {_TREES[0]}\nA: {_TREES[1]}"), _cards(f"Q: {question}\nA: {answer}"))

    assert (len(relinks.certain), len(relinks.likely)) == (certain, likely)


def test_pairs_stay_likely_where_cards_compete() -> None:
    question, answer = _TREES
    two = _cards("\n\n".join(f"Q: {_typos(question, 2, sign)}\nA: {_typos(answer, 2, sign)}" for sign in "qx"))
    one = _cards(f"Q: {question}\nA: {answer}")

    assert [(pairs.certain, len(pairs.likely)) for pairs in (relink(two, one), relink(one, two))] == [
        ((), 2),
        ((), 1),
    ]


@pytest.mark.parametrize(("answer", "moves"), [("A short answer 19", 0), ("an answer of just 20", 1)])
def test_twenty_letters_of_an_answer_are_enough(answer: str, moves: int) -> None:
    assert _relinked(f"Q: Why is that?\nA: {answer}", f"Q: What is meant here?\nA: {answer}") == moves


@pytest.mark.parametrize(("question", "moves"), [("abcdefghijkl", 1), ("abcdefghijk", 0)])
def test_short_answer_relinks_with_three_quarters_of_question(question: str, moves: int) -> None:
    assert _relinked("Q: abcdefghijklmnop\nA: so", f"Q: {question}{'z' * (16 - len(question))}\nA: so") == moves


@pytest.mark.parametrize(("shared_words", "likely_count"), [(2, 1), (1, 0)])
def test_two_words_in_five_make_a_candidate(shared_words: int, likely_count: int) -> None:
    names = ["alderwood", "birchwood", "cedarwood", "firwoods", "gumwoods"]
    changed = [*names[:shared_words], *(f"{name[:-1]}z" for name in names[shared_words:])]

    pairs = relink(
        _cards(f"Q: {' '.join(names[:3])}\nA: {' '.join(names[3:])}"),
        _cards(f"Q: {' '.join(changed[:3])}\nA: {' '.join(changed[3:])}"),
    )

    assert len(pairs.certain + pairs.likely) == likely_count


def test_the_candidates_that_share_most_words_are_compared() -> None:
    names = ["alderwood", "birchwood", "cedarwood", "firwoods", "gumwoods"]
    before = f"Q: {' '.join(names[:3])} here {{#old}}\nA: {' '.join(names[3:])}"
    worse = [
        f"Q: {' '.join(f'{name[:-4]}{sign * 4}' for name in names[:3])} here {{#{sign}}}\nA: {' '.join(names[3:])} {sign}"
        for sign in "vwxy"
    ]
    best = before.replace("#old", "#z").replace("gumwoods", "gumwood").replace("here", "hier")

    relinks = relink(_cards(before), _cards("\n\n".join([*worse, best])))

    assert [(pair.old.id, pair.new.id) for pair in relinks.certain] == [("old", "z")]


def _crowd(rare: str = "zebra zinnia", of: int = 9) -> tuple[str, str]:
    """Return the text of a card, and of new cards: many that share its common words, and last its edited self."""
    many = "\n\n".join(f"Q: all but these many common words {{#c{nth}}}\nA: each {nth}" for nth in range(of))
    before = f"Q: all but these many common words {rare} {{#old}}\nA: each here"
    return before, f"{many}\n\n{before.replace('#old', '#new').replace('common', 'comon').replace('here', 'hier')}"


def test_relink_skips_words_of_most_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MAX_POSTINGS", 8)

    before, after = _crowd()

    assert [(pair.old.id, pair.new.id) for pair in relink(_cards(before), _cards(after)).certain] == [
        ("old", "new")
    ]


def test_relink_looks_up_even_a_common_rarest_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MAX_POSTINGS", 2)
    before = f"Q: {_TREES[0]} {{#old}}\nA: {_TREES[1]}"

    relinks = relink(
        _cards(before),
        _cards("\n\n".join(f"Q: {_TREES[0]} {sign} {{#{sign}}}\nA: {_TREES[1]} {sign}" for sign in "xyz")),
    )

    assert [pair.new.id for pair in relinks.likely] == ["y"]


def test_comparing_ends_when_enough_letters_were_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MAX_COMPARISONS", 40 * 40 * 3 // 2)
    two = [f"Q: {_TREES[0]} {{#a}}\nA: {_TREES[1]}", f"Q: {_TREES[1]} {{#b}}\nA: {_TREES[0]}"]
    typed = [text.replace("#", "#new-").replace("alder", "aldr").replace("maple", "mapl") for text in two]

    relinks = relink(_cards("\n\n".join(two)), _cards("\n\n".join(typed)))

    assert [(pair.old.id, pair.new.id) for pair in relinks.certain] == [("a", "new-a")]


def test_taken_likeness_leaves_other_matches_found() -> None:
    first, second = (
        f"Q: {one} {{#{name}}}\nA: {other}" for name, one, other in (("a", *_TREES), ("c", *_TREES[::-1]))
    )
    less = f"Q: {_typos(_TREES[0], 5)} {{#b}}\nA: {_typos(_TREES[1], 4)}"
    typed = [
        text.replace("#", "#new-").replace("alder", "aldr").replace("maple", "mapl") for text in (first, second)
    ]

    relinks = relink(_cards(f"{first}\n\n{less}\n\n{second}"), _cards("\n\n".join(typed)))

    assert [(pair.old.id, pair.new.id) for pair in relinks.certain] == [("a", "new-a"), ("c", "new-c")]


def test_long_text_of_few_letters_relinks() -> None:
    long = " ".join("".join(each) for each in permutations("aenst", 4))

    assert _relinked(f"Q: {long}\nA: {long[::-1]}", f"Q: i{long}i\nA: i{long[::-1]}i") == 1


def test_swapped_gap_numbers_move_no_progress() -> None:
    one, other, third = _cards("C: bf16 has [8] and [7] bits, fp32 [23] {#bf}")
    swapped = (one._replace(id=other.id), other._replace(id=one.id), third)

    assert renumbered((one, other, third), swapped) == ()


def test_likely_pair_names_the_relink_command() -> None:
    (pair,) = relink(
        _cards(f"Q: {_TREES[0]} {{#old}}\nA: {_TREES[1]}"),
        _cards(f"Q: {_typos(_TREES[0], 4)} {{#new}}\nA: {_typos(_TREES[1], 4)}"),
    ).likely

    assert pair.sentence() == ("new looks like old reworded. To move the progress, run: study deck relink")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Q: Haus\nA: house", "Q: Haus\nA: house (noun)"),
        ("Q: Haus (n)\nA: house", "Q: Haus (das, n)\nA: house (a building)"),
        ("Q: Haus {.reversed}\nA: house", "Q: Haus {.reversed}\nA: house (noun)"),
        ("C: [Haus] is house", "C: [Haus] is house (noun)"),
    ],
)
def test_a_gloss_in_parentheses_makes_no_other_card(before: str, after: str) -> None:
    others = "\n\nQ: Maus\nA: mouse\n\nQ: Laus\nA: louse\n"
    old, new = _cards(before + others), _cards(after + others)
    gone = [card for card in old if card.id not in {each.id for each in new}]
    fresh = [card for card in new if card.id not in {each.id for each in old}]

    assert gone
    assert len(relink(gone, fresh).certain) == len(gone)


def test_likely_pair_without_ids_is_named_by_words() -> None:
    relinks = relink(
        _cards("Q: How large is it?\nA: large enough"), _cards("Q: How large is it?\nA: large enough (4 GB)")
    )

    (pair,) = relinks.likely
    assert relinks.certain == ()
    assert pair.sentence() == (
        '"How large is it? / large enough (4 GB)" looks like "How large is it? / large enough" reworded.'
        " To move the progress, run: study deck relink"
    )
