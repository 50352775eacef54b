"""Test the screens of a review at every width, and its loop with scripted keys."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, cast

import pytest
from fake_terminal import FakeTerminal, edited
from rich.cells import cell_len
from scripted_review import SEEDS, FakeStore, closed, scripted_run

from decks import basic_card as card
from studykit.cards.card import Card, Kind, Task
from studykit.errors import MissingError
from studykit.exercise.card_turn import turn_of
from studykit.exercise.review_run import ReviewOptions, ReviewRun
from studykit.exercise.turn import Turn
from studykit.review.keymap import keymap
from studykit.review.progress import SessionAnswer, Summary
from studykit.review.question import Asked
from studykit.scheduling.recall_grade import Grade
from studykit.terminal.glyphs import UNICODE
from studykit.terminal.input.keys import HangupError
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.mode import Style
from studykit.terminal.page import MarkdownPart
from studykit.terminal.review_summary import NextSteps, duration, highlighted, summary_lines
from studykit.terminal.screen import Screen, ScreenContent, layout
from studykit.terminal.screen_ui import ScreenUi
from studykit.terminal.spans import StyledLine, TextStyle, line, plain, width

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.terminal.input.tty import Terminal

LONG = card(
    "long",
    prompt="Why does **FlashAttention** use less HBM traffic than standard attention, at $2s^2h$ FLOPs?",
    answer="- It never writes the $N \\times N$ matrix.\n- It works on *tiles*.\n\n|a|b|\n|--|--|\n|1|2|",
)


EXERCISE = card("e", kind=Kind.EXERCISE, task=Task("flops.train_total"))
GAP = card("c", kind=Kind.CLOZE, prompt="A step costs […] FLOPs.", answer="6", full="A step costs 6 FLOPs.")


def ran(
    terminal: FakeTerminal, *cards: Card, style: Style | None = None, **changed: object
) -> tuple[FakeStore, ReviewRun]:
    """Review these new cards with the keys that wait in the terminal."""
    seconds, store, style = count(), FakeStore(cards), style or Style()
    screen, notation = Screen(cast("Terminal", terminal), style), Notation(ascii=style.ascii)
    ui = ScreenUi(screen, notation, edited, idle=store.checkpoint)
    run = scripted_run(store, ui, clock=lambda: float(next(seconds)), **changed)  # type: ignore[arg-type] # keywords of a test
    run.through()
    return store, run


def frame(*keys: str, cards: Sequence[Card] = (LONG,), columns: int = 80, rows: int = 30, **named: object) -> str:
    """Return the screen after these keys, with its colors."""
    terminal = FakeTerminal(*keys, columns=columns, rows=rows)
    with pytest.raises(HangupError):
        ran(terminal, *cards, **named)  # type: ignore[arg-type] # keywords of a test
    return terminal.written.rpartition("\x1b[H")[2].replace("\xa0", " ")


def words_of(screen: str) -> list[str]:
    """Return the rows of a screen without colors."""
    return [row.rstrip() for row in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen).splitlines()]


def pressed(keys: str) -> list[str]:
    return ["space" if key == " " else key for key in keys]


@pytest.mark.parametrize("keys", ["", " ", " i", "w", "?", " 1"])
@pytest.mark.parametrize(("columns", "scale"), [(88, "4"), (40, "2"), (30, "sm2"), (30, "4")])
def test_review_rows_fit_the_screen_width(keys: str, columns: int, scale: str) -> None:
    style = Style(ascii=columns == 88)

    screen = frame(*pressed(keys), cards=[LONG, card("b")], columns=columns, keys=keymap(scale), style=style)

    assert screen.isascii() == style.ascii
    assert all(cell_len(row) <= columns for row in words_of(screen))
    assert re.search(r"q (quit|back)", screen.replace("\x1b[0m", ""))


def colored(rows: Sequence[StyledLine]) -> dict[str, str]:
    """Map each colored text to its color."""
    names = {TextStyle.RED: "red", TextStyle.GREEN: "green", TextStyle.CYAN: "cyan", TextStyle.MAGENTA: "magenta"}
    spans = [
        (span.text.strip(), name)
        for row in rows
        for span in row
        for style, name in names.items()
        if style in span.style
    ]
    return dict(spans)


@pytest.mark.parametrize(("keys", "accents"), [("", ["[…]", "space"]), (" ", ["enter"])])
def test_gap_and_next_key_have_the_accent(keys: str, accents: list[str]) -> None:
    looks = re.findall(r"\x1b\[([0-9;]+)m([^\x1b]*)", frame(*pressed(keys), cards=[GAP], style=Style(color=True)))

    assert [text for codes, text in looks if "36" in codes.split(";")] == accents


@pytest.mark.parametrize(
    ("dialogue_line", "colors"),
    [
        ("✓ **right**, first try", {"✓": "green", "right": "green"}),
        ("✗ **not yet**: too high", {"✗": "red", "not yet": "red"}),
        ("≈ **close**: the method", {"≈": "magenta", "close": "magenta"}),
        ("no **verdict** here", {}),
    ],
)
def test_dialogue_verdict_has_its_sign_color(dialogue_line: str, colors: dict[str, str]) -> None:
    assert colored(MarkdownPart(dialogue_line).lines(60, Notation())) == colors


@pytest.mark.parametrize("keys", ["", " ", "?", " i"])
def test_rules_are_dim_and_no_word_is(keys: str) -> None:
    looks = re.findall(r"\x1b\[([0-9;]+)m([^\x1b]*)", frame(*pressed(keys), rows=18))
    faint = [text for codes, text in looks if "2" in codes.split(";")]

    assert faint
    assert not any(character.isalnum() for text in faint for character in text)
    assert not any("90" in codes.split(";") for codes, _ in looks)


@pytest.mark.parametrize("columns", [80, 30])
def test_info_names_the_card_source(columns: int) -> None:
    with_source = card("a", source="NVIDIA H100 Tensor Core GPU, datasheet")

    rows = words_of(frame("i", cards=[with_source], columns=columns))

    assert "source NVIDIA H100 Tensor Core GPU, datasheet" in " ".join(" ".join(rows).split())
    assert "source" not in " ".join(words_of(frame("i", columns=columns)))


def test_card_at_forty_columns_loses_no_words() -> None:
    text = " ".join(words_of(frame("space", columns=40)))

    for word in ("FlashAttention", "2s²h", "N × N", "tiles", "(less ease): today", "(more ease): 1 d"):
        assert word in text


@pytest.mark.parametrize(("answer", "keys"), [("no", "o lesson   u undo"), ("yes", "u undo   e edit")])
def test_lesson_is_the_first_key_after_a_miss(answer: str, keys: str) -> None:
    typed = card("a", typed=True, answer="yes")

    rows = words_of(frame(*answer, "enter", cards=[typed], columns=60))

    assert any(row.strip().startswith(keys) for row in rows)


def test_review_head_counts_cards_left_and_marks_flags() -> None:
    rows = words_of(frame("*", "space", "1", cards=[LONG, card("b")]))
    later_rows = words_of(
        frame(
            "*",
            "space",
            "1",
            "space",
            "3",
            cards=[LONG, card("b")],
            options=ReviewOptions(decks={"flops": "FLOPs"}),
        )
    )

    assert rows[0] == "flops                                                2 left ━━━━━━━─────────────"
    assert later_rows[0].startswith("FLOPs, flagged ")


@pytest.mark.parametrize(
    ("prompt", "answer", "rows"),
    [
        ("a question of many words " * 8, "answer a", 10),
        ("What does it cost, and when? " * 7, "- answer a\n" * 9, 20),
    ],
    ids=["short answer", "long answer"],
)
def test_a_low_screen_turns_to_the_answer(prompt: str, answer: str, rows: int) -> None:
    screen = frame("space", cards=[card("a", prompt=prompt, answer=answer)], columns=40, rows=rows)

    assert "answer a" in screen
    assert rows == 10 or "· ·" not in screen
    assert "more above" in screen


def test_trailing_empty_row_is_not_scrolled_to() -> None:
    whole = ScreenContent([line("head")], [*[line("row")] * 17, ()], [line("foot")], pinned=[line("question"), ()])

    assert layout(whole, 40, 24, 0, UNICODE).furthest == 0
    assert layout(replace(whole, body=[*[line("row")] * 19, ()]), 40, 24, 0, UNICODE).furthest == 1


def test_timer_is_added_and_previews_left_out() -> None:
    rows = words_of(frame("space", options=ReviewOptions(timer=True, intervals=False)))

    assert re.search(r"^\d+ s$", "\n".join(rows), re.MULTILINE)
    assert "today" not in " ".join(rows)


@pytest.mark.parametrize(("scale", "word"), [("4", "good"), ("2", "knew it"), ("sm2", "right after hesitation")])
def test_suggested_grade_has_its_button_word(scale: str, word: str) -> None:
    assert f"enter = {word}" in " ".join(words_of(frame("space", keys=keymap(scale))))


def test_a_gap_is_revealed_in_place() -> None:
    rows = words_of(frame("space", cards=[GAP]))

    assert "  6" in rows
    assert [row for row in rows if "A step costs" in row] == ["  A step costs 6 FLOPs."]


@pytest.mark.parametrize("rows", [24, 14, 10])
def test_each_key_draws_one_frame(rows: int) -> None:
    keys = ["space", "1", "u", "1", "u", "u", "t", "x", "enter", "i", "i", "j", "3"]
    terminal = FakeTerminal(*keys, columns=40, rows=rows)

    with pytest.raises(HangupError):
        ran(terminal, LONG, card("b", prompt=LONG.prompt, answer=LONG.answer), card("c"))

    assert terminal.written.count("\x1b[H") == len(keys) + 1


def test_keys_review_cards() -> None:
    terminal = FakeTerminal("space", "3", "redraw", "space", "space")

    store, _ = ran(terminal, card("a"), card("b"))

    assert store.answers() == [("a", Grade.GOOD), ("b", Grade.GOOD)]
    assert store.checkpoints == 5  # before each key


def test_escape_leaves_typing_for_the_question() -> None:
    terminal = FakeTerminal("t", "1", "esc", "backspace", "esc", "space", "3")

    store, _ = ran(terminal, card("a"))

    assert store.answers() == [("a", Grade.GOOD)]


def test_the_page_of_an_answer_holds_the_difference() -> None:
    terminal = FakeTerminal(*"2mn", "enter", rows=24)

    with pytest.raises(HangupError):
        ran(terminal, card("a", typed=True, answer="2mnk"))

    screen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.written.rpartition("\x1b[H")[2])
    rows = [row.strip() for row in screen.splitlines()]
    place = rows.index("you   2mn·")
    assert rows[place + 1 : place + 3] == ["^", "want  2mnk"]


def test_an_exercise_is_asked_and_its_grade_accepted() -> None:
    terminal = FakeTerminal("6", "enter", "enter", ":", "q", "enter")

    store, _ = ran(terminal, EXERCISE)

    assert store.answers() == [("e", Grade.HARD)]
    assert "close: 6 FLOP" in re.sub(r"\x1b\[[0-9;]*m", "", terminal.written).replace("\xa0", " ")


CHOICE = card("c", kind=Kind.CHOICE, prompt="Which is longer?", answer="- [x] Rhine # 1,233 km\n- [ ] Aare")


@pytest.mark.parametrize("picked", ["Rhine", "Aare"])
def test_typed_choice_is_graded_and_shown_by_option(picked: str) -> None:
    terminal = FakeTerminal(*picked, "enter", "enter", *":quit", "enter")

    store, _ = ran(terminal, CHOICE)

    assert store.answers() == [("c", Grade.GOOD if picked == "Rhine" else Grade.AGAIN)]
    assert "Choose one." in terminal.written
    assert "Rhine (1,233 km)" in terminal.written


def test_low_screen_shows_the_choice_verdict() -> None:
    rivers = card(
        "c",
        kind=Kind.CHOICE,
        prompt="Which end in the sea?",
        answer="- [x] Rhine\n- [ ] Aare # in the Rhine\n- [x] Po",
    )
    terminal = FakeTerminal(*"Aare", "enter", "q", columns=40, rows=17)

    ran(terminal, rivers)

    screen = terminal.written.rpartition("\x1b[?25l\x1b[H")[2]
    assert "✗" in screen
    assert "wrong" in screen
    assert "numbers>" not in screen
    assert "and you" in screen


@pytest.mark.parametrize("columns", [30, 60])
def test_long_typed_line_of_wide_signs_fits_row(columns: int) -> None:
    typed = "約千四百万人くらいだと思います" * 3
    terminal = FakeTerminal(*typed, "home", *["right"] * 3, columns=columns)

    with pytest.raises(HangupError):
        ran(terminal, card("a", typed=True))

    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", terminal.written)
    lines = [row for row in text.splitlines() if row.startswith("your answer> ")]
    assert max(map(cell_len, lines)) <= columns
    assert any(row.rstrip().endswith("思います") and "<" in row for row in lines)


def test_typed_card_commands_fit_a_narrowed_terminal() -> None:
    terminal = FakeTerminal("a", "b", columns=60)
    terminal.size = lambda: (60 if terminal.keys.waiting else 34, 20)  # type: ignore[method-assign]

    with pytest.raises(HangupError):
        ran(terminal, card("a", typed=True))

    last = terminal.written.rpartition("\x1b[H")[2]
    assert all(f":{name}" in last for name in ("skip", "undo", "why", "quit"))


def test_long_question_scrolls_while_typing() -> None:
    paragraphs = "\n\n".join(f"paragraph {number}." for number in range(20))
    terminal = FakeTerminal("a", "pgdn", "pgdn", "b", "pgdn", rows=18)

    with pytest.raises(HangupError):
        ran(terminal, card("a", typed=True, prompt=paragraphs))

    first, *_, last = terminal.written.split("\x1b[H")[1:]
    assert "paragraph 0." in first
    assert "-- more below (page down) " in first
    assert "paragraph 19." in last
    assert "-- more above (page up) " in last
    assert "your answer> ab" in last


@pytest.mark.parametrize(
    ("cards", "keys", "answers"),
    [
        (
            [card("a"), EXERCISE],
            ["space", "3", *":u", "enter", "1", "6", "enter", "enter", "q"],
            [("a", Grade.AGAIN), ("e", Grade.HARD)],
        ),
        (
            [EXERCISE, card("a", typed=True)],
            ["6", "enter", "4", *":undo", "enter", "2", *":quit", "enter"],
            [("e", Grade.HARD)],
        ),
    ],
    ids=["from an exercise", "back to an exercise"],
)
def test_undo_restores_the_card_before(
    cards: list[Card], keys: list[str], answers: list[tuple[str, Grade]]
) -> None:
    terminal = FakeTerminal(*keys)

    store, _ = ran(terminal, *cards)

    assert store.answers() == answers
    assert "How many FLOPs?" in terminal.written


def test_exercise_left_by_undo_keeps_its_numbers() -> None:
    terminal = FakeTerminal("space", "3", *":undo", "enter", "3", "6", "enter", "4")
    numbers = count(40)

    ran(terminal, card("a"), EXERCISE, seed=lambda: next(numbers))

    assert SEEDS == [40, 40]


def test_review_commands_work_in_an_exercise() -> None:
    pages, others = [":why", ":info", ":keys"], [":flag", ":undo", ":undo"]
    keys = [key for word in pages for key in (*word, "enter", "q")]
    keys += [key for word in others for key in (*word, "enter")]
    terminal = FakeTerminal(*keys, "6", "enter", "4", rows=50)

    store, _ = ran(terminal, EXERCISE)

    output = terminal.written.replace("\xa0", " ")
    for text in (
        "it has never been reviewed",
        "flops.md:1",
        "Flagged.",
        "edit the card",
        "Undone.",
        "Nothing to undo.",
    ):
        assert text in output
    assert store.answers() == [("e", Grade.EASY)]


@pytest.mark.parametrize(
    ("each", "keys"), [(card("a"), ["e", "q"]), (EXERCISE, [*":edit", "enter", *":quit", "enter"])]
)
def test_return_from_the_editor_keeps_the_card(each: Card, keys: list[str]) -> None:
    terminal = FakeTerminal(*keys)

    ran(terminal, each)

    assert terminal.lent == 1
    assert "nothing was changed" in terminal.written.replace("\xa0", " ")


@pytest.mark.parametrize("way", [":bury", ":suspend"])
def test_exercise_can_be_buried_or_suspended(way: str) -> None:
    store, _ = ran(FakeTerminal(*way, "enter", "space", "3"), EXERCISE, card("a"))

    assert store.answers() == [("a", Grade.GOOD)]


def test_typed_card_takes_colon_commands_and_letters() -> None:
    terminal = FakeTerminal(*":why", "enter", "q", "q", "u", "enter", "1", *":skip", "enter", "3")

    store, _ = ran(terminal, card("a", typed=True, answer="u"))

    assert store.answers() == [("a", Grade.AGAIN), ("a", Grade.GOOD)]
    assert "skipped" in terminal.written
    assert "it has never been reviewed" in terminal.written


def test_unaskable_exercise_is_skipped_with_its_reason() -> None:
    def missing(services: "Services", each: Card, seed: int) -> Turn:
        if each is EXERCISE:
            raise MissingError("e needs torch")
        return turn_of(services, each, {}, seed)

    store, run = ran(FakeTerminal("q"), EXERCISE, card("b"), turn=missing)

    assert run.skipped == ["e needs torch"]
    assert store.answers() == []


def missed(each: Card, asked: Asked | None = None) -> SessionAnswer:
    return SessionAnswer(each, Grade.AGAIN, 1000, None, None, asked=asked)


SUMMARY = Summary(
    cards=3,
    answers=4,
    seconds=372,
    recalled=2,
    asked=3,
    grades=((Grade.AGAIN, 1), (Grade.GOOD, 3)),
    missed=(
        (missed(card("a", prompt="What does a **matmul** cost?", answer="$2mnk$ FLOPs")), 2),
        (missed(card("c", kind=Kind.CLOZE, prompt="A step costs […].", answer="6", full="A step costs 6.")), 1),
        (missed(EXERCISE, closed("incorrect", command="study exercise flops.train_total --seed 3")), 3),
    ),
    remaining=1,
    signs="✓✗✓✓",
    slips=(("fwd_only", 2), ("bits_for_bytes", 1)),
)


def test_summary_lists_misses_with_their_answers() -> None:
    assert summary_lines(SUMMARY, NextSteps(tomorrow=24, streak=23)) == [
        "Done. 3 cards in 6 min 12 s.",
        "",
        "  ✓✗✓✓",
        "",
        "  first-try recall   2 of 3 (67%)",
        "  4 answers          again 1   good 3",
        "  slips              fwd only (2), took bits for bytes",
        "",
        "  Missed",
        "    What does a matmul cost? (twice)",
        "      2mnk FLOPs",
        "    A step costs […].",
        "      A step costs 6.",
        "    How many? (3 times)",
        "      8.4e22 FLOP",
        "      study exercise flops.train_total --seed 3",
        "",
        "  1 left    tomorrow 24 due    streak 23 days",
        "  undo the last action: study undo",
        "",
        "Next: study review",
    ]


def test_summary_marks_are_colored_and_rows_fit() -> None:
    summary = summary_lines(SUMMARY, NextSteps(tomorrow=24, streak=23))

    lines = [line for row in summary for line in highlighted(row, 40)]

    assert colored(lines) == {"✓": "green", "✗": "red", "✓✓": "green", "study review": "cyan"}
    assert all(width(row) <= 40 for row in lines)
    words = " ".join(plain(row) for row in lines).split()
    assert words == " ".join(summary).split()
    long = summary_lines(replace(SUMMARY, signs="✓" * 80), NextSteps())
    assert [len(row.strip()) for row in long if row.strip("✓ ") == "" and row.strip()] == [36, 36, 8]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(5, "5 s"), (60, "1 min 0 s"), (372, "6 min 12 s"), (-1, "0 s")]
)
def test_duration_has_minutes_and_seconds(seconds: int, expected: str) -> None:
    assert duration(seconds) == expected
