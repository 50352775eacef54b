"""Test that pages judge typed answers as a terminal, and ask again for those that only a terminal can read."""

from pathlib import Path

import pytest
from exported_decks import exported
from page_script import PageScript

from decks import read_deck
from studykit.review.typed_answer import accepted, compare

DECKS = Path(__file__).parents[2] / "decks"


@pytest.fixture(scope="module")
def engine() -> PageScript:
    page = "const document = { querySelectorAll: () => [] };"
    return PageScript("typed.js", before=page)


def on_page(engine: PageScript, typed: str, answer: str, question: str) -> str | None:
    verdict: str | None = engine.call("verdictOnText", accepted(answer, question), typed)
    return verdict


@pytest.mark.parametrize(
    ("answer", "question", "typed"),
    [
        ("Paris", "The capital of France?", "  paris. "),
        ("Straße", "A road?", "strasse"),
        ("a|b c", "Either?", "B  C"),
        ("`x.view(-1)`", "Which call?", "x.view( -1 )"),
        ("$2^{30}$", "A GiB?", "2**30"),
        ("$2^{30}$", "A GiB?", "2³⁰"),
        (r"$\frac{a}{b}$", "Share?", "a/b"),
        ("2048", "How many bytes?", "2,048"),
        ("2048", "How many bytes?", "~2048"),
        ("2048", "How many bytes?", "2048 bytes"),
        ("1.5e9", "How many?", "1.5x10^9"),
        ("16 GB", "How much?", "16.0 GB"),
        ("(2, 3, 4)", "Which shape?", "torch.Size([2, 3, 4])"),
        ("m × n", "Which shape?", "m x n"),
        ("$b \\times s \\times d$", "Which shape?", "b x s x d"),
        ("16 × 16", "Which size?", "16x16"),
        ("2 × 3 × 4", "Which shape?", "2 X 3 x 4"),
    ],
)
def test_right_answer_is_right_on_the_page(engine: PageScript, answer: str, question: str, typed: str) -> None:
    assert compare(typed, answer, question).same
    assert on_page(engine, typed, answer, question) == "correct"


@pytest.mark.parametrize(
    ("answer", "question", "typed"),
    [
        ("Paris", "The capital of France?", "Lyon"),
        ("2048", "How many bytes?", "2049"),
        ("2048", "How many bytes?", "many"),
        ("16 GB", "How much?", "17 GB"),
        ("(2, 3, 4)", "Which shape?", "(2, 4, 3)"),
    ],
)
def test_wrong_answer_is_wrong_on_the_page(engine: PageScript, answer: str, question: str, typed: str) -> None:
    assert not compare(typed, answer, question).same
    assert on_page(engine, typed, answer, question) == "incorrect"


@pytest.mark.parametrize(
    ("answer", "question", "typed"),
    [("2048", "How many bytes?", "2*1024"), ("16 GB", "How much?", "16e9 bytes"), ("16 GB", "How much?", "16")],
)
def test_terminal_only_amount_is_asked_again(engine: PageScript, answer: str, question: str, typed: str) -> None:
    assert on_page(engine, typed, answer, question) == "malformed"


@pytest.mark.parametrize("path", sorted(DECKS.glob("*.md")), ids=lambda path: path.stem)
def test_page_accepts_course_typed_answers(engine: PageScript, path: Path) -> None:
    for card in read_deck(path.read_text("utf-8"), str(path)).cards:
        if card.typed and "|" not in card.answer:
            assert on_page(engine, card.answer, card.answer, card.prompt) == "correct", card.id


def test_typed_page_carries_answers_and_judging_script() -> None:
    files = exported("Q: Capital? {#c .typed}\nA: Paris|Lutetia\n")

    assert '"texts":["LUTETIA","PARIS"]' in files["d.html"].replace("&#34;", '"')
    assert "studykit-typed.js" in files
