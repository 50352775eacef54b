"""Test how the text of a deck is parsed to cards."""

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards.card import Kind, Task
from studykit.cards.lines import LineKind, LineReader
from studykit.cards.parser import fingerprint, parse_deck, slug
from studykit.errors import BadDataError


def _problems(text: str) -> list[str]:
    return [str(problem) for problem in parse_deck(text, "d.md")[1]]


def test_a_question_and_its_answer_are_one_card() -> None:
    deck = read_deck("Q: What is MFU?\nA: Model FLOPs utilization.\n", "decks/gpu.md")

    (card,) = deck.cards
    assert (card.kind, card.prompt, card.answer) == (Kind.BASIC, "What is MFU?", "Model FLOPs utilization.")
    assert (card.path, card.line, card.named, deck.name) == ("decks/gpu.md", 1, False, "gpu")


@pytest.mark.parametrize(("text", "cards"), cases("cards/decks"))
def test_a_deck_is_read_as_cards(text: str, cards: list[list[str]]) -> None:
    assert [[card.prompt, card.answer] for card in read_deck(text, "d.md").cards] == cards


def test_front_matter_describes_the_deck() -> None:
    text = (
        '---\nname = "Counting the cost"\nid = "cost"\ndescription = "Lesson 2"\nobjectives = ["flops"]\n'
        "license = 'CC-BY-4.0'\nurl = 'https://example.org/2'\n[macros]\nR = '\\mathbb{R}'\n---\nQ: a\nA: b\n"
    )

    deck = read_deck(text, "d.md")

    assert (deck.id, deck.name, deck.description, deck.objectives) == (
        "cost",
        "Counting the cost",
        "Lesson 2",
        ("flops",),
    )
    assert (deck.license, deck.url, deck.macros) == (
        "CC-BY-4.0",
        "https://example.org/2",
        (("\\R", "\\mathbb{R}"),),
    )
    assert (deck.cards[0].url, deck.cards[0].line) == ("https://example.org/2", 11)


def test_deck_without_id_uses_its_name_slug() -> None:
    assert read_deck('---\nname = "GPU: the Ridge Point!"\n---\n', "d.md").id == "gpu-the-ridge-point"
    assert slug("!!!") == "deck"


@pytest.mark.parametrize(
    "text",
    [
        "Q: a {#x .flops .typed}\nA: b",
        "Q: a\nA: b {#x .flops .typed}",
        "Q: a\nA: b\n{#x .flops .typed}\n",
        "Q: a {#x}\nA: b\n\n{.flops .typed}\ncheck: 1 = 1\n\n",
    ],
    ids=["question's line", "answer's line", "last line", "both"],
)
def test_attributes_are_read_at_line_end_or_last(text: str) -> None:
    (card,) = read_deck(text, "d.md").cards

    assert (card.id, card.tags, card.objectives, card.typed) == ("x", ("flops",), ("flops",), True)
    assert (card.prompt, card.answer, card.named) == ("a", "b", True)


@pytest.mark.parametrize(
    "tail", ["{x}", r"\frac{a}{b}", "$\\{x=1\\}$", "{k=v}", "{#}", "{.5}x", "a{#x}", "{#x} b", "{"]
)
def test_braces_that_are_no_attributes_stay_text(tail: str) -> None:
    (card,) = read_deck(f"Q: What is {tail}\nA: b", "d.md").cards

    assert card.prompt == f"What is {tail}"


def test_reversed_tag_adds_a_reversed_sibling() -> None:
    forward, back = read_deck("Q: MFU {#mfu .reversed}\nA: model FLOPs utilization", "d.md").cards

    assert (forward.id, back.id, back.kind) == ("mfu", "mfu.reversed", Kind.REVERSED)
    assert (back.prompt, back.answer) == ("model FLOPs utilization", "MFU")
    assert forward.note == back.note == "mfu"


