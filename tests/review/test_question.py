"""Check the state machine of a question: a row for each rule, and random sequences of events."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.review.question import (
    UNMARKED,
    Aside,
    Asked,
    Broken,
    Commanded,
    Edited,
    Effect,
    Event,
    Judged,
    Marked,
    Phase,
    Policy,
    Question,
    Reply,
    TimeUp,
    Typed,
)
from studykit.review.question_rules import step
from studykit.scheduling.outcomes import CLOSE, INCORRECT, LATE, MALFORMED, NOT_SCORED, RIGHT, SKIPPED
from studykit.scheduling.recall_grade import Grade

FORWARD = "You left out the backward pass."
GOOD = Reply(RIGHT)
NEAR = Reply(CLOSE, when_closed="Yours is 3 % too high.")
WRONG = Reply(
    INCORRECT,
    read_as="2 s",
    while_open="too low. Is that one pass?",
    when_closed="Yours is 3x too low.",
    slips=("forward",),
    slip_text=FORWARD,
)
UNREADABLE = Reply(MALFORMED, while_open="unknown unit 'lots'")
TIED = replace(WRONG, slips=(), aside=Aside("What do you get for the FLOPs?", "FLOP", ("a", "b")))
BESIDE = Reply(INCORRECT, while_open="Look at that step first.", slips=("a",), ruled_out=frozenset({"b"}))
COMPARED = Reply(UNMARKED)
PROMISE = UUID(int=7)


def no_judge(_asked: Asked) -> Reply:
    raise AssertionError


ESTIMATE = Question(
    name="time.toy",
    seed=3,
    markdown="How long?",
    fields=("s",),
    judge=no_judge,
    showing=lambda _answer, _verdict, _slips: None,
    right="6 s",
    hints=("count", "divide"),
    solution="1. work\n2. divide",
    steps="1. work\n2. divide",
    help="Type a time.",
    reserves_letters=True,
)
BARE = replace(ESTIMATE, hints=(), steps="", solution="", tries=1, reserves_letters=False)
BET = replace(
    BARE,
    fields=("what", "time", "interval"),
    optional=frozenset({2}),
    field_error=lambda number, text: "write a time" if number == 1 and text == "soon" else "",
)
CODE = replace(ESTIMATE, edited="def f():")
SET = Policy()
QUIZ = Policy(1, has_help=False)
EXAM = QUIZ._replace(is_silent=True, can_undo=False)


def event_of(word: object) -> Event:
    """Convert a cell to an event: `:word` is a command, other text a line, a reply the end of judging."""
    match word:
        case Reply():
            return Judged(word)
        case str() if word.startswith(":"):
            return Commanded(word[1:])
        case str():
            return Typed(word)
    assert isinstance(word, Event)
    return word


def played(question: Question, words: Sequence[object], policy: Policy = SET) -> Asked:
    state = Asked(question)
    for word in words:
        state, _ = step(state, event_of(word), policy)
    return state


Row = tuple[str, Question, list[object], dict[str, object], list[str]]
ROWS: list[Row] = [
    ("empty line", ESTIMATE, [" "], {"phase": Phase.ASKING}, ["No answer yet. `:skip` shows the solution."]),
    ("typed", ESTIMATE, ["6"], {"phase": Phase.JUDGING, "given": ("6",)}, []),
    ("right at once", ESTIMATE, ["6", GOOD], {"verdict": RIGHT, "waits": False}, ["✓ **right**: 6 s"]),
    ("a remark", ESTIMATE, ["6", replace(GOOD, has_remark=True)], {"verdict": RIGHT, "waits": True}, []),
    (
        "right at try 2",
        ESTIMATE,
        ["2", WRONG, "6", GOOD],
        {"verdict": LATE, "grade": Grade.HARD, "waits": True},
        ["≈ **right at try 2**: 6 s", f"Try 1: {FORWARD}"],
    ),
    (
        "right at try 3",
        ESTIMATE,
        [":hint", "2", WRONG, "2", WRONG, "6", GOOD],
        {"verdict": LATE, "grade": Grade.AGAIN},
        ["≈ **right at try 3, 1 hint**: 6 s"],
    ),
    (
        "a hint",
        ESTIMATE,
        [":hint", "6", GOOD],
        {"verdict": LATE, "grade": Grade.HARD},
        ["Hint: count", "≈ **right with 1 hint**"],
    ),
    (
        "close ends",
        ESTIMATE,
        ["6.2", NEAR],
        {"verdict": CLOSE, "grade": Grade.HARD, "is_closed": True},
        ["≈ **close**: 6 s", "Yours is 3 % too high."],
    ),
    (
        "wrong first",
        ESTIMATE,
        ["2", WRONG],
        {"phase": Phase.ASKING, "slips": ("forward",)},
        ["✗ **not yet**, 2 tries left. Read as 2 s: too low. Is that one pass?"],
    ),
    (
        "wrong last",
        ESTIMATE,
        ["2", WRONG, "3", WRONG, "4", WRONG],
        {"verdict": INCORRECT, "grade": Grade.AGAIN},
        ["1 try left", "✗ **wrong**: 6 s", "Yours is 3x too low.", "2. divide"],
    ),
    (
        "unreadable",
        ESTIMATE,
        ["lots", UNREADABLE],
        {"phase": Phase.ASKING, "tries": ()},
        ["Not read: unknown unit 'lots'. This costs no try."],
    ),
    ("hints run out", ESTIMATE, [":hint"] * 3, {"hints": 2}, ["Hint: divide", "That was the last hint."]),
    (
        "no hints",
        BARE,
        [":hint", ":steps"],
        {"hints": 0},
        ["This question has no hints.", "This question has no steps."],
    ),
    (
        "steps warn",
        ESTIMATE,
        [":steps", "6", GOOD],
        {"verdict": RIGHT},
        ["The steps give the answer away and end this question."],
    ),
    ("steps end", ESTIMATE, [":steps", ":steps"], {"verdict": SKIPPED, "grade": Grade.AGAIN}, ["2. divide"]),
    ("skip", ESTIMATE, [":skip"], {"verdict": SKIPPED, "grade": Grade.AGAIN}, ["· **skipped**: 6 s", "1. work"]),
    (
        "skip after a try",
        ESTIMATE,
        ["2", WRONG, ":skip"],
        {"verdict": INCORRECT, "answer": "2"},
        ["✗ **wrong**: 6 s", "1. work"],
    ),
    ("help", ESTIMATE, [":help", "?"], {"phase": Phase.ASKING}, ["Type a time."]),
    (
        "a letter",
        ESTIMATE,
        ["h"],
        {"hints": 0, "phase": Phase.ASKING},
        ["Commands begin with a colon: `:hint`."],
    ),
    ("a letter that answers", BARE, ["h"], {"phase": Phase.JUDGING}, []),
    ("editor elsewhere", ESTIMATE, [":editor"], {"phase": Phase.ASKING}, ["`:editor` is for rewrites."]),
    ("edited", CODE, [":editor", Edited("x")], {"phase": Phase.JUDGING, "edited": "x"}, []),
    ("nothing edited", CODE, [":editor", Edited(None)], {"phase": Phase.ASKING}, ["Nothing was changed."]),
    ("a line replaces the editor", CODE, [Edited("x"), UNREADABLE, "y", WRONG], {"edited": ""}, []),
    ("an unread line keeps it", CODE, [Edited("x"), UNREADABLE, "y", UNREADABLE], {"edited": "x"}, []),
    ("broken", ESTIMATE, ["6", Broken("Stopped.")], {"phase": Phase.ASKING, "tries": ()}, ["Stopped."]),
    ("fields", BET, ["c"], {"given": ("c",), "label": "time", "phase": Phase.ASKING}, []),
    ("optional field", BET, ["c", "6", ""], {"given": ("c", "6", ""), "phase": Phase.JUDGING}, []),
    ("bad field", BET, ["c", "soon"], {"given": ("c",)}, ["Not read: write a time. This costs no try."]),
    ("one field back", BET, ["c", ":back"], {"given": (), "label": "what"}, []),
    ("one try", BARE, ["2", WRONG], {"verdict": INCORRECT, "is_closed": True}, []),
    ("aside", ESTIMATE, ["2", TIED], {"phase": Phase.ASIDE, "label": "FLOP"}, ["What do you get for the FLOPs?"]),
    (
        "aside wrong",
        ESTIMATE,
        ["2", TIED, "9", BESIDE],
        {"phase": Phase.ASKING, "answers": ("2",), "slips": ("a",), "ruled_out": frozenset({"b"})},
        ["Look at that step first."],
    ),
    ("aside unread", ESTIMATE, ["2", TIED, "lots", UNREADABLE], {"phase": Phase.ASIDE}, ["This costs no try."]),
    ("aside broken", ESTIMATE, ["2", TIED, "9", Broken("")], {"phase": Phase.ASIDE}, []),
    ("aside answers", ESTIMATE, ["2", TIED, "6", GOOD], {"verdict": LATE}, ["≈ **right at try 2**"]),
    ("aside skipped", ESTIMATE, ["2", TIED, ":skip"], {"phase": Phase.ASKING}, ["Back to the question."]),
    ("aside ended", ESTIMATE, ["2", TIED, ":steps", ":steps"], {"verdict": INCORRECT}, ["1. work"]),
    ("aside left", ESTIMATE, ["2", TIED, ":back"], {"phase": Phase.ASKING, "aside": None}, []),
    ("compared", BARE, ["x", COMPARED], {"phase": Phase.MARKING, "verdict": ""}, ["The answer: 6 s"]),
    ("marked right", BARE, ["x", COMPARED, Marked(is_right=True)], {"verdict": RIGHT, "grade": Grade.GOOD}, []),
    ("marked wrong", BARE, ["x", COMPARED, Marked(is_right=False)], {"verdict": INCORRECT}, []),
    ("time", ESTIMATE, [TimeUp("6")], {"verdict": NOT_SCORED, "grade": None, "answer": "6"}, []),
    (
        "not scored",
        BARE,
        ["6", Reply(NOT_SCORED, when_closed="the CPU is busy")],
        {"verdict": NOT_SCORED, "grade": None},
        ["· **not scored**: the CPU is busy."],
    ),
    ("promised", BARE, ["6", replace(GOOD, promise=PROMISE)], {"promises": (PROMISE,)}, []),
    ("a grade of its own", BARE, ["6", replace(GOOD, grade=Grade.HARD)], {"grade": Grade.HARD}, []),
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_question_follows_its_rules(row: Row) -> None:
    _, question, words, expected, texts = row

    state = played(question, words)

    assert {name: getattr(state, name) for name in expected} == expected
    page = "\n".join(map(str, state.page))
    assert [text for text in texts if text not in page] == []
    assert state.is_closed or "6 s" not in page or state.phase is Phase.MARKING


@pytest.mark.parametrize(
    ("policy", "words", "page"),
    [
        (QUIZ, [":hint"], ["A quiz gives no hints and no steps."]),
        (QUIZ, [":steps"], ["A quiz gives no hints and no steps."]),
        (QUIZ, ["2", WRONG], ["✗ **wrong**: 6 s", "Read as 2 s.\nYours is 3x too low.", "1. work\n2. divide"]),
        (EXAM, ["2", WRONG], []),
        (EXAM, [":skip"], []),
        (EXAM, ["x", COMPARED], []),
    ],
)
def test_the_place_decides_what_is_said(policy: Policy, words: list[object], page: list[str]) -> None:
    state = played(ESTIMATE, words, policy)

    assert list(state.page) == page
    assert state.is_closed is (words not in ([":hint"], [":steps"]))


def test_commands_have_one_order_and_name_what_works() -> None:
    place = {"undo": "undo", "why": "why", "info": ""}
    shown_keys = [key for key, word in Asked(CODE).commands(Policy(), place).items() if word]

    assert shown_keys == ["hint", "steps", "skip", "undo", "why", "q", "editor"]
    assert Asked(CODE).commands(Policy(), place)["hint"] == "hint 1 of 2"
    exam_keys = [key for key, word in Asked(CODE).commands(EXAM, place).items() if word]
    assert exam_keys == ["skip", "why", "q", "editor"]
    assert not Asked(BARE).commands(Policy(), place)["steps"]


def test_the_answer_seen_is_never_right_at_once() -> None:
    state = replace(Asked(ESTIMATE), answer_seen=True)
    state, _ = step(state, Typed("6"), Policy())
    state, _ = step(state, Judged(GOOD), Policy())

    assert (state.verdict, state.line) == (LATE, "≈ right, with the answer seen: 6 s")


LINES = st.sampled_from(["6", "", "h", "soon"]).map(Typed)
REPLIES = st.sampled_from([GOOD, NEAR, WRONG, UNREADABLE, TIED, BESIDE, COMPARED, Reply(NOT_SCORED)]).map(Judged)
COMMANDS = st.sampled_from(["hint", "steps", "skip", "back", "editor", "help", "undo"]).map(Commanded)
OTHERS = st.sampled_from(
    [Broken("Stopped."), Edited("x"), Edited(None), TimeUp("9"), Marked(is_right=True), Marked(is_right=False)]
)
EVENTS = st.lists(st.one_of(LINES, REPLIES, REPLIES, COMMANDS, OTHERS), max_size=25)
ENDS = {RIGHT, LATE, CLOSE, SKIPPED, INCORRECT, NOT_SCORED}


@given(EVENTS, st.sampled_from([ESTIMATE, BARE, BET, CODE]), st.sampled_from([Policy(), QUIZ, EXAM]))
def test_no_events_break_a_question(events: list[Event], question: Question, policy: Policy) -> None:
    limit = policy.tries or question.tries
    state = Asked(question)
    for event in events:
        after, effect = step(state, event, policy)
        if state.is_closed:
            assert (after, effect) == (state, Effect.NONE)
            break
        assert (effect is Effect.JUDGE) == (after.phase is Phase.JUDGING and state.phase is not Phase.JUDGING)
        assert len(after.tries) == len(after.answers) or after.verdict == NOT_SCORED
        assert len(after.tries) <= limit
        if event == Judged(UNREADABLE):
            assert (after.tries, after.hints) == (state.tries, state.hints)
        if len(after.tries) > len(state.tries) and isinstance(event, Judged):
            assert after.previous is not None
            assert (after.previous.tries, after.previous.hints) == (state.tries, state.hints)
            assert (after.previous.phase, after.previous.aside, after.previous.given) == (Phase.ASKING, None, ())
        if after.is_closed and isinstance(event, Commanded) and event.name == "skip":
            assert after.previous is not None
            assert after.previous.tries == after.tries
        assert after.page[: len(state.page)] == state.page
        if after.is_closed and not after.is_unmarked:
            assert after.verdict in ENDS
            assert after.verdict != RIGHT or (len(after.tries), after.hints, after.answer_seen) == (1, 0, False)
        state = after
