"""Check a review as a run of cards: keys and lines go in, and the log and what is asked next come out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_review import SHOWING, TODAY, ScriptedReview, scripted_turn

from decks import basic_card as card
from studykit.cards.card import Card, CardId, Kind, Task
from studykit.exercise.review_run import GUARD_MS, PAUSE_MS, ReviewOptions
from studykit.exercise.turn import Turn
from studykit.review.progress import minutes_left
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command

if TYPE_CHECKING:
    from studykit.exercise.services import Services

AGAIN, HARD, GOOD, EASY = Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY
EXERCISE = card("e", kind=Kind.EXERCISE, task=Task("flops.train_total"))
TYPED = card("a", typed=True)
UNDO = Command("undo")
GOING_ON = ReviewOptions(confirm_right=False)


def followed_turn(services: "Services", each: Card, seed: int) -> Turn:
    turn = scripted_turn(services, each, seed)
    return replace(turn, follow=lambda _: replace(turn, name="more", reason="once more"))


@pytest.mark.parametrize(
    ("names", "keys", "shown", "answers"),
    [
        pytest.param("ab", [], "face a", [], id="first"),
        pytest.param("a", ["space"], "closed a", [], id="revealed"),
        pytest.param("ab", ["space", "3"], "face b", [("a", GOOD)], id="graded"),
        pytest.param("ab", ["space", ""], "face b", [("a", GOOD)], id="accepted"),
        pytest.param("ab", ["space", "1", "u"], "closed a", [], id="undone"),
        pytest.param("ab", ["space", "1", "u", "4"], "face b", [("a", EASY)], id="graded again"),
        pytest.param("ab", ["@", "u"], "face a", [], id="suspend undone"),
        pytest.param("a", ["t"], "asking a", [], id="typed on request"),
        pytest.param("a", ["t", Command("back")], "face a", [], id="back from typing"),
        pytest.param([TYPED], [], "asking a", [], id="typed"),
        pytest.param([EXERCISE], [], "asking e", [], id="exercise"),
        pytest.param("ab", ["space", "3", "q"], "face b", [("a", GOOD)], id="quit"),
    ],
)
def test_keys_lead_to_a_card(
    names: Sequence[str | Card], keys: list[str | Command], shown: str, answers: list[tuple[str, Grade]]
) -> None:
    scripted = ScriptedReview(*names).press(*keys)

    assert (scripted.shown, scripted.store.answers()) == (shown, answers)


@pytest.mark.parametrize(
    ("names", "grades", "shown"),
    [
        ("abcde", "1333", "face a"),
        ("abcde", "1133333", "over"),
        ("ab", "13", "face a"),
        ("a", "2", "face a"),
        ("a", "123", "over"),
        ("", "", "over"),
    ],
    ids=["after three others", "each once", "sooner when alone", "hard", "until a four", "no cards"],
)
def test_a_failed_card_comes_again(names: str, grades: str, shown: str) -> None:
    assert ScriptedReview(*names).answer(*grades).shown == shown


def test_card_limit_leaves_the_rest() -> None:
    assert ScriptedReview("a", "b", "c", limit=2).answer("3", "3").shown == "over"


@pytest.mark.parametrize(
    ("before", "keys", "after_s", "answers"),
    [
        ([], ["space", *[""] * 20], 0.04, []),
        ([], ["space", "2"], 0.001, [("a", HARD)]),
        (["space", "3"], ["u", ""], 0.1, []),
        ([], ["space", ""], GUARD_MS / 1000 - 0.001, []),
        ([], ["space", ""], GUARD_MS / 1000 + 0.001, [("a", GOOD)]),
    ],
    ids=["held space", "digit", "held space after an undo", "within the guard", "behind it"],
)
def test_held_space_bar_grades_nothing(
    before: list[str], keys: list[str], after_s: float, answers: list[tuple[str, Grade]]
) -> None:
    scripted = ScriptedReview("a", "b").press(*before).press(*keys, after_s=after_s)

    assert scripted.store.answers() == answers


def test_space_held_since_typing_does_not_grade() -> None:
    scripted = ScriptedReview(TYPED).press("answer a", "", after_s=0.04)

    assert (scripted.shown, scripted.store.answers()) == ("closed a", [])


def test_a_failed_card_is_counted_as_left_again() -> None:
    scripted = ScriptedReview("a", "b")

    assert [scripted.answer(*grades).run.remaining for grades in ("", "1", "3")] == [2, 2, 1]


def test_undone_card_is_not_asked_twice() -> None:
    scripted = ScriptedReview("b", drill=("z",))
    scripted.store.earlier("z", AGAIN, days_ago=0)

    scripted.press("u")

    assert (scripted.shown, scripted.run.remaining) == ("closed z", 2)


def test_with_nothing_to_undo_the_review_says_so() -> None:
    scripted = ScriptedReview("a").press("u")

    assert (scripted.shown, scripted.ui.messages[-1]) == ("face a", "Nothing to undo.")


def test_answer_undone_elsewhere_gets_a_message() -> None:
    scripted = ScriptedReview("a", "b").answer("3")
    scripted.store.undo(None)

    scripted.press("u")

    assert (scripted.shown, scripted.ui.messages[-1]) == ("face b", "That was undone before.")


def test_a_card_that_is_gone_is_passed_over() -> None:
    scripted = ScriptedReview("a", "b", "c")
    del scripted.store.texts[CardId("b")]

    assert scripted.answer("3").shown == "face c"


@pytest.mark.parametrize(("keys", "shown"), [(["space"], "closed a"), ([], "face a")])
def test_edited_card_is_shown_at_its_stage(keys: list[str], shown: str) -> None:
    scripted = ScriptedReview("a").press(*keys)
    scripted.edited = scripted.store.texts[CardId("a")] = card("a", answer="better")

    scripted.press("e")

    assert (scripted.run.card.answer, scripted.shown, scripted.said) == ("better", shown, "edited")


def test_deleted_card_makes_room() -> None:
    scripted = ScriptedReview("a", "b").press("e")

    assert (scripted.shown, scripted.said) == ("face b", "the card is gone")


@pytest.mark.parametrize("after", ["drilled", "waiting"])
def test_edited_card_is_found_by_its_new_id(after: str) -> None:
    scripted = ScriptedReview(*("a" if after == "drilled" else "ab")).answer("1" if after == "drilled" else "3")
    scripted.edited = card("new")
    scripted.store.texts = {CardId("a"): card("a"), CardId("new"): card("new")}
    scripted.store.earlier("new", GOOD, days_ago=0)
    scripted.press("e")
    assert scripted.run.store.schedule.memory(scripted.run.card.id) == Memory(1, 1, 250, 0, TODAY)

    scripted.press(*(["space", "1"] if after == "drilled" else ["space", "u", "3"]))

    assert scripted.shown == "face new"


@pytest.mark.parametrize(("text", "grade"), [("answer a", GOOD), ("something", AGAIN)])
@pytest.mark.parametrize("confirm_right", [True, False])
def test_typed_answer_suggests_a_grade(text: str, grade: Grade, *, confirm_right: bool) -> None:
    scripted = ScriptedReview(TYPED, "b", options=ReviewOptions(confirm_right=confirm_right)).press(text)

    goes_on = grade is GOOD and not confirm_right
    assert scripted.shown == ("face b" if goes_on else "closed a")
    assert scripted.store.answers() == ([("a", GOOD)] if goes_on else [])
    scripted.press("")
    assert scripted.store.answers()[0] == ("a", grade)


@pytest.mark.parametrize(("key", "grade"), [("", HARD), ("4", EASY)])
def test_exercise_grade_waits_for_acceptance(key: str, grade: Grade) -> None:
    scripted = ScriptedReview(EXERCISE, options=GOING_ON).press("close")
    assert (scripted.shown, scripted.store.events) == ("closed e", [])

    scripted.press(key)

    assert (scripted.store.events[0].grade, scripted.store.events[0].showing) == (grade, SHOWING)


def test_unscored_exercise_records_nothing_and_keeps_message() -> None:
    scripted = ScriptedReview(EXERCISE, "b").press("not_scored", "")

    assert scripted.store.answers() == []
    assert (scripted.shown, scripted.said) == ("face b", "· not scored: 6 FLOP")


def test_recall_counts_due_cards_at_their_first_try() -> None:
    scripted = ScriptedReview("a", "b", "c")
    scripted.store.earlier("a", GOOD, days_ago=1)
    scripted.store.earlier("b", GOOD, days_ago=1)

    summary = scripted.answer("3", "1", "3", "3").run.summary()

    assert (summary.recalled, summary.asked, summary.cards, summary.answers) == (1, 2, 3, 4)


def test_summary_names_missed_cards() -> None:
    summary = ScriptedReview("a").answer("1", "1", "3").run.summary()

    assert [(each.card.id, times) for each, times in summary.missed] == [("a", 2)]


def test_the_summary_counts_grades_and_time() -> None:
    summary = ScriptedReview("a", "b").press("space", "3", "space", "4", after_s=15).run.summary()

    assert (summary.grades, summary.seconds, summary.remaining) == (((GOOD, 1), (EASY, 1)), 60, 0)


def test_the_time_left_is_told_after_five_answers() -> None:
    scripted = ScriptedReview(*"abcdefghij")

    early = scripted.answer(*"3333").run.answers
    later = scripted.press("space", "3", after_s=22).run.answers

    assert (minutes_left(early, 6), minutes_left(later, 5)) == (None, 1)


KEYS = ["space", "", "t", "u", "-", "@", "*", "i", "w", "?", "s", "1", "2", "3", "4", "answer c", Command("back")]


@given(st.lists(st.sampled_from(KEYS), max_size=60), st.floats(0, 0.6))
def test_any_keys_keep_review_and_log_equal(keys: list[str | Command], after_s: float) -> None:
    scripted = ScriptedReview("a", "b", card("c", typed=True), "d", drill=("x",))

    scripted.press(*keys, after_s=after_s)

    answers = [(given.card.id, given.grade) for given in scripted.run.answers]
    assert answers == scripted.store.answers()


@given(st.lists(st.sampled_from("1234"), min_size=1, max_size=12))
def test_undoing_everything_leaves_a_review_as_it_began(grades: list[str]) -> None:
    scripted = ScriptedReview(*"abcdef")
    turns = scripted.run.state.turns

    scripted.answer(*grades).press(*["u"] * len(scripted.run.answers))

    if scripted.shown == "over":
        return
    assert (scripted.shown, scripted.run.remaining, scripted.run.answers) == ("closed a", 6, ())
    assert [turn.card for turn in scripted.run.state.turns] == [turn.card for turn in turns]
    assert scripted.store.answers() == []


@pytest.mark.parametrize(("verdict", "shown"), [("correct", "face b"), ("close", "closed e")])
def test_exercise_continues_only_with_nothing_to_read(verdict: str, shown: str) -> None:
    assert ScriptedReview(EXERCISE, "b", options=GOING_ON).press(verdict).shown == shown


def test_enter_for_the_last_card_reveals_nothing() -> None:
    scripted = ScriptedReview(TYPED, "b", options=GOING_ON).press("answer a")

    scripted.press("space", after_s=PAUSE_MS / 1000 - 0.001)
    assert scripted.shown == "face b"
    scripted.press("space", after_s=0.002)

    assert scripted.shown == "closed b"


def test_undo_returns_a_judged_answer_first() -> None:
    scripted = ScriptedReview("a", EXERCISE).press("space", "3", "incorrect")

    scripted.press("u")

    asked = scripted.run.state.asked
    assert asked is not None
    assert (scripted.shown, scripted.said, asked.answer_seen) == ("asking e", "undone", True)
    assert scripted.store.answers() == [("a", GOOD)]
    scripted.press(UNDO)
    assert (scripted.shown, scripted.store.answers()) == ("closed a", [])


def test_undone_typed_answer_is_editable() -> None:
    scripted = ScriptedReview(TYPED, "b").press("answer b", "u")
    assert scripted.shown == "asking a"

    scripted.press("answer a", "3")

    assert (scripted.shown, scripted.store.answers()) == ("face b", [("a", GOOD)])


def test_undo_chain_goes_from_grade_to_grade() -> None:
    scripted = ScriptedReview(TYPED, card("b", typed=True), "c").press("answer ax", "3", "answer bx", "3")

    assert [scripted.press("u").shown for _ in range(2)] == ["closed b", "closed a"]
    assert scripted.store.answers() == []


def test_undo_returns_a_skipped_exercise() -> None:
    assert ScriptedReview(EXERCISE, "b").press("not_scored", "", "u").shown == "asking e"


@pytest.mark.parametrize(("text", "key", "is_recalled"), [("answer a", "1", True), ("other", "4", False)])
def test_recall_goes_by_the_verdict(text: str, key: str, *, is_recalled: bool) -> None:
    scripted = ScriptedReview(TYPED, "b").press(text, key)

    done = scripted.run.summary()

    assert scripted.store.recalled is is_recalled
    expected: tuple[str, list[str]] = ("✓", []) if is_recalled else ("✗", ["a"])
    assert (done.signs, [each.card.id for each, _ in done.missed]) == expected


def test_answer_time_starts_when_its_card_comes() -> None:
    scripted = ScriptedReview("a", "b").press("space", "3", "space", "u", "3")

    assert [event.took_ms for event in scripted.store.events if event.kind is EventKind.ANSWER] == [2000, 1000]


@pytest.mark.parametrize(("minutes", "shown"), [(1, "face b"), (1.1, "face c")])
def test_a_limit_on_minutes_counts_from_the_start(minutes: float, shown: str) -> None:
    scripted = ScriptedReview("a", "b", "c", options=ReviewOptions(minutes=minutes))

    scripted.press("space", "3", after_s=15).press("space", "3", after_s=16)

    assert scripted.run.time_up is (shown == "face b")
    assert scripted.store.answers() == [("a", GOOD), ("b", GOOD)]


@pytest.mark.parametrize(
    ("grades", "words"),
    [
        ("3", "good, next 21 Nov (1 d)"),
        ("2", "hard, back today, then 21 Nov (1 d)"),
        ("12", "hard, back today; the schedule stays"),
        ("13", "good, done for today; the schedule stays"),
    ],
)
def test_a_grade_says_what_it_did(grades: str, words: str) -> None:
    assert ScriptedReview("a").answer(*grades).said == words


@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [
        ("-", EventKind.BURY, "buried until tomorrow"),
        ("@", EventKind.SUSPEND, "suspended until you unsuspend it"),
    ],
)
def test_putting_a_card_aside_is_recorded(key: str, kind: EventKind, words: str) -> None:
    scripted = ScriptedReview("a", "b").press(key)

    event = scripted.store.events[-1]
    assert (event.kind, event.card, scripted.said, scripted.shown) == (kind, "a", words, "face b")


def test_flags_are_recorded_and_undone() -> None:
    scripted = ScriptedReview("a").press("*", "*", "u", "u")

    assert scripted.ui.messages[-4:] == ["Flagged.", "Flag taken off.", "Undone.", "Undone."]
    assert [event.kind for event in scripted.store.events[:2]] == [EventKind.FLAG, EventKind.UNFLAG]
    assert scripted.shown == "face a"


def test_card_comes_with_its_flag() -> None:
    scripted = ScriptedReview("a", "b")
    scripted.store.record(EventKind.FLAG, CardId("b"))

    assert "flops, flagged" in scripted.answer("3").ui.messages


def test_earlier_answer_comes_before_the_drill() -> None:
    scripted = ScriptedReview("b", drill=("x", "y"))
    scripted.store.texts[CardId("z")] = card("z")
    scripted.store.earlier("z", GOOD, days_ago=1)

    scripted.press("u")

    assert (scripted.shown, scripted.said) == ("closed z", "undone, from before")
    assert [turn.card for turn in scripted.run.state.turns] == ["z", "x", "y", "b"]


def test_undone_mark_shows_the_question() -> None:
    scripted = ScriptedReview("a")
    scripted.store.texts[CardId("z")] = card("z")
    scripted.store.record(EventKind.BURY, CardId("z"))

    assert scripted.press("u").shown == "face z"


@pytest.mark.parametrize(
    ("keys", "shown", "kinds"),
    [
        (["", "correct"], "closed e", ["practice"]),
        (["", Command("quit")], "closed e", []),
        (["", UNDO], "asking e", []),
        (["", Command("bury")], "face b", ["bury"]),
        ([None], "closed e", []),
    ],
    ids=["answered", "left", "undone", "buried", "declined"],
)
def test_follow_up_is_asked_before_the_grade(
    keys: list[str | Command | None], shown: str, kinds: list[str]
) -> None:
    scripted = ScriptedReview(EXERCISE, "b", turn=followed_turn).press("incorrect", *keys)

    assert (scripted.shown, [event.kind for event in scripted.store.events]) == (shown, kinds)


def test_typed_line_stays_a_draft_until_it_is_graded() -> None:
    scripted = ScriptedReview(TYPED, "b")
    drafts = scripted.run.asking.services.open_drafts()

    scripted.press("something")
    assert (drafts.of("a"), scripted.shown) == ("something", "closed a")
    assert scripted.run.kept_text == "What you typed is kept."

    assert scripted.press("1").run.asking.services.open_drafts().of("a") == ""