def test_several_gaps_number_ids_but_one_does_not() -> None:
    cards = read_deck("C: [bf16] has [8] bits {#a}\n\nC: fp32 has [23] {#b}", "d.md").cards

    assert [(card.id, card.note, card.prompt, card.answer) for card in cards] == [
        ("a.1", "a", "[…] has 8 bits", "bf16"),
        ("a.2", "a", "bf16 has […] bits", "8"),
        ("b", "b", "fp32 has […]", "23"),
    ]
    assert cards[0].full == "bf16 has 8 bits"


def test_check_lines_end_a_note() -> None:
    cards = read_deck("Q: a\nA: b\ncheck: 1 = 1\ncheck: 2 = 2\n\nC: [x]\ncheck: 3 = 3\n", "d.md").cards

    assert [card.checks for card in cards] == [((3, "1 = 1"), (4, "2 = 2")), ((7, "3 = 3"),)]
    assert cards[0].answer == "b"


def test_exercise_line_becomes_card_with_pinned_parameters() -> None:
    text = 'E: flops.train_total {#a}\nE: time.train_days n=1024 hw="H100 SXM" {#b .flops}\ncheck: 1 = 1\nE: x.y\n'

    cards = read_deck(text, "d.md").cards

    assert [card.task for card in cards] == [
        Task("flops.train_total"),
        Task("time.train_days", (("n", "1024"), ("hw", "H100 SXM"))),
        Task("x.y"),
    ]
    assert [(card.kind, card.id) for card in cards[:2]] == [(Kind.EXERCISE, "a"), (Kind.EXERCISE, "b")]
    assert cards[1].checks == ((3, "1 = 1"),)


def test_card_without_id_is_identified_by_its_words() -> None:
    (one,) = read_deck("Q: a  b\nA: c\nd", "d.md").cards
    (two,) = read_deck("\n\nQ: a b\nA: c d {.flops}\n\n", "other.md").cards
    (three,) = read_deck("Q: a b\nA: c e", "d.md").cards

    assert one.id == two.id == one.content_hash
    assert len(one.id) == 32
    assert three.id != one.id


def test_added_gap_keeps_the_unnamed_gap_id() -> None:
    (before,) = read_deck("C: a step costs [6] FLOPs", "d.md").cards
    after = read_deck("C: a [step] costs [6] FLOPs", "d.md").cards

    assert after[1].id == before.id


@pytest.mark.parametrize(("text", "message"), cases("cards/deck_mistakes"))
def test_deck_mistake_names_its_place_and_remedy(text: str, message: str) -> None:
    assert _problems(text) == [message]


def test_huge_number_in_front_matter_is_refused() -> None:
    (message,) = _problems("---\na = " + "9" * 5000 + "\n---\n")

    assert message.startswith("d.md:2: front matter is not TOML: ")


_SCRAP = st.sampled_from(
    [
        "Q:",
        "A:",
        "C:",
        "E: a.b",
        "---",
        "\n",
        "[",
        "]",
        "$",
        "$$",
        "`",
        "```",
        "~~~",
        "\\",
        "{#x}",
        "check: ",
        "<!--",
        "-->",
        "!",
        " ",
        "- [x] a",
        "- [ ] ",
        "\\(",
        "\\]",
        "q: ",
    ]
)


@given(st.lists(_SCRAP | st.text(max_size=4), max_size=40).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    deck, problems = parse_deck(text, "d.md")

    assert all(card.prompt or card.task for card in deck.cards)
    assert all(1 <= problem.line <= text.count("\n") + text.count("\r") + 1 for problem in problems)


@pytest.mark.parametrize(
    ("path", "name"),
    [("decks/gpu.v2.md", "gpu.v2"), (r"C:\decks\gpu.md", "gpu"), ("README", "README"), ("decks/", "deck")],
)
def test_deck_without_name_uses_its_file_name(path: str, name: str) -> None:
    assert read_deck("", path).name == name


def test_deck_keeps_its_source_and_given_macros() -> None:
    deck = read_deck("Q: a\nA: b", "d.md", ((r"\R", "x"),))

    assert deck.source == "Q: a\nA: b"
    assert deck.macros == ((r"\R", "x"),)
    assert read_deck("", "d.md").cards == ()
    assert [card.deck for card in deck.cards] == ["d"]


def test_control_character_is_named_and_left_out() -> None:
    deck, (problem,) = parse_deck("\nQ: a\x01 b\nA: c", "d.md")

    assert str(problem) == "d.md:2: control character U+0001. Delete it."
    assert [card.prompt for card in deck.cards] == ["a b"]
    assert [problem.line for problem in parse_deck("\x01\nQ: a\nA: b", "d.md")[1]] == [1]


def test_too_long_note_is_left_out_alone() -> None:
    longest = "x" * 20_000
    deck, problems = parse_deck(f"Q: a\nA: {longest}x\n\nQ: b\nA: {longest}", "d.md")

    assert [str(problem) for problem in problems] == [
        "d.md:1: a note of more than 20,000 characters. Split it into several."
    ]
    assert [card.prompt for card in deck.cards] == ["b"]


def test_fifty_gaps_are_the_most() -> None:
    gaps = " ".join(f"[a{number}]" for number in range(50))

    assert len(read_deck(f"C: {gaps}", "d.md").cards) == 50
    assert _problems(f"C: {gaps} [b]") == ["d.md:1: 51 gaps in one note; the limit is 50. Split it."]


def test_cards_have_position_note_and_url() -> None:
    deck = read_deck(
        "---\nurl = 'https://example.org/2'\n---\n"
        "Q: a {.reversed}\nA: b\n\nC: [c] [d] {#cloze url=https://example.org/3}\n\nQ: a {.flops}\nA: z\n",
        "d.md",
    )

    assert [card.position for card in deck.cards] == [0, 1, 2, 3, 4]
    assert [card.url.rpartition("/")[2] for card in deck.cards if card.url] == ["2", "2", "3", "3", "2"]
    assert len({card.note for card in deck.cards}) == 3
    assert [(card.prompt, card.answer) for card in read_deck("E: flops.matmul n=8", "d.md").cards] == [("", "")]


def test_each_card_of_a_note_knows_its_source() -> None:
    deck = read_deck(
        'C: [a] [b] {#x}\n\n{source="A Paper, 2020, table 1"}\n\n---\n\n'
        'E: flops.step {#y source="B"}\n\nQ: a {#z source="C"}\nA: b\n{source="D {1}"}\n\nQ: c\nA: d\n',
        "d.md",
    )

    assert [card.source for card in deck.cards] == ["A Paper, 2020, table 1"] * 2 + ["B", "C; D {1}", ""]
    assert deck.cards[3].answer == "b"


def test_notes_differing_in_one_part_stay_separate() -> None:
    exercises = "E: flops.matmul\n\nE: flops.step\n\nE: flops.matmul n=8\n\nE: flops.matmul n=8 m=4"
    deck = read_deck(f"Q: a\nA: b\n\nQ: a\nA: c\n\nQ: d\nA: b\n\nC: a [b]\n\nC: c [d]\n\n{exercises}", "d.md")

    assert len({card.id for card in deck.cards}) == len({card.note for card in deck.cards}) == 9


def test_lone_surrogate_is_fingerprinted_as_question_mark() -> None:
    deck, problems = parse_deck("Q: a\ud800\nA: b", "d.md")

    assert len(problems) == len(deck.cards) == 1
    assert fingerprint("a\ud800") == fingerprint("a?")
    assert fingerprint("a  b", "c") == fingerprint("a b", "c") != fingerprint("a", "b c")


def test_deck_error_lists_each_problem_on_a_line() -> None:
    with pytest.raises(BadDataError) as refused:
        read_deck("A: x\n\nQ: b\n\nC: [", "d.md")

    assert str(refused.value).split("\n") == [
        'd.md:1: answer without a question. Start the note with "Q:".',
        'd.md:3: question without an answer. Give it one on a line that starts with "A:".',
        r"d.md:5: a [ that is never closed. Close it, or write \[ for a bracket.",
    ]


def test_valid_attributes_survive_an_invalid_one() -> None:
    deck, problems = parse_deck("Q: a {#x .flops url=https://e.org}\nA: b {nope=1 .mfu}", "d.md")

    (card,) = deck.cards
    assert (card.id, card.tags, card.url) == ("x", ("flops", "mfu"), "https://e.org")
    assert len(problems) == 1


def test_attribute_line_is_read_only_below_note_text() -> None:
    (card,) = read_deck("Q: a\nA: b\n{#x}\ncheck: 1 = 1\n\n{.flops}\n", "d.md").cards
    (other,) = read_deck("Q: a\nA: {b}\n{c} d", "d.md").cards

    assert (card.id, card.tags, card.answer, card.checks) == ("x", ("flops",), "b", ((4, "1 = 1"),))
    assert (other.answer, other.checks) == ("{b}\n{c} d", ())
    (after_braces,) = read_deck("Q: a\nA: b\n{c} {#x}\n{#y}  \n", "d.md").cards
    assert (after_braces.answer, after_braces.id) == ("b\n{c} {#x}", "y")
    (linked,) = read_deck("Q: a {url=https://e.org/?a=b}\nA: b", "d.md").cards
    assert (linked.prompt, linked.url) == ("a", "https://e.org/?a=b")


def test_each_mistake_of_a_block_is_told() -> None:
    assert _problems("Q: a {#x #y nope=1 #z}\nA: b") == [
        "d.md:1: a note has one id, this one has #x and #y. Keep one.",
        "d.md:1: unknown attribute nope. Write #id, .tag or url=ADDRESS.",
        "d.md:1: a note has one id, this one has #x and #z. Keep one.",
    ]


_LINES = st.sampled_from(["Q: a", "A: b", "```", "<!-- c", "d -->", "<!-- e -->", "", "---", "check: 1 = 1", "f"])


@given(st.lists(_LINES, max_size=12))
def test_line_reader_numbers_lines_and_empties_comments(lines: list[str]) -> None:
    read = list(LineReader(first=7).read(lines))

    assert [line.number for line in read] == list(range(7, 7 + len(lines)))
    assert {line.text for line in read if line.kind is LineKind.COMMENT} <= {""}


def test_ids_and_hashes_made_of_content_never_change() -> None:
    """Keep the ids in old logs valid: otherwise every card without an explicit id would start anew."""
    text = "Q: What is  MFU?\nA: A share {.reversed}\n\nC: costs [6] per [token]\n\nE: flops.matmul m=2\n"

    cards = read_deck(text, "d.md").cards

    assert [(card.id, card.note) for card in cards] == [
        ("655757010a457c1349bb8cb5d16f5e1f", "7f646df6a90362b2f1adb90eea982814"),
        ("f81ea85cafb8266ad23a965547d9e199", "7f646df6a90362b2f1adb90eea982814"),
        ("ac7e675c34cd93db17f656e39279cb5c", "3e82ad2f2a86badd06e1d2454b5e9bd2"),
        ("221ac42cb076955836460f7461ebca26", "3e82ad2f2a86badd06e1d2454b5e9bd2"),
        ("1c48ade8b6794beeba0566dcd73ec51e", "d1269de56afbea3ce05a7df75701c887"),
    ]
    assert [card.content_hash for card in cards] == [card.id for card in cards]


@pytest.mark.parametrize(
    "text",
    [
        "Q: a\nA: b\nA: c\nd",
        "C: a [b]\nA: c\nd",
        "E: flops.matmul\nA: c\nd",
        "E: flops.matmul\nc\nd",
        "E: flops.matmul\n# c",
    ],
)
def test_stray_line_after_note_keeps_both_notes(text: str) -> None:
    deck, problems = parse_deck(f"{text}\n\nQ: e\nA: f", "d.md")

    assert len(deck.cards) == 2
    assert [problem.line for problem in problems] == [3 if text.startswith("Q") else 2]


def test_first_part_of_a_tag_gives_the_objective() -> None:
    (card,) = read_deck("Q: a {.flops.matmul .maths.sets}\nA: b", "d.md").cards

    assert (card.prompt, card.tags, card.objectives) == ("a", ("flops.matmul", "maths.sets"), ("flops",))
